//! The element types of this crate as plain data, for the crate `bytemuck`.

use bytemuck::{Pod, Zeroable};

use crate::element::{Bf16Bits, F16Bits, Q7, Q15, Q31};

macro_rules! plain_data {
    ($($element:ident)*) => { $(
        /// The number of zeros as bits is 0.
        // SAFETY: the type is `repr(transparent)` around an integer, for which zeros are a valid value.
        #[expect(unsafe_code, reason = "the trait is unsafe to implement")]
        unsafe impl Zeroable for $element {}

        /// The bytes are the bytes of the integer, in the byte order of this machine.
        // SAFETY: the type is `repr(transparent)` around an integer, and so `Copy`, `'static`, without padding and valid for
        // every bit pattern.
        #[expect(unsafe_code, reason = "the trait is unsafe to implement")]
        unsafe impl Pod for $element {}
    )* };
}

plain_data! { F16Bits Bf16Bits Q7 Q15 Q31 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_those_of_the_bits() {
        assert_eq!(bytemuck::cast_slice::<_, u16>(&[F16Bits::from_bits(0x3c00), F16Bits::zeroed()]), [0x3c00, 0]);
        assert_eq!(bytemuck::cast_slice::<u16, Bf16Bits>(&[0xbf80]), [Bf16Bits::from_bits(0xbf80)]);
        assert_eq!(bytemuck::bytes_of(&Q7::from_bits(-2)), [0xfe]);
        assert_eq!(bytemuck::bytes_of(&Q15::from_bits(0x0102)), 0x0102i16.to_ne_bytes());
        assert_eq!(bytemuck::cast::<Q31, i32>(Q31::from_bits(i32::MIN)), i32::MIN);
    }
}
