//! The result of checking a call.
//!
//! It is the type of each table and the source of its entries, or the reasons for rejecting the call.

use posenc_runtime::reflection::TableKind;
use posenc_runtime::{AxialError, CheckedTable, FirstRows, GridError, Spec, SpecError, TableError};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::LitStr;

use crate::arguments::Arguments;
use crate::blame::{culprit, culprits, preset_or_first};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::dtype::Dtype;
use crate::kind::Macro;
use crate::read::Read;
use crate::reader::Arg;
use crate::table::Baked;

/// The default of `max_bytes` for a call without names. As a literal, a table of this size takes the compiler about
/// 2.5 GB of memory.
pub(crate) const DEFAULT_MAX_BYTES: usize = 256 << 20;

/// The type of a table, `[[dtype; d_model]; seq_len]`.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) dtype: Dtype,
    /// A literal, or the user's expression.
    pub(crate) seq_len: TokenStream,
    pub(crate) d_model: TokenStream,
}

/// A table of a call without known errors.
pub(crate) struct Request<'a> {
    pub(crate) shape: Shape,
    pub(crate) source: Source<'a>,
}

/// The source of the entries.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub(crate) enum Source<'a> {
    /// The macro computes them. The table has been checked.
    Macro(Baked<'a>, CheckedTable<'a>),
    /// The compiler computes them, because it knows the values of names.
    Compiler(Code),
    /// They are in a file written by the build script, if that is the table of this call.
    File(Code, Included),
}

/// A file of the build script.
pub(crate) struct Included {
    pub(crate) name: LitStr,
    /// The call that makes its table, as in the file if the parameters are known, and otherwise as it is written.
    pub(crate) call: String,
}

/// The parameters as code, for the compiler to evaluate.
pub(crate) struct Code {
    pub(crate) table: TableKind,
    /// The number of axes, if the kind has any.
    pub(crate) axes: usize,
    /// The number of tables of the call.
    pub(crate) tables: usize,
    /// Definitions of the lists.
    pub(crate) frequencies: TokenStream,
    /// A `Spec` or a `Grid`.
    pub(crate) spec: TokenStream,
    /// `None` if it is not given. The time is then limited too.
    pub(crate) max_bytes: Option<TokenStream>,
    /// The arguments by their names in errors, in the order in which they are blamed.
    pub(crate) arguments: Vec<(String, TokenStream)>,
    /// The preset, or the first argument.
    pub(crate) preset: TokenStream,
}

/// The errors of a call, and the shapes of its tables if they are known.
pub(crate) struct Refusal {
    pub(crate) diagnostics: Diagnostics,
    pub(crate) shapes: Option<Vec<Shape>>,
}

impl From<Diagnostics> for Refusal {
    fn from(diagnostics: Diagnostics) -> Self {
        Self { diagnostics, shapes: None }
    }
}

/// A table as it has been read.
pub(crate) struct Output<'a> {
    /// The numbers of rows and columns in its type, if they are valid.
    pub(crate) sizes: Option<[TokenStream; 2]>,
    /// Its parameters, if its sizes are known. With axes they are there anyway, because errors of the axes are known.
    pub(crate) baked: Option<Baked<'a>>,
    /// The code for them.
    pub(crate) spec: TokenStream,
}

/// Checks the tables of a call as a whole: one, or the cosines and the sines.
pub(crate) fn request<'a>(
    read: Read<'a, '_>,
    arguments: &Arguments,
    outputs: Vec<Output<'a>>,
    mut diagnostics: Diagnostics,
) -> Result<Vec<Request<'a>>, Refusal> {
    let (kind, Read { dtype, max_bytes, mut file, reader, axes, .. }) = (read.table.kind(), read);
    let limit = max_bytes.as_ref().map_or(Some(DEFAULT_MAX_BYTES), |limit| limit.value).filter(|_| !reader.named);
    let mut shapes = dtype.and_then(|dtype| shapes(dtype, &outputs));
    let tables = outputs.len();
    let timed = max_bytes.is_none().then_some(tables);
    let checks = diagnostics.is_empty();
    let mut found = None;
    let check = |output: Output<'a>| {
        let dtype = dtype.unwrap_or(Dtype::f32);
        let baked = output.baked.filter(|_| checks);
        let table = baked.map(|baked| dtype.check(&baked, limit.unwrap_or(usize::MAX), timed));
        let table = table.transpose().unwrap_or_else(|error| {
            // The axes are known even if their sizes are not.
            let counts = limit.is_some() || has_other_axes(&error);
            found = found.or(counts.then_some(error));
            None
        });
        (output, table)
    };
    let outputs: Vec<_> = outputs.into_iter().map(check).collect();
    if let Some(error) = found {
        let said = (Macro::of(kind).in_its_terms)(error);
        diagnostics.push(Diagnostic::at(culprit(&said, arguments, kind), said));
        // A table that is too large has no value, not even one of zeros, and other axes have another number of rows.
        let is_too_large = matches!(
            error,
            TableError::Spec(SpecError::TableTooLarge { .. })
                | TableError::Grid(GridError::TooLarge { .. })
                | TableError::Axial(AxialError::TooLarge { .. })
        );
        if is_too_large || has_other_axes(&error) {
            shapes = None;
        }
    }
    let shapes = match shapes {
        Some(shapes) if diagnostics.is_empty() => shapes,
        shapes => return Err(Refusal { diagnostics, shapes }),
    };
    let request = |((Output { baked, spec, .. }, table), shape): ((Output<'a>, _), Shape)| {
        let baked = baked.filter(|_| limit.is_some());
        let code = || Code {
            table: kind,
            axes: axes.len(),
            tables,
            frequencies: reader.list.clone(),
            spec,
            max_bytes: max_bytes.as_ref().map(|Arg { code, .. }| code.clone()),
            arguments: culprits(arguments, kind),
            preset: preset_or_first(arguments),
        };
        let source = match (file.take(), baked, table) {
            (Some(name), baked, _) => {
                let call = baked.map_or_else(|| arguments.call(kind), |baked| baked.call(shape.dtype.name()));
                Source::File(code(), Included { name, call })
            }
            (None, Some(baked), Some(table)) => Source::Macro(baked, table),
            (None, ..) => Source::Compiler(code()),
        };
        Request { shape, source }
    };
    Ok(outputs.into_iter().zip(shapes).map(request).collect())
}

/// Returns whether the preset has other axes than the shape.
fn has_other_axes(error: &TableError) -> bool {
    let (TableError::Grid(error) | TableError::Axial(AxialError::Grid(error))) = error else { return false };
    matches!(error, GridError::Axes { .. })
}

fn shapes(dtype: Dtype, outputs: &[Output]) -> Option<Vec<Shape>> {
    let shape = |output: &Output| {
        let [seq_len, d_model] = output.sizes.clone()?;
        Some(Shape { dtype, seq_len, d_model })
    };
    outputs.iter().map(shape).collect()
}

/// Returns the first rows of a spec, if their number is known.
pub(crate) fn first_rows(spec: Spec<'_>, seq_len: Option<usize>) -> Option<Baked<'_>> {
    seq_len.map(|seq_len| Baked::Rows(FirstRows { spec, seq_len }))
}

impl Shape {
    /// Returns the path of the element type.
    pub(crate) fn dtype(&self, crate_path: &TokenStream) -> TokenStream {
        let dtype = format_ident!("{}", self.dtype.name());
        quote!(#crate_path::__private::#dtype)
    }

    /// Returns the type of the table.
    pub(crate) fn array(&self, crate_path: &TokenStream) -> TokenStream {
        let (dtype, Self { seq_len, d_model, .. }) = (self.dtype(crate_path), self);
        quote!([[#dtype; #d_model]; #seq_len])
    }
}
