//! `grid_table!`: the table of a grid.

mod options;

use posenc_runtime::{
    EXCLUDED_BY_FREQUENCIES, GridError, GridPreset, SpecError, axis_names, conflict_of_extent,
    conflict_with_frequencies,
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Expr, ExprTuple};

use crate::arguments::{Arguments, for_each_option};
use crate::baked::{AnyGrid, Baked, MAX_AXES};
use crate::blame::{culprit, culprits, preset_or_first};
use crate::check::{DEFAULT_MAX_BYTES, Lists, d_model, keep, size_tokens};
use crate::choice;
use crate::diagnostic::{Diagnostic, Diagnostics, shown};
use crate::dtype::Dtype;
use crate::made::Made;
use crate::number::{Given, size, unless_named};
use crate::of_grid;
use crate::reader::{Reader, size_literal};
use crate::request::{Code, Included, Refusal, Request, Shape, Source};

/// The arguments read so far.
struct Read<'a, 'p> {
    /// The numbers of points, as far as they are known.
    shape: Vec<Option<usize>>,
    d_model: Option<Given<usize>>,
    d_model_tokens: TokenStream,
    names: &'static [&'static str],
    dtype: Option<Dtype>,
    /// The number, if it is known, and the code for it, if it is given.
    max_bytes: Option<(Option<usize>, TokenStream)>,
    file: Option<syn::LitStr>,
    /// The grid, with other sizes where they are not known.
    grid: AnyGrid<'a>,
    /// The code `Grid::preset(...).start(...)` and so on.
    calls: TokenStream,
    /// The same as far as the number of rows depends on it.
    calls_for_rows: TokenStream,
    reader: Reader<'p>,
}

/// Checks all arguments, so that two mistakes give two errors.
///
/// The grid borrows its lists from `storage`.
pub(crate) fn request<'a>(
    arguments: &Arguments,
    crate_path: &TokenStream,
    storage: &'a mut Lists,
) -> Result<Request<'a>, Refusal> {
    let mut diagnostics = Vec::new();
    let shape = tuple(&arguments.seq_len)?;
    let find = |name| arguments.options.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let preset = find("preset").and_then(|value| keep(choice::preset::<GridPreset>(value), &mut diagnostics));
    let mut read = Read::sizes(arguments, shape, preset, crate_path, &mut diagnostics);
    if let Some(list) = find("frequencies") {
        keep(read.lists(list, &mut storage.of_axes), &mut diagnostics);
        read.set_lists(&storage.of_axes);
    }
    for_each_option(&arguments.options, &mut diagnostics, |key, value| read.option(key, value));
    let conflicts = EXCLUDED_BY_FREQUENCIES.iter().map(|key| ("frequencies", *key, conflict_with_frequencies(key)));
    for (one, other, error) in conflicts.chain([("extent", "unit", conflict_of_extent())]) {
        if let (Some(_), Some(_)) = (find(one), find(other)) {
            diagnostics.push(Diagnostic::at(culprit(&error, arguments, read.made()), error));
        }
    }
    read.finish(arguments, diagnostics)
}

impl<'a, 'p> Read<'a, 'p> {
    fn sizes(
        arguments: &Arguments,
        written: &ExprTuple,
        preset: Option<GridPreset>,
        crate_path: &'p TokenStream,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut reader = Reader::new(crate_path);
        let sizes = written.elems.iter().map(|points| {
            let known = keep(unless_named(points, |points| size("shape", points)), diagnostics);
            let known = known.and_then(Given::known);
            (known, size_tokens("shape", known, points, crate_path))
        });
        let (shape, points): (Vec<_>, Vec<_>) = sizes.unzip();
        let d_model = keep(unless_named(&arguments.d_model, d_model), diagnostics);
        let known = d_model.and_then(Given::known);
        let d_model_tokens = size_tokens("d_model", known, &arguments.d_model, crate_path);
        reader.named = shape.contains(&None) || known.is_none();
        let calls = if let Some(preset) = preset {
            let variant = format_ident!("{preset:?}");
            quote!(#crate_path::Grid::preset(#crate_path::GridPreset::#variant, [#(#points),*], #d_model_tokens))
        } else {
            quote!(#crate_path::Grid::new([#(#points),*], #d_model_tokens))
        };
        let any: Vec<_> = shape.iter().map(|points| points.unwrap_or(1)).collect();
        Self {
            names: axis_names(preset, shape.len()),
            grid: AnyGrid::new(preset, &any, known.unwrap_or(2)),
            shape,
            d_model,
            d_model_tokens,
            dtype: Some(Dtype::f32),
            max_bytes: None,
            file: None,
            calls_for_rows: calls.clone(),
            calls,
            reader,
        }
    }

    fn made(&self) -> Made {
        Made::Grid(self.shape.len())
    }

    fn finish(self, arguments: &Arguments, mut diagnostics: Diagnostics) -> Result<Request<'a>, Refusal> {
        let made = self.made();
        let max_bytes = self.max_bytes.as_ref().map_or(Some(DEFAULT_MAX_BYTES), |(number, _)| *number);
        let known = max_bytes.filter(|_| !self.reader.named);
        let baked = Baked::Grid(self.grid);
        let rows = if known.is_some() {
            size_literal("shape", of_grid!(self.grid, grid => grid.rows()), self.reader.crate_path)
        } else {
            let calls = &self.calls_for_rows;
            quote!(#calls.rows())
        };
        let sizes_are_valid = self.d_model.is_some();
        let mut shape = self.dtype.filter(|_| sizes_are_valid).map(|dtype| Shape {
            dtype,
            seq_len: rows,
            d_model: self.d_model_tokens.clone(),
        });
        let dtype = self.dtype.unwrap_or(Dtype::f32);
        let checked = dtype.check(&baked, known.unwrap_or(usize::MAX), self.max_bytes.is_none());
        let found = checked.as_ref().err().copied().filter(|_| diagnostics.is_empty());
        // The axes are known even if their sizes are not.
        if let Some(error) =
            found.filter(|error| known.is_some() || matches!(error, SpecError::Grid(GridError::Axes { .. })))
        {
            diagnostics.push(Diagnostic::at(culprit(&error, arguments, made), error));
            // A table that is too large has no value, not even one of zeros, and other axes have another number of rows.
            if matches!(error, SpecError::Grid(GridError::TooLarge { .. } | GridError::Axes { .. })) {
                shape = None;
            }
        }
        let shape = match shape {
            Some(shape) if diagnostics.is_empty() => shape,
            shape => return Err(Refusal { diagnostics, shape }),
        };
        let code = Code {
            made,
            frequencies: self.reader.list,
            spec: self.calls,
            max_bytes: self.max_bytes.map(|(_, code)| code),
            arguments: culprits(arguments, made),
            preset: preset_or_first(arguments),
        };
        let source = match (self.file, known, checked) {
            (Some(name), known, _) => {
                let call = if known.is_some() { dtype.call(&baked) } else { arguments.call("grid_table") };
                Source::File(code, Included { name, call })
            }
            (None, Some(_), Ok(table)) => Source::Macro(baked, table),
            (None, ..) => Source::Compiler(code),
        };
        Ok(Request { shape, source })
    }
}

/// Returns the sizes of the axes.
fn tuple(shape: &Expr) -> Result<&ExprTuple, Diagnostics> {
    match shape {
        Expr::Tuple(tuple) if (1..=MAX_AXES).contains(&tuple.elems.len()) => Ok(tuple),
        // A `macro_rules!` of the user passes `$shape:expr` on like this.
        Expr::Group(inner) => tuple(&inner.expr),
        _ => {
            let written = shown(shape);
            let sentence = format!(
                "`shape` is `{written}`, but must be a tuple of at most {MAX_AXES} sizes, such as `(14, 14)` for height and width, or \
                 `(196,)` for one axis"
            );
            Err(vec![Diagnostic::at(shape, sentence)])
        }
    }
}
