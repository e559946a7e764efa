//! The frequencies of a table in turns per position: `scale base^(-x) / 2π`, or given ones times `scale / 2π`.

use crate::error_bounds::{POWER_ERROR_BITS, PROGRESSION_ERROR_BITS};
use crate::exact::bits::{is_zero, sign};
use crate::exact::constants::{HALF_LN_2, HALF_LOG2_E, INVERSE_TAU};
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::format::decompose;

/// The size of a frequency in turns per position, off by a relative error below `2^(error_bits - 64 L)`.
#[derive(Clone, Copy)]
pub(crate) struct Frequency<const L: usize> {
    pub(crate) turns: Float<L>,
    pub(crate) error_bits: u32,
}

/// The frequencies of a table, in radians per position before `scale`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Family<'a> {
    /// Frequency `i` is `base^(-i step)`.
    Geometric {
        /// Finite and above 0.
        base: f64,
        /// No multiple that is used is above 2.
        step: Ratio,
    },
    /// Any finite numbers.
    Given(&'a [f64]),
}

/// A quotient of two numbers, each below `2^119`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio {
    pub(crate) numerator: u128,
    pub(crate) denominator: u128,
}

/// All frequencies of a table: a family, times `scale`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frequencies<'a> {
    pub(crate) family: Family<'a>,
    pub(crate) scale: f64,
}

impl Frequencies<'_> {
    /// 1, 0 or -1, as frequency `i` is positive, zero or negative.
    pub(crate) const fn sign(&self, i: usize) -> i32 {
        match self.family {
            Family::Geometric { .. } => sign(self.scale),
            Family::Given(frequencies) => sign(self.scale) * sign(frequencies[i]),
        }
    }

    /// Returns 1, 0 or -1, as the angle of frequency `i` at `position` is positive, zero or negative.
    pub(crate) const fn angle_sign(&self, i: usize, position: f64) -> i32 {
        sign(position) * self.sign(i)
    }

    /// The size of frequency `i` on its own, if it is not zero.
    ///
    /// To the relative error of [`radians`](Self::radians) are added that of the radian and one of a product, `2^(3 - 64 L)` each.
    pub(crate) const fn of<const L: usize>(&self, i: usize) -> Frequency<L> {
        Frequency { turns: self.radians(i).mul(&radian()), error_bits: POWER_ERROR_BITS + 1 }
    }

    /// Returns the size of frequency `i` in radians per position, if it is not zero: off by a relative error below
    /// `2^(POWER_ERROR_BITS + 1 - 64 L)`.
    ///
    /// It is that of `power`, `2^(POWER_ERROR_BITS - 64 L)`, and one of a product, `2^(3 - 64 L)`. The factors that are numbers are
    /// exact.
    pub(crate) const fn radians<const L: usize>(&self, i: usize) -> Float<L> {
        let factor = match self.family {
            Family::Geometric { base, step } => power(base, step.times(i)),
            Family::Given(frequencies) => Float::from_f64(or_one(frequencies[i])),
        };
        factor.mul(&Float::from_f64(or_one(self.scale)))
    }

    /// The size of frequency `i` in radians per position, if it is not zero and a product of given numbers: all of its up to 106 bits,
    /// in two limbs or more.
    pub(crate) const fn exact<const L: usize>(&self, i: usize) -> Option<Float<L>> {
        let scale = Float::from_f64(self.scale);
        match self.family {
            Family::Given(frequencies) => Some(scale.mul(&Float::from_f64(frequencies[i]))),
            Family::Geometric { step, .. } if step.times(i).numerator == 0 => Some(scale),
            Family::Geometric { .. } => None,
        }
    }

    /// `scale` radians in turns: relative error < `2^(4 - 64 L)`.
    const fn unit<const L: usize>(&self) -> Float<L> {
        radian().mul(&Float::from_f64(or_one(self.scale)))
    }
}

/// A factor, or 1 in the place of 0: a frequency of zero is told by its sign, and not computed with.
const fn or_one(factor: f64) -> f64 {
    if is_zero(factor) { 1.0 } else { factor }
}

impl Ratio {
    pub(crate) const fn times(self, i: usize) -> Self {
        Self { numerator: self.numerator * i as u128, ..self }
    }
}

/// The frequencies of a table in order, those of a geometric family each from the one before by a single product.
pub(crate) struct Progression<'a> {
    frequencies: Frequencies<'a>,
    next: usize,
    turns: Float<NARROW>,
    ratio: Float<NARROW>,
}

/// Limbs of the frequencies and phases of the narrow tier: after the products of a progression more than 256 bits are right.
pub(crate) const NARROW: usize = 5;

impl<'a> Progression<'a> {
    pub(crate) const fn new(frequencies: Frequencies<'a>) -> Self {
        let ratio = match frequencies.family {
            Family::Geometric { base, step } => power(base, step),
            Family::Given(_) => radian(), // not used
        };
        Self { frequencies, next: 0, turns: frequencies.unit(), ratio }
    }

    /// The next frequency, the first time number 0.
    pub(crate) const fn advance(&mut self) -> Frequency<NARROW> {
        let i = self.next;
        self.next += 1;
        match self.frequencies.family {
            Family::Geometric { .. } => {
                let turns = self.turns;
                self.turns = turns.mul(&self.ratio);
                Frequency { turns, error_bits: PROGRESSION_ERROR_BITS }
            }
            Family::Given(_) => self.frequencies.of(i),
        }
    }
}

/// One radian in turns, 1/2π: relative error < `2^(3 - 64 L)`.
const fn radian<const L: usize>() -> Float<L> {
    Float::new(Fixed::from_prefix(&INVERSE_TAU), 0)
}

/// `base^(-x)` for a finite `base > 0` and `0 <= x <= 2`.
///
/// With `base = 2^e m`, `1 <= m < 2`, it is `2^(-t)` where `t = x e + x log2(m)`; of `t` the integer part is an exponent, and
/// the fraction `f` gives `2^(-f) = exp(-f ln(2)/2)^2`. `log2(m) = 4 atanh((m - 1)/(m + 1)) / 2 ln(2)`.
/// Its error is derived at [`POWER_ERROR_BITS`].
pub(crate) const fn power<const L: usize>(base: f64, x: Ratio) -> Float<L> {
    let (mantissa, e) = decompose(base);
    let (x_whole, x) = Fixed::<L>::quotient(x.numerator, x.denominator);

    let (carry, fraction) = x.mul_small(e.unsigned_abs() as u64);
    let whole = (x_whole * e.unsigned_abs() as u64 + carry) as i64;
    let (whole, fraction) = match e < 0 {
        false => (whole, fraction),
        true if fraction.is_zero() => (-whole, fraction),
        true => (-whole - 1, Fixed::ZERO.wrapping_sub(&fraction)),
    };

    let one = 1 << 52;
    let log2 = atanh(mantissa - one, mantissa + one).mul(&Fixed::from_prefix(&HALF_LOG2_E)).shl(2);
    let (log_whole, log_part) = log2.mul_small(x_whole);
    let (carry, log_fraction) = log_part.carrying_add(&x.mul(&log2));
    let (carry_again, f) = fraction.carrying_add(&log_fraction);
    let t = whole + (log_whole + carry + carry_again) as i64;

    let root = exp_of_minus(&f.mul(&Fixed::from_prefix(&HALF_LN_2)));
    Float::new(root.mul(&root), -t as i32)
}

/// `atanh(numerator / denominator) = z + z^3/3 + z^5/5 + ...` for a quotient `z < 1/3`.
///
/// The powers shrink by more than `2^3.16` a step and the sum ends when one is zero: at most 1621 terms at 5120 bits, after
/// which less than 1 ulp is missing. Each power is off by less than 4 ulp (2 for the product, a ninth of the 4 before it, a
/// third of the 3 of the square), each term by that over `2j + 1` and 1 ulp more: together below `2^12` ulp.
const fn atanh<const L: usize>(numerator: u64, denominator: u64) -> Fixed<L> {
    let z = Fixed::ratio(numerator, denominator);
    let square = z.mul(&z);
    let (mut power, mut sum, mut odd) = (z, z, 1);
    while !power.is_zero() {
        power = power.mul(&square);
        odd += 2;
        sum = sum.wrapping_add(&power.div_small(0, odd));
    }
    sum
}

/// `exp(-h)` for `0 <= h < 0.35`, error < 8 ulp beyond that of `h`.
///
/// Horner from the last term: `v_j = h (1 - v_(j+1)) / j` is below 0.35, and `exp(-h) = 1 - v_1`. A step adds at most
/// `(2 + h (1 + e_(j+1))) / j + 1` ulp, so `e_1 < 6`; one more for the last complement, one for the terms left out.
const fn exp_of_minus<const L: usize>(h: &Fixed<L>) -> Fixed<L> {
    let mut v = Fixed::ZERO;
    let mut j = exponential_terms(Fixed::<L>::BITS);
    while j > 0 {
        v = h.mul(&v.complement()).div_small(0, j);
        j -= 1;
    }
    v.complement()
}

/// The first `j` with `j! >= 2^bits`: from there on the terms of the exponential series are below 1 ulp together.
const fn exponential_terms(bits: u32) -> u64 {
    let (mut j, mut factorial_bits) = (1u64, 0);
    while factorial_bits < bits {
        j += 1;
        factorial_bits += j.ilog2();
    }
    j
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::effort::cases;
    use crate::exact::constants::LIMBS;

    /// The frequencies of `d_model` columns in pairs.
    pub(crate) fn paired(base: f64, d_model: u64) -> Frequencies<'static> {
        let step = Ratio { numerator: 2, denominator: d_model.into() };
        Frequencies { family: Family::Geometric { base, step }, scale: 1.0 }
    }

    /// Frequency `i` of the narrow tier.
    pub(crate) fn advanced(frequencies: Frequencies, i: usize) -> Frequency<NARROW> {
        let mut progression = Progression::new(frequencies);
        for _ in 0..i {
            progression.advance();
        }
        progression.advance()
    }

    /// Whether `x` is off from `reference`, which is far more precise, by a relative error below `2^(bits - 64 L)`.
    fn is_within<const L: usize>(x: Float<L>, reference: &Float<LIMBS>, bits: u32) -> bool {
        let prefix = Fixed::<L>::from_prefix(&reference.fraction.0);
        let (a, b) = (x.fraction, prefix);
        let difference = if a.is_below(&b) { b.wrapping_sub(&a) } else { a.wrapping_sub(&b) };
        // The fractions are at least 1/2, which takes a bit; the prefix is short by less than 1 ulp.
        x.exponent == reference.exponent && difference.leading_zeros() > Fixed::<L>::BITS - bits
    }

    fn any_base() -> impl Strategy<Value = f64> {
        (1..=f64::MAX.to_bits()).prop_map(f64::from_bits)
    }

    fn any_scale() -> impl Strategy<Value = f64> {
        (any_base(), any::<bool>()).prop_map(|(scale, negative)| scale.copysign(if negative { -1.0 } else { 1.0 }))
    }

    /// Up to 2, of terms as short as integers and as long as they get.
    fn any_exponent() -> impl Strategy<Value = Ratio> {
        (0..1u128 << 119, 1..1u128 << 118, 0u32..118).prop_map(|(numerator, denominator, shift)| {
            let denominator = (denominator >> shift).max(1);
            Ratio { numerator: numerator % (2 * denominator + 1), denominator }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(10)))]

        #[test]
        fn a_power_is_as_precise_as_stated(base in any_base(), x in any_exponent()) {
            let reference = power::<LIMBS>(base, x);
            prop_assert!(is_within(power::<5>(base, x), &reference, POWER_ERROR_BITS));
            prop_assert!(is_within(power::<16>(base, x), &reference, POWER_ERROR_BITS));
        }

        /// Another road: the powers with exponents `x` and `1 - x` multiply to the reciprocal of the base.
        #[test]
        fn powers_multiply_by_adding_exponents(base in any_base(), denominator in 1..1u128 << 60, numerator: u64) {
            let numerator = u128::from(numerator) % (denominator + 1);
            let of = |numerator| power::<LIMBS>(base, Ratio { numerator, denominator });
            let one = of(numerator).mul(&of(denominator - numerator)).mul(&Float::from_f64(base));
            // From below it is a fraction just short of 1, from above 1/2 one exponent up.
            let off = if one.exponent == 0 { one.fraction.complement() } else { one.fraction.wrapping_sub(&Fixed::HALF) };
            prop_assert!((0..2).contains(&one.exponent) && off.leading_zeros() >= Fixed::<LIMBS>::BITS - POWER_ERROR_BITS - 2);
        }

        #[test]
        fn a_frequency_is_as_precise_as_stated(base in any_base(), d_model in 1u64..5000, scale in any_scale(), at: prop::sample::Index) {
            let i = at.index(d_model.div_ceil(2) as usize);
            let frequencies = Frequencies { scale, ..paired(base, d_model) };
            let reference = frequencies.of(i).turns;
            prop_assert!(is_within(frequencies.of::<8>(i).turns, &reference, frequencies.of::<8>(i).error_bits));
            prop_assert!(is_within(advanced(frequencies, i).turns, &reference, PROGRESSION_ERROR_BITS));
        }

        #[test]
        fn a_given_frequency_is_as_precise_as_stated(frequency in any_scale(), scale in any_scale()) {
            let given = [1.0, frequency];
            let frequencies = Frequencies { family: Family::Given(&given), scale };
            let reference = frequencies.of(1).turns;
            let narrow = advanced(frequencies, 1);
            prop_assert!(is_within(narrow.turns, &reference, narrow.error_bits));
            prop_assert_eq!(frequencies.sign(1) > 0, (frequency > 0.0) == (scale > 0.0));
        }
    }

    #[test]
    fn the_longest_progression_is_as_precise_as_stated() {
        let step = Ratio { numerator: 1, denominator: 1 << 24 };
        let frequencies = Frequencies { family: Family::Geometric { base: 10_000.0, step }, scale: 1.0 };
        let last = (1 << 24) - 1;
        let reference = frequencies.of(last).turns;
        assert!(is_within(advanced(frequencies, last).turns, &reference, PROGRESSION_ERROR_BITS));
    }

    #[test]
    fn powers_of_two_come_out_as_powers_of_two() {
        for (base, numerator, denominator, exponent) in
            [(16.0, 1, 4, -1), (f64::from_bits(1), 1, 2, 537), (2.0, 0, 5, 0), (0.25, 2, 1, 4), (1.0, 3, 7, 0)]
        {
            let result = power::<8>(base, Ratio { numerator, denominator });
            // 2^exponent is the fraction 1/2 one exponent up, and from below it a fraction just short of 1.
            let nearly_one = result.fraction.complement().leading_zeros() >= Fixed::<8>::BITS - POWER_ERROR_BITS;
            let just_half =
                result.fraction.wrapping_sub(&Fixed::HALF).leading_zeros() >= Fixed::<8>::BITS - POWER_ERROR_BITS;
            assert!((nearly_one && result.exponent == exponent) || (just_half && result.exponent == exponent + 1));
        }
    }

    #[test]
    fn a_zero_has_no_sign() {
        let cases = [(0.0, 1.0, 0), (-0.0, 1.0, 0), (-2.0, -0.0, 0), (-2.0, -5e-324, 1), (3.0, -1.0, -1)];
        for (scale, frequency, sign) in cases {
            assert_eq!(Frequencies { family: Family::Given(&[frequency]), scale }.sign(0), sign);
        }
        assert_eq!(Frequencies { scale: -1.0, ..paired(2.0, 4) }.sign(1), -1);
    }
}
