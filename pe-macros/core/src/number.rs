//! The numbers that the macro can read: literals, and integer arithmetic on literals.

use posenc_runtime::convert;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Lit;

use crate::diagnostic::{Diagnostic, shown};
use crate::expression::{Expression, Form, Operator};

/// A number, with the exact value of what is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Float(f64),
}

/// The value of an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Given<T> {
    Known(T),
    /// An expression that contains a name. Only the compiler knows its value.
    Named,
}

impl<T> Given<T> {
    pub(crate) fn known(self) -> Option<T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Named => None,
        }
    }
}

/// Reads `expr`, unless it contains names.
pub(crate) fn unless_named<T>(
    expr: &Expression,
    read: impl FnOnce(&Expression) -> Result<T, Diagnostic>,
) -> Result<Given<T>, Diagnostic> {
    if names_something(expr) { Ok(Given::Named) } else { read(expr).map(Given::Known) }
}

/// Returns whether `expr` contains a name: of a constant, a function or a type.
fn names_something(expr: &Expression) -> bool {
    fn has_name(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident != "true" && ident != "false",
            TokenTree::Group(group) => has_name(group.stream()),
            _ => false,
        })
    }
    has_name(expr.to_token_stream())
}

/// Evaluates an expression of literals.
pub(crate) fn number(expr: &Expression) -> Result<Number, Diagnostic> {
    match &expr.form {
        Form::Brackets(inner) => number(inner),
        Form::Literal(literal) => match literal {
            Lit::Int(digits) => match digits.suffix() {
                "" | "usize" => digits.base10_parse().map(Number::Integer).map_err(|_| too_large(expr)),
                "f64" => float(expr, digits.base10_digits()),
                suffix => Err(unknown_suffix(expr, suffix)),
            },
            Lit::Float(digits) => match digits.suffix() {
                "" | "f64" => float(expr, digits.base10_digits()),
                suffix => Err(unknown_suffix(expr, suffix)),
            },
            _ => Err(not_a_number(expr)),
        },
        Form::Unary(operator, operand) if operator.as_char() == '-' => match number(operand)? {
            Number::Integer(value) => value.checked_neg().map(Number::Integer).ok_or_else(|| too_large(expr)),
            Number::Float(value) => Ok(Number::Float(-value)),
        },
        Form::Binary(left, operator, right) => arithmetic(expr, left, operator, right),
        _ => Err(not_a_number(expr)),
    }
}

/// Returns the `f64` for parameter `name`: the nearest one for a float literal, the exact one for an integer.
pub(crate) fn exact(name: &str, value: &Expression) -> Result<f64, Diagnostic> {
    match number(value)? {
        Number::Float(float) => Ok(float),
        Number::Integer(written) => convert::exact(name, &written, written as f64, written)
            .map_err(|sentence| Diagnostic::at(value, sentence.as_str())),
    }
}

/// Returns the size for parameter `name`.
pub(crate) fn size(name: &str, value: &Expression) -> Result<usize, Diagnostic> {
    convert::size(name, integer(name, value)?).map_err(|sentence| Diagnostic::at(value, sentence.as_str()))
}

/// Returns the integer for parameter `name`.
pub(crate) fn integer(name: &str, value: &Expression) -> Result<i128, Diagnostic> {
    match number(value)? {
        Number::Integer(integer) => Ok(integer),
        Number::Float(float) => Err(Diagnostic::at(value, convert::not_an_integer(name, float).as_str())),
    }
}

fn arithmetic(
    expr: &Expression,
    left: &Expression,
    operator: &Operator,
    right: &Expression,
) -> Result<Number, Diagnostic> {
    let (Number::Integer(a), Number::Integer(b)) = (number(left)?, number(right)?) else {
        return Err(Diagnostic::at(expr, "arithmetic on floats is not supported; write the result"));
    };
    let shift = u32::try_from(b).ok();
    let result = match operator.text {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" | "%" if b == 0 => {
            return Err(Diagnostic::at(right, format!("division by zero in `{}`", shown(expr))));
        }
        "/" if a.checked_rem(b).is_some_and(|rest| rest != 0) => {
            let written = shown(expr);
            return Err(Diagnostic::at(expr, convert::uneven(&written, a, b).as_str()));
        }
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        // `checked_shl` does not detect bits shifted out. A multiplication does.
        "<<" => shift.and_then(|bits| 2i128.checked_pow(bits)).and_then(|power| a.checked_mul(power)),
        ">>" => shift.and_then(|bits| a.checked_shr(bits)),
        other => {
            return Err(Diagnostic::at(
                operator,
                format!("unsupported operator `{other}`: only +, -, *, /, %, << and >> on integers are supported"),
            ));
        }
    };
    result.map(Number::Integer).ok_or_else(|| too_large(expr))
}

fn float(expr: &Expression, digits: &str) -> Result<Number, Diagnostic> {
    let value = digits.parse().map_err(|_| not_a_number(expr))?;
    // Rust rounds it to zero without a warning, and a `scale` of 0 is valid.
    let (mantissa, _) = digits.split_once(['e', 'E']).unwrap_or((digits, ""));
    if value == 0.0 && mantissa.contains(|digit| matches!(digit, '1'..='9')) {
        let written = shown(expr);
        let rounds = format!(
            "`{written}` rounds to 0, because the smallest positive `f64` is 5e-324; write 0 if that is intended"
        );
        return Err(Diagnostic::at(expr, rounds));
    }
    Ok(Number::Float(value))
}

/// The error for a suffix: `4k` is not 4, and `0.1f32` is not the `f64` nearest to 0.1.
fn unknown_suffix(expr: &Expression, suffix: &str) -> Diagnostic {
    const INTEGERS: [&str; 11] = ["u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128", "isize"];
    let written = shown(expr);
    let remedy = match written.strip_suffix(suffix).filter(|_| INTEGERS.contains(&suffix)) {
        Some(number) => format!("write `{}`", number.trim_end_matches('_')),
        None => "write the number in full, without a suffix".to_owned(),
    };
    Diagnostic::at(expr, format!("unsupported suffix `{suffix}`; {remedy}"))
}

fn too_large(expr: &Expression) -> Diagnostic {
    let max = i128::MAX;
    let written = shown(expr);
    Diagnostic::at(expr, format!("`{written}` is out of range: integers must be from -{max} to {max}"))
}

fn not_a_number(expr: &Expression) -> Diagnostic {
    Diagnostic::at(expr, format!("`{}` is not a number", shown(expr)))
}
