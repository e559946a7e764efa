//! Values of arguments: as numbers as far as they are known, and as code.

#![allow(clippy::result_large_err, reason = "the messages of conversions take no allocator, and are made once")]

use std::fmt::Display;

use posenc_runtime::reflection::QUOTIENT_EXPECTED;
use posenc_runtime::{Message, convert};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use crate::arguments::Value;
use crate::diagnostic::{Diagnostic, shown};
use crate::expression::{Expression, Form, Operator};
use crate::named_expression::{accepted, code, of_number};
use crate::number::{Given, Number, exact, integer, number, unless_named};
use crate::spans::{local_at, span};

/// The value of an argument, if it is known, and the code for it.
pub(crate) struct Arg<T> {
    pub(crate) value: Option<T>,
    pub(crate) code: TokenStream,
}

impl<T> Arg<T> {
    pub(crate) fn known(value: T, code: TokenStream) -> Self {
        Self { value: Some(value), code }
    }

    pub(crate) fn named(code: TokenStream) -> Self {
        Self { value: None, code }
    }

    /// Returns the argument with another kind of value.
    pub(crate) fn map<U>(self, to: impl FnOnce(T) -> U) -> Arg<U> {
        Arg { value: self.value.map(to), code: self.code }
    }
}

/// Reads values, and remembers what the code of all of them needs.
pub(crate) struct Reader<'p> {
    /// Statements that define the lists that are given.
    pub(crate) list: TokenStream,
    /// Whether only the compiler knows some of the values.
    pub(crate) named: bool,
    pub(crate) crate_path: &'p TokenStream,
}

impl<'p> Reader<'p> {
    pub(crate) fn new(crate_path: &'p TokenStream) -> Self {
        Self { list: TokenStream::new(), named: false, crate_path }
    }

    /// Returns a number, if it is known, and the code for it.
    pub(crate) fn number(&mut self, name: &str, value: &Expression) -> Result<Arg<f64>, Diagnostic> {
        Ok(match unless_named(value, |value| exact(name, value))? {
            Given::Known(number) => Arg::known(number, self.float(number)),
            Given::Named => Arg::named(self.named_float(name, value)),
        })
    }

    /// Returns a position or a distance of positions, if it is known, and the code for it.
    pub(crate) fn whole(&mut self, name: &str, value: &Expression) -> Result<Arg<i64>, Diagnostic> {
        let read = |written| convert::position(name, written);
        let conversion = |written| quote!(position(#name, #written));
        self.converted(name, value, read, conversion, |position| Literal::i64_suffixed(position).into_token_stream())
    }

    /// Returns an integer of another type, if it is known, and the code for it, by a conversion of the runtime crate.
    pub(crate) fn converted<T: Copy>(
        &mut self,
        name: &str,
        value: &Expression,
        read: impl Fn(i128) -> Result<T, Message>,
        conversion: impl Fn(TokenStream) -> TokenStream,
        literal: impl Fn(T) -> TokenStream,
    ) -> Result<Arg<T>, Diagnostic> {
        Ok(match unless_named(value, |value| integer(name, value))? {
            Given::Known(written) => {
                let read = read(written).map_err(|sentence| Diagnostic::at(value, sentence.as_str()))?;
                Arg::known(read, literal(read))
            }
            Given::Named => {
                let written = self.named_integer(name, value);
                Arg::named(self.accepted(value, &conversion(written)))
            }
        })
    }

    /// Returns a quotient of two integers, if it is known, and the code for both, as two arguments.
    pub(crate) fn quotient(&mut self, key: &str, value: &Expression) -> Result<Arg<(i64, i64)>, Diagnostic> {
        let (numerator, denominator) = match &value.without_brackets().form {
            Form::Binary(left, Operator { text: "/", .. }, right) => (&**left, Some(&**right)),
            _ => (value, None),
        };
        // A float, or another division.
        let is_other = |part: &Expression| {
            !matches!(unless_named(part, number), Ok(Given::Known(Number::Integer(_)) | Given::Named))
        };
        if is_other(numerator) || denominator.is_some_and(is_other) {
            let written = shown(value);
            return Err(Diagnostic::at(value, format!("`{key}` is `{written}`, but must be {QUOTIENT_EXPECTED}")));
        }
        let Arg { value: numerator, code: over } = self.whole(key, numerator)?;
        let Arg { value: denominator, code: under } = match denominator {
            Some(denominator) => self.whole(key, denominator)?,
            None => Arg::known(1, quote!(1)),
        };
        Ok(Arg { value: numerator.zip(denominator), code: quote!(#over, #under) })
    }

    /// Returns a size, if it is known, and the code for it.
    pub(crate) fn size(&mut self, name: &str, value: &Expression) -> Result<Arg<usize>, Diagnostic> {
        let (read, path) = (|written| convert::size(name, written), self.crate_path);
        let conversion = |written| quote!(size(#name, #written));
        self.converted(name, value, read, conversion, |size| size_literal(name, size, path))
    }

    /// Returns a length of a scaling rule, if it is known, and the code for it.
    pub(crate) fn length(
        &mut self,
        rule: &'static str,
        name: &'static str,
        value: &Expression,
    ) -> Result<Arg<usize>, Diagnostic> {
        let (read, path) = (|written| convert::length(rule, name, written), self.crate_path);
        let conversion = |written| quote!(length(#rule, #name, #written));
        self.converted(name, value, read, conversion, |length| size_literal(name, length, path))
    }

    /// Defines a list as a variable, and returns the numbers that are known. The length of a named list is unknown here.
    pub(crate) fn list(&mut self, list: &Ident, name: &str, value: &Value) -> Result<Vec<f64>, Diagnostic> {
        match value {
            Value::List { values, .. } => {
                let given = values.iter().map(|value| self.number(name, value)).collect::<Result<Vec<_>, _>>()?;
                let tokens = given.iter().map(|number| &number.code);
                self.list.extend(quote!(let #list = [#(#tokens),*];));
                Ok(given.iter().filter_map(|number| number.value).collect())
            }
            Value::One(expr) if matches!(unless_named(expr, |_| Ok(())), Ok(Given::Named)) => {
                self.named = true;
                let code = code(expr, self.crate_path);
                self.list.extend(quote!(let #list = #code;));
                Ok(Vec::new())
            }
            _ => {
                let written = shown(value);
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
    fn named_float(&mut self, name: &str, value: &Expression) -> TokenStream {
        let (path, number) = (self.private(), local_at("number", value));
        let conversion = quote_spanned! {span(value)=>
            exact(#name, &#number, #number as #path::f64, #number as #path::core::primitive::i128)
        };
        let accepted = self.accepted(value, &conversion);
        of_number(value, &number, &accepted, self.crate_path)
    }

    /// Returns code that converts a constant of any integer type to an integer, or fails if it is a float.
    pub(crate) fn named_integer(&mut self, name: &str, value: &Expression) -> TokenStream {
        let (path, number) = (self.private(), local_at("number", value));
        let conversion = quote_spanned! {span(value)=>
            integer(#name, &#number, #number as #path::core::primitive::i128, #number as #path::f64)
        };
        let accepted = self.accepted(value, &conversion);
        of_number(value, &number, &accepted, self.crate_path)
    }

    pub(crate) fn accepted(&mut self, value: &Expression, conversion: &TokenStream) -> TokenStream {
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

pub(crate) fn one(key: impl Display, value: &Value) -> Result<&Expression, Diagnostic> {
    match value {
        Value::One(value) => Ok(value),
        Value::List { .. } | Value::Tuple { .. } | Value::Rule { .. } => {
            Err(Diagnostic::at(value, format!("`{key}` takes a single value, not a list")))
        }
    }
}
