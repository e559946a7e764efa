//! The types of the entries that are read, and of the tables that made them.

use posenc::half::{bf16, f16};
use posenc::{Element, Q7, Q15, Q31, Quantiser};

/// The type of the numbers that are read.
///
/// The scale of integers is not part of it: which one made them is part of the answer, a [`Dtype`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// IEEE half precision.
    F16,
    /// The upper half of an `f32`.
    Bf16,
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
    /// assert_eq!(posenc_identify::ElementType::Bf16.name(), "bf16");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::I32 => "i32",
        }
    }

    /// Returns whether the numbers are floats.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(!posenc_identify::ElementType::U8.is_float());
    /// ```
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64 | Self::F16 | Self::Bf16)
    }

    /// Returns the size of an entry in bytes, 1 to 8.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc_identify::ElementType::F64.size(), 8);
    /// ```
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::F16 | Self::Bf16 | Self::I16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 => 8,
        }
    }
}

/// The element type with which `posenc` makes the table of a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dtype {
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// IEEE half precision.
    F16,
    /// The upper half of an `f32`.
    Bf16,
    /// Fixed-point numbers of 8 bits.
    Q7,
    /// Fixed-point numbers of 16 bits.
    Q15,
    /// Fixed-point numbers of 32 bits.
    Q31,
    /// Integers of 8 bits with a scale and a zero point.
    I8(Scale),
    /// Integers of 16 bits with a scale and a zero point.
    I16(Scale),
    /// Integers of 8 bits without a sign, with a scale and a zero point.
    U8(Scale),
}

/// The scale of integers, a quotient, and the integer that stands for 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The numerator of the scale, at least 1.
    pub numerator: i64,
    /// The denominator of the scale, at least 1.
    pub denominator: i64,
    /// The integer of an entry that is 0.
    pub zero_point: i32,
}

impl Scale {
    /// Returns the scale as `posenc` takes it.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc_identify::Scale;
    ///
    /// let scale = Scale { numerator: 1, denominator: 127, zero_point: 128 };
    /// assert_eq!(scale.quantiser(), posenc::Quantiser::quotient(1, 127).zero_point(128));
    /// ```
    pub const fn quantiser(self) -> Quantiser {
        Quantiser::quotient(self.numerator, self.denominator).zero_point(self.zero_point)
    }

    /// Returns the difference of the entries of two consecutive integers.
    pub(crate) fn step(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// A type of floats.
pub trait Entry: Element + Into<f64> {
    /// Half the distance from 1 to the next number.
    const ROUNDING: f64;

    /// The type, as one of numbers that are read.
    const ELEMENT_TYPE: ElementType;

    /// The type, as one of tables.
    const ENTRY_DTYPE: Dtype;

    /// Returns the numbers of their bytes in little-endian order.
    fn decode(bytes: &[u8]) -> Vec<Self>;
}

macro_rules! floats {
    ($($entry:ident $name:ident $rounding:expr;)*) => { $(
        impl Entry for $entry {
            const ROUNDING: f64 = $rounding;
            const ELEMENT_TYPE: ElementType = ElementType::$name;
            const ENTRY_DTYPE: Dtype = Dtype::$name;

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
