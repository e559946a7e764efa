//! The frequency of each pair of columns, `base^(-2k/d) / 2π`, in turns per position.

use crate::constants::{HALF_LN_2, INVERSE_TAU};
use crate::fixed::{Fixed, Float};

/// A frequency in turns per position, off by a relative error below `2^(error_bits - 64 L)`.
#[derive(Clone, Copy)]
pub(crate) struct Frequency<const L: usize> {
    pub(crate) turns: Float<L>,
    pub(crate) error_bits: u32,
}

impl<const L: usize> Frequency<L> {
    /// The frequency of pair `k` of `d_model` columns on its own.
    ///
    /// Relative error: that of `power`, `2^(POWER_ERROR_BITS - 64 L)`, that of 1/2π, `2^(3 - 64 L)`, and the product's,
    /// `2^(3 - 64 L)`.
    pub(crate) const fn of_pair(base: f64, d_model: u64, k: u64) -> Self {
        let turns = power::<L>(base, 2 * k, d_model).mul(&radian());
        Self { turns, error_bits: POWER_ERROR_BITS + 1 }
    }
}

/// The frequencies of all pairs in order, each from the one before by a single product.
pub(crate) struct Progression {
    next: Float<NARROW>,
    ratio: Float<NARROW>,
}

/// Limbs of the frequencies and phases of the narrow tier: after the products of a progression more than 256 bits are right.
pub(crate) const NARROW: usize = 5;

impl Progression {
    /// After `k < 2^23` products the relative error is below `2^(3 - 320) + k (2^(16 - 320) + 2^(3 - 320)) < 2^(40 - 320)`.
    const ERROR_BITS: u32 = POWER_ERROR_BITS + 24;

    pub(crate) const fn new(base: f64, d_model: u64) -> Self {
        // One column has no second pair, so its ratio is not used: any denominator serves.
        let denominator = if d_model < 2 { 2 } else { d_model };
        Self { next: radian(), ratio: power(base, 2, denominator) }
    }

    /// The frequency of the next pair, the first time that of pair 0.
    pub(crate) const fn advance(&mut self) -> Frequency<NARROW> {
        let turns = self.next;
        self.next = turns.mul(&self.ratio);
        Frequency { turns, error_bits: Self::ERROR_BITS }
    }
}

/// One radian in turns, 1/2π: relative error < `2^(3 - 64 L)`.
const fn radian<const L: usize>() -> Float<L> {
    Float::new(Fixed::from_prefix(&INVERSE_TAU), 0)
}

/// The relative error of `power` is below `2^(POWER_ERROR_BITS - 64 L)` for every `L <= 64`; derived there.
const POWER_ERROR_BITS: u32 = 16;

/// `base^(-numerator / denominator)` for a finite `base > 0` and `numerator <= denominator < 2^32`.
///
/// With `base = m 2^e`, `1 <= m < 2`, and `-e numerator = n denominator - r`, `0 <= r < denominator`, it is
/// `2^n exp(-h)^2` where `h = (r ln(2)/2 + numerator ln(m)/2) / denominator` and `ln(m)/2 = atanh((m - 1)/(m + 1))`.
///
/// Error in ulp: the logarithm < `2^12` (see `atanh`), `h` < `2^12 + 3`, its exponential < `2^12 + 11` (see
/// `exp_of_minus`), the square < `2^13.1`. It is above 1/4 less that error, hence relatively < `2^15.2`.
const fn power<const L: usize>(base: f64, numerator: u64, denominator: u64) -> Float<L> {
    let (mantissa, exponent) = decompose(base);
    let halvings = exponent as i64 * numerator as i64;
    let n = -halvings.div_euclid(denominator as i64);
    let r = halvings.rem_euclid(denominator as i64) as u64;

    let one = 1 << 52;
    let half_log = atanh::<L>(mantissa - one, mantissa + one);
    let (twos, two_part) = Fixed::<L>::from_prefix(&HALF_LN_2).mul_small(r);
    let (logs, log_part) = half_log.mul_small(numerator);
    let sum = two_part.wrapping_add(&log_part);
    let carry = sum.is_below(&log_part) as u64;
    let h = sum.div_small(twos + logs + carry, denominator);

    let root = exp_of_minus(&h);
    Float::new(root.mul(&root), n as i32)
}

/// `base = mantissa 2^(exponent - 52)` with `2^52 <= mantissa < 2^53`, for a finite `base > 0`.
const fn decompose(base: f64) -> (u64, i32) {
    let bits = base.to_bits();
    let (field, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    if field == 0 {
        let zeros = fraction.leading_zeros() - 11;
        (fraction << zeros, -1022 - zeros as i32)
    } else {
        (fraction | 1 << 52, field as i32 - 1023)
    }
}

/// `atanh(numerator / denominator) = z + z^3/3 + z^5/5 + ...` for a quotient `z < 1/3`.
///
/// The powers shrink by more than `2^3.16` a step and the sum ends when one is zero: at most 1293 terms at 4096 bits, after
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

/// `exp(-h)` for `0 <= h < 0.7`, error < 8 ulp beyond that of `h`.
///
/// Horner from the last term: `v_j = h (1 - v_(j+1)) / j` is below 0.7, and `exp(-h) = 1 - v_1`. A step adds at most
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether `x` is off from `reference`, which is far more precise, by a relative error below `2^(bits - 64 L)`.
    fn is_within<const L: usize>(x: Float<L>, reference: &Float<64>, bits: u32) -> bool {
        let prefix = Fixed::<L>::from_prefix(&reference.fraction.0);
        let (a, b) = (x.fraction, prefix);
        let difference = if a.is_below(&b) { b.wrapping_sub(&a) } else { a.wrapping_sub(&b) };
        // The fractions are at least 1/2, which takes a bit; the prefix is short by less than 1 ulp.
        x.exponent == reference.exponent && difference.leading_zeros() > Fixed::<L>::BITS - bits
    }

    fn any_base() -> impl Strategy<Value = f64> {
        (1..=f64::MAX.to_bits()).prop_map(f64::from_bits)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn a_power_is_as_precise_as_stated(base in any_base(), numerator in 1u64..1 << 24, more in 0u64..1 << 24) {
            let denominator = numerator + more;
            let reference = power::<64>(base, numerator, denominator);
            prop_assert!(is_within(power::<5>(base, numerator, denominator), &reference, POWER_ERROR_BITS));
            prop_assert!(is_within(power::<16>(base, numerator, denominator), &reference, POWER_ERROR_BITS));
        }

        #[test]
        fn a_progression_stays_as_precise_as_stated(base in any_base(), d_model in 2u64..5000, at: prop::sample::Index) {
            let k = at.index(d_model as usize / 2) as u64;
            let mut progression = Progression::new(base, d_model);
            let mut frequency = progression.advance();
            for _ in 0..k {
                frequency = progression.advance();
            }
            let reference = Frequency::of_pair(base, d_model, k).turns;
            prop_assert!(is_within(frequency.turns, &reference, Progression::ERROR_BITS));
        }
    }

    #[test]
    fn the_longest_progression_is_as_precise_as_stated() {
        let d_model = crate::spec::MAX_D_MODEL as u64;
        let mut progression = Progression::new(10_000.0, d_model);
        let last = d_model / 2 - 1;
        for _ in 0..last {
            progression.advance();
        }
        let reference = Frequency::of_pair(10_000.0, d_model, last).turns;
        assert!(is_within(progression.advance().turns, &reference, Progression::ERROR_BITS));
    }

    #[test]
    fn powers_of_two_come_out_as_powers_of_two() {
        for (base, numerator, denominator, exponent) in
            [(16.0, 1, 4, -1), (f64::from_bits(1), 1, 2, 537), (2.0, 0, 5, 0), (0.25, 1, 1, 2), (1.0, 3, 7, 0)]
        {
            let result = power::<8>(base, numerator, denominator);
            // 2^exponent is the fraction 1/2 one exponent up, and from below it a fraction just short of 1.
            let nearly_one = result.fraction.complement().leading_zeros() >= Fixed::<8>::BITS - POWER_ERROR_BITS;
            let just_half =
                result.fraction.wrapping_sub(&Fixed::HALF).leading_zeros() >= Fixed::<8>::BITS - POWER_ERROR_BITS;
            assert!((nearly_one && result.exponent == exponent) || (just_half && result.exponent == exponent + 1));
        }
    }

    #[test]
    fn bases_are_taken_apart_exactly() {
        assert_eq!(decompose(1.0), (1 << 52, 0));
        assert_eq!(decompose(10_000.0), (10_000 << 39, 13));
        assert_eq!(decompose(f64::MIN_POSITIVE), (1 << 52, -1022));
        assert_eq!(decompose(f64::from_bits(3)), (3 << 51, -1073));
        assert_eq!(decompose(f64::MAX), ((1 << 53) - 1, 1023));
    }
}
