//! Exact products and quotients of given numbers.

use crate::exact::division;
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::format::places;
use crate::exact::limbs;
use crate::exact::logarithm::Ratio;

/// The limbs of each of the two numbers: enough for six factors of 53 bits.
const LIMBS: usize = 6;

/// A quotient of two products of given numbers other than 0, in absolute value.
///
/// Both products are exact as long as they have at most 384 bits.
#[derive(Clone, Copy)]
pub(crate) struct Product {
    numerator: [u64; LIMBS],
    denominator: [u64; LIMBS],
    exponent: i32,
}

impl Product {
    pub(crate) const fn of(value: f64) -> Self {
        let (mut numerator, mut denominator) = ([0; LIMBS], [0; LIMBS]);
        let exponent = limbs::set_f64(&mut numerator, value) - limbs::set_f64(&mut denominator, 1.0);
        Self { numerator, denominator, exponent }
    }

    /// Returns the reciprocal.
    pub(crate) const fn reciprocal(self) -> Self {
        Self { numerator: self.denominator, denominator: self.numerator, exponent: -self.exponent }
    }

    /// Multiplies by the absolute value of a number.
    pub(crate) const fn times(&mut self, value: f64) {
        self.exponent += multiply(&mut self.numerator, value);
    }

    /// Divides by the absolute value of a number.
    pub(crate) const fn over(&mut self, value: f64) {
        self.exponent -= multiply(&mut self.denominator, value);
    }

    /// Divides by `base^x` for `0 <= x <= 2`, and returns whether the power is rational. If it is not, nothing changes.
    ///
    /// Let `base` be `m 2^e` for an odd `m`, and `x` be `p / q` in lowest terms. The power is rational if both `m` and
    /// `2^e` are `q`th powers of rational numbers. It is `r^p 2^(e x)` then, and `r^p` is below `2^106`.
    pub(crate) const fn over_power(&mut self, base: f64, x: Ratio) -> bool {
        let Ratio { numerator, denominator } = x.reduced();
        if numerator == 0 || base == 1.0 {
            return true;
        }
        let (mantissa, exponent) = places(base);
        let zeros = mantissa.trailing_zeros();
        let (odd, twos) = (mantissa >> zeros, exponent + zeros as i32);
        // Neither is a higher power: `|e|` is at most 1074, and `m` is 1 or from 3 to below 2^53.
        if denominator > 1074 || twos % denominator as i32 != 0 || (odd > 1 && denominator > 33) {
            return false;
        }
        let (p, q) = (numerator as u32, denominator as u32);
        let root = if odd == 1 { 1 } else { floor_of_root(odd, q) };
        if odd > 1 && root.pow(q) != odd {
            return false;
        }
        let mut times = if root > 1 { p } else { 0 };
        while times > 0 {
            self.over(root as f64);
            times -= 1;
        }
        self.exponent -= twos / q as i32 * p as i32;
        true
    }

    /// Returns the quotient, too small by a relative error below `2^-380`, or exactly if its digits end.
    pub(crate) const fn quotient(self) -> Float<LIMBS> {
        let Self { mut numerator, denominator, exponent } = self;
        limbs::shift_down(&mut numerator, 1);
        division::divide_by(&mut numerator, &denominator, &mut [0; LIMBS]);
        let zeros = limbs::normalise(&mut numerator);
        Float { fraction: Fixed(numerator), exponent: exponent + 1 - zeros }
    }

    /// Returns whether integer multiples of the quotient may have at most so many binary digits.
    ///
    /// They have at least as many as the numerator in lowest terms without its factors of two. The common divisor is at most
    /// the denominator.
    pub(crate) const fn may_have_short_multiples(&self, digits: u32) -> bool {
        // A common divisor of `n` digits takes `n` or `n - 1`, and a power of two none.
        let divisor = digits_of(&self.denominator);
        digits_of(&self.numerator) <= digits + if divisor > 1 { divisor } else { 0 }
    }
}

/// Returns the number of binary digits from the first to the last one that is 1.
const fn digits_of(fraction: &[u64; LIMBS]) -> u32 {
    let mut len = LIMBS;
    while len > 1 && fraction[len - 1] == 0 {
        len -= 1;
    }
    64 * len as u32 - fraction[len - 1].trailing_zeros()
}

/// Multiplies a fraction of at least 1/2 by a number, and returns the exponent of the product, whose fraction is at least
/// 1/2 again.
const fn multiply(fraction: &mut [u64; LIMBS], value: f64) -> i32 {
    let mut number = [0; LIMBS];
    let exponent = limbs::set_f64(&mut number, value);
    limbs::multiply(fraction, &number);
    exponent - limbs::normalise(fraction)
}

/// Returns the greatest integer of which the power is at most `x`, which is below `2^53`. The power is at most 64.
pub(crate) const fn floor_of_root(x: u64, power: u32) -> u64 {
    let (mut low, mut high) = (1, 1 << (53 / power + 1));
    while low + 1 < high {
        let middle = u64::midpoint(low, high);
        match middle.checked_pow(power) {
            Some(at_most) if at_most <= x => low = middle,
            _ => high = middle,
        }
    }
    low
}

#[cfg(test)]
#[allow(clippy::float_arithmetic, reason = "powers of two are exact")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::properties;

    fn value(product: Product) -> f64 {
        let Float { fraction: Fixed(limbs), exponent } = product.quotient();
        assert!(limbs[1..].iter().all(|&limb| limb == 0) && limbs[0].trailing_zeros() >= 11);
        (limbs[0] >> 11) as f64 * 2f64.powi(exponent - 53)
    }

    #[test]
    fn quotients_that_end_are_exact() {
        let mut product = Product::of(1.0);
        for factor in [3.0, -1e300, 1e-300, 7.0, 12.5] {
            product.times(factor);
        }
        for divisor in [7.0, -1e-300, 1e300, 12.0] {
            product.over(divisor);
        }
        assert_eq!(value(product), 3.125);
    }

    properties! {
        #![cases(256)]

        #[test]
        fn rational_powers_are_recognised(root in 1u64..50, twos in -30i32..30, p in 0u32..24, q in 1u32..12, times in 1u128..1000) {
            let Some(m) = root.checked_pow(q).filter(|&m| m < 1 << 53) else { return Ok(()) };
            prop_assume!(p <= 2 * q);
            let base = m as f64 * 2f64.powi(twos * q as i32);
            let x = Ratio { numerator: u128::from(p) * times, denominator: u128::from(q) * times };
            let mut product = Product::of(1.0);
            prop_assert!(product.over_power(base, x));
            for _ in 0..p {
                product.times(root as f64);
            }
            product.times(2f64.powi(twos * p as i32));
            prop_assert_eq!(value(product), 1.0);
        }
    }

    #[test]
    fn multiples_are_short_if_the_numerator_is() {
        let mut product = Product::of(12.0);
        assert!(product.may_have_short_multiples(2) && !product.may_have_short_multiples(1));
        product.over(5.0);
        assert!(product.may_have_short_multiples(2));
        product.times(1e20);
        product.times(1e20);
        assert!(product.may_have_short_multiples(94) && !product.may_have_short_multiples(90));
        // A denominator that divides the numerator takes all of its digits: 9/3 has two.
        let mut product = Product::of(9.0);
        product.over(3.0);
        assert!(product.may_have_short_multiples(2));
    }

    #[test]
    fn irrational_powers_are_recognised() {
        let ratio = |numerator, denominator| Ratio { numerator, denominator };
        for (base, x) in [
            (10_000.0, ratio(1, 8)),
            (2.0, ratio(1, 2)),
            (3.0, ratio(5, 4)),
            (5e-324, ratio(1, 4)),
            (8.0, ratio(1, 1 << 40)),
            (9.0, ratio(1, 34)),
        ] {
            assert!(!Product::of(1.0).over_power(base, x), "{base}");
        }
        for (base, x) in [
            (10_000.0, ratio(3, 4)),
            (5e-324, ratio(1, 537)),
            (f64::MAX, ratio(2, 1)),
            (16.0, ratio(30, 40)),
            (1.0, ratio(1, 77)),
        ] {
            assert!(Product::of(1.0).over_power(base, x), "{base}");
        }
    }
}
