//! Turns arguments into a checked `Spec`. Each error points at the tokens that caused it.

use posenc_runtime::{
    EXCLUDED_BY_FREQUENCIES, FirstRows, SpecError, check_d_model, conflict_with_frequencies, convert,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Expr, ExprLit, Lit, LitStr};

use crate::arguments::{Arguments, Value, for_each_option};
use crate::baked::{Baked, MAX_AXES};
use crate::blame::{culprit, culprits, preset_or_first};
use crate::choice::preset;
use crate::diagnostic::{Diagnostic, Diagnostics, shown};
use crate::dtype::Dtype;
use crate::made::Made;
use crate::named_expression::code;
use crate::number::{Given, integer, size, unless_named};
use crate::parameters::Parameters;
use crate::quantiser;
use crate::reader::{Reader, size_literal};
use crate::request::{Code, Included, Refusal, Request, Shape, Source};

/// The default of `max_bytes` for a call without names. As a literal, a table of this size takes the compiler about
/// 2.5 GB of memory.
pub(crate) const DEFAULT_MAX_BYTES: usize = 256 << 20;

/// Checks all arguments, so that two mistakes give two errors.
///
/// The spec borrows its lists from `storage`.
pub(crate) fn request<'a>(
    made: Made,
    arguments: &Arguments,
    crate_path: &TokenStream,
    storage: &'a mut Lists,
) -> Result<Request<'a>, Refusal> {
    let mut diagnostics = Vec::new();
    let read = Read::all(made, arguments, crate_path, storage, &mut diagnostics);
    let mut shape = read.shape(arguments);
    let (known, mut table) = (read.known(), None);
    if let (Some(Shape { dtype, .. }), Some((seq_len, limit)), true) = (&shape, known, diagnostics.is_empty()) {
        let source = FirstRows { spec: read.parameters.spec, seq_len };
        match dtype.check(&source, limit, read.max_bytes.is_none()) {
            Ok(checked) => table = Some(checked),
            Err(error) => {
                let told = made.told(error);
                diagnostics.push(Diagnostic::at(culprit(&told, arguments, made), told));
                // A table that is too large has no value, not even one of zeros.
                if matches!(error, SpecError::TableTooLarge { .. }) {
                    shape = None;
                }
            }
        }
    }
    let shape = match shape {
        Some(shape) if diagnostics.is_empty() => shape,
        shape => return Err(Refusal { diagnostics, shape }),
    };
    let Parameters { spec, calls, reader: Reader { list, .. }, .. } = read.parameters;
    let code = || Code {
        made,
        frequencies: list,
        spec: calls,
        max_bytes: read.max_bytes.map(|(_, code)| code),
        arguments: culprits(arguments, made),
        preset: preset_or_first(arguments),
    };
    let baked = known.map(|(seq_len, _)| Baked::Rows(FirstRows { spec, seq_len }));
    let source = match (read.file, baked, table) {
        (Some(name), baked, _) => {
            let written = || arguments.call("sinusoidal_table");
            let call = baked.map_or_else(written, |baked| shape.dtype.call(&baked));
            Source::File(code(), Included { name, call })
        }
        (None, Some(baked), Some(table)) => Source::Macro(baked, table),
        (None, ..) => Source::Compiler(code()),
    };
    Ok(Request { shape, source })
}

/// The lists of a call.
#[derive(Default)]
pub(crate) struct Lists {
    frequencies: Vec<f64>,
    factors: Vec<f64>,
    /// The frequencies of each axis of a grid.
    pub(crate) of_axes: [Vec<f64>; MAX_AXES],
}

/// The arguments that are valid by themselves.
struct Read<'a, 'p> {
    seq_len: Option<Given<usize>>,
    d_model: Option<Given<usize>>,
    dtype: Option<Dtype>,
    /// The number, if it is known, and the code for it, if it is given.
    max_bytes: Option<(Option<usize>, TokenStream)>,
    file: Option<LitStr>,
    parameters: Parameters<'a, 'p>,
}

impl<'a, 'p> Read<'a, 'p> {
    fn all(
        made: Made,
        arguments: &Arguments,
        crate_path: &'p TokenStream,
        storage: &'a mut Lists,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let seq_len = keep(unless_named(&arguments.seq_len, |value| size("seq_len", value)), diagnostics);
        let d_model = keep(unless_named(&arguments.d_model, d_model), diagnostics);
        // The other keys refine the preset and the list, in any order.
        let find = |name| arguments.options.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let preset = find("preset").and_then(|value| keep(preset(value), diagnostics)).unwrap_or_default();
        let known_d_model = d_model.and_then(Given::known);
        let d_model_tokens = size_tokens("d_model", known_d_model, &arguments.d_model, crate_path);
        let parameters = Parameters::new(made, preset, known_d_model.unwrap_or(2), &d_model_tokens, crate_path);
        let mut read = Self { seq_len, d_model, dtype: Some(Dtype::f32), max_bytes: None, file: None, parameters };

        // Including a file is cheap for the compiler.
        if let Some(value) = find("file") {
            read.file = keep(file_name(value, made), diagnostics);
            read.max_bytes = Some((Some(usize::MAX), quote!(#crate_path::__private::usize::MAX)));
        }
        if let Some(list) = find("frequencies") {
            keep(read.parameters.frequencies(list, &mut storage.frequencies), diagnostics);
        }
        if let Some(rule) = find("scaling") {
            keep(read.parameters.scaling(rule, &mut storage.factors), diagnostics);
        }
        for_each_option(&arguments.options, diagnostics, |key, value| read.option(key, value));
        // With the methods of `Spec` the later call wins, but keys have no order.
        for key in EXCLUDED_BY_FREQUENCIES {
            if find(key).is_some() && find("frequencies").is_some() {
                let error = conflict_with_frequencies(key);
                diagnostics.push(Diagnostic::at(culprit(&error, arguments, made), error));
            }
        }
        read
    }

    fn option(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        match key.to_string().as_str() {
            "dtype" => {
                self.dtype = None;
                let (name, arguments) = quantiser::name_and_arguments(value);
                let dtype = Dtype::read(name)?;
                self.dtype = Some(dtype);
                if let Some((quantiser, code)) = self.parameters.reader.quantiser(dtype, value, &arguments)? {
                    self.parameters.set_quantiser(quantiser, &code);
                }
            }
            "max_bytes" => self.max_bytes = Some(self.parameters.limit(key, value)?),
            "preset" | "file" => {}
            _ => self.parameters.set(key, value)?,
        }
        Ok(())
    }

    fn shape(&self, arguments: &Arguments) -> Option<Shape> {
        Some(Shape {
            dtype: self.dtype?,
            seq_len: size_tokens(
                "seq_len",
                self.seq_len?.known(),
                &arguments.seq_len,
                self.parameters.reader.crate_path,
            ),
            d_model: size_tokens(
                "d_model",
                self.d_model?.known(),
                &arguments.d_model,
                self.parameters.reader.crate_path,
            ),
        })
    }

    /// Returns the number of rows and the limit in bytes, if all numbers are known.
    fn known(&self) -> Option<(usize, usize)> {
        self.d_model.and_then(Given::known)?;
        let max_bytes = self.max_bytes.as_ref().map_or(Some(DEFAULT_MAX_BYTES), |(number, _)| *number);
        let numbers = (self.seq_len.and_then(Given::known)?, max_bytes?);
        (!self.parameters.reader.named).then_some(numbers)
    }
}

pub(crate) fn keep<T>(result: Result<T, Diagnostic>, diagnostics: &mut Diagnostics) -> Option<T> {
    result.map_err(|diagnostic| diagnostics.push(diagnostic)).ok()
}

/// Returns a size as it is written in a type.
pub(crate) fn size_tokens(name: &str, known: Option<usize>, written: &Expr, crate_path: &TokenStream) -> TokenStream {
    known.map_or_else(|| code(written, crate_path), |size| size_literal(name, size, crate_path))
}

pub(crate) fn d_model(value: &Expr) -> Result<usize, Diagnostic> {
    let written = integer("d_model", value)?;
    check_d_model(written).map_err(|error| Diagnostic::at(value, error))
}

/// Returns the name of a file of the build script.
pub(crate) fn file_name(value: &Value, made: Made) -> Result<LitStr, Diagnostic> {
    if let Value::One(Expr::Lit(ExprLit { lit: Lit::Str(name), .. })) = value {
        return match convert::file_name(&name.value()) {
            Ok(()) => Ok(LitStr::new(&name.value(), name.span())),
            Err(sentence) => Err(Diagnostic::at(value, sentence.as_str())),
        };
    }
    let (written, writer) = (shown(value), made.writer());
    let sentence = format!(
        "`file` is `{written}`, but must be a string literal: the name that the build script passes to `{writer}`"
    );
    Err(Diagnostic::at(value, sentence))
}
