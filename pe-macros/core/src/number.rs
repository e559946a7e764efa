//! Numbers as the macro's input writes them: literals, and integer arithmetic of literals.

use posenc_runtime::convert;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, ExprUnary, Lit, UnOp};

use crate::diagnostic::Diagnostic;

/// A number, exactly as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Float(f64),
}

/// What is given in the place of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Given<T> {
    Known(T),
    /// An expression with a name in it, the value of which only the compiler will know.
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

/// Reads `expr` unless it has names in it.
pub(crate) fn unless_named<T>(
    expr: &Expr,
    read: impl FnOnce(&Expr) -> Result<T, Diagnostic>,
) -> Result<Given<T>, Diagnostic> {
    if names_something(expr) { Ok(Given::Named) } else { read(expr).map(Given::Known) }
}

/// Whether there is a name in `expr`: of a constant, a function, a type.
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

/// The value of an expression of literals.
pub(crate) fn number(expr: &Expr) -> Result<Number, Diagnostic> {
    match expr {
        Expr::Paren(inner) => number(&inner.expr),
        // What a `macro_rules!` of the user passes on as one expression.
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

/// The `f64` for parameter `name`: the nearest to a float as written, and exactly an integer.
pub(crate) fn exact(name: &str, value: &Expr) -> Result<f64, Diagnostic> {
    match number(value)? {
        Number::Float(float) => Ok(float),
        Number::Integer(written) => convert::exact(name, &written, written as f64, written)
            .map_err(|sentence| Diagnostic::at(value, sentence.as_str())),
    }
}

/// The size for parameter `name`.
pub(crate) fn size(name: &str, value: &Expr) -> Result<usize, Diagnostic> {
    convert::size(name, integer(name, value)?).map_err(|sentence| Diagnostic::at(value, sentence.as_str()))
}

/// The integer for parameter `name`.
pub(crate) fn integer(name: &str, value: &Expr) -> Result<i128, Diagnostic> {
    match number(value)? {
        Number::Integer(integer) => Ok(integer),
        Number::Float(float) => Err(Diagnostic::at(value, convert::not_an_integer(name, float).as_str())),
    }
}

fn arithmetic(expr: &Expr, ExprBinary { left, op, right, .. }: &ExprBinary) -> Result<Number, Diagnostic> {
    let (Number::Integer(a), Number::Integer(b)) = (number(left)?, number(right)?) else {
        return Err(Diagnostic::at(expr, "only integers are computed with; write the result as one float"));
    };
    let shift = u32::try_from(b).ok();
    let result = match op {
        BinOp::Add(_) => a.checked_add(b),
        BinOp::Sub(_) => a.checked_sub(b),
        BinOp::Mul(_) => a.checked_mul(b),
        BinOp::Div(_) | BinOp::Rem(_) if b == 0 => {
            return Err(Diagnostic::at(right, "division by zero; write the number that is meant"));
        }
        BinOp::Div(_) if a.checked_rem(b).is_some_and(|rest| rest != 0) => {
            let written = expr.to_token_stream().to_string();
            return Err(Diagnostic::at(expr, convert::uneven(&written, a, b).as_str()));
        }
        BinOp::Div(_) => a.checked_div(b),
        BinOp::Rem(_) => a.checked_rem(b),
        // Multiplying, unlike `checked_shl`, sees bits go.
        BinOp::Shl(_) => shift.and_then(|bits| 2i128.checked_pow(bits)).and_then(|power| a.checked_mul(power)),
        BinOp::Shr(_) => shift.and_then(|bits| a.checked_shr(bits)),
        _ => {
            return Err(Diagnostic::at(op, "of integers only +, -, *, /, %, << and >> are computed; write the result"));
        }
    };
    result.map(Number::Integer).ok_or_else(|| too_large(expr))
}

fn float(expr: &Expr, digits: &str) -> Result<Number, Diagnostic> {
    let value = digits.parse().map_err(|_| not_a_number(expr))?;
    // Rust rounds it without a word, and a scale of 0 makes a table without complaint.
    let (mantissa, _) = digits.split_once(['e', 'E']).unwrap_or((digits, ""));
    if value == 0.0 && mantissa.contains(|digit| matches!(digit, '1'..='9')) {
        let written = expr.to_token_stream();
        let rounds = format!("`{written}` rounds to 0, the least f64 being 5e-324; write 0 if that is meant");
        return Err(Diagnostic::at(expr, rounds));
    }
    Ok(Number::Float(value))
}

/// `4k` is not 4, and `0.1f32` is not the `f64` nearest to 0.1.
fn unknown_suffix(expr: &Expr, suffix: &str) -> Diagnostic {
    Diagnostic::at(expr, format!("the suffix `{suffix}` is not read; write the number without it, with all its digits"))
}

fn too_large(expr: &Expr) -> Diagnostic {
    let max = i128::MAX;
    let written = expr.to_token_stream();
    Diagnostic::at(expr, format!("`{written}` is out of range, integers go from -{max} to {max}; write a smaller one"))
}

fn not_a_number(expr: &Expr) -> Diagnostic {
    Diagnostic::at(expr, format!("`{}` is not a number; write one, such as 512", expr.to_token_stream()))
}
