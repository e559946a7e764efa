//! The bits of an entry.
//!
//! Comparing bits distinguishes 0 from -0 and has no tolerance.

use posenc::{Bf16Bits, Element, F16Bits, Q7, Q15, Q31};

/// An element type whose entries are compared by their bits.
pub trait Bits: Element {
    /// Returns the bits, zero-extended to 64.
    fn bits(self) -> u64;
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

impl Bits for F16Bits {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Bits for Bf16Bits {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

/// Integers of two's complement.
macro_rules! integers {
    ($($element:ident, $unsigned:ident, $bits:expr;)*) => { $(
        impl Bits for $element {
            fn bits(self) -> u64 {
                let bits: fn(Self) -> $unsigned = $bits;
                bits(self).into()
            }
        }
    )* };
}

integers! {
    Q7, u8, |entry| u8::from_ne_bytes(entry.to_bits().to_ne_bytes());
    Q15, u16, |entry| u16::from_ne_bytes(entry.to_bits().to_ne_bytes());
    Q31, u32, |entry| u32::from_ne_bytes(entry.to_bits().to_ne_bytes());
    i8, u8, |entry| u8::from_ne_bytes(entry.to_ne_bytes());
    i16, u16, |entry| u16::from_ne_bytes(entry.to_ne_bytes());
    u8, u8, |entry| entry;
}
