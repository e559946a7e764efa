//! Wide positive floating-point numbers: a fixed-point fraction and an exponent.

use crate::exact::division;
use crate::exact::fixed::Fixed;
use crate::exact::limbs;

/// `fraction * 2^exponent` with `fraction` in `[1/2, 1)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Float<const L: usize> {
    pub(crate) fraction: Fixed<L>,
    pub(crate) exponent: i32,
}

impl<const L: usize> Float<L> {
    /// Returns the absolute value of a finite number other than 0, exactly.
    pub(crate) const fn from_f64(value: f64) -> Self {
        let mut fraction = [0; L];
        let exponent = limbs::set_f64(&mut fraction, value);
        Self { fraction: Fixed(fraction), exponent }
    }

    /// Returns a number with fewer limbs, too small by a relative error below `2^(1 - 64 M)`.
    pub(crate) const fn truncated<const M: usize>(&self) -> Float<M> {
        Float { fraction: Fixed::from_prefix(&self.fraction.0), exponent: self.exponent }
    }

    /// Returns `fraction * 2^exponent` for a `fraction` other than zero, exactly.
    pub(crate) const fn new(fraction: Fixed<L>, exponent: i32) -> Self {
        let zeros = fraction.leading_zeros();
        Self { fraction: fraction.shl(zeros), exponent: exponent - zeros as i32 }
    }

    /// Returns `self / divisor`, too small by a relative error below `2^(3 - 64 L)`, or `2^(2 - 64 L)` if `self` is a power of two.
    pub(crate) const fn over(&self, divisor: &Self) -> Self {
        let (mut quotient, mut remainder) = (self.fraction.0, [0; L]);
        // Less than the divisor, whose fraction is at least 1/2.
        limbs::shift_down(&mut quotient, 1);
        division::divide_by(&mut quotient, &divisor.fraction.0, &mut remainder);
        Self::new(Fixed(quotient), self.exponent - divisor.exponent + 1)
    }

    /// Returns `self * other`, too small by a relative error below `2^(3 - 64 L)`.
    ///
    /// The fraction is short by less than 2 ulp, and the product of two fractions is at least 1/4. If one of them is zero,
    /// as for a frequency of zero, so is the product.
    #[cfg_attr(feature = "alloc", inline)] // For small tables it matters that the limbs stay in registers.
    pub(crate) const fn mul(&self, other: &Self) -> Self {
        let (mut fraction, mut exponent) = (self.fraction.mul(&other.fraction), self.exponent + other.exponent);
        // The first limbs alone make the product at least 1/4. A shift by any number of bits would take the limbs to
        // memory.
        if fraction.0[0] >> 63 == 0 {
            fraction = fraction.shl(1);
            exponent -= 1;
        }
        Self { fraction, exponent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_double_becomes_a_fraction_and_an_exponent() {
        let three = Float::<3>::from_f64(-3.0);
        assert_eq!((three.fraction, three.exponent), (Fixed([3 << 62, 0, 0]), 2));
    }

    #[test]
    fn products_are_normalised() {
        let of = Float::<3>::from_f64;
        for (a, b) in [(1.0, 1.0), (0.75, 0.75), (0.75, 0.5), (3.0, 5.0)] {
            let (product, expected) = (of(a).mul(&of(b)), of(a * b));
            assert_eq!((product.fraction, product.exponent), (expected.fraction, expected.exponent));
        }
        let just_above_half = Float { fraction: Fixed([1 << 63, 0, 1]), exponent: 0 };
        assert_eq!(just_above_half.mul(&just_above_half).fraction, Fixed([1 << 63, 0, 2]));
        let zero = Float { fraction: Fixed([0; 3]), exponent: 0 };
        assert_eq!(zero.mul(&of(3.0)).fraction, Fixed([0; 3]));
    }
}
