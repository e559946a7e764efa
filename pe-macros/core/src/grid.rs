//! `grid_table!`: the table of a grid.

use posenc_runtime::names::{Named, Names, Of};
use posenc_runtime::{
    EXCLUDED_BY_FREQUENCIES, GridError, GridPreset, Nest, Order, Rest, SpecError, axis_names, conflict_of_extent,
    conflict_with_frequencies,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, ExprTuple};

use crate::arguments::{Arguments, Value};
use crate::baked::{AnyGrid, Baked, MAX_AXES, changed, values};
use crate::check::{DEFAULT_MAX_BYTES, Lists, d_model, file_name, keep, size_tokens};
use crate::choice;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::dtype::Dtype;
use crate::number::{Given, size, unless_named};
use crate::parameters::is_word;
use crate::quantiser;
use crate::reader::{Reader, one, size_literal};
use crate::request::{Code, Included, Made, Refusal, Request, Shape, Source};
use crate::spans::local;

/// The keys, in the order of the documentation.
pub const GRID_KEYS: [&str; 19] = [
    "dtype",
    "preset",
    "first",
    "nest",
    "widths",
    "rest",
    "zero_rows",
    "extent",
    "base",
    "freq_shift",
    "frequencies",
    "order",
    "start",
    "step",
    "scale",
    "unit",
    "amplitude",
    "max_bytes",
    "file",
];

static KEY_NAMES: Names = Names {
    of: Of::Things("key"),
    all: &GRID_KEYS,
    paths: &[],
    elsewhere: &[
        ("temperature", "`base`"),
        ("layout", "`nest`"),
        ("cls_token", "`zero_rows = 1`"),
        ("extra_tokens", "`zero_rows`"),
        ("zero_row", "`zero_rows`"),
        ("indexing", "`first`, and the order of the axes in the shape"),
        ("reverse_coord", "`first`, and the order of the axes in the shape"),
        ("interpolation_scale", "`extent = base_size / interpolation_scale`"),
        ("base_size", "`extent = base_size / interpolation_scale`"),
        ("normalize", "`preset = detr_normalized`"),
        ("odd", "`rest`"),
        ("type", "`dtype`"),
    ],
};

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
    for (i, (key, value)) in arguments.options.iter().enumerate() {
        if arguments.options[..i].iter().any(|(earlier, _)| earlier == key) {
            diagnostics.push(Diagnostic::at(key, format!("duplicate key `{key}`")));
        } else {
            keep(read.option(key, value), &mut diagnostics);
        }
    }
    let conflicts = EXCLUDED_BY_FREQUENCIES.iter().map(|key| ("frequencies", *key, conflict_with_frequencies(key)));
    for (one, other, error) in conflicts.chain([("extent", "unit", conflict_of_extent())]) {
        if let (Some(_), Some(_)) = (find(one), find(other)) {
            diagnostics.push(Diagnostic::at(culprit(&error, arguments), error));
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

    fn option(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        let name = key.to_string();
        match name.as_str() {
            "dtype" => {
                self.dtype = None;
                let (type_name, arguments) = quantiser::name_and_arguments(value);
                let dtype = Dtype::read(type_name)?;
                self.dtype = Some(dtype);
                if let Some((quantiser, code)) = self.reader.quantiser(dtype, value, &arguments)? {
                    let key = Ident::new("quantiser", key.span());
                    self.set(&key, quantiser, &code, |grid, with| changed!(grid, grid => grid.quantiser(with)));
                }
            }
            "max_bytes" => self.max_bytes = Some(self.reader.size(&name, one(key, value)?)?),
            "file" => {
                self.file = Some(file_name(value, self.made())?);
                let crate_path = self.reader.crate_path;
                self.max_bytes = Some((Some(usize::MAX), quote!(#crate_path::__private::usize::MAX)));
            }
            // These were read before the other keys.
            "preset" | "frequencies" => {}
            "first" => self.first(key, value)?,
            "nest" => self.choice::<Nest>(key, value, |grid, nest| changed!(grid, grid => grid.nest(nest)))?,
            "rest" => self.choice::<Rest>(key, value, |grid, rest| changed!(grid, grid => grid.rest(rest)))?,
            "order" => self.choice::<Order>(key, value, |grid, order| changed!(grid, grid => grid.order(order)))?,
            "zero_rows" => {
                let (rows, code) = self.reader.size(&name, one(key, value)?)?;
                self.set(key, rows, &code, |grid, rows| changed!(grid, grid => grid.zero_rows(rows)));
                self.calls_for_rows.extend(quote!(.#key(#code)));
            }
            "extent" => {
                let (extent, code) = self.reader.quotient(&name, one(key, value)?)?;
                self.set(key, extent, &code, |grid, (over, under)| changed!(grid, grid => grid.extent(over, under)));
            }
            "scale" => self.number(key, value, |grid, scale| changed!(grid, grid => grid.scale(scale)))?,
            // Constants are not written in lower case, so this is one of the words that `Spec` has.
            "amplitude" if is_word(value) => {
                let written = value.to_token_stream();
                let sentence = format!("`amplitude` is `{written}`, but must be a number");
                return Err(Diagnostic::at(value, sentence));
            }
            "amplitude" => self.number(key, value, |grid, factor| changed!(grid, grid => grid.amplitude(factor)))?,
            _ => self.of_axes(key, value)?,
        }
        Ok(())
    }

    /// Sets a parameter of each axis.
    fn of_axes(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        match key.to_string().as_str() {
            "widths" => self.each(key, value, Reader::size, |grid, n| changed!(grid, grid => grid.widths(values(n)))),
            "start" => self.each(key, value, Reader::whole, |grid, n| changed!(grid, grid => grid.start(values(n)))),
            "step" => self.each(key, value, Reader::whole, |grid, n| changed!(grid, grid => grid.step(values(n)))),
            "base" => self.each(key, value, Reader::number, |grid, x| changed!(grid, grid => grid.base(values(x)))),
            "freq_shift" => {
                self.each(key, value, Reader::number, |grid, x| changed!(grid, grid => grid.freq_shift(values(x))))
            }
            "unit" => {
                let pair = |reader: &mut Reader, name: &str, value: &Expr| {
                    reader.quotient(name, value).map(|(unit, code)| (unit, quote!((#code))))
                };
                self.each(key, value, pair, |grid, unit| changed!(grid, grid => grid.unit(values(unit))))
            }
            _ => Err(Diagnostic::at(key, KEY_NAMES.find(&key.to_string()).expect_err("all keys have been tried"))),
        }
    }

    /// Adds the call that sets a parameter, and sets it if the value is known.
    fn set<T>(
        &mut self,
        key: &Ident,
        value: Option<T>,
        code: &TokenStream,
        set: impl FnOnce(AnyGrid<'a>, T) -> AnyGrid<'a>,
    ) {
        if let Some(value) = value {
            self.grid = set(self.grid, value);
        }
        self.calls.extend(quote!(.#key(#code)));
    }

    fn number(
        &mut self,
        key: &Ident,
        value: &Value,
        set: fn(AnyGrid<'a>, f64) -> AnyGrid<'a>,
    ) -> Result<(), Diagnostic> {
        let (number, code) = self.reader.number(&key.to_string(), one(key, value)?)?;
        self.set(key, number, &code, set);
        Ok(())
    }

    fn choice<C: Named>(
        &mut self,
        key: &Ident,
        value: &Value,
        set: fn(AnyGrid<'a>, C) -> AnyGrid<'a>,
    ) -> Result<(), Diagnostic> {
        let choice = choice::index(C::NAMES, value)?;
        let crate_path = self.reader.crate_path;
        let path: TokenStream = C::NAMES.paths[choice].parse().map_err(|_| Diagnostic::at(value, "invalid path"))?;
        self.set(key, Some(C::CHOICES[choice]), &quote!(#crate_path::#path), set);
        Ok(())
    }

    /// Reads one value for all axes, or a tuple of one for each.
    fn each<T: Copy>(
        &mut self,
        key: &Ident,
        value: &Value,
        mut read: impl FnMut(&mut Reader<'p>, &str, &Expr) -> Result<(Option<T>, TokenStream), Diagnostic>,
        set: fn(AnyGrid<'a>, &[T]) -> AnyGrid<'a>,
    ) -> Result<(), Diagnostic> {
        let (name, axes) = (key.to_string(), self.shape.len());
        let (known, code) = if let Value::One(Expr::Tuple(tuple)) = value {
            check_count(&name, tuple, tuple.elems.len(), axes)?;
            let each = tuple.elems.iter().map(|value| read(&mut self.reader, &name, value));
            let (known, code): (Vec<_>, Vec<_>) = each.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
            (known.into_iter().collect::<Option<Vec<_>>>(), quote!([#(#code),*]))
        } else {
            let (known, code) = read(&mut self.reader, &name, one(key, value)?)?;
            let axes = Literal::usize_unsuffixed(axes);
            (known.map(|known| vec![known]), quote!([#code; #axes]))
        };
        self.set(key, known, &code, |grid, known| set(grid, &known));
        Ok(())
    }

    /// Reads the order of the axes, as a tuple of their names.
    fn first(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        let names = self.names;
        let written: Vec<_> = match value {
            Value::One(Expr::Tuple(tuple)) => {
                tuple.elems.iter().map(|name| name.to_token_stream().to_string()).collect()
            }
            _ => Vec::new(),
        };
        let place = |name: &str| written.iter().position(|written| written == name);
        if written.len() != names.len() || names.iter().any(|name| place(name).is_none()) {
            let (written, all) = (value.to_token_stream(), names.join(", "));
            let sentence =
                format!("`first` is `{written}`, but must name each axis once: `({all})` is the order of the shape");
            return Err(Diagnostic::at(value, sentence));
        }
        let axes: Vec<_> = written.iter().filter_map(|written| names.iter().position(|name| name == written)).collect();
        let code = quote!([#(#axes),*]);
        self.set(key, Some(axes), &code, |grid, axes| changed!(grid, grid => grid.first(values(&axes))));
        Ok(())
    }

    /// Reads the frequencies of all axes, or a tuple of a list for each.
    fn lists(&mut self, value: &Value, storage: &mut [Vec<f64>; MAX_AXES]) -> Result<(), Diagnostic> {
        let axes = self.shape.len();
        let code = if let Value::Tuple { parentheses, values } = value {
            check_count("frequencies", parentheses, values.len(), axes)?;
            let mut lists = Vec::new();
            for (i, (list, storage)) in values.iter().zip(storage).enumerate() {
                let variable = local(&format!("frequencies_{i}"));
                *storage = self.reader.list_in(&variable, "frequencies", list)?;
                lists.push(variable);
            }
            quote!([#(&#lists),*])
        } else {
            let variable = local("frequencies");
            let list = self.reader.list_in(&variable, "frequencies", value)?;
            storage.fill(list);
            let axes = Literal::usize_unsuffixed(axes);
            quote!([&#variable as &[_]; #axes])
        };
        self.calls.extend(quote!(.frequencies(#code)));
        Ok(())
    }

    fn set_lists(&mut self, lists: &'a [Vec<f64>; MAX_AXES]) {
        self.grid = changed!(self.grid, grid => grid.frequencies(std::array::from_fn(|axis| &*lists[axis])));
    }

    fn finish(self, arguments: &Arguments, mut diagnostics: Diagnostics) -> Result<Request<'a>, Refusal> {
        let max_bytes = self.max_bytes.as_ref().map_or(Some(DEFAULT_MAX_BYTES), |(number, _)| *number);
        let known = max_bytes.filter(|_| !self.reader.named);
        let rows = if known.is_some() {
            size_literal("shape", posenc_runtime::Source::rows(&self.grid), self.reader.crate_path)
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
        let baked = Baked::Grid(self.grid);
        let dtype = self.dtype.unwrap_or(Dtype::f32);
        let found = match dtype.check_table(&baked, known.unwrap_or(usize::MAX)) {
            Err(error) if diagnostics.is_empty() => Some(error),
            _ => None,
        };
        // The axes are known even if their sizes are not.
        if let Some(error) =
            found.filter(|error| known.is_some() || matches!(error, SpecError::Grid(GridError::Axes { .. })))
        {
            diagnostics.push(Diagnostic::at(culprit(&error, arguments), error));
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
            made: self.made(),
            frequencies: self.reader.list,
            spec: self.calls,
            max_bytes: self.max_bytes.map(|(_, code)| code),
            arguments: culprits(arguments),
            preset: preset_or_shape(arguments),
        };
        let source = match (self.file, known) {
            (Some(name), known) => {
                let call = if known.is_some() { dtype.call(&baked) } else { arguments.call("grid_table") };
                Source::File(code, Included { name, call })
            }
            (None, Some(_)) => Source::Macro(baked),
            (None, None) => Source::Compiler(code),
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
            let written = shape.to_token_stream();
            let sentence = format!(
                "`shape` is `{written}`, but must be a tuple of at most {MAX_AXES} sizes, such as `(14, 14)` for height and width"
            );
            Err(vec![Diagnostic::at(shape, sentence)])
        }
    }
}

fn check_count(key: &str, tuple: impl ToTokens, count: usize, axes: usize) -> Result<(), Diagnostic> {
    if count == axes {
        return Ok(());
    }
    let sentence = format!("`{key}` has {count} values, but must have {axes}, one for each axis, or one for all axes");
    Err(Diagnostic::at(tuple, sentence))
}

/// Returns the tokens to blame for an error: the last argument given of those concerned, or else the preset or the shape.
fn culprit(error: &SpecError, arguments: &Arguments) -> TokenStream {
    let concerned = |(name, _): &(String, TokenStream)| error.parameters().contains(&name.as_str());
    let culprit = culprits(arguments).into_iter().find(concerned);
    culprit.map_or_else(|| preset_or_shape(arguments), |(_, value)| value)
}

fn preset_or_shape(arguments: &Arguments) -> TokenStream {
    let preset = arguments.options.iter().find(|(key, _)| key == "preset");
    preset.map_or_else(|| arguments.seq_len.to_token_stream(), |(_, value)| value.to_token_stream())
}

/// Returns the arguments that errors name, in the order in which they are blamed.
fn culprits(arguments: &Arguments) -> Vec<(String, TokenStream)> {
    let options = arguments.options.iter().rev().map(|(key, value)| (key.to_string(), value.to_token_stream()));
    let options = options.filter(|(name, _)| !matches!(name.as_str(), "dtype" | "max_bytes" | "file"));
    // The rows of a grid are its shape.
    let sizes = [("shape", &arguments.seq_len), ("seq_len", &arguments.seq_len), ("d_model", &arguments.d_model)];
    options.chain(sizes.map(|(name, value)| (name.to_owned(), value.to_token_stream()))).collect()
}
