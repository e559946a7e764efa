//! Parsing numbers, with the sentences of the macros for values that are wrong.

use std::num::IntErrorKind;

use posenc::reflection::{self, QUOTIENT_EXPECTED, ValueError};
use posenc::{Position, Spec};

/// Parses a decimal number as the nearest `f64`, or a quotient of integers that is one. The library rejects numbers that
/// are not finite.
///
/// # Errors
///
/// Returns a sentence if the text is not a number.
pub fn number(text: &str) -> Result<f64, String> {
    match text.split_once('/') {
        Some((numerator, denominator)) => exact_quotient(text, numerator.trim(), denominator.trim()),
        None => text.replace('_', "").parse().map_err(|_| not_a_number(text)),
    }
}

fn not_a_number(text: &str) -> String {
    format!("`{text}` is not a number")
}

fn exact_quotient(text: &str, numerator: &str, denominator: &str) -> Result<f64, String> {
    let [numerator, denominator] = [numerator, denominator].map(|text| Ok::<_, String>(whole(text)?.map(exactly)));
    let (Some(Some(numerator)), Some(Some(denominator))) = (numerator?, denominator?) else {
        return Err(format!("`{text}` is not a quotient of two integers from -2^53 to 2^53"));
    };
    if denominator == 0.0 {
        return Err(format!("`{text}` is a division by zero"));
    }
    let quotient = numerator / denominator;
    // The product is rounded only together with the difference, which is 0 only if the quotient is exact.
    if quotient.mul_add(denominator, -numerator) == 0.0 {
        return Ok(quotient);
    }
    Err(format!("`{text}` is not exactly an `f64`; write the intended value, such as {quotient}"))
}

/// Returns the integer as an `f64` if it is one of the integers up to 2^53.
#[must_use]
pub fn exactly(integer: i128) -> Option<f64> {
    (integer.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS).then_some(integer as f64)
}

/// Parses the position or distance for parameter `name`. The messages are the macro's.
///
/// # Errors
///
/// Returns a sentence if the text is not an integer, or is out of range.
pub fn position(name: &str, text: &str) -> Result<i64, String> {
    reflection::position(name, integer(name, text)?).map_err(|error| error.to_string())
}

/// Parses an integer or a quotient of two for parameter `name`.
///
/// # Errors
///
/// Returns a sentence if the text is neither, or an integer is out of range.
pub fn quotient(name: &str, text: &str) -> Result<(i64, i64), String> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let [numerator, denominator] = [numerator, denominator].map(|text| whole(text.trim()));
    match (numerator?, denominator?) {
        (Some(numerator), Some(denominator)) => {
            let convert = |value| reflection::position(name, value).map_err(|error| error.to_string());
            Ok((convert(numerator)?, convert(denominator)?))
        }
        _ => Err(format!("`{name}` is `{text}`, but must be {QUOTIENT_EXPECTED}")),
    }
}

/// Checks that a position is a finite number, or an integer from -2^53 to 2^53.
///
/// # Errors
///
/// Returns the library's sentence for another one.
pub fn check_position(position: impl Position) -> Result<(), String> {
    Spec::new(2).encode(position, &mut [0.0_f32; 2]).map_err(|error| error.to_string())
}

/// Parses a number of columns. The messages are the library's.
///
/// # Errors
///
/// Returns a sentence if the text is not an integer, or is out of range.
pub fn d_model(text: &str) -> Result<usize, String> {
    reflection::d_model(integer("d_model", text)?).map_err(|error| error.to_string())
}

/// Parses a length of a scaling rule. The messages are the macro's.
///
/// # Errors
///
/// Returns a sentence if the text is not an integer, or is out of range.
pub fn length(rule: &'static str, name: &'static str, text: &str) -> Result<usize, String> {
    reflection::length(rule, name, integer(name, text)?).map_err(|error| error.to_string())
}

/// Parses the size or index for parameter `name`. The messages are the macro's.
///
/// # Errors
///
/// Returns a sentence if the text is not an integer, or is out of range.
pub fn size(name: &str, text: &str) -> Result<usize, String> {
    reflection::size(name, integer(name, text)?).map_err(|error| error.to_string())
}

/// Parses the sizes of a grid, such as `14x14`.
///
/// # Errors
///
/// Returns a sentence if they are no sizes, or too many.
pub fn shape(text: &str) -> Result<Vec<usize>, String> {
    /// The most axes of a grid.
    const MOST: usize = 4;
    let sizes = text.split(['x', 'X', '×', ',']).map(|part| size("shape", part.trim()));
    let shape = sizes.collect::<Result<Vec<_>, _>>()?;
    if shape.len() > MOST {
        return Err(format!("`shape` is `{text}`, but must be at most {MOST} sizes, such as `14x14`"));
    }
    Ok(shape)
}

fn integer(name: &str, text: &str) -> Result<i128, String> {
    match whole(text)? {
        Some(integer) => Ok(integer),
        None => Err(ValueError::not_an_integer(name, number(text)?).to_string()),
    }
}

/// Returns the integer, or `None` if the text is not one.
///
/// # Errors
///
/// Returns a sentence if an integer has more than 128 bits.
pub fn whole(text: &str) -> Result<Option<i128>, String> {
    match text.replace('_', "").parse() {
        Ok(integer) => Ok(Some(integer)),
        Err(error) if matches!(error.kind(), IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => {
            let max = i128::MAX;
            Err(format!("`{text}` is out of range: integers must be from -{max} to {max}"))
        }
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn quotients_are_exact() {
        assert_eq!(number("1/8"), Ok(0.125));
        assert_eq!(number("-3 / 4"), Ok(-0.75));
        assert_eq!(number("1_000/8"), Ok(125.0));
        assert_eq!(number("12/3"), Ok(4.0));
        assert_eq!(
            number("1/3").unwrap_err(),
            "`1/3` is not exactly an `f64`; write the intended value, such as 0.3333333333333333"
        );
        assert_eq!(number("0/0").unwrap_err(), "`0/0` is a division by zero");
        for wrong in ["1/0", "1/9007199254740993", "1.5/2", "1/2/4", "/2", "1/", "x/2"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }
}
