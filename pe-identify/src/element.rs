//! The types of the entries that are read, and of the tables that made them.

use posenc::Quantiser;
use posenc::half::{bf16, f16};

use crate::rounding::{UNIT_DOUBLE, UNIT_SINGLE};

/// A type of floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatType {
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// IEEE half precision.
    F16,
    /// `bfloat16`, the upper half of an `f32`.
    Bf16,
}

impl FloatType {
    /// All types.
    pub const ALL: [Self; 4] = [Self::F32, Self::F64, Self::F16, Self::Bf16];

    /// Returns the name, such as `f32`.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc_identify::FloatType::Bf16.name(), "bf16");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }

    /// Returns half the distance from 1 to the next number.
    pub(crate) fn rounding(self) -> f64 {
        match self {
            Self::F32 => UNIT_SINGLE,
            Self::F64 => UNIT_DOUBLE,
            Self::F16 => 1.0 / 2048.0,
            Self::Bf16 => 1.0 / 256.0,
        }
    }
}

/// The type of the numbers that are read.
///
/// It does not include the scale of integers, which is part of the [`Dtype`] in the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// Floating-point numbers.
    Float(FloatType),
    /// Signed integers of 8 bits.
    I8,
    /// Unsigned integers of 8 bits.
    U8,
    /// Signed integers of 16 bits.
    I16,
    /// Signed integers of 32 bits.
    I32,
}

impl ElementType {
    /// Returns the name, such as `f32` or `i8`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc_identify::{ElementType, FloatType};
    /// assert_eq!(ElementType::Float(FloatType::Bf16).name(), "bf16");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float(float) => float.name(),
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::I32 => "i32",
        }
    }

    /// Returns the type of floats, or `None` for integers.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc_identify::ElementType::I8.float(), None);
    /// ```
    #[must_use]
    pub const fn float(self) -> Option<FloatType> {
        match self {
            Self::Float(float) => Some(float),
            Self::I8 | Self::U8 | Self::I16 | Self::I32 => None,
        }
    }

    /// Returns the size of an entry in bytes, 1 to 8.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc_identify::ElementType::I16.size(), 2);
    /// ```
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::Float(FloatType::F16 | FloatType::Bf16) | Self::I16 => 2,
            Self::Float(FloatType::F32) | Self::I32 => 4,
            Self::Float(FloatType::F64) => 8,
        }
    }

    /// Returns the numbers of their bytes in little-endian order, integers without their scale.
    pub(crate) fn decode(self, bytes: &[u8]) -> Vec<f64> {
        macro_rules! numbers {
            ($number:ident) => {
                bytes.as_chunks().0.iter().map(|&bytes| f64::from($number::from_le_bytes(bytes))).collect()
            };
        }
        match self {
            Self::Float(FloatType::F32) => numbers!(f32),
            Self::Float(FloatType::F64) => numbers!(f64),
            Self::Float(FloatType::F16) => numbers!(f16),
            Self::Float(FloatType::Bf16) => numbers!(bf16),
            Self::I8 => numbers!(i8),
            Self::U8 => numbers!(u8),
            Self::I16 => numbers!(i16),
            Self::I32 => numbers!(i32),
        }
    }
}

/// The element type with which `posenc` makes a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dtype {
    /// Floating-point numbers.
    Float(FloatType),
    /// Fixed-point numbers of 8 bits.
    Q7,
    /// Fixed-point numbers of 16 bits.
    Q15,
    /// Fixed-point numbers of 32 bits.
    Q31,
    /// Signed integers of 8 bits, with a scale and a zero point.
    I8(Quantiser),
    /// Signed integers of 16 bits, with a scale and a zero point.
    I16(Quantiser),
    /// Unsigned integers of 8 bits, with a scale and a zero point.
    U8(Quantiser),
}

impl Dtype {
    /// Returns the scale and the zero point of integers, or `None` for types without them.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc_identify::Dtype;
    ///
    /// let quantiser = posenc::Quantiser::quotient(1, 127);
    /// assert_eq!(Dtype::I8(quantiser).quantiser(), Some(quantiser));
    /// assert_eq!(Dtype::Q7.quantiser(), None);
    /// ```
    #[must_use]
    pub const fn quantiser(self) -> Option<Quantiser> {
        match self {
            Self::I8(quantiser) | Self::I16(quantiser) | Self::U8(quantiser) => Some(quantiser),
            Self::Float(_) | Self::Q7 | Self::Q15 | Self::Q31 => None,
        }
    }
}
