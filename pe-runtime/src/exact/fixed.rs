//! Wide unsigned numbers that own their memory, with a length known at compile time.
//!
//! The arithmetic is in [`limbs`], which also defines ulp and limb.

use crate::exact::limbs;

/// A fixed-point fraction in `[0, 1)` with `64 L` bits, `L >= 2`. Limb 0 holds the first 64 bits after the binary
/// point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed<const L: usize>(pub(crate) [u64; L]);

impl<const L: usize> Fixed<L> {
    /// The number of bits of the fraction.
    pub(crate) const BITS: u32 = 64 * L as u32;

    /// Returns the first `L` limbs of a longer fraction, which are too small by less than 1 ulp.
    pub(crate) const fn from_prefix(longer: &[u64]) -> Self {
        let mut out = [0; L];
        limbs::copy(longer, &mut out);
        Self(out)
    }

    /// Returns `self * other`, too small by less than 2 ulp.
    #[cfg_attr(feature = "alloc", inline)] // see `Float::mul`
    pub(crate) const fn mul(mut self, other: &Self) -> Self {
        #[cfg(feature = "alloc")]
        match L {
            2 => {
                let product = mul_high(self.window(0), other.window(0));
                self.0[0] = limbs::low(product >> 64);
                self.0[1] = limbs::low(product);
                return self;
            }
            limbs::FOR_FLOATS => {
                limbs::multiply_limbs(&mut self.0, &other.0, L);
                return self;
            }
            _ => {}
        }
        limbs::multiply(&mut self.0, &other.0);
        self
    }

    /// Returns `self * 2^bits` mod 1, exactly.
    pub(crate) const fn shl(mut self, bits: u32) -> Self {
        limbs::shift_up(&mut self.0, bits);
        self
    }

    pub(crate) const fn leading_zeros(&self) -> u32 {
        limbs::leading_zeros(&self.0)
    }

    /// Returns the 128 bits from bit `first` on, which are the first bits of `self.shl(first)`.
    pub(crate) const fn window(&self, first: u32) -> u128 {
        limbs::window(&self.0, first)
    }
}

/// Returns the high half of a 256-bit product, rounded down: the error is below 1.
pub(crate) const fn mul_high(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    // Not one pattern of four, which the compiler's interpreter takes long for.
    let (a1, b1) = (a >> 64, b >> 64);
    let (a0, b0) = (a & LOW, b & LOW);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + (middle & LOW);
    a1 * b1 + (middle >> 64) + (other >> 64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::properties;

    properties! {
        #![cases(256)]

        #[test]
        fn the_high_half_is_that_of_the_product(a: u128, b: u128) {
            let exact = |x: u128| Fixed([(x >> 64) as u64, x as u64, 0, 0]);
            prop_assert_eq!(mul_high(a, b), exact(a).mul(&exact(b)).window(0));
        }
    }
}
