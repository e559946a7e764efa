//! Numbers of any type of the language as the types of the parameters: for the macro, which reads literals, and for the constants
//! that the compiler reads for it.

#![allow(clippy::result_large_err, reason = "a sentence without an allocator, made once before all ends")]

use crate::error::SpecError;
use crate::sentence::{
    Part::{Float, Integer, Size, Text},
    Sentence,
};

/// The `f64` for parameter `name`, if it is exactly the number given. That number is cast to both types, since it may be of any:
/// an integer that no `f64` equals is another one than its cast.
///
/// # Errors
///
/// The sentence that says so.
pub const fn exact(name: &str, float: f64, integer: i128) -> Result<f64, Sentence> {
    if float as i128 == integer { Ok(float) } else { Err(inexact(name, integer, float)) }
}

/// That an integer is no `f64`.
#[must_use]
pub const fn inexact(name: &str, integer: i128, nearest: f64) -> Sentence {
    Sentence::new(
        "`{}` is {}, which no f64 equals; write `{}` for the nearest that is one",
        &[Text(name), Integer(integer), Float(nearest)],
    )
}

/// The integer for parameter `name`, if the number given, which is cast to both types, is one.
///
/// # Errors
///
/// The sentence that says so.
pub const fn integer(name: &str, integer: i128, float: f64) -> Result<i128, Sentence> {
    if integer as f64 == float { Ok(integer) } else { Err(not_an_integer(name, float)) }
}

/// That a float is given where an integer should be.
#[must_use]
pub const fn not_an_integer(name: &str, value: f64) -> Sentence {
    Sentence::new("`{}` is {}, but must be an integer; write one", &[Text(name), Float(value)])
}

/// The number of rows, bytes or the like for parameter `name`.
///
/// # Errors
///
/// The sentence that says that it is negative, or too large.
pub const fn size(name: &str, value: i128) -> Result<usize, Sentence> {
    if value >= 0 && value <= usize::MAX as i128 {
        return Ok(value as usize);
    }
    Err(Sentence::new(
        "`{}` is {}, but must be from 0 to {}; choose one in that range",
        &[Text(name), Integer(value), Size(usize::MAX)],
    ))
}

/// The value for `start`.
///
/// # Errors
///
/// The sentence that says that it is out of range.
pub const fn start(value: i128) -> Result<i64, Sentence> {
    if value == value as i64 as i128 {
        return Ok(value as i64);
    }
    Err(SpecError::RowPosition { value }.sentence())
}

/// The value for `step`.
///
/// # Errors
///
/// The sentence that says that it is out of range.
pub const fn step(value: i128) -> Result<i64, Sentence> {
    if value == value as i64 as i128 {
        return Ok(value as i64);
    }
    Err(Sentence::new(
        "`step` is {}, but must be from {} to {}; choose one in that range",
        &[Integer(value), Integer(i64::MIN as i128), Integer(i64::MAX as i128)],
    ))
}
