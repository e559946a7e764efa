//! Parsing the values of options.

use std::io::Read;
use std::path::Path;
use std::str::FromStr;

use posenc_text::values::{self, check_position, number, position, whole};

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
        PositionArg::Integer(value) => check_position(value).map(|()| value as f64),
        PositionArg::Fraction(value) => check_position(value).map(|()| value),
    })
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

/// The values between the commas of an option. For clap, a `Vec` would be an option that is given several times.
#[derive(Clone, Debug)]
pub(crate) struct List<T>(pub(crate) Vec<T>);

pub(crate) fn shape(text: &str) -> Result<List<usize>, String> {
    values::shape(text).map(List)
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

/// Parses the largest error allowed.
pub(crate) fn tolerance(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if value >= 0.0 => Ok(value),
        _ => Err(format!("the tolerance is `{text}`, but must be 0 or more")),
    }
}
