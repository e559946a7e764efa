//! The bits of an entry: an equality of bits tells 0 from -0, and knows no tolerance.

#![allow(unexpected_cfgs, reason = "packages that use this too have no feature of that name")]

use posenc::{Bf16Bits, Element, F16Bits};

pub(crate) trait Bits: Element {
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

#[cfg(feature = "half")]
impl Bits for half::f16 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

#[cfg(feature = "half")]
impl Bits for half::bf16 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}
