//! Wide unsigned numbers of a length that the compiler knows: what the narrow tier does for every frequency and position.
//!
//! Everything else is in [`limbs`], once for all lengths; an ulp and a limb are what they are there.

use crate::exact::limbs::{self, copy, low};

/// A fraction of one in `[0, 1)` with `64 L` bits, `L >= 2`: limb 0 holds the first 64 bits after the binary point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed<const L: usize>(pub(crate) [u64; L]);

impl<const L: usize> Fixed<L> {
    /// Bits of the fraction.
    pub(crate) const BITS: u32 = 64 * L as u32;

    /// The first `L` limbs of a longer fraction: below it by less than 1 ulp.
    pub(crate) const fn from_prefix(limbs: &[u64]) -> Self {
        let mut out = [0; L];
        copy(limbs, &mut out);
        Self(out)
    }

    /// `1 - self`, short of it by exactly 1 ulp, and so always a fraction.
    pub(crate) const fn complement(mut self) -> Self {
        let mut i = 0;
        while i < L {
            self.0[i] = !self.0[i];
            i += 1;
        }
        self
    }

    /// `self * other`: below it by less than 2 ulp.
    pub(crate) const fn mul(mut self, other: &Self) -> Self {
        limbs::multiply(&mut self.0, &other.0);
        self
    }

    /// `self * factor / 2^64`: floor, error < 1 ulp.
    pub(crate) const fn mul_down(&self, factor: u64) -> Self {
        let mut out = [0; L];
        let mut carry = 0;
        let mut i = L;
        while i > 0 {
            i -= 1;
            let product = self.0[i] as u128 * factor as u128 + carry as u128;
            if i + 1 < L {
                out[i + 1] = low(product);
            }
            carry = low(product >> 64);
        }
        out[0] = carry;
        Self(out)
    }

    /// `self * 2^bits` mod 1. Exact.
    pub(crate) const fn shl(self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let mut out = [0; L];
        let mut i = 0;
        while i + limbs < L {
            let pair = (self.0[i + limbs] as u128) << 64 | self.limb(i + limbs + 1) as u128;
            out[i] = low((pair << bits) >> 64);
            i += 1;
        }
        Self(out)
    }

    pub(crate) const fn leading_zeros(&self) -> u32 {
        let mut zeros = 0;
        let mut i = 0;
        while i < L {
            zeros += self.0[i].leading_zeros();
            if self.0[i] != 0 {
                break;
            }
            i += 1;
        }
        zeros
    }

    /// 128 bits from bit `first` on, as `self.shl(first)` begins.
    pub(crate) const fn window(&self, first: u32) -> u128 {
        let (limb, bits) = ((first / 64) as usize, first % 64);
        let pair = (self.limb(limb) as u128) << 64 | self.limb(limb + 1) as u128;
        // Two steps, since a shift by 64 is not one.
        pair << bits | (self.limb(limb + 2) >> 1 >> (63 - bits)) as u128
    }

    const fn limb(&self, i: usize) -> u64 {
        if i < L { self.0[i] } else { 0 }
    }
}

/// The high half of a 256-bit product: floor, error < 1.
pub(crate) const fn mul_high(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + (middle & LOW);
    a1 * b1 + (middle >> 64) + (other >> 64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::effort::cases;
    use crate::exact::limbs::tests::limb;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(256)))]

        /// What has code of its own does as the functions for all lengths do.
        #[test]
        fn five_limbs_behave_as_a_slice_of_five(x in prop::array::uniform5(limb()), bits in 0u32..400, small in limb()) {
            let slice = |act: &dyn Fn(&mut [u64])| {
                let mut x = x;
                act(&mut x);
                x
            };
            let fixed = Fixed(x);
            prop_assert_eq!(fixed.complement().0, slice(&limbs::complement));
            prop_assert_eq!(fixed.mul_down(small).0, slice(&|x| limbs::multiply_down(x, small)));
            prop_assert_eq!(fixed.shl(bits).0, slice(&|x| limbs::shift_up(x, bits)));
            prop_assert_eq!(fixed.leading_zeros(), limbs::leading_zeros(&x));
            prop_assert_eq!(fixed.window(bits), limbs::window(&x, bits));
        }

        #[test]
        fn the_high_half_is_that_of_the_product(a: u128, b: u128) {
            let halves = |x: u128| [low(x >> 64), low(x)];
            let product = Fixed([halves(a)[0], halves(a)[1], 0, 0]).mul(&Fixed([halves(b)[0], halves(b)[1], 0, 0]));
            prop_assert_eq!(mul_high(a, b), product.window(0));
        }
    }
}
