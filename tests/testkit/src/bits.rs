//! The bits of an entry: comparing them distinguishes 0 from -0 and has no tolerance.

use posenc::{Bf16Bits, Element, F16Bits};

/// An element type, as its bits.
pub trait Bits: Element {
    /// Returns the bits, in the low places.
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
