//! Wide unsigned numbers with memory of their own, of a length that the compiler knows.
//!
//! All arithmetic is that of [`limbs`], where an ulp and a limb are explained.

use crate::exact::limbs;

/// A fraction of one in `[0, 1)` with `64 L` bits, `L >= 2`: limb 0 holds the first 64 bits after the binary point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed<const L: usize>(pub(crate) [u64; L]);

impl<const L: usize> Fixed<L> {
    /// Bits of the fraction.
    pub(crate) const BITS: u32 = 64 * L as u32;

    /// The first `L` limbs of a longer fraction: below it by less than 1 ulp.
    pub(crate) const fn from_prefix(longer: &[u64]) -> Self {
        let mut out = [0; L];
        limbs::copy(longer, &mut out);
        Self(out)
    }

    /// `self * other`: below it by less than 2 ulp.
    pub(crate) const fn mul(mut self, other: &Self) -> Self {
        limbs::multiply(&mut self.0, &other.0);
        self
    }

    /// `self * 2^bits` mod 1. Exact.
    pub(crate) const fn shl(mut self, bits: u32) -> Self {
        limbs::shift_up(&mut self.0, bits);
        self
    }

    pub(crate) const fn leading_zeros(&self) -> u32 {
        limbs::leading_zeros(&self.0)
    }

    /// 128 bits from bit `first` on, as `self.shl(first)` begins.
    pub(crate) const fn window(&self, first: u32) -> u128 {
        limbs::window(&self.0, first)
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(256)))]

        #[test]
        fn the_high_half_is_that_of_the_product(a: u128, b: u128) {
            let exact = |x: u128| Fixed([(x >> 64) as u64, x as u64, 0, 0]);
            prop_assert_eq!(mul_high(a, b), exact(a).mul(&exact(b)).window(0));
        }
    }
}
