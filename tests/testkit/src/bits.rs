//! The bits of an entry.
//!
//! Comparing bits distinguishes 0 from -0 and has no tolerance.

use posenc::{Bf16Bits, Element, F16Bits};

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
