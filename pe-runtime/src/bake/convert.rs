//! Numbers of any type of the language as the types of the parameters: for the macro, which reads literals, and for the constants
//! that the compiler reads for it.

#![allow(clippy::result_large_err, reason = "a sentence without an allocator, made once before all ends")]

use crate::bake::const_table::is_equal;
use crate::spec::error::SpecError;
use crate::text::message::{
    Message,
    Part::{Float, Integer, Size, Text, Unsigned},
};

/// A number type of the language. A `const fn` cannot call a trait's functions, but it can ask what type it has; values come
/// cast to `f64` and `i128` beside it.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a number", label = "not a number")]
pub trait Number: Copy {
    /// What kind of number.
    const KIND: Kind;
}

/// Kinds of number types.
#[derive(Clone, Copy)]
pub enum Kind {
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
            const KIND: Kind = Kind::$kind;
        }
    )*)* };
}

numbers! {
    Integer: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize;
    U128: u128;
    Float: f32 f64;
}

/// The `f64` for parameter `name`, if it is exactly the number given.
///
/// # Errors
///
/// The sentence that says that no `f64` is.
pub const fn exact<T: Number>(name: &str, _: &T, float: f64, integer: i128) -> Result<f64, Message> {
    // `as` saturates, so the largest integers would come back from the powers of two that they are rounded to.
    let is_exact = match T::KIND {
        Kind::Float => true,
        Kind::Integer => float as i128 == integer && integer != i128::MAX,
        Kind::U128 => float as u128 == integer as u128 && integer != -1,
    };
    if is_exact {
        return Ok(float);
    }
    let written = if matches!(T::KIND, Kind::U128) { Unsigned(integer as u128) } else { Integer(integer) };
    Err(Message::new(
        "`{}` is {}, which is not exactly representable as `f64`; the nearest is `{}`",
        &[Text(name), written, Float(float)],
    ))
}

/// The integer for parameter `name`, if the number given is one by its type.
///
/// # Errors
///
/// The sentence that says that it is a float, or too large for any parameter.
pub const fn integer<T: Number>(name: &str, _: &T, integer: i128, float: f64) -> Result<i128, Message> {
    match T::KIND {
        Kind::Integer => Ok(integer),
        Kind::U128 => Ok(if integer < 0 { i128::MAX } else { integer }),
        Kind::Float => Err(not_an_integer(name, float)),
    }
}

/// That a float is given where an integer should be.
#[must_use]
pub const fn not_an_integer(name: &str, value: f64) -> Message {
    Message::new("`{}` is {}, but must be an integer", &[Text(name), Float(value)])
}

/// A quotient, if no remainder was lost: Rust divides integers without a word.
///
/// # Errors
///
/// The sentence that says that one was.
pub const fn divided<T: Number>(quotient: T, written: &str, dividend: i128, divisor: i128) -> Result<T, Message> {
    match T::KIND {
        Kind::Integer if dividend % divisor != 0 => Err(uneven(written, dividend, divisor)),
        Kind::U128 if (dividend as u128) % (divisor as u128) != 0 => Err(uneven(written, dividend, divisor)),
        _ => Ok(quotient),
    }
}

/// That a division of integers leaves a remainder.
#[must_use]
#[allow(clippy::float_arithmetic, reason = "a proposal for whoever meant a float")]
pub const fn uneven(written: &str, dividend: i128, divisor: i128) -> Message {
    Message::new(
        "`{}` is an integer division with a remainder; write the intended value, such as {}",
        &[Text(written), Float(dividend as f64 / divisor as f64)],
    )
}

/// The number of rows, bytes or the like for parameter `name`.
///
/// # Errors
///
/// The sentence that says that it is negative, or too large.
pub const fn size(name: &str, value: i128) -> Result<usize, Message> {
    if value >= 0 && value <= usize::MAX as i128 {
        return Ok(value as usize);
    }
    Err(Message::new("`{}` is {}, but must be from 0 to {}", &[Text(name), Integer(value), Size(usize::MAX)]))
}

/// The most bytes, at most the address space.
#[must_use]
pub const fn limit(value: u128) -> usize {
    if value < usize::MAX as u128 { value as usize } else { usize::MAX }
}

/// The value of `start`, `step` or another position or distance of positions.
///
/// # Errors
///
/// The sentence that says that it is out of range.
pub const fn position(name: &str, value: i128) -> Result<i64, Message> {
    if value == value as i64 as i128 {
        return Ok(value as i64);
    }
    if is_equal(name.as_bytes(), b"start") {
        return Err(SpecError::RowPosition { value }.message());
    }
    Err(Message::new(
        "`{}` is {}, but must be from {} to {}",
        &[Text(name), Integer(value), Integer(i64::MIN as i128), Integer(i64::MAX as i128)],
    ))
}

/// The name of a build script's file: a plain one, which is a file's on every system.
///
/// # Errors
///
/// The sentence that says that it is not.
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
