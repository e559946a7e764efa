//! The factor of all entries: a rational number, a root, or a quotient of logarithms.

use crate::error_bounds::{LONGROPE_ERROR_BITS, MSCALE_ERROR_BITS, POWER_ERROR_BITS, UNITS_ERROR_BITS};
use crate::exact::constants::{HALF_LN_2, LIMBS};
use crate::exact::division;
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::format::Format;
use crate::exact::limbs;
use crate::exact::limbs::NARROW;
use crate::exact::logarithm::{Base, Ratio};
use crate::exact::power::power_in;
use crate::exact::rounding::{Enclosure, Magnitude};
use crate::exact::scaling::THERE_ARE_RULES;
use crate::float_bits::{is_zero, times_power_of_two};

/// The absolute value of an amplitude.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    /// The absolute value of a quotient of two numbers, exactly. The second is an integer from 1 to `2^12`.
    Rational(f64, f64),
    /// `1 / sqrt(x)`, which is irrational, for an integer or half-integer `x` up to `2^24`.
    Rsqrt(f64),
    /// `(1 + over ln(factor) / 10) / (1 + under ln(factor) / 10)` for a factor above 1 and up to `2^16`, and two different
    /// numbers from 0 to 1024. The logarithm is transcendental, and so is the quotient.
    Mscale { factor: f64, over: f64, under: f64 },
    /// `sqrt(1 + ln(factor) / ln(length))` for a factor above 1 and up to `2^16`, and an integer from 2 to `2^40`, if it
    /// is irrational.
    LongRope { factor: f64, length: f64 },
}

/// How many units of a table's entries a number is: `number * times / over`, exactly. Both are positive.
///
/// The unit of floating-point entries is 1. An integer is a number of units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    pub(crate) times: f64,
    pub(crate) over: f64,
}

impl Units {
    pub(crate) const ONE: Self = Self { times: 1.0, over: 1.0 };

    pub(crate) const fn are_one(self) -> bool {
        self.times.to_bits() == self.over.to_bits()
    }
}

impl Size {
    pub(crate) const ONE: Self = Self::of(1.0);

    /// Returns the absolute value of a number.
    pub(crate) const fn of(value: f64) -> Self {
        Self::Rational(value, 1.0)
    }

    /// Returns the quotient of two integers, below `2^53` and from 1 to `2^12`, in lowest terms.
    pub(crate) const fn quotient(numerator: u64, denominator: u64) -> Self {
        if denominator.is_power_of_two() {
            Self::of(times_power_of_two(numerator, -(denominator.trailing_zeros() as i32)))
        } else {
            Self::Rational(numerator as f64, denominator as f64)
        }
    }

    /// Returns `1 / sqrt(x)` for an integer or half-integer `x` from 1/2 to `2^24`.
    pub(crate) const fn rsqrt(x: f64) -> Self {
        // Of a half-integer, the root is irrational.
        let root = (x as u64).isqrt();
        if (root * root) as f64 == x { Self::quotient(1, root) } else { Self::Rsqrt(x) }
    }

    /// Returns the bits of the nearest number of `units` in `format`, or the nearest integer, not clamped and without the
    /// zero point. They make the entry for the cosine of a zero angle.
    ///
    /// The midpoint `m` of two numbers has up to 54 bits, and the numbers of `units` have up to 53.
    ///
    /// * A rational size `p / q` is `m over / times`, or differs from it by at least a relative `2^-120`. A quotient that is a
    ///   midpoint is exact in 512 bits: `1 / sqrt(36)` is 1.5 units of 1/9.
    /// * The other sizes are irrational, so no midpoint. The square of `1 / sqrt(x)` differs from the square of
    ///   `m over / times` by at least a relative `2^-240`, so 512 bits decide. The sizes with logarithms have no such bound,
    ///   and are the number below if 5120 bits do not decide.
    pub(crate) const fn round_in(self, units: Units, format: Format) -> u64 {
        const LIMBS_OF_RATIO: usize = 8;
        match self {
            // Small machines have no room for this.
            #[cfg(feature = "alloc")]
            Self::Rational(value, 1.0) if units.are_one() => {
                let mut fraction = [0; 2];
                let exponent = limbs::set_f64(&mut fraction, value);
                return Magnitude::of(&fraction, exponent).round(format);
            }
            Self::Rational(..) => {
                let Float { fraction, exponent } = Factor::<LIMBS_OF_RATIO>::in_units(self, units).size;
                return Magnitude::of(&fraction.0, exponent).round(format);
            }
            _ => {}
        }
        match ladder!(L of LIMBS_OF_RATIO, 32 => self.enclose_in::<L>(units).round_size(format)) {
            Some(bits) => bits,
            None => self.enclose_in::<LIMBS>(units).round_low(format),
        }
    }

    /// Returns the second number of a quotient.
    const fn denominator(self) -> f64 {
        if let Self::Rational(_, denominator) = self { denominator } else { 1.0 }
    }

    const fn enclose_in<const L: usize>(self, units: Units) -> Enclosure {
        let Factor { size: Float { fraction, exponent }, error_bits } = Factor::in_units(self, units);
        Enclosure::around::<L>(&fraction, error_bits, exponent)
    }
}

/// The absolute value of an amplitude in `L` limbs, off by less than `2^error_bits` ulp of the fraction.
#[derive(Clone, Copy)]
pub(crate) struct Factor<const L: usize> {
    pub(crate) size: Float<L>,
    pub(crate) error_bits: u32,
}

impl<const L: usize> Factor<L> {
    #[cfg(any(test, all(feature = "inspect", feature = "alloc")))]
    pub(crate) const fn of(size: Size) -> Self {
        Self::in_units(size, Units::ONE)
    }

    /// Returns the number of `units` that `size` is.
    pub(crate) const fn in_units(size: Size, units: Units) -> Self {
        let mut numbers = [[0; L]; 6];
        let [out, one, two, three, four, five] = &mut numbers;
        let (exponent, error_bits) = factor_in(size, units, [out, one, two, three, four, five]);
        Self { size: Float { fraction: Fixed(numbers[0]), exponent }, error_bits }
    }
}

/// Implements [`Factor::in_units`] for all precisions, so that it is compiled once.
///
/// It stores the fraction in the first of the numbers, and returns the exponent and the error bits.
pub(crate) const fn factor_in(size: Size, units: Units, numbers: [&mut [u64]; 6]) -> (i32, u32) {
    let [out, one, two, three, four, five] = numbers;
    let (exponent, error_bits) = size_in(size, [out, one, two, three, four, five]);
    let denominator = size.denominator();
    if units.are_one() && denominator == 1.0 {
        return (exponent, error_bits);
    }
    let times = limbs::set_f64(one, units.times);
    limbs::multiply(out, one);
    // The denominator and `over` have up to 66 bits, so their product is exact.
    let over = limbs::set_f64(one, units.over) + limbs::set_f64(two, denominator);
    limbs::multiply(one, two);
    (exponent + times - over + quotient(out, one, two), error_bits + UNITS_ERROR_BITS)
}

/// Sets the first number to the fraction of a size times its denominator, and returns the exponent and the error bits.
const fn size_in(size: Size, numbers: [&mut [u64]; 6]) -> (i32, u32) {
    match size {
        Size::Mscale { factor, over, under } if THERE_ARE_RULES => mscale_in(factor, over, under, numbers),
        Size::LongRope { factor, length } if THERE_ARE_RULES => longrope_in(factor, length, numbers),
        // The other two are never made without rules.
        Size::Rational(value, _) | Size::Mscale { factor: value, .. } | Size::LongRope { factor: value, .. } => {
            let [out, ..] = numbers;
            (limbs::set_f64(out, value), 0)
        }
        Size::Rsqrt(x) => (power_in(&Base::of(x), Ratio { numerator: 1, denominator: 2 }, numbers).0, POWER_ERROR_BITS),
    }
}

/// Sets the first number to the quotient of [`Size::Mscale`].
const fn mscale_in(factor: f64, over: f64, under: f64, numbers: [&mut [u64]; 6]) -> (i32, u32) {
    let [out, one, two, three, four, divisor] = numbers;
    scaled_logarithm(factor, over, [out, one, two, three, four]);
    if is_zero(under) {
        return (LOGARITHM_UNIT as i32 - limbs::normalise(out), MSCALE_ERROR_BITS);
    }
    scaled_logarithm(factor, under, [divisor, one, two, three, four]);
    (quotient(out, divisor, one), MSCALE_ERROR_BITS)
}

/// The factors are in units of 2 to this.
const LOGARITHM_UNIT: u32 = 12;

/// `ln(2) / 20`, too small by less than 1 ulp. Other precisions divide, and so do small machines, which have no room for it.
#[cfg(feature = "alloc")]
const LN_2_OVER_20: [u64; NARROW] = {
    let mut twentieth = [0; NARROW];
    limbs::copy(&HALF_LN_2, &mut twentieth);
    division::divide(&mut twentieth, 0, 10);
    twentieth
};

/// Sets the first number to `1 + scale ln(factor) / 10`, in units.
const fn scaled_logarithm(factor: f64, scale: f64, [sum, log, one, two, three]: [&mut [u64]; 5]) {
    limbs::set(sum, 1 << (64 - LOGARITHM_UNIT));
    if is_zero(scale) {
        return;
    }
    logarithm(factor, 5, log, [one, two, three]);
    match log.len() {
        #[cfg(feature = "alloc")]
        NARROW => limbs::multiply(log, &LN_2_OVER_20),
        _ => {
            limbs::multiply(log, &HALF_LN_2);
            division::divide(log, 0, 10);
        }
    }
    let exponent = limbs::set_f64(one, scale);
    limbs::multiply(log, one);
    // The logarithm is divided by 2^6, and the scale by 2^exponent.
    if exponent > 6 {
        limbs::shift_up(log, (exponent - 6) as u32);
    } else {
        limbs::shift_down(log, (6 - exponent) as u32);
    }
    limbs::add(sum, log);
}

/// Sets the first number to the root of [`Size::LongRope`].
const fn longrope_in(factor: f64, length: f64, numbers: [&mut [u64]; 6]) -> (i32, u32) {
    let [out, one, two, three, four, divisor] = numbers;
    logarithm(length, 6, divisor, [one, two, three]);
    logarithm(factor, 6, out, [one, two, three]);
    limbs::add(out, divisor);
    let exponent = quotient(out, divisor, one);
    // The root of an even power of two is one.
    let odd = exponent.rem_euclid(2);
    limbs::shift_down(out, odd as u32);
    division::square_root(out, [one, two, four]);
    ((exponent + odd) / 2, LONGROPE_ERROR_BITS)
}

/// Sets `log` to the logarithm to base 2 of a number from 1 to below `2^(2^unit)`, divided by `2^unit`.
const fn logarithm(number: f64, unit: u32, log: &mut [u64], numbers: [&mut [u64]; 3]) {
    let whole = Base::of(number).log2(log, numbers);
    limbs::shift_down(log, unit);
    log[0] += (whole as u64) << (64 - unit);
}

/// Divides one fraction by another, neither of which is zero, and returns the exponent. The quotient is normalised.
const fn quotient(x: &mut [u64], divisor: &mut [u64], remainder: &mut [u64]) -> i32 {
    let exponent = limbs::normalise(divisor) - limbs::normalise(x);
    limbs::shift_down(x, 1);
    division::divide_by(x, divisor, remainder);
    exponent + 1 - limbs::normalise(x)
}

impl Factor<NARROW> {
    /// Returns the least `n` for which the factor is at most `2^n`.
    pub(crate) const fn exponent(&self) -> i32 {
        let Float { fraction, exponent } = self.size;
        // The fraction of a power of 2 is 1/2: only the first bit is set.
        exponent - limbs::is_zero_from(&fraction.0, 1) as i32
    }

    /// Returns what [`Size::round_in`] does, if the error decides.
    #[cfg(feature = "alloc")]
    pub(crate) const fn round(&self, format: Format) -> Option<u64> {
        let Float { fraction, exponent } = self.size;
        Enclosure::around::<NARROW>(&fraction, self.error_bits, exponent).round_size(format)
    }

    /// Returns the product with a positive number.
    pub(crate) const fn times(&self, other: Enclosure) -> Enclosure {
        // In units of 2^-128, truncation cost less than 1, and the error is far below 1. A root differs from a power of 2
        // by more than that. Another factor may be nearer to 1: then it is just below 1, and saturating costs less than
        // what the product adds for rounding, or its fraction is just above 1/2.
        let cut = self.size.fraction.window(0);
        other.times(cut - 1, cut.saturating_add(2), self.size.exponent)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::limbs::low;
    use crate::exact::limbs::tests::limb;
    use crate::properties;

    properties! {
        #![cases(256)]

        /// Whatever its error, and whether or not its first limbs are those of the exact factor.
        #[test]
        fn a_product_holds_that_of_the_exact_factor(
            first in prop::array::uniform2(limb()), rest in prop::sample::select(&[0, 1, u64::MAX][..]),
            error_bits in 0u32..64, up: bool, mantissa: u128,
        ) {
            let mut fraction = [first[0] | 1 << 63, first[1], rest, rest, rest];
            let factor = Factor { size: Float { fraction: Fixed(fraction), exponent: 0 }, error_bits };
            let error = [0, 0, 0, 0, 1 << error_bits];
            let carry = if up { limbs::add(&mut fraction, &error) == 1 } else { limbs::subtract(&mut fraction, &error) };
            prop_assume!(!carry);
            let other = Magnitude { mantissa: mantissa | 1 << 127, exponent: -128 };
            let mut exact = [0; 7];
            exact[..5].copy_from_slice(&fraction);
            let wide = [low(other.mantissa >> 64), low(other.mantissa), 0, 0, 0, 0, 0];
            limbs::multiply(&mut exact, &wide);
            let product = factor.times(Enclosure::new(other, other));
            prop_assert!(product.contains(&Enclosure::around(&Fixed(exact), 1, 0)), "{:x?} {:x}", fraction, mantissa);
        }
    }

    /// The logarithms are shifted by the exponents of their scales, in either direction.
    #[test]
    #[allow(clippy::float_arithmetic, reason = "computes the formulas once more")]
    fn sizes_are_what_their_formulas_say() {
        let check = |size, expected: f64| {
            let Float { fraction, exponent } = Factor::<5>::of(size).size;
            let actual = fraction.0[0] as f64 * f64::powi(2.0, exponent - 64);
            assert!((actual / expected - 1.0).abs() < 1e-14, "{size:?}: {actual}");
        };
        for factor in [1.0625f64, 2.0, 40.0, 65_536.0] {
            let scaled = |scale: f64| 1.0 + scale * factor.ln() / 10.0;
            for over in [0.0, f64::powi(2.0, -40), 0.707, 1.0, 63.0, 64.0, 127.0, 128.0, 1024.0] {
                for under in [0.0, 0.5, 100.0, 513.0] {
                    check(Size::Mscale { factor, over, under }, scaled(over) / scaled(under));
                }
            }
            for length in [2.0f64, 3.0, 4096.0, 1e12] {
                check(Size::LongRope { factor, length }, (1.0 + factor.ln() / length.ln()).sqrt());
            }
        }
        for x in [2.0f64, 3.5, 128.0, 768.0] {
            check(Size::rsqrt(x), x.sqrt().recip());
        }
    }

    /// The errors are in ulp of the fractions, so relative ones are above them.
    #[cfg(feature = "alloc")]
    #[test]
    fn sizes_are_as_precise_as_stated() {
        use crate::engine::error_audit::{Goal, Worst, report, worst};
        use crate::exact::power::tests::relative_ulps;

        let factor = || prop_oneof![1.0..1.001, 1.0..65_536.0];
        let rsqrt = || (2u32..1 << 24).prop_map(|x| Size::Rsqrt(f64::from(x) / 2.0));
        let scale = || prop_oneof![Just(0.0), 0.0..1.0, 0.0..1024.0];
        let mscale =
            || (factor(), scale(), scale()).prop_map(|(factor, over, under)| Size::Mscale { factor, over, under });
        let length = || prop_oneof![2u64..10, 2u64..1 << 40];
        let longrope =
            || (factor(), length()).prop_map(|(factor, length)| Size::LongRope { factor, length: length as f64 });
        let given = || (0.1..10.0).prop_map(Size::of);
        let units = || (1.0..4.0, 1.0..4.0).prop_map(|(times, over)| Units { times, over });

        let look = |(size, units), Worst { shares, entries }: &mut Worst<1>| {
            let factor = Factor::<16>::in_units(size, units);
            let off = relative_ulps(&factor.size, &Factor::<18>::in_units(size, units).size);
            shares[0] = shares[0].max(off / f64::powi(2.0, factor.error_bits as i32));
            *entries += 1;
        };
        let audit = |what, sizes: &(dyn Fn() -> BoxedStrategy<(Size, Units)> + Sync), idle| {
            let Worst { shares: [share], entries } = worst(sizes, Goal::of_share(200), look);
            report(what, share, entries, idle);
        };
        let one = || Just(Units::ONE);
        audit("exact, 1 / sqrt(x)", &|| (rsqrt(), one()).boxed(), 0.004);
        audit("exact, mscale", &|| (mscale(), one()).boxed(), 0.003);
        audit("exact, longrope", &|| (longrope(), one()).boxed(), 0.0004);
        audit("exact, numbers in units", &|| (given(), units()).boxed(), 0.03);
    }

    #[test]
    fn rational_sizes_are_rounded() {
        let integer = |size: Size, times, over| size.round_in(Units { times, over }, Format::I8);
        // The square root of 1 + log_512(128) is 4/3.
        for (times, even) in [(3.0, 0), (9.0, 2), (15.0, 2), (21.0, 4)] {
            assert_eq!(integer(Size::rsqrt(36.0), times, 1.0), even);
            assert_eq!(integer(Size::rsqrt(9.0), times, 2.0), even);
            assert_eq!(integer(Size::quotient(4, 3), times, 8.0), even);
        }
        // Sizes of a power of two in units.
        for side in 1..100 {
            for power in [1, 2, 4, 64] {
                let units = f64::from(side * power);
                assert_eq!(integer(Size::rsqrt(f64::from(side * side)), units, 1.0), power as u64, "{side}");
            }
        }
        assert_eq!(integer(Size::quotient(4, 3), 3.0, 4.0), 1);
        assert_eq!(integer(Size::rsqrt(37.0), 9.0, 1.0), 1);
        assert_eq!(integer(Size::rsqrt(35.0), 9.0, 1.0), 2);
    }

    #[test]
    fn roots_are_rational_or_not() {
        for (x, numbers) in [
            (0.5, None),
            (1.0, Some((1.0, 1.0))),
            (2.0, None),
            (64.0, Some((0.125, 1.0))),
            (36.0, Some((1.0, 6.0))),
            (16_777_215.0, None),
            (16_769_025.0, Some((1.0, 4095.0))),
        ] {
            match Size::rsqrt(x) {
                Size::Rational(numerator, denominator) => assert_eq!(Some((numerator, denominator)), numbers),
                size => assert!(numbers.is_none() && matches!(size, Size::Rsqrt(y) if y == x), "{x}"),
            }
        }
    }
}
