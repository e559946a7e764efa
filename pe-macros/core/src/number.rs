//! The numbers that the macro can read: literals, and integer arithmetic on literals.

use posenc_runtime::convert;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, ExprUnary, Lit, UnOp};

use crate::diagnostic::{Diagnostic, shown};

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
    expr: &Expr,
    read: impl FnOnce(&Expr) -> Result<T, Diagnostic>,
) -> Result<Given<T>, Diagnostic> {
    if names_something(expr) { Ok(Given::Named) } else { read(expr).map(Given::Known) }
}

/// Returns whether `expr` contains a name: of a constant, a function or a type.
fn names_something(expr: &Expr) -> bool {
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
pub(crate) fn number(expr: &Expr) -> Result<Number, Diagnostic> {
    match expr {
        Expr::Paren(inner) => number(&inner.expr),
        // A `macro_rules!` of the user passes `$n:expr` on like this.
        Expr::Group(inner) => number(&inner.expr),
        Expr::Lit(literal) => match &literal.lit {
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
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr: operand, .. }) => match number(operand)? {
            Number::Integer(value) => value.checked_neg().map(Number::Integer).ok_or_else(|| too_large(expr)),
            Number::Float(value) => Ok(Number::Float(-value)),
        },
        Expr::Binary(binary) => arithmetic(expr, binary),
        _ => Err(not_a_number(expr)),
    }
}

/// Returns the `f64` for parameter `name`: the nearest one for a float literal, the exact one for an integer.
pub(crate) fn exact(name: &str, value: &Expr) -> Result<f64, Diagnostic> {
    match number(value)? {
        Number::Float(float) => Ok(float),
        Number::Integer(written) => convert::exact(name, &written, written as f64, written)
            .map_err(|sentence| Diagnostic::at(value, sentence.as_str())),
    }
}

/// Returns the size for parameter `name`.
pub(crate) fn size(name: &str, value: &Expr) -> Result<usize, Diagnostic> {
    convert::size(name, integer(name, value)?).map_err(|sentence| Diagnostic::at(value, sentence.as_str()))
}

/// Returns the integer for parameter `name`.
pub(crate) fn integer(name: &str, value: &Expr) -> Result<i128, Diagnostic> {
    match number(value)? {
        Number::Integer(integer) => Ok(integer),
        Number::Float(float) => Err(Diagnostic::at(value, convert::not_an_integer(name, float).as_str())),
    }
}

fn arithmetic(expr: &Expr, ExprBinary { left, op, right, .. }: &ExprBinary) -> Result<Number, Diagnostic> {
    let (Number::Integer(a), Number::Integer(b)) = (number(left)?, number(right)?) else {
        return Err(Diagnostic::at(expr, "arithmetic on floats is not supported; write the result"));
    };
    let shift = u32::try_from(b).ok();
    let result = match op {
        BinOp::Add(_) => a.checked_add(b),
        BinOp::Sub(_) => a.checked_sub(b),
        BinOp::Mul(_) => a.checked_mul(b),
        BinOp::Div(_) | BinOp::Rem(_) if b == 0 => {
            return Err(Diagnostic::at(right, format!("division by zero in `{}`", shown(expr))));
        }
        BinOp::Div(_) if a.checked_rem(b).is_some_and(|rest| rest != 0) => {
            let written = shown(expr);
            return Err(Diagnostic::at(expr, convert::uneven(&written, a, b).as_str()));
        }
        BinOp::Div(_) => a.checked_div(b),
        BinOp::Rem(_) => a.checked_rem(b),
        // `checked_shl` does not detect bits shifted out. A multiplication does.
        BinOp::Shl(_) => shift.and_then(|bits| 2i128.checked_pow(bits)).and_then(|power| a.checked_mul(power)),
        BinOp::Shr(_) => shift.and_then(|bits| a.checked_shr(bits)),
        _ => {
            let operator = shown(op);
            return Err(Diagnostic::at(
                op,
                format!("unsupported operator `{operator}`: only +, -, *, /, %, << and >> on integers are supported"),
            ));
        }
    };
    result.map(Number::Integer).ok_or_else(|| too_large(expr))
}

fn float(expr: &Expr, digits: &str) -> Result<Number, Diagnostic> {
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
fn unknown_suffix(expr: &Expr, suffix: &str) -> Diagnostic {
    const INTEGERS: [&str; 11] = ["u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128", "isize"];
    let written = shown(expr);
    let remedy = match written.strip_suffix(suffix).filter(|_| INTEGERS.contains(&suffix)) {
        Some(number) => format!("write `{}`", number.trim_end_matches('_')),
        None => "write the number in full, without a suffix".to_owned(),
    };
    Diagnostic::at(expr, format!("unsupported suffix `{suffix}`; {remedy}"))
}

fn too_large(expr: &Expr) -> Diagnostic {
    let max = i128::MAX;
    let written = shown(expr);
    Diagnostic::at(expr, format!("`{written}` is out of range: integers must be from -{max} to {max}"))
}

fn not_a_number(expr: &Expr) -> Diagnostic {
    Diagnostic::at(expr, format!("`{}` is not a number", shown(expr)))
}
