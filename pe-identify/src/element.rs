//! The types of the entries that are read, and of the tables that made them.

use posenc::half::{bf16, f16};
use posenc::{Element, Q7, Q15, Q31, Quantiser};

/// A type of floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatType {
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// IEEE half precision.
    F16,
    /// The upper half of an `f32`.
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
}

/// The type of the numbers that are read.
///
/// The scale of integers is not part of it: which one made them is part of the answer, a [`Dtype`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// Floating-point numbers.
    Float(FloatType),
    /// Integers of 8 bits with a sign.
    I8,
    /// Integers of 8 bits without a sign.
    U8,
    /// Integers of 16 bits with a sign.
    I16,
    /// Integers of 32 bits with a sign.
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

    /// Returns the type if the numbers are floats.
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
    /// Integers of 8 bits with a scale and a zero point.
    I8(Quantiser),
    /// Integers of 16 bits with a scale and a zero point.
    I16(Quantiser),
    /// Integers of 8 bits without a sign, with a scale and a zero point.
    U8(Quantiser),
}

impl Dtype {
    /// Returns the scale and the zero point of integers.
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

/// A type of floats.
pub trait Entry: Element + Into<f64> {
    /// Half the distance from 1 to the next number.
    const ROUNDING: f64;

    /// The type by name.
    const FLOAT_TYPE: FloatType;

    /// Returns the numbers of their bytes in little-endian order.
    fn decode(bytes: &[u8]) -> Vec<Self>;
}

macro_rules! floats {
    ($($entry:ident $name:ident $rounding:expr;)*) => { $(
        impl Entry for $entry {
            const ROUNDING: f64 = $rounding;
            const FLOAT_TYPE: FloatType = FloatType::$name;

            fn decode(bytes: &[u8]) -> Vec<Self> {
                let (entries, _) = bytes.as_chunks();
                entries.iter().map(|&entry| Self::from_le_bytes(entry)).collect()
            }
        }
    )* };
}

floats! {
    f32 F32 f32::EPSILON as f64 / 2.0;
    f64 F64 f64::EPSILON / 2.0;
    f16 F16 1.0 / 2048.0;
    bf16 Bf16 1.0 / 256.0;
}

/// A type of integers, which stand for entries.
pub trait Integer: Element {
    /// Returns the integers of their bytes in little-endian order.
    fn decode(bytes: &[u8]) -> Vec<Self>;

    /// Returns the integer, without its scale.
    fn number(self) -> i32;
}

macro_rules! integers {
    ($($entry:ident in $integer:ident, $bits:expr, $of_bits:expr;)*) => { $(
        impl Integer for $entry {
            fn decode(bytes: &[u8]) -> Vec<Self> {
                let of_bits: fn($integer) -> Self = $of_bits;
                let (entries, _) = bytes.as_chunks();
                entries.iter().map(|&entry| of_bits($integer::from_le_bytes(entry))).collect()
            }

            fn number(self) -> i32 {
                let bits: fn(Self) -> $integer = $bits;
                i32::from(bits(self))
            }
        }
    )* };
}

integers! {
    Q7 in i8, Self::to_bits, Self::from_bits;
    Q15 in i16, Self::to_bits, Self::from_bits;
    Q31 in i32, Self::to_bits, Self::from_bits;
    i8 in i8, |entry| entry, |entry| entry;
    i16 in i16, |entry| entry, |entry| entry;
    u8 in u8, |entry| entry, |entry| entry;
}
