//! Implements `Bits` for the types of the crate `half`.

use posenc::half::{bf16, f16};

use crate::Bits;

impl Bits for f16 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Bits for bf16 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}
