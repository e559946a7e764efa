//! Parsing the values of options.

use std::io::Read;
use std::num::IntErrorKind;
use std::path::Path;
use std::str::FromStr;

use posenc::reflection::{self, QUOTIENT_EXPECTED, ValueError};
use posenc::{Position, Spec};

use crate::files::open::open;

/// A position. An integer is kept exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PositionArg {
    Integer(i64),
    Fraction(f64),
}

impl FromStr for PositionArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match whole(text)? {
            Some(_) => position("position", text).map(Self::Integer),
            None => number(text).map(Self::Fraction),
        }
    }
}

/// Parses a decimal number as the nearest `f64`, or a quotient of integers that is one. The library rejects numbers that
/// are not finite.
pub(crate) fn number(text: &str) -> Result<f64, String> {
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
fn exactly(integer: i128) -> Option<f64> {
    (integer.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS).then_some(integer as f64)
}

/// A list of numbers. For clap, a `Vec` would be an option that is given several times.
#[derive(Clone, Debug)]
pub(crate) struct NumberList(pub(crate) Vec<f64>);

/// Parses numbers between commas, or `@` and a file with numbers between commas and white space.
pub(crate) fn numbers(text: &str) -> Result<NumberList, String> {
    list(text, number)
}

/// Parses positions, as [`numbers`] does.
pub(crate) fn positions(text: &str) -> Result<NumberList, String> {
    list(text, |part| match part.parse()? {
        PositionArg::Integer(value) => exactly(value.into()).ok_or_else(|| refused(value)),
        PositionArg::Fraction(value) if value.is_finite() => Ok(value),
        PositionArg::Fraction(value) => Err(refused(value)),
    })
}

/// Returns the library's sentence for a position that is none.
fn refused(position: impl Position) -> String {
    let encoded = Spec::new(2).encode(position, &mut [0.0_f32; 2]);
    encoded.expect_err("the position is out of range").to_string()
}

fn list(text: &str, parse: impl Fn(&str) -> Result<f64, String>) -> Result<NumberList, String> {
    let Some(path) = text.strip_prefix('@') else {
        return text.split(',').map(str::trim).map(parse).collect::<Result<_, _>>().map(NumberList);
    };
    let mut text = String::new();
    let read = open(Path::new(path)).and_then(|mut file| file.read_to_string(&mut text));
    read.map_err(|error| format!("`{path}` cannot be read: {error}"))?;
    let parts = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty());
    parts.map(parse).collect::<Result<_, _>>().map(NumberList).map_err(|error| format!("`{path}`: {error}"))
}

/// Parses the position or distance for parameter `name`. The messages are the macro's.
pub(crate) fn position(name: &str, text: &str) -> Result<i64, String> {
    reflection::position(name, integer(name, text)?).map_err(|error| error.to_string())
}

/// Parses an integer or a quotient of two for parameter `name`.
pub(crate) fn quotient(name: &str, text: &str) -> Result<(i64, i64), String> {
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

/// Parses a number of columns. The messages are the library's.
pub(crate) fn d_model(text: &str) -> Result<usize, String> {
    reflection::d_model(integer("d_model", text)?).map_err(|error| error.to_string())
}

/// Parses a length of a scaling rule. The messages are the macro's.
pub(crate) fn length(rule: &'static str, name: &'static str, text: &str) -> Result<usize, String> {
    reflection::length(rule, name, integer(name, text)?).map_err(|error| error.to_string())
}

/// Parses the size or index for parameter `name`. The messages are the macro's.
pub(crate) fn size(name: &str, text: &str) -> Result<usize, String> {
    reflection::size(name, integer(name, text)?).map_err(|error| error.to_string())
}

/// The values between the commas of an option. For clap, a `Vec` would be an option that is given several times.
#[derive(Clone, Debug)]
pub(crate) struct List<T>(pub(crate) Vec<T>);

fn separated<T>(text: &str, parse: impl FnMut(&str) -> Result<T, String>) -> Result<List<T>, String> {
    text.split(',').map(str::trim).map(parse).collect::<Result<_, _>>().map(List)
}

pub(crate) fn shape(text: &str) -> Result<List<usize>, String> {
    /// The most axes of a grid.
    const MOST: usize = 4;
    let shape = separated(&text.replace(['x', 'X'], ","), |part| size("shape", part))?;
    if shape.0.len() > MOST {
        return Err(format!("`shape` is `{text}`, but must be at most {MOST} sizes, such as `14x14`"));
    }
    Ok(shape)
}

/// Parses the width and the height of a picture.
pub(crate) fn picture_size(text: &str) -> Result<[usize; 2], String> {
    /// The most pixels of a side.
    const MOST: usize = 8192;
    let sides = text.split_once(['x', 'X']).map(|(width, height)| [width, height].map(|side| side.trim().parse().ok()));
    match sides {
        Some([Some(width), Some(height)]) if (1..=MOST).contains(&width) && (1..=MOST).contains(&height) => {
            Ok([width, height])
        }
        _ => Err(format!("`size` is `{text}`, but must be a width and a height from 1 to {MOST}, such as `640x480`")),
    }
}

/// Parses a number of bytes. One beyond the address space is the largest.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    const UNITS: [(&str, u32); 4] = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];
    let with_unit = UNITS.iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?.trim_end(), *shift)));
    let (count, shift) = with_unit.unwrap_or((text, 0));
    let count = whole(count)?
        .and_then(|count| u64::try_from(count).ok())
        .ok_or_else(|| format!("`max_bytes` is `{text}`, but must be a number of bytes, such as 4294967296 or 4GiB"))?;
    Ok(usize::try_from(u128::from(count) << shift).unwrap_or(usize::MAX))
}

fn integer(name: &str, text: &str) -> Result<i128, String> {
    match whole(text)? {
        Some(integer) => Ok(integer),
        None => Err(ValueError::not_an_integer(name, number(text)?).to_string()),
    }
}

/// Returns `None` if the text is not an integer.
fn whole(text: &str) -> Result<Option<i128>, String> {
    match text.replace('_', "").parse() {
        Ok(integer) => Ok(Some(integer)),
        Err(error) if matches!(error.kind(), IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => {
            let max = i128::MAX;
            Err(format!("`{text}` is out of range: integers must be from -{max} to {max}"))
        }
        Err(_) => Ok(None),
    }
}

/// Parses the largest error allowed.
pub(crate) fn tolerance(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if value >= 0.0 => Ok(value),
        _ => Err(format!("the tolerance is `{text}`, but must be 0 or more")),
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
