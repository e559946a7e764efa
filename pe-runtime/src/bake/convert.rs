//! Converts numbers of any primitive type to the types of the parameters.
//!
//! The macro uses this for the literals that it reads, and for constants in the code that it generates.

#![allow(clippy::result_large_err, reason = "the message takes no allocator, and is made once before all stops")]

use crate::bake::const_table::is_equal;
use crate::limits::MAX_POSITION;
use crate::rope::Rope;
use crate::spec::error::SpecError;
use crate::spec::scaling::{LEAST, LEAST_OF_LONGROPE};
use crate::text::message::{
    Message,
    Part::{Float, Integer, Size, Text, Unsigned},
};

/// A primitive number type.
///
/// A `const fn` cannot call the methods of a trait, but it can read its constants, such as the kind of number. The
/// values are passed separately, cast to `f64` and `i128`.
#[diagnostic::on_unimplemented(
    message = "the value of a parameter must be a number, but this is `{Self}`",
    label = "not a number"
)]
pub trait Number: Copy {
    /// The type itself.
    type Itself;
    /// The kind of number.
    const KIND: NumberKind;
}

/// Kinds of number types.
#[derive(Clone, Copy)]
pub enum NumberKind {
    /// Integers that fit into an `i128`.
    Integer,
    /// `u128`, whose upper half becomes negative when cast to `i128`.
    U128,
    /// Floats.
    Float,
}

macro_rules! numbers {
    ($($kind:ident: $($number:ty)*;)*) => { $($(
        impl Number for $number {
            type Itself = Self;
            const KIND: NumberKind = NumberKind::$kind;
        }
    )*)* };
}

numbers! {
    Integer: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize;
    U128: u128;
    Float: f32 f64;
}

/// Returns the number.
///
/// If the type is no number type, its value has no type here, and the compiler reports nothing else about it.
pub const fn number<T: Number>(_: T, value: T::Itself) -> T::Itself {
    value
}

/// Returns the `f64` for parameter `name`, if it is exactly the given number.
///
/// # Errors
///
/// Returns a message if no `f64` equals it.
pub const fn exact<T: Number>(name: &str, _: &T, float: f64, integer: i128) -> Result<f64, Message> {
    // `as` saturates, so converting back would turn the powers of two that the largest integers are rounded to into
    // these integers.
    let is_exact = match T::KIND {
        NumberKind::Float => true,
        NumberKind::Integer => float as i128 == integer && integer != i128::MAX,
        NumberKind::U128 => float as u128 == integer as u128 && integer != -1,
    };
    if is_exact {
        return Ok(float);
    }
    let written = if matches!(T::KIND, NumberKind::U128) { Unsigned(integer as u128) } else { Integer(integer) };
    Err(Message::new(
        "`{}` is {}, which is not exactly representable as `f64`; the nearest is `{}`",
        &[Text(name), written, Float(float)],
    ))
}

/// Returns the integer for parameter `name`, if the type of the given number is an integer type.
///
/// An integer too large for `i128` becomes `i128::MAX`, which is out of range for every parameter.
///
/// # Errors
///
/// Returns a message if the number is a float.
pub const fn integer<T: Number>(name: &str, _: &T, integer: i128, float: f64) -> Result<i128, Message> {
    match T::KIND {
        NumberKind::Integer => Ok(integer),
        NumberKind::U128 => Ok(if integer < 0 { i128::MAX } else { integer }),
        NumberKind::Float => Err(not_an_integer(name, float)),
    }
}

/// Returns the message that a float is given in place of an integer.
#[must_use]
pub const fn not_an_integer(name: &str, value: f64) -> Message {
    Message::new("`{}` is {}, but must be an integer", &[Text(name), Float(value)])
}

/// Returns the quotient, if the division leaves no remainder: Rust would discard it silently.
///
/// # Errors
///
/// Returns a message if there is a remainder.
pub const fn divided<T: Number>(quotient: T, written: &str, dividend: i128, divisor: i128) -> Result<T, Message> {
    match T::KIND {
        NumberKind::Integer if dividend % divisor != 0 => Err(uneven(written, dividend, divisor)),
        NumberKind::U128 if (dividend as u128) % (divisor as u128) != 0 => Err(uneven(written, dividend, divisor)),
        _ => Ok(quotient),
    }
}

/// Returns the message that a division of integers leaves a remainder.
#[must_use]
#[allow(clippy::float_arithmetic, reason = "a suggestion for users who meant a float")]
pub const fn uneven(written: &str, dividend: i128, divisor: i128) -> Message {
    let nearer_0 = dividend / divisor;
    let farther = if (dividend < 0) == (divisor < 0) { nearer_0 + 1 } else { nearer_0 - 1 };
    Message::new(
        "`{}` is an integer division with a remainder; write {} or {}, or {} if it need not be an integer",
        &[Text(written), Integer(nearer_0), Integer(farther), Float(dividend as f64 / divisor as f64)],
    )
}

/// Returns the number of rows, bytes or the like for parameter `name`.
///
/// # Errors
///
/// Returns a message if it is negative or too large.
pub const fn size(name: &str, value: i128) -> Result<usize, Message> {
    if value >= 0 && value <= usize::MAX as i128 {
        return Ok(value as usize);
    }
    Err(Message::new("`{}` is {}, but must be from 0 to {}", &[Text(name), Integer(value), Size(usize::MAX)]))
}

/// Returns a length of a scaling rule. Whether it is too large is checked with the spec.
///
/// # Errors
///
/// Returns a message if it is negative, or beyond any size.
pub const fn length(rule: &'static str, parameter: &'static str, value: i128) -> Result<usize, Message> {
    if value >= 0 && value <= usize::MAX as i128 {
        return Ok(value as usize);
    }
    let least = if is_equal(rule.as_bytes(), b"longrope") { LEAST_OF_LONGROPE } else { LEAST };
    Err(SpecError::ScalingLength { rule, parameter, value, least }.message())
}

/// Returns the number of columns of a head that are rotated.
///
/// # Errors
///
/// Returns a message if it is odd, 0 or more than `head_dim`.
pub const fn rotary_dim(head_dim: usize, rotary_dim: usize) -> Result<usize, Message> {
    match Rope::new(head_dim).rotary_dim(rotary_dim).check_width() {
        Ok(()) => Ok(rotary_dim),
        Err(error) => Err(error.message()),
    }
}

/// Returns the maximum number of bytes, at most the address space.
#[must_use]
pub const fn limit(value: u128) -> usize {
    if value < usize::MAX as u128 { value as usize } else { usize::MAX }
}

/// Returns the zero point of integers. Whether it is one of the type is checked with the spec.
///
/// # Errors
///
/// Returns a message if it is beyond 32 bits.
pub const fn zero_point(value: i128) -> Result<i32, Message> {
    if value >= i32::MIN as i128 && value <= i32::MAX as i128 {
        Ok(value as i32)
    } else {
        Err(Message::new("the zero point is {}, but must be an integer of the type", &[Integer(value)]))
    }
}

/// Returns the value of `start`, `step` or another position or distance between positions.
///
/// # Errors
///
/// Returns a message if it is out of range.
pub const fn position(name: &str, value: i128) -> Result<i64, Message> {
    if value == value as i64 as i128 {
        return Ok(value as i64);
    }
    if is_equal(name.as_bytes(), b"start") {
        return Err(SpecError::RowPosition { value }.message());
    }
    if is_equal(name.as_bytes(), b"unit") {
        return Err(Message::new(
            "`unit` has the number {}, but both of its numbers must be integers from 1 to {}",
            &[Integer(value), Integer(MAX_POSITION as i128)],
        ));
    }
    Err(Message::new(
        "`{}` is {}, but must be from {} to {}",
        &[Text(name), Integer(value), Integer(i64::MIN as i128), Integer(i64::MAX as i128)],
    ))
}

/// Checks that the name of a build script's file is plain enough to be valid on every system.
///
/// # Errors
///
/// Returns a message if it is not.
pub const fn file_name(name: &str) -> Result<(), Message> {
    let mut i = 0;
    let mut is_plain = !name.is_empty();
    while i < name.len() {
        is_plain = is_plain && matches!(name.as_bytes()[i], b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-');
        i += 1;
    }
    if is_plain {
        return Ok(());
    }
    Err(Message::new("the file name is `{}`, but must be one or more ASCII letters, digits, `_` or `-`", &[Text(name)]))
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::String;

    use super::*;

    fn of<T>(found: Result<T, Message>) -> Result<T, String> {
        found.map_err(|message| message.as_str().into())
    }

    #[test]
    fn an_integer_is_a_number_only_if_it_is_the_same() {
        let most = 1 << 53;
        assert_eq!(of(exact("base", &0_i64, most as f64, most)), Ok(most as f64));
        let inexact = "`base` is 9007199254740993, which is not exactly representable as `f64`; the nearest is `9007199254740992.0`";
        assert_eq!(of(exact("base", &0_i64, most as f64, most + 1)), Err(inexact.into()));
        // The largest integer is no number, although converting saturates to it.
        assert!(exact("base", &0_i128, i128::MAX as f64, i128::MAX).is_err());
        assert!(exact("base", &0_u128, u128::MAX as f64, -1).is_err());
        assert_eq!(of(exact("base", &0_u128, (1_u128 << 127) as f64, i128::MIN)), Ok((1_u128 << 127) as f64));
        assert_eq!(of(exact("base", &0.5_f64, 0.5, 0)), Ok(0.5));
    }

    #[test]
    fn only_integers_are_integers() {
        assert_eq!(of(integer("start", &0_i32, -7, -7.0)), Ok(-7));
        assert_eq!(of(integer("start", &0_u128, -7, 0.0)), Ok(i128::MAX));
        assert_eq!(of(integer("start", &0_u128, 7, 7.0)), Ok(7));
        assert_eq!(of(integer("start", &0.5_f64, 0, 0.5)), Err("`start` is 0.5, but must be an integer".into()));
    }

    #[test]
    fn a_division_of_integers_leaves_no_remainder() {
        assert_eq!(of(divided(4, "N / 2", 8, 2)), Ok(4));
        let uneven = |nearer: &str| {
            format!("`N / 2` is an integer division with a remainder; write {nearer} if it need not be an integer")
        };
        assert_eq!(of(divided(3, "N / 2", 7, 2)), Err(uneven("3 or 4, or 3.5")));
        assert_eq!(of(divided(-3, "N / 2", -7, 2)), Err(uneven("-3 or -4, or -3.5")));
        assert_eq!(of(divided(3, "N / 2", -7, -2)), Err(uneven("3 or 4, or 3.5")));
        assert!(divided(1_u128 << 126, "N / 2", i128::MIN + 1, 2).is_err());
        assert_eq!(of(divided(3.5, "N / 2", 7, 2)), Ok(3.5));
    }
}
