//! Reads the options of a call, for all kinds of tables.
//!
//! The result is the parameters as far as their values are known, and the code that sets them. Each error points at the
//! tokens that caused it.

use posenc_runtime::reflection::{
    AMPLITUDE_EXPECTED, Access, Kind, OfGrid, Parameter, TableKind, Value as Known, amplitude_of_word,
};
use posenc_runtime::{conflicts, convert};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Lit, LitStr};

use crate::arguments::{Arguments, Value, for_each_option};
use crate::blame::culprit;
use crate::choice;
use crate::diagnostic::{Diagnostic, Diagnostics, shown};
use crate::dtype::Dtype;
use crate::expression::{Expression, Form};
use crate::kind::Macro;
use crate::names::{self, check_key, parameter};
use crate::quantiser;
use crate::reader::{Arg, Reader, one};
use crate::spans::local;
use crate::table::{MAX_AXES, Table};

/// The lists of a call.
#[derive(Default)]
pub(crate) struct Lists {
    /// The frequencies of each axis. A table without axes uses the first list.
    frequencies: [Vec<f64>; MAX_AXES],
    positions: [Vec<f64>; MAX_AXES],
    /// The divisors of the scaling rule of each axis.
    factors: [Vec<f64>; MAX_AXES],
}

/// The options read so far.
pub(crate) struct Read<'a, 'p> {
    /// The parameters, with other sizes in the place of those that are not known.
    pub(crate) table: Table<'a>,
    /// The code `Spec::preset(...).base(...)` and so on.
    pub(crate) calls: TokenStream,
    /// The same as far as the number of rows depends on it, for a kind with axes.
    pub(crate) calls_for_rows: TokenStream,
    /// The names of the axes, if there are any.
    pub(crate) axes: &'static [&'static str],
    pub(crate) dtype: Option<Dtype>,
    /// `None` if it is not given.
    pub(crate) max_bytes: Option<Arg<usize>>,
    pub(crate) file: Option<LitStr>,
    pub(crate) reader: Reader<'p>,
}

impl<'a, 'p> Read<'a, 'p> {
    /// Begins with the table of the preset, and the code for it.
    pub(crate) fn new(table: &Table<'a>, calls: TokenStream, crate_path: &'p TokenStream) -> Self {
        Self {
            table: *table,
            calls_for_rows: calls.clone(),
            calls,
            axes: &[],
            dtype: Some(Dtype::f32),
            max_bytes: None,
            file: None,
            reader: Reader::new(crate_path),
        }
    }

    /// Returns whether the macro knows all values, and with them the limit in bytes.
    pub(crate) fn is_known(&self) -> bool {
        !self.reader.named && self.max_bytes.as_ref().is_none_or(|limit| limit.value.is_some())
    }

    /// Reads all options except the preset, so that two errors are reported together.
    pub(crate) fn options(&mut self, arguments: &Arguments, lists: &'a mut Lists, diagnostics: &mut Diagnostics) {
        let (kind, crate_path) = (self.table.kind(), self.reader.crate_path);
        // Including a file is cheap for the compiler.
        if let Some(value) = arguments.find("file") {
            self.file = keep(file_name(value, kind), diagnostics);
            self.max_bytes = Some(Arg::known(usize::MAX, quote!(#crate_path::__private::core::primitive::usize::MAX)));
        }
        // The lists are read first, because the parameters borrow them.
        let Lists { frequencies, positions, factors } = lists;
        let list = |key| Some((names::find(kind, key)?, arguments.find(key)?));
        for (key, storage) in [("frequencies", frequencies), ("positions", positions)] {
            if let Some((parameter, value)) = list(key) {
                keep(self.lists(parameter, value, storage), diagnostics);
            }
        }
        if let Some((parameter, rule)) = list("scaling") {
            keep(self.scaling(parameter, rule, factors), diagnostics);
        }
        for_each_option(&arguments.options, diagnostics, |key, value| self.option(key, value));
        // With the methods of a builder the later call wins, but keys have no order.
        for error in conflicts(|key| arguments.find(key).is_some()) {
            diagnostics.push(Diagnostic::at(culprit(&error.into(), arguments, kind), error));
        }
    }

    fn option(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        match key.to_string().as_str() {
            "dtype" => {
                self.dtype = None;
                let (name, arguments) = quantiser::name_and_arguments(value);
                let dtype = Dtype::read(name)?;
                self.dtype = Some(dtype);
                if let Some(Arg { value, code }) = self.reader.quantiser(dtype, value, arguments)? {
                    if let Some(quantiser) = value {
                        self.table.set_quantiser(quantiser);
                    }
                    self.calls.extend(quote!(.quantiser(#code)));
                }
            }
            "max_bytes" => self.max_bytes = Some(self.reader.size("max_bytes", one(key, value)?)?),
            // These were read before the others.
            "preset" | "file" => check_key(self.table.kind(), key)?,
            _ => self.parameter(parameter(self.table.kind(), key)?, key, value)?,
        }
        Ok(())
    }

    fn parameter(&mut self, parameter: &Parameter, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        match parameter.kind {
            // These were read before the others.
            Kind::Numbers | Kind::Scaling => return Ok(()),
            Kind::Axes => return self.order_of_axes(parameter, value),
            _ if parameter.by_axis && self.table.kind().has_axes() => return self.each(parameter, key, value),
            _ => {}
        }
        let Arg { value: known, code } = match parameter.kind {
            Kind::Choice(names) => {
                let index = choice::index(names, value)?;
                let crate_path = self.reader.crate_path;
                let path: TokenStream =
                    names.paths[index].parse().map_err(|_| Diagnostic::at(value, "invalid path"))?;
                Arg::known(Known::Word(names.all[index]), quote!(#crate_path::#path))
            }
            Kind::Amplitude => self.amplitude(parameter.key, value)?,
            Kind::Factor => self.number_and_no_word(parameter.key, value, "a number")?,
            _ => self.number(parameter, one(key, value)?)?,
        };
        if matches!(parameter.access, Access::Output) {
            return Ok(());
        }
        if sizes_the_table(parameter) {
            let method = format_ident!("{}", parameter.key);
            self.calls_for_rows.extend(quote!(.#method(#code)));
        }
        self.set(parameter, known.map(|known| vec![known]), &code);
        Ok(())
    }

    /// Adds the call that sets a parameter, and sets it if the value is known: one for all axes, or one for each.
    pub(crate) fn set(&mut self, parameter: &Parameter, known: Option<Vec<Known<'a>>>, code: &TokenStream) {
        if let Some(known) = known {
            self.table.set(parameter, &known);
        }
        let method = format_ident!("{}", parameter.key);
        self.calls.extend(quote!(.#method(#code)));
    }

    /// Reads a number, or a quotient of two, and checks it alone.
    fn number(&mut self, parameter: &Parameter, value: &Expression) -> Result<Arg<Known<'a>>, Diagnostic> {
        let (key, reader) = (parameter.key, &mut self.reader);
        let read = match parameter.kind {
            Kind::Integer => reader.whole(key, value)?.map(Known::Integer),
            Kind::Quotient => reader.quotient(key, value)?.map(|(over, under)| Known::Quotient(over, under)),
            Kind::Size => reader.size(key, value)?.map(Known::Size),
            _ => reader.number(key, value)?.map(Known::Number),
        };
        if let (Access::Spec { check, .. }, Some(known)) = (&parameter.access, read.value) {
            check(known).map_err(|error| Diagnostic::at(value, error))?;
        }
        Ok(read)
    }

    fn amplitude(&mut self, key: &str, value: &Value) -> Result<Arg<Known<'a>>, Diagnostic> {
        let (written, path) = (shown(value), self.reader.crate_path);
        if let Some(amplitude) = amplitude_of_word(&written) {
            let variant = format_ident!("{amplitude:?}");
            return Ok(Arg::known(Known::Amplitude(amplitude), quote!(#path::Amplitude::#variant)));
        }
        let Arg { value, code } = self.number_and_no_word(key, value, AMPLITUDE_EXPECTED)?;
        Ok(Arg { value, code: quote!(#path::Amplitude::Value(#code)) })
    }

    fn number_and_no_word(&mut self, key: &str, value: &Value, expected: &str) -> Result<Arg<Known<'a>>, Diagnostic> {
        // Constants are not written in lower case, so this is a misspelled word, or a word of another kind of table.
        if is_word(value) {
            let written = shown(value);
            return Err(Diagnostic::at(value, format!("`{key}` is `{written}`, but must be {expected}")));
        }
        Ok(self.reader.number(key, one(key, value)?)?.map(Known::Number))
    }

    /// Reads one value for all axes, or a tuple of one for each.
    fn each(&mut self, parameter: &Parameter, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        let read = |read: &mut Self, value: &Expression| {
            let Arg { value, code } = read.number(parameter, value)?;
            let is_pair = matches!(parameter.kind, Kind::Quotient);
            Ok(Arg { value, code: if is_pair { quote!((#code)) } else { code } })
        };
        let (name, axes) = (parameter.key, self.axes.len());
        let (known, code) = if let Some(values) = tuple(value) {
            check_count(name, value, values.len(), axes)?;
            let each = values.iter().map(|value| read(self, value)).collect::<Result<Vec<_>, Diagnostic>>()?;
            let code = each.iter().map(|value| &value.code);
            (each.iter().map(|value| value.value).collect(), quote!([#(#code),*]))
        } else if let Value::List { values, .. } = value {
            let each: Vec<_> = values.iter().map(shown).collect();
            let (written, each) = (shown(value), each.join(", "));
            let sentence = format!(
                "`{name}` is `{written}`, but must be one value for all axes, or a tuple of one for each: `({each})`"
            );
            return Err(Diagnostic::at(value, sentence));
        } else {
            let Arg { value: known, code } = read(self, one(key, value)?)?;
            let axes = Literal::usize_unsuffixed(axes);
            (known.map(|known| vec![known]), quote!([#code; #axes]))
        };
        self.set(parameter, known, &code);
        Ok(())
    }

    /// Reads the order of the axes, as a tuple of their names.
    fn order_of_axes(&mut self, parameter: &Parameter, value: &Value) -> Result<(), Diagnostic> {
        let names = self.axes;
        let written: Vec<_> = tuple(value).unwrap_or_default().iter().map(shown).collect();
        let place = |name: &str| written.iter().position(|written| written == name);
        if written.len() != names.len() || names.iter().any(|name| place(name).is_none()) {
            let (key, written, all) = (parameter.key, shown(value), names.join(", "));
            let sentence =
                format!("`{key}` is `{written}`, but must name each axis once: `({all})` is the order of the shape");
            return Err(Diagnostic::at(value, sentence));
        }
        let axes: Vec<_> = written.iter().filter_map(|written| names.iter().position(|name| name == written)).collect();
        self.set(parameter, Some(axes.iter().copied().map(Known::Size).collect()), &quote!([#(#axes),*]));
        Ok(())
    }

    /// Reads frequencies or positions: a list, the name of one, or a tuple with a list for each axis.
    fn lists(
        &mut self,
        parameter: &Parameter,
        value: &Value,
        storage: &'a mut [Vec<f64>; MAX_AXES],
    ) -> Result<(), Diagnostic> {
        let (key, axes, has_axes) = (parameter.key, self.axes.len(), self.table.kind().has_axes());
        let (count, code) = match value {
            Value::Tuple { parentheses, values } if has_axes => {
                check_count(key, parentheses, values.len(), axes)?;
                let mut variables = Vec::new();
                for (i, (list, storage)) in values.iter().zip(&mut *storage).enumerate() {
                    let variable = local(&format!("{key}_{i}"));
                    *storage = self.reader.list(&variable, key, list)?;
                    variables.push(variable);
                }
                (axes, quote!([#(&#variables),*]))
            }
            _ => {
                let variable = local(key);
                storage[0] = self.reader.list(&variable, key, value)?;
                let axes = Literal::usize_unsuffixed(axes);
                (1, if has_axes { quote!([&#variable as &[_]; #axes]) } else { quote!(&#variable) })
            }
        };
        let storage: &'a [Vec<f64>] = storage;
        let known = storage[..count].iter().map(|list| Known::Numbers(list)).collect();
        // The length of a named list is unknown here.
        self.set(parameter, (!self.reader.named).then_some(known), &code);
        Ok(())
    }
}

/// Returns whether the number of rows or of columns depends on a parameter.
fn sizes_the_table(parameter: &Parameter) -> bool {
    let is_axial = parameter.is_of(TableKind::Axial);
    matches!(
        parameter.access,
        Access::Grid(OfGrid::ZeroRows | OfGrid::IdentityRows | OfGrid::IdentityRowsAfter) | Access::Rope(_)
    ) || is_axial && parameter.key == "repeat"
}

pub(crate) fn check_count(key: &str, tuple: impl ToTokens, count: usize, axes: usize) -> Result<(), Diagnostic> {
    if count == axes {
        return Ok(());
    }
    let sentence = format!("`{key}` has {count} values, but must have {axes}, one for each axis, or one for all axes");
    Err(Diagnostic::at(tuple, sentence))
}

/// Returns the values of a tuple.
fn tuple(value: &Value) -> Option<&[Expression]> {
    let Value::One(value) = value else { return None };
    match &value.without_brackets().form {
        Form::Tuple(values) => Some(values),
        _ => None,
    }
}

/// Returns whether a value is a word in lower case.
fn is_word(value: &Value) -> bool {
    let Value::One(Expression { form: Form::Path(names), .. }) = value else { return false };
    matches!(&**names, [name] if *name == name.to_string().to_lowercase())
}

/// Returns the name of a file of the build script.
fn file_name(value: &Value, table: TableKind) -> Result<LitStr, Diagnostic> {
    if let Value::One(Expression { form: Form::Literal(Lit::Str(name)), .. }) = value {
        return match convert::file_name(&name.value()) {
            Ok(()) => Ok(LitStr::new(&name.value(), name.span())),
            Err(sentence) => Err(Diagnostic::at(value, sentence.as_str())),
        };
    }
    let (written, writer) = (shown(value), Macro::of(table).writer);
    let sentence = format!(
        "`file` is `{written}`, but must be a string literal: the name that the build script passes to `{writer}`"
    );
    Err(Diagnostic::at(value, sentence))
}

pub(crate) fn keep<T>(result: Result<T, Diagnostic>, diagnostics: &mut Diagnostics) -> Option<T> {
    result.map_err(|diagnostic| diagnostics.push(diagnostic)).ok()
}
