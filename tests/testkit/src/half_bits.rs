//! The types of the crate `half`, as element types.

use posenc::half::{bf16, f16};
use posenc::{Bf16Bits, F16Bits};

use crate::Bits;
use crate::real::Ieee;

macro_rules! same_formats {
    ($($element:ty = $bits:ty;)*) => { $(
        impl Bits for $element {
            fn bits(self) -> u64 {
                self.to_bits().into()
            }

            fn first_difference(found: &[Self], expected: &[Self]) -> Option<usize> {
                found.iter().zip(expected).position(|(one, other)| one.to_bits() != other.to_bits())
            }
        }

        impl Ieee for $element {
            const NAME: &'static str = <$bits>::NAME;
            const WIDTH: u32 = <$bits>::WIDTH;
            const SIGNIFICAND_BITS: isize = <$bits>::SIGNIFICAND_BITS;
            const LEAST_EXPONENT: isize = <$bits>::LEAST_EXPONENT;
            const MAX: f64 = <$bits>::MAX;
        }
    )* };
}

same_formats! {
    f16 = F16Bits;
    bf16 = Bf16Bits;
}
