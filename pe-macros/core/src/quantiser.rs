//! The arguments of an element type: the scale and the zero point of integers.

use posenc_runtime::{Quantiser, SpecError, convert};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Lit;

use crate::arguments::Value;
use crate::diagnostic::Diagnostic;
use crate::dtype::Dtype;
use crate::expression::{Expression, Form, Operator};
use crate::number::{Given, Number, number, unless_named};
use crate::reader::{Arg, Reader};

/// Returns the name of a type, and its arguments if it has any: `i8` and `[1/127, -1]`.
pub(crate) fn name_and_arguments(value: &Value) -> (TokenStream, &[Expression]) {
    if let Value::One(expr) = value {
        if let Form::Call(function, arguments) = &expr.without_brackets().form {
            return (function.clone(), arguments);
        }
    }
    (value.to_token_stream(), &[])
}

impl Reader<'_> {
    /// Returns the quantiser of a type with arguments, as far as it is known, and the code for it.
    pub(crate) fn quantiser(
        &mut self,
        dtype: Dtype,
        value: &Value,
        arguments: &[Expression],
    ) -> Result<Option<Arg<Quantiser>>, Diagnostic> {
        let name = dtype.name();
        let (scale, zero_point) = match arguments {
            [] => {
                return dtype.check_quantiser(None).map(|()| None).map_err(|error| Diagnostic::at(value, error));
            }
            [scale] => (scale, None),
            [scale, zero_point] => (scale, Some(zero_point)),
            [_, _, superfluous, ..] => {
                let sentence = format!("`{name}` takes a scale and a zero point; remove the other arguments");
                return Err(Diagnostic::at(superfluous, sentence));
            }
        };
        // Any quantiser is one too many.
        if let (Ok(()), Err(error)) = (dtype.check_quantiser(None), dtype.check_quantiser(Some(Quantiser::new(1.0)))) {
            return Err(Diagnostic::at(scale, error));
        }
        let mut read = self.scale(scale)?;
        if let Some(zero_point) = zero_point {
            let Arg { value, code } = self.zero_point(zero_point)?;
            read.value = read.value.zip(value).map(|(quantiser, integer)| quantiser.zero_point(integer));
            read.code.extend(quote!(.zero_point(#code)));
        }
        if let Some(quantiser) = read.value {
            dtype.check_quantiser(Some(quantiser)).map_err(|error| match (error, zero_point) {
                (SpecError::ZeroPoint { .. }, Some(zero_point)) => Diagnostic::at(zero_point, error),
                _ => Diagnostic::at(scale, error),
            })?;
        }
        Ok(Some(read))
    }

    /// Returns the quantiser with a scale, if it is known, and the code for it.
    fn scale(&mut self, scale: &Expression) -> Result<Arg<Quantiser>, Diagnostic> {
        let path = self.crate_path;
        if let Form::Binary(left, Operator { text: "/", .. }, right) = &scale.without_brackets().form {
            // A quotient of floats is not one of integers, and arithmetic on floats is not supported.
            let is_integer = |part: &Expression| {
                matches!(unless_named(part, number), Ok(Given::Known(Number::Integer(_)) | Given::Named))
            };
            if is_integer(left) && is_integer(right) {
                let (numerator, denominator) = (self.whole("scale", left)?, self.whole("scale", right)?);
                let known = numerator.value.zip(denominator.value);
                let (over, under) = (numerator.code, denominator.code);
                return Ok(Arg {
                    value: known.map(|(over, under)| Quantiser::quotient(over, under)),
                    code: quote!(#path::Quantiser::quotient(#over, #under)),
                });
            }
        }
        let Arg { value, code } = match single_precision(scale) {
            Some(number) => Arg::known(number, self.float(number)),
            None => self.number("scale", scale)?,
        };
        Ok(Arg { value: value.map(Quantiser::new), code: quote!(#path::Quantiser::new(#code)) })
    }

    /// Returns a zero point, if it is known, and the code for it.
    fn zero_point(&mut self, value: &Expression) -> Result<Arg<i32>, Diagnostic> {
        self.converted(
            "zero_point",
            value,
            convert::zero_point,
            |written| quote!(zero_point(#written)),
            |integer| Literal::i32_suffixed(integer).into_token_stream(),
        )
    }
}

/// Returns the value of a literal with the suffix `f32`, as in `0.007874016f32`: exactly that `f32`.
fn single_precision(scale: &Expression) -> Option<f64> {
    let Form::Literal(literal) = &scale.without_brackets().form else { return None };
    let (digits, suffix) = match literal {
        Lit::Float(number) => (number.base10_digits(), number.suffix()),
        Lit::Int(number) => (number.base10_digits(), number.suffix()),
        _ => return None,
    };
    if suffix == "f32" { digits.parse::<f32>().ok().map(f64::from) } else { None }
}
