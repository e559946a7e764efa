//! Exact quotients, and their logarithms to base 2.

#[cfg(feature = "alloc")]
use crate::exact::constants::LOG2_SIXTEENTHS;
use crate::exact::constants::{HALF_LOG2_E, LOG2_10000};
use crate::exact::division;
#[cfg(feature = "alloc")]
use crate::exact::fixed::mul_high;
use crate::exact::format::decompose;
use crate::exact::limbs;

/// A quotient of two numbers, each below `2^119`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio {
    pub(crate) numerator: u128,
    pub(crate) denominator: u128,
}

impl Ratio {
    pub(crate) const fn times(self, i: usize) -> Self {
        Self { numerator: self.numerator * i as u128, ..self }
    }

    /// Returns the same quotient in lowest terms.
    pub(crate) const fn reduced(self) -> Self {
        let (mut divisor, mut rest) = (self.denominator, self.numerator);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        Self { numerator: self.numerator / divisor, denominator: self.denominator / divisor }
    }
}

/// The number `2^exponent numerator / denominator`, with a quotient from 1 to below 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    /// Both are below `2^120`.
    numerator: u128,
    denominator: u128,
    /// At most 1074 in absolute value for a power.
    pub(super) exponent: i32,
}

impl Base {
    /// Returns a finite number greater than 0.
    pub(crate) const fn of(value: f64) -> Self {
        let (mantissa, exponent) = decompose(value);
        Self { numerator: mantissa as u128, denominator: 1 << 52, exponent }
    }

    /// Returns an exponent of two that is greater than the number.
    pub(crate) const fn octaves(&self) -> i32 {
        self.exponent + 1
    }

    /// Returns the quotient of two finite numbers greater than 0.
    pub(crate) const fn quotient(numerator: f64, denominator: f64) -> Self {
        let ((numerator, over), (denominator, under)) = (decompose(numerator), decompose(denominator));
        let is_below_1 = numerator < denominator;
        Self {
            numerator: (numerator as u128) << is_below_1 as u32,
            denominator: denominator as u128,
            exponent: over - under - is_below_1 as i32,
        }
    }

    /// Returns the quotient of two integers from 1 to below `2^119`.
    pub(crate) const fn ratio(ratio: Ratio) -> Self {
        let Ratio { mut numerator, mut denominator } = ratio;
        let exponent = numerator.ilog2() as i32 - denominator.ilog2() as i32;
        if exponent < 0 {
            numerator <<= -exponent;
        } else {
            denominator <<= exponent;
        }
        let is_below_1 = numerator < denominator;
        Self { numerator: numerator << is_below_1 as u32, denominator, exponent: exponent - is_below_1 as i32 }
    }

    /// Sets `log2` to the fraction of the logarithm to base 2, with an error below `2^13.6` ulp, and returns its integer
    /// part.
    ///
    /// The logarithm of the default base is a constant. With up to five limbs, the quotient is first divided by the largest
    /// number of sixteenths that is not greater, whose logarithm is in a table. The series then has a third of the terms, and
    /// their divisors are in another table.
    pub(crate) const fn log2(&self, log2: &mut [u64], numbers: [&mut [u64]; 3]) -> i32 {
        const COMMON: Base = Base::of(10_000.0);
        let Self { numerator, denominator, exponent } = *self;
        if numerator == COMMON.numerator && denominator == COMMON.denominator {
            limbs::copy(&LOG2_10000, log2);
            return exponent;
        }
        // Small machines have no room for what is only quicker.
        #[cfg(feature = "alloc")]
        if numerator == denominator {
            // The factors and lengths of models are often powers of two.
            limbs::set(log2, 0);
            return exponent;
        }
        #[cfg(feature = "alloc")]
        if log2.len() <= limbs::NARROW {
            let sixteenths = 16 * numerator / denominator;
            let (more, less) = (16 * numerator, sixteenths * denominator);
            atanh_by_table(more - less, more + less, log2, numbers);
            log2_of_atanh(log2);
            limbs::add(log2, &LOG2_SIXTEENTHS[sixteenths as usize - 16]);
            return exponent;
        }
        atanh(numerator - denominator, numerator + denominator, log2, numbers);
        log2_of_atanh(log2);
        exponent
    }
}

/// Replaces `atanh((n - d)/(n + d))` by the logarithm to base 2 of the quotient `n/d`, which is from 1 to below 2.
const fn log2_of_atanh(x: &mut [u64]) {
    limbs::multiply(x, &HALF_LOG2_E);
    limbs::shift_up(x, 2);
}

/// Sets `sum` to `atanh(numerator / denominator) = z + z^3/3 + z^5/5 + ...` for a quotient `z < 1/3`.
///
/// The powers shrink by more than `2^3.16` per step, and the sum ends when one is zero. At 5120 bits that takes at most
/// 1621 terms, and less than 1 ulp is missing. Each power is off by less than 4 ulp: 2 for the product, a ninth of the
/// previous 4, and a third of the 3 of the square. Each term is off by the error of its power over `2j + 1`, plus 1
/// ulp. The sum is off by less than `2^12` ulp.
const fn atanh(numerator: u128, denominator: u128, sum: &mut [u64], numbers: [&mut [u64]; 3]) {
    let [power, square, term] = numbers;
    division::quotient(sum, numerator, denominator);
    limbs::copy(sum, power);
    limbs::copy(sum, square);
    limbs::multiply(square, sum);
    let mut odd = 1;
    while !limbs::is_zero(power) {
        limbs::multiply(power, square);
        odd += 2;
        limbs::copy(power, term);
        division::divide(term, 0, odd);
        limbs::add(sum, term);
    }
}

/// Does the same for a quotient `z <= 1/33`, without divisions, which would take most of the time. The error is below 4 ulp.
///
/// With `s = z^2`, the steps are `v_j = 1/(2j + 1) + s v_(j+1)`, and the sum is `z + z s v_1`. `s` is below `2^-10` and off by
/// less than 3 ulp, and all `v_j` are below 0.34. A step adds less than 2 ulp for the product, 1.1 for the error of `s` and 1
/// for the coefficient, and multiplies the error before by `s`, so `v_1` is off by less than 4.2 ulp, and `s v_1` by less than
/// 3.2. From the term on whose power `s^j` is below `2^(-64 (L - 2))`, two limbs are enough: there each step is off by less
/// than 3 of their ulp. That is term 7 for three limbs, 13 for four and 20 for five, which adds less than 0.8 ulp to `s v_1`.
/// The product with `z` is then off by less than 2.2, and `z` by less than 1. The omitted terms are negligible.
#[cfg(feature = "alloc")]
const fn atanh_by_table(numerator: u128, denominator: u128, sum: &mut [u64], numbers: [&mut [u64]; 3]) {
    let [v, square, _] = numbers;
    // A number of sixteenths, such as 40 = 32 * 20/16.
    if numerator == 0 {
        limbs::set(sum, 0);
        return;
    }
    division::quotient(sum, numerator, denominator);
    limbs::copy(sum, square);
    limbs::multiply(square, sum);
    let (mut j, short, mut tail) = (limbs::bits(v) / ATANH_TERM_BITS, limbs::window(square, 0), 0u128);
    while j > 0 && ATANH_TERM_BITS * j + 128 >= limbs::bits(v) {
        tail = limbs::window(&ODD_RECIPROCALS[j as usize], 0) + mul_high(short, tail);
        j -= 1;
    }
    limbs::set(v, limbs::low(tail >> 64));
    if v.len() > 1 {
        v[1] = limbs::low(tail);
    }
    while j > 0 {
        limbs::multiply(v, square);
        limbs::add(v, &ODD_RECIPROCALS[j as usize]);
        j -= 1;
    }
    limbs::multiply(v, square);
    limbs::multiply(v, sum);
    limbs::add(sum, v);
}

/// The number of bits that each term of the series of `atanh(z)` for `z <= 1/33` is at least smaller than the one before it.
#[cfg(feature = "alloc")]
const ATANH_TERM_BITS: u32 = 10;

/// `1 / (2j + 1)` for `1 <= j`, too small by less than 1 ulp, and 0 for `j = 0`, which is no fraction.
#[cfg(feature = "alloc")]
const ODD_RECIPROCALS: [[u64; limbs::NARROW]; 64 * limbs::NARROW / ATANH_TERM_BITS as usize + 1] = {
    let mut reciprocals = [[0; limbs::NARROW]; 64 * limbs::NARROW / ATANH_TERM_BITS as usize + 1];
    let mut j = 1;
    while j < reciprocals.len() {
        division::quotient(&mut reciprocals[j], 1, 2 * j as u128 + 1);
        j += 1;
    }
    reciprocals
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::constants::LIMBS;
    use crate::exact::fixed::Fixed;
    use crate::exact::power::tests::{distance, ulps};
    use crate::properties;

    #[cfg(feature = "alloc")]
    properties! {
        #![cases(200)]

        /// With quotients up to the greatest, for which the last terms count most.
        #[test]
        fn the_series_by_table_is_as_precise_as_stated(denominator in 33..1u128 << 124, less in 0u16..) {
            fn error<const L: usize>(numerator: u128, denominator: u128) -> f64 {
                let (mut sum, mut series, mut numbers) = ([0; L], [0; 8], [[0; 8]; 3]);
                atanh(numerator, denominator, &mut series, numbers.each_mut().map(|number| &mut number[..]));
                atanh_by_table(numerator, denominator, &mut sum, numbers.each_mut().map(|number| &mut number[..L]));
                ulps(&Fixed(sum), &Fixed(series))
            }
            let greatest = denominator / 33;
            let numerator = greatest - (greatest >> 16) * u128::from(less);
            let [one, two, three] = [error::<1>, error::<2>, error::<3>].map(|error| error(numerator, denominator));
            let [four, five] = [error::<4>, error::<5>].map(|error| error(numerator, denominator));
            prop_assert!([one, two, three, four, five].iter().all(|&error| error < 4.0), "{one} {two} {three} {four} {five}");
        }
    }

    /// The constant agrees with the series, whose steps are those of [`Base::log2`], and which another quotient takes.
    #[test]
    fn the_logarithm_of_the_usual_base_is_that_of_its_series() {
        let (mut series, mut constant) = ([0; LIMBS], [0; LIMBS]);
        // The terms of the quotient are not the terms of the common base.
        let ratio = Base::ratio(Ratio { numerator: 30_000, denominator: 3 });
        for (base, log2) in [(Base::of(10_000.0), &mut constant), (ratio, &mut series)] {
            let mut numbers = [[0; LIMBS]; 3];
            assert_eq!(base.log2(log2, numbers.each_mut().map(|number| &mut number[..])), 13);
        }
        assert!(distance(&Fixed(series), &Fixed(constant)).leading_zeros() >= 64 * LIMBS as u32 - 14);
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn the_logarithms_of_sixteenths_are_those_of_the_series() {
        for (i, known) in LOG2_SIXTEENTHS.iter().enumerate() {
            let (mut series, mut numbers) = ([0; 8], [[0; 8]; 3]);
            let sixteenths = Base::ratio(Ratio { numerator: 16 + i as u128, denominator: 16 });
            assert_eq!(sixteenths.log2(&mut series, numbers.each_mut().map(|number| &mut number[..])), 0);
            // Both are truncated.
            assert!(distance(&Fixed(*known), &Fixed::from_prefix(&series)).leading_zeros() >= 319, "{i}");
        }
    }

    #[test]
    fn quotients_are_from_1_to_below_2() {
        let is = |base: Base, numerator: u128, denominator: u128, exponent: i32| {
            assert!(base.denominator <= base.numerator && base.numerator < 2 * base.denominator, "{base:?}");
            assert_eq!(base.numerator * denominator, base.denominator * numerator, "{base:?}");
            assert_eq!(base.exponent, exponent);
        };
        is(Base::of(3.0), 3, 2, 1);
        is(Base::quotient(32.0, 4096.0), 1, 1, -7);
        is(Base::quotient(3.0, 0.625), 6, 5, 2);
        is(Base::quotient(5.0, 0.375), 5, 3, 3);
        is(Base::quotient(1.0, 3.0), 4, 3, -2);
        is(Base::ratio(Ratio { numerator: 12, denominator: 17 }), 24, 17, -1);
        is(Base::ratio(Ratio { numerator: 1 << 118, denominator: 3 }), 4, 3, 116);
        is(Base::ratio(Ratio { numerator: 7, denominator: 1 << 118 }), 7, 4, -116);
        is(Base::ratio(Ratio { numerator: 1, denominator: 1 }), 1, 1, 0);
    }
}
