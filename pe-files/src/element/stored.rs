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

macro_rules! floats {
    ($($entry:ty: $tensor:ident, $npy:expr;)*) => { $(
        impl Stored for $entry {
            const TENSOR: Tensor = Tensor::$tensor;

            fn npy() -> Option<DType> {
                $npy
            }

            fn append(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn decode(bytes: &[u8]) -> Vec<Self> {
                bytes.as_chunks().0.iter().map(|&entry| Self::from_le_bytes(entry)).collect()
            }
        }

        impl Entry for $entry {}
    )* };
}

floats! {
    f32: F32, Some(f32::default_dtype());
    f64: F64, Some(f64::default_dtype());
    f16: F16, Some(f16::default_dtype());
    bf16: BF16, None;
}

macro_rules! integers {
    ($($entry:ident in $integer:ident, $tensor:ident, $bits:expr, $of_bits:expr;)*) => { $(
        impl Stored for $entry {
            const TENSOR: Tensor = Tensor::$tensor;

            fn npy() -> Option<DType> {
                Some($integer::default_dtype())
            }

            fn append(self, bytes: &mut Vec<u8>) {
                let bits: fn(Self) -> $integer = $bits;
                bytes.extend_from_slice(&bits(self).to_le_bytes());
            }

            fn decode(bytes: &[u8]) -> Vec<Self> {
                let of_bits: fn($integer) -> Self = $of_bits;
                bytes.as_chunks().0.iter().map(|&entry| of_bits($integer::from_le_bytes(entry))).collect()
            }
        }

        impl Integer for $entry {
            fn number(self) -> i32 {
                let bits: fn(Self) -> $integer = $bits;
                i32::from(bits(self))
            }
        }
    )* };
}

integers! {
    Q7 in i8, I8, Self::to_bits, Self::from_bits;
    Q15 in i16, I16, Self::to_bits, Self::from_bits;
    Q31 in i32, I32, Self::to_bits, Self::from_bits;
    i8 in i8, I8, |entry| entry, |entry| entry;
    i16 in i16, I16, |entry| entry, |entry| entry;
    u8 in u8, U8, |entry| entry, |entry| entry;
}
