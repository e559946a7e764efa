//! The bits of an entry.
//!
//! Comparing bits distinguishes 0 from -0 and has no tolerance.

use posenc::{Bf16Bits, Element, F16Bits, Q7, Q15, Q31};

/// An element type whose entries are compared by their bits.
pub trait Bits: Element {
    /// Returns the bits, zero-extended to 64.
    fn bits(self) -> u64;

    /// Returns the index of the first entry in which two tables of one size differ.
    ///
    /// It is not generic, so it is compiled with the optimisation of this crate, and not with that of a test.
    #[allow(dead_code, reason = "two programs include this file for the bits alone")]
    fn first_difference(found: &[Self], expected: &[Self]) -> Option<usize>;
}

macro_rules! bits {
    ($($element:ty, $bits:expr;)*) => { $(
        impl Bits for $element {
            fn bits(self) -> u64 {
                let bits: fn(Self) -> _ = $bits;
                bits(self).into()
            }

            fn first_difference(found: &[Self], expected: &[Self]) -> Option<usize> {
                found.iter().zip(expected).position(|(one, other)| one.bits() != other.bits())
            }
        }
    )* };
}

bits! {
    f32, Self::to_bits;
    f64, Self::to_bits;
    F16Bits, Self::to_bits;
    Bf16Bits, Self::to_bits;
    Q7, |entry| u8::from_ne_bytes(entry.to_bits().to_ne_bytes());
    Q15, |entry| u16::from_ne_bytes(entry.to_bits().to_ne_bytes());
    Q31, |entry| u32::from_ne_bytes(entry.to_bits().to_ne_bytes());
    i8, |entry| u8::from_ne_bytes(entry.to_ne_bytes());
    i16, |entry| u16::from_ne_bytes(entry.to_ne_bytes());
    u8, |entry| entry;
}
