//! The element types as what is read from files and written to them.

use npyz::{AutoSerialize, DType};
use posenc::half::{bf16, f16};
use posenc::{Element, Q7, Q15, Q31};
use safetensors::Dtype as Tensor;

use super::literal::Literal;

/// An element type of a table to write.
pub trait Stored: Element + Literal {
    /// The name of the type in a safetensors file.
    const TENSOR: Tensor;

    /// Returns the type in a .npy file, if there is one.
    fn npy() -> Option<DType>;

    /// Appends the bytes of the entry in little-endian order.
    fn append(self, bytes: &mut Vec<u8>);

    /// Returns the entries of their bytes in little-endian order.
    fn decode(bytes: &[u8]) -> Vec<Self>;
}

/// A type of floats.
pub trait Entry: Stored + Into<f64> {}

/// A type of integers, which stand for entries.
pub trait Integer: Stored {
    /// Returns the integer, without its scale.
    fn number(self) -> i32;
}

macro_rules! stored {
    ($($entry:ident in $number:ident, $tensor:ident, $npy:expr, $bits:expr, $of_bits:expr;)*) => { $(
        impl Stored for $entry {
            const TENSOR: Tensor = Tensor::$tensor;

            fn npy() -> Option<DType> {
                $npy
            }

            fn append(self, bytes: &mut Vec<u8>) {
                let bits: fn(Self) -> $number = $bits;
                bytes.extend_from_slice(&bits(self).to_le_bytes());
            }

            fn decode(bytes: &[u8]) -> Vec<Self> {
                let of_bits: fn($number) -> Self = $of_bits;
                bytes.as_chunks().0.iter().map(|&entry| of_bits($number::from_le_bytes(entry))).collect()
            }
        }
    )* };
}

stored! {
    f32 in f32, F32, Some(f32::default_dtype()), |entry| entry, |entry| entry;
    f64 in f64, F64, Some(f64::default_dtype()), |entry| entry, |entry| entry;
    f16 in f16, F16, Some(f16::default_dtype()), |entry| entry, |entry| entry;
    bf16 in bf16, BF16, None, |entry| entry, |entry| entry;
    Q7 in i8, I8, Some(i8::default_dtype()), Self::to_bits, Self::from_bits;
    Q15 in i16, I16, Some(i16::default_dtype()), Self::to_bits, Self::from_bits;
    Q31 in i32, I32, Some(i32::default_dtype()), Self::to_bits, Self::from_bits;
    i8 in i8, I8, Some(i8::default_dtype()), |entry| entry, |entry| entry;
    i16 in i16, I16, Some(i16::default_dtype()), |entry| entry, |entry| entry;
    u8 in u8, U8, Some(u8::default_dtype()), |entry| entry, |entry| entry;
}

impl Entry for f32 {}
impl Entry for f64 {}
impl Entry for f16 {}
impl Entry for bf16 {}

macro_rules! integers {
    ($($entry:ident $bits:expr;)*) => { $(
        impl Integer for $entry {
            fn number(self) -> i32 {
                $bits(self).into()
            }
        }
    )* };
}

integers! {
    Q7 Self::to_bits;
    Q15 Self::to_bits;
    Q31 Self::to_bits;
    i8 i32::from;
    i16 i32::from;
    u8 i32::from;
}
