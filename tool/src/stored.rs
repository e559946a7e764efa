//! The element types of the tables that the command writes: those of [`entry`](crate::entry), and integers.

use std::fmt::{self, Display, Formatter};

use clap::ValueEnum;
use npyz::{AutoSerialize, DType};
use posenc::{Element, Q7, Q15, Q31, Quantiser};
use safetensors::Dtype as Tensor;

use crate::entry::{Dtype, type_name};
use crate::format::Literal;

/// An element type of a table to write.
pub trait Stored: Element + Literal {
    /// The name of the type in a safetensors file.
    const TENSOR: Tensor;

    /// Returns the type in a .npy file, if there is one.
    fn npy() -> Option<DType>;

    /// Appends the bytes of the entry in little-endian order.
    fn append(self, bytes: &mut Vec<u8>);
}

/// An integer element type.
pub(crate) trait Integer: Stored + posenc_identify::Integer {}

impl<T: Stored + posenc_identify::Integer> Integer for T {}

macro_rules! integers {
    ($($entry:ident in $integer:ident, $tensor:ident, $bits:expr;)*) => { $(
        impl Stored for $entry {
            const TENSOR: Tensor = Tensor::$tensor;

            fn npy() -> Option<DType> {
                Some($integer::default_dtype())
            }

            fn append(self, bytes: &mut Vec<u8>) {
                let bits: fn(Self) -> $integer = $bits;
                bytes.extend_from_slice(&bits(self).to_le_bytes());
            }
        }
    )* };
}

integers! {
    Q7 in i8, I8, Self::to_bits;
    Q15 in i16, I16, Self::to_bits;
    Q31 in i32, I32, Self::to_bits;
    i8 in i8, I8, |entry| entry;
    i16 in i16, I16, |entry| entry;
    u8 in u8, U8, |entry| entry;
}

/// The option `--dtype` of a table to write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StoredDtype {
    Float(Dtype),
    Q7,
    Q15,
    Q31,
    I8(Quantiser),
    I16(Quantiser),
    U8(Quantiser),
}

/// The default, for the help.
impl Display for StoredDtype {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Float(dtype) => f.write_str(dtype.to_possible_value().expect("none is hidden").get_name()),
            integers => write!(f, "{integers:?}"),
        }
    }
}

impl StoredDtype {
    /// Reads `f32`, `q15` or `i8(1/127, -1)`.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if let Ok(dtype) = Dtype::read(text) {
            return Ok(Self::Float(dtype));
        }
        let (name, arguments) = match text.split_once('(') {
            Some((name, rest)) => (name.trim(), rest.trim_end().strip_suffix(')')),
            None => (text, None),
        };
        let name = type_name(name);
        let scaled: fn(Quantiser) -> Self = match (name.as_str(), arguments) {
            ("q7", None) => return Ok(Self::Q7),
            ("q15", None) => return Ok(Self::Q15),
            ("q31", None) => return Ok(Self::Q31),
            ("i8", _) => Self::I8,
            ("i16", _) => Self::I16,
            ("u8", _) => Self::U8,
            _ => {
                let expected =
                    "f32, f64, f16, bf16, q7, q15, q31, or i8, i16 or u8 with a scale such as 'i8(1/127, -1)'";
                return Err(format!("must be one of {expected}"));
            }
        };
        let arguments = arguments.ok_or_else(|| format!("needs a scale, such as '{name}(1/127)'"))?;
        quantiser(arguments).map(scaled).ok_or_else(|| {
            format!("must be '{name}(scale)' or '{name}(scale, zero_point)', where the scale is a number or a quotient of integers")
        })
    }

    /// Returns the scale and the zero point of integers.
    pub(crate) fn quantiser(self) -> Option<Quantiser> {
        match self {
            Self::I8(quantiser) | Self::I16(quantiser) | Self::U8(quantiser) => Some(quantiser),
            _ => None,
        }
    }
}

/// Reads `scale` or `scale, zero_point`. The suffix of `0.1f32` counts as in the macro.
fn quantiser(arguments: &str) -> Option<Quantiser> {
    let (scale, zero_point) = match arguments.split_once(',') {
        Some((scale, zero_point)) => (scale.trim(), zero_point.trim().parse().ok()?),
        None => (arguments.trim(), 0),
    };
    let quantiser = match (scale.split_once('/'), scale.strip_suffix("f32")) {
        (Some((over, under)), _) => Quantiser::quotient(over.trim().parse().ok()?, under.trim().parse().ok()?),
        (None, Some(single)) => Quantiser::new(f64::from(single.parse::<f32>().ok()?)),
        (None, None) => Quantiser::new(scale.parse().ok()?),
    };
    Some(quantiser.zero_point(zero_point))
}

/// Evaluates an expression that is generic over the element type, for the given one.
macro_rules! with_stored {
    ($dtype:expr, $stored:ident => $what:expr) => {
        match $dtype {
            $crate::stored::StoredDtype::Float(dtype) => $crate::entry::with_entry!(dtype, $stored => $what),
            $crate::stored::StoredDtype::Q7 => { type $stored = posenc::Q7; $what }
            $crate::stored::StoredDtype::Q15 => { type $stored = posenc::Q15; $what }
            $crate::stored::StoredDtype::Q31 => { type $stored = posenc::Q31; $what }
            $crate::stored::StoredDtype::I8(_) => { type $stored = i8; $what }
            $crate::stored::StoredDtype::I16(_) => { type $stored = i16; $what }
            $crate::stored::StoredDtype::U8(_) => { type $stored = u8; $what }
        }
    };
}

pub(crate) use with_stored;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_with_their_scales() {
        let read = |text| StoredDtype::read(text).unwrap();
        assert_eq!((read("bf16"), read("q31")), (StoredDtype::Float(Dtype::Bf16), StoredDtype::Q31));
        assert_eq!(read("i8(1/127, -1)"), StoredDtype::I8(Quantiser::quotient(1, 127).zero_point(-1)));
        assert_eq!(
            (read("torch.float16"), read("BFLOAT16")),
            (StoredDtype::Float(Dtype::F16), StoredDtype::Float(Dtype::Bf16))
        );
        assert_eq!(read("int8(1/127, -1)"), read("i8(1/127, -1)"));
        assert_eq!(read("i16( 0.5 )"), StoredDtype::I16(Quantiser::new(0.5)));
        assert_eq!(read("u8(0.1f32,3)"), StoredDtype::U8(Quantiser::new(f64::from(0.1_f32)).zero_point(3)));
        for wrong in ["i8", "i8()", "i8(1/127", "i8(1/2/3)", "i8(a)", "i8(1, 2, 3)", "q15(1)", "int8", "f32(1)"] {
            assert!(StoredDtype::read(wrong).is_err(), "{wrong}");
        }
    }
}
