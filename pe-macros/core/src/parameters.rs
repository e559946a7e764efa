//! The parameters of a call, as a `Spec` as far as their values are known, and as code that builds it.

use std::fmt::Display;

use posenc_runtime::names::Names;
use posenc_runtime::{
    AMPLITUDE_EXPECTED, AMPLITUDE_WORDS, Amplitude, Kind, Preset, QUOTIENT_EXPECTED, Spec, SpecError, convert,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{BinOp, Expr, ExprBinary};

use crate::arguments::Value;
use crate::diagnostic::Diagnostic;
use crate::named_expression::{accepted, code};
use crate::names::parameter;
use crate::number::{Given, Number, exact, integer, number, size, unless_named};
use crate::spans::{local, span};

/// The parameters read so far.
pub(crate) struct Parameters<'a, 'p> {
    pub(crate) spec: Spec<'a>,
    /// The code `Spec::preset(...).base(...)` and so on.
    pub(crate) calls: TokenStream,
    /// Statements that define the lists that are given.
    pub(crate) list: TokenStream,
    /// Whether only the compiler knows some of the values.
    pub(crate) named: bool,
    pub(crate) crate_path: &'p TokenStream,
}

impl<'a, 'p> Parameters<'a, 'p> {
    pub(crate) fn new(
        preset: Preset,
        d_model: usize,
        d_model_tokens: &TokenStream,
        crate_path: &'p TokenStream,
    ) -> Self {
        let variant = format_ident!("{preset:?}");
        let calls = quote!(#crate_path::Spec::preset(#crate_path::Preset::#variant, #d_model_tokens));
        Self { spec: Spec::preset(preset, d_model), calls, list: TokenStream::new(), named: false, crate_path }
    }

    /// Sets a parameter.
    pub(crate) fn set(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        match parameter(key)?.kind {
            Kind::Number(check, set) => self.real(key, value, check, set),
            Kind::Integer(check, set) => self.integer(key, value, check, set),
            Kind::Quotient(check, set) => self.quotient(key, value, check, set),
            Kind::Row(set) => self.row(key, value, set),
            Kind::Choice(names, set) => self.choice(key, value, names, set),
            Kind::Amplitude => self.amplitude(key, value),
            // These were read before the other keys.
            Kind::Numbers | Kind::Scaling => Ok(()),
        }
    }

    fn call(&mut self, key: &Ident, argument: impl ToTokens) {
        self.calls.extend(quote!(.#key(#argument)));
    }

    fn real(
        &mut self,
        key: &Ident,
        value: &Value,
        check: fn(f64) -> Result<(), SpecError>,
        set: fn(Spec<'a>, f64) -> Spec<'a>,
    ) -> Result<(), Diagnostic> {
        let name = key.to_string();
        let (number, argument) = self.number(&name, one(key, value)?)?;
        if let Some(number) = number {
            check(number).map_err(|error| Diagnostic::at(value, error))?;
            self.spec = set(self.spec, number);
        }
        self.call(key, argument);
        Ok(())
    }

    /// Returns a number, if it is known, and the code for it.
    pub(crate) fn number(&mut self, name: &str, value: &Expr) -> Result<(Option<f64>, TokenStream), Diagnostic> {
        Ok(match unless_named(value, |value| exact(name, value))? {
            Given::Known(number) => (Some(number), self.float(number)),
            Given::Named => (None, self.named_float(name, value)),
        })
    }

    fn integer(
        &mut self,
        key: &Ident,
        value: &Value,
        check: fn(i64) -> Result<(), SpecError>,
        set: fn(Spec<'a>, i64) -> Spec<'a>,
    ) -> Result<(), Diagnostic> {
        let (number, argument) = self.whole(&key.to_string(), one(key, value)?)?;
        if let Some(number) = number {
            check(number).map_err(|error| Diagnostic::at(value, error))?;
            self.spec = set(self.spec, number);
        }
        self.call(key, argument);
        Ok(())
    }

    /// Returns a position or a distance of positions, if it is known, and the code for it.
    pub(crate) fn whole(&mut self, name: &str, value: &Expr) -> Result<(Option<i64>, TokenStream), Diagnostic> {
        Ok(match unless_named(value, |value| integer(name, value))? {
            Given::Known(written) => {
                let number =
                    convert::position(name, written).map_err(|sentence| Diagnostic::at(value, sentence.as_str()))?;
                (Some(number), Literal::i64_suffixed(number).into_token_stream())
            }
            Given::Named => {
                let written = self.named_integer(name, value);
                (None, self.accepted(value, &quote!(position(#name, #written))))
            }
        })
    }

    fn quotient(
        &mut self,
        key: &Ident,
        value: &Value,
        check: fn(i64, i64) -> Result<(), SpecError>,
        set: fn(Spec<'a>, i64, i64) -> Spec<'a>,
    ) -> Result<(), Diagnostic> {
        let name = key.to_string();
        let (numerator, denominator) = match without_brackets(one(key, value)?) {
            Expr::Binary(ExprBinary { left, op: BinOp::Div(_), right, .. }) => (&**left, Some(&**right)),
            whole => (whole, None),
        };
        // A float, or another division.
        let is_other =
            |part: &Expr| !matches!(unless_named(part, number), Ok(Given::Known(Number::Integer(_)) | Given::Named));
        if is_other(numerator) || denominator.is_some_and(is_other) {
            let written = value.to_token_stream();
            return Err(Diagnostic::at(value, format!("`{key}` is `{written}`, but must be {QUOTIENT_EXPECTED}")));
        }
        let (numerator, over) = self.whole(&name, numerator)?;
        let (denominator, under) = match denominator {
            Some(denominator) => self.whole(&name, denominator)?,
            None => (Some(1), quote!(1)),
        };
        if let (Some(numerator), Some(denominator)) = (numerator, denominator) {
            check(numerator, denominator).map_err(|error| Diagnostic::at(value, error))?;
            self.spec = set(self.spec, numerator, denominator);
        }
        self.call(key, quote!(#over, #under));
        Ok(())
    }

    fn row(&mut self, key: &Ident, value: &Value, set: fn(Spec<'a>, usize) -> Spec<'a>) -> Result<(), Diagnostic> {
        let argument = self.size(&key.to_string(), one(key, value)?)?;
        if let (Some(row), _) = argument {
            self.spec = set(self.spec, row);
        }
        self.call(key, argument.1);
        Ok(())
    }

    /// Reads the key `max_bytes`, which is not a parameter of the spec.
    pub(crate) fn limit(&mut self, key: &Ident, value: &Value) -> Result<(Option<usize>, TokenStream), Diagnostic> {
        self.size(&key.to_string(), one(key, value)?)
    }

    /// Returns a size, if it is known, and the code for it.
    pub(crate) fn size(&mut self, name: &str, value: &Expr) -> Result<(Option<usize>, TokenStream), Diagnostic> {
        match unless_named(value, |value| size(name, value))? {
            Given::Known(size) => Ok((Some(size), size_literal(name, size, self.crate_path))),
            Given::Named => {
                let written = self.named_integer(name, value);
                Ok((None, self.accepted(value, &quote!(size(#name, #written)))))
            }
        }
    }

    fn choice(
        &mut self,
        key: &Ident,
        value: &Value,
        names: &'static Names,
        set: fn(Spec<'a>, usize) -> Spec<'a>,
    ) -> Result<(), Diagnostic> {
        let written = value.to_token_stream().to_string();
        let choice = names.find(&written).map_err(|unknown| Diagnostic::at(value, unknown))?;
        let crate_path = self.crate_path;
        let path: TokenStream = names.paths[choice].parse().map_err(|_| Diagnostic::at(value, "invalid path"))?;
        self.spec = set(self.spec, choice);
        self.call(key, quote!(#crate_path::#path));
        Ok(())
    }

    fn amplitude(&mut self, key: &Ident, value: &Value) -> Result<(), Diagnostic> {
        let written = value.to_token_stream().to_string();
        let path = self.crate_path;
        let (amplitude, argument) = match AMPLITUDE_WORDS.iter().find(|(word, ..)| *word == written) {
            Some(&(_, amplitude, variant)) => {
                let variant = format_ident!("{variant}");
                (Some(amplitude), quote!(#path::Amplitude::#variant))
            }
            // Constants are not written in lower case, so this is a misspelled word.
            None if is_word(value) => {
                let sentence = format!("`amplitude` is `{written}`, but must be {AMPLITUDE_EXPECTED}");
                return Err(Diagnostic::at(value, sentence));
            }
            None => {
                let (number, float) = self.number("amplitude", one(key, value)?)?;
                (number.map(Amplitude::Value), quote!(#path::Amplitude::Value(#float)))
            }
        };
        if let Some(amplitude) = amplitude {
            self.spec = self.spec.amplitude(amplitude);
        }
        self.call(key, argument);
        Ok(())
    }

    /// Reads the list of frequencies, or the name of one. Known values go to `storage`.
    pub(crate) fn frequencies(&mut self, value: &Value, storage: &'a mut Vec<f64>) -> Result<(), Diagnostic> {
        let list = local("frequencies");
        *storage = self.list("frequencies", value)?;
        if !self.named {
            self.spec = self.spec.frequencies(storage);
        }
        self.calls.extend(quote!(.frequencies(&#list)));
        Ok(())
    }

    /// Defines a list, and returns the numbers that are known. The length of a named list is unknown here.
    pub(crate) fn list(&mut self, name: &str, value: &Value) -> Result<Vec<f64>, Diagnostic> {
        let list = local(name);
        match value {
            Value::List { values, .. } => {
                let given = values.iter().map(|value| self.number(name, value)).collect::<Result<Vec<_>, _>>()?;
                let (known, tokens): (Vec<_>, Vec<_>) = given.into_iter().unzip();
                self.list.extend(quote!(let #list = [#(#tokens),*];));
                Ok(known.into_iter().flatten().collect())
            }
            Value::One(expr) if matches!(unless_named(expr, |_| Ok(())), Ok(Given::Named)) => {
                self.named = true;
                let code = code(expr, self.crate_path);
                self.list.extend(quote!(let #list = #code;));
                Ok(Vec::new())
            }
            _ => {
                let written = value.to_token_stream();
                let sentence = format!("`{name}` is `{written}`, but must be a list of numbers such as `[1, 0.5]`");
                Err(Diagnostic::at(value, sentence))
            }
        }
    }

    /// Returns code for exactly this float.
    pub(crate) fn float(&self, value: f64) -> TokenStream {
        let (path, bits) = (self.private(), Literal::u64_unsuffixed(value.to_bits()));
        quote!(#path::f64::from_bits(#bits))
    }

    /// Returns code that converts a constant of any number type to a float, or fails if it has no exact `f64`.
    fn named_float(&mut self, name: &str, value: &Expr) -> TokenStream {
        let (path, code) = (self.private(), code(value, self.crate_path));
        let conversion = quote_spanned! {span(value)=>
            exact(#name, &(#code), (#code) as #path::f64, (#code) as #path::i128)
        };
        self.accepted(value, &conversion)
    }

    /// Returns code that converts a constant of any integer type to an integer, or fails if it is a float.
    pub(crate) fn named_integer(&mut self, name: &str, value: &Expr) -> TokenStream {
        let (path, code) = (self.private(), code(value, self.crate_path));
        let conversion = quote_spanned! {span(value)=>
            integer(#name, &(#code), (#code) as #path::i128, (#code) as #path::f64)
        };
        self.accepted(value, &conversion)
    }

    pub(crate) fn accepted(&mut self, value: &Expr, conversion: &TokenStream) -> TokenStream {
        self.named = true;
        accepted(value, conversion, self.crate_path)
    }

    fn private(&self) -> TokenStream {
        let path = self.crate_path;
        quote!(#path::__private)
    }
}

/// Returns code for a known size. It checks large sizes on the target, whose `usize` may have 32 bits.
pub(crate) fn size_literal(name: &str, size: usize, crate_path: &TokenStream) -> TokenStream {
    if u32::try_from(size).is_ok() {
        return Literal::usize_unsuffixed(size).into_token_stream();
    }
    let (path, size) = (quote!(#crate_path::__private), Literal::usize_unsuffixed(size));
    if name == "max_bytes" {
        return quote!(#path::convert::limit(#size));
    }
    quote!(#path::accepted(&#path::convert::size(#name, #size)))
}

/// Returns an expression without the brackets around it.
pub(crate) fn without_brackets(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => without_brackets(&inner.expr),
        // A `macro_rules!` of the user passes `$n:expr` on like this.
        Expr::Group(inner) => without_brackets(&inner.expr),
        expr => expr,
    }
}

/// Returns whether a value is a word in lower case.
pub(crate) fn is_word(value: &Value) -> bool {
    let Value::One(Expr::Path(path)) = value else { return false };
    path.path.get_ident().is_some_and(|ident| *ident.to_string() == ident.to_string().to_lowercase())
}

pub(crate) fn one(key: impl Display, value: &Value) -> Result<&Expr, Diagnostic> {
    match value {
        Value::One(value) => Ok(value),
        Value::List { .. } | Value::Rule { .. } => {
            Err(Diagnostic::at(value, format!("`{key}` takes a single value, not a list")))
        }
    }
}
