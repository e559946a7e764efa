//! Powers of exact quotients.

use crate::exact::constants::HALF_LN_2;
use crate::exact::division;
use crate::exact::fixed::Fixed;
#[cfg(feature = "alloc")]
use crate::exact::fixed::mul_high;
use crate::exact::float::Float;
use crate::exact::limbs;
use crate::exact::logarithm::{Base, Ratio};

/// Returns `base^(-x)` for `0 <= x <= 2`.
///
/// With `base = 2^e m`, `1 <= m < 2`, it is `2^(-t)` where `t = x e + x log2(m)`. The integer part of `t` is an
/// exponent. The fraction `f` gives `2^(-f) = exp(-f ln(2)/512)^512`. The error is derived at [`POWER_ERROR_BITS`](crate::error_bounds::POWER_ERROR_BITS).
pub(crate) const fn power<const L: usize>(base: &Base, x: Ratio) -> Float<L> {
    power_and_octaves(base, x).0
}

/// Returns the same, and by how many octaves the power is below 1.
pub(crate) const fn power_and_octaves<const L: usize>(base: &Base, x: Ratio) -> (Float<L>, Octaves<L>) {
    let mut numbers = [[0; L]; 6];
    let [out, one, two, three, four, five] = &mut numbers;
    let (exponent, whole) = power_in(base, x, [out, one, two, three, four, five]);
    (Float { fraction: Fixed(numbers[0]), exponent }, Octaves { whole, fraction: numbers[1] })
}

/// A number of octaves: an integer and a fraction.
#[derive(Clone, Copy)]
pub(crate) struct Octaves<const L: usize> {
    pub(crate) whole: i32,
    pub(crate) fraction: [u64; L],
}

/// Implements [`power_and_octaves`] for all precisions, so that it is compiled once.
///
/// It stores the fractions in the first two of the numbers, and returns the exponent and the integer part of the octaves.
#[inline(never)]
pub(crate) const fn power_in(base: &Base, exponent: Ratio, numbers: [&mut [u64]; 6]) -> (i32, i32) {
    let [out, x, power, square, log2, term] = numbers;
    let e = base.exponent;
    let x_whole = division::quotient(x, exponent.numerator, exponent.denominator);

    // x e, as an integer and a fraction in `out`.
    limbs::copy(x, out);
    let carry = limbs::multiply_small(out, e.unsigned_abs() as u64);
    let mut whole = (x_whole * e.unsigned_abs() as u64 + carry) as i64;
    if e < 0 {
        whole = -whole - !limbs::is_zero(out) as i64;
        limbs::negate(out);
    }

    base.log2(log2, [power, square, term]);
    // x log2(m), where the integer part of x is multiplied separately.
    limbs::copy(log2, term);
    let log_whole = limbs::multiply_small(term, x_whole);
    limbs::multiply(x, log2);
    let carry = limbs::add(term, x) + limbs::add(out, term);
    let t = whole + (log_whole + carry) as i64;

    limbs::copy(out, x);
    exp2_of_minus(out, power);
    (-t as i32 - limbs::normalise(out), t as i32)
}

/// Replaces the fraction `f` by `2^(-f)`. The error is derived at [`POWER_ERROR_BITS`](crate::error_bounds::POWER_ERROR_BITS).
const fn exp2_of_minus(f: &mut [u64], power: &mut [u64]) {
    limbs::multiply(f, &HALF_LN_2);
    limbs::shift_down(f, SQUARINGS - 1);
    exp_of_minus(f, power);
    let mut i = 0;
    while i < SQUARINGS {
        limbs::copy(power, f);
        limbs::multiply(power, f);
        i += 1;
    }
    limbs::copy(power, f);
}

/// The number of times that an exponential is squared. Its series is then short: 16 terms for 192 bits, and not 44.
const SQUARINGS: u32 = 9;

/// Sets `v` to `exp(-h)` for `0 <= h < 0.35 / 256`, with an error below 6 ulp plus the error of `h`.
const fn exp_of_minus(h: &[u64], v: &mut [u64]) {
    // Small machines have no room for the table.
    #[cfg(feature = "alloc")]
    if matches!(v.len(), limbs::FOR_FLOATS..=limbs::NARROW) {
        return exp_of_minus_by_table(h, v);
    }
    exp_of_minus_by_division(h, v);
}

/// Horner's scheme starts with the last term: `v_j = h (1 - v_(j+1)) / j` is below `2^-9`, and `exp(-h) = 1 - v_1`. A
/// step adds at most `(2 + h (1 + e_(j+1))) / j + 1` ulp, so `e_1 < 4`. The last complement adds one, and so do the
/// omitted terms.
const fn exp_of_minus_by_division(h: &[u64], v: &mut [u64]) {
    limbs::set(v, 0);
    let mut j = exponential_terms(limbs::bits(v));
    while j > 0 {
        limbs::complement(v);
        limbs::multiply(v, h);
        division::divide(v, 0, j);
        j -= 1;
    }
    limbs::complement(v);
}

/// Does the same without divisions, which take most of the time of a power.
///
/// The steps are `v_j = 1/j! - h v_(j+1)`, and `exp(-h) = v_0`. A step adds less than 2 ulp for the product, 1 for the
/// coefficient and 1 for the complement, and multiplies the error before by `h`, so `e_0 < 5`. From the first term `j` on
/// whose power `h^j` is below `2^(-64 (L - 2))`, two limbs are enough: there each step is off by less than 3 of their ulp,
/// times `h^j`. That is term 7 for three limbs, 14 for four and 21 for five, which adds less than half an ulp. The omitted
/// terms add less than another half.
#[cfg(feature = "alloc")]
const fn exp_of_minus_by_table(h: &[u64], v: &mut [u64]) {
    let beyond = 64 * (v.len() as u32 - 2);
    let short = limbs::window(h, 0);
    let (mut j, mut tail) = (exponential_terms(limbs::bits(v)), 0u128);
    // h is below 2^-9.5
    while 19 * j > 2 * beyond as u64 + 19 {
        j -= 1;
        tail = limbs::window(&INVERSE_FACTORIALS[j as usize], 0) - mul_high(short, tail);
    }
    limbs::set(v, limbs::low(tail >> 64));
    v[1] = limbs::low(tail);
    while j > 0 {
        j -= 1;
        limbs::multiply(v, h);
        limbs::complement(v);
        // 1/0! and 1/1! are 0 mod 1, because the complement is that of 1.
        if j > 1 {
            limbs::add(v, &INVERSE_FACTORIALS[j as usize]);
        }
    }
}

/// `1 / j!` for `2 <= j`, too small by less than 1 ulp, and 0 for the other two, which are no fractions.
#[cfg(feature = "alloc")]
const INVERSE_FACTORIALS: [[u64; limbs::NARROW]; NARROW_TERMS] = {
    let mut inverses = [[0; limbs::NARROW]; NARROW_TERMS];
    let mut inverse = [0; limbs::NARROW];
    inverse[0] = 1 << 63;
    let mut j = 2;
    while j < inverses.len() {
        inverses[j] = inverse;
        j += 1;
        division::divide(&mut inverse, 0, j as u64);
    }
    inverses
};

/// The number of terms for [`NARROW`](limbs::NARROW) limbs.
#[cfg(feature = "alloc")]
const NARROW_TERMS: usize = exponential_terms(64 * limbs::NARROW as u32) as usize;

/// Returns the first `j` with `2^(9 j) j! >= 2^bits`. The exponential series from there on is below 1 ulp.
const fn exponential_terms(bits: u32) -> u64 {
    let (mut j, mut term_bits) = (1u64, SQUARINGS);
    while term_bits < bits {
        j += 1;
        term_bits += j.ilog2() + SQUARINGS;
    }
    j
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error_bounds::POWER_ERROR_BITS;
    use crate::exact::constants::{INVERSE_TAU, LIMBS, LOG2_TAU};
    use crate::float_bits::power_of_two;
    use crate::properties;

    /// Returns whether the relative error of `x` against a far more precise `reference` is below `2^(bits - 64 L)`.
    pub(crate) fn is_within<const L: usize>(x: Float<L>, reference: &Float<LIMBS>, bits: u32) -> bool {
        let prefix = Fixed::<L>::from_prefix(&reference.fraction.0);
        // The fractions are at least 1/2, which costs a bit. The prefix is too small by less than 1 ulp.
        x.exponent == reference.exponent && distance(&x.fraction, &prefix).leading_zeros() > Fixed::<L>::BITS - bits
    }

    /// Returns the relative error of `x` against a more precise `reference`, in units of `2^(-64 L)`.
    #[allow(clippy::float_arithmetic, reason = "errors are measured")]
    pub(crate) fn relative_ulps<const L: usize, const M: usize>(x: &Float<L>, reference: &Float<M>) -> f64 {
        let (mut one, mut other) = (x.fraction, reference.fraction);
        let exponent = x.exponent.max(reference.exponent);
        limbs::shift_down(&mut one.0, exponent.abs_diff(x.exponent));
        limbs::shift_down(&mut other.0, exponent.abs_diff(reference.exponent));
        ulps(&one, &other) * f64::powi(2.0, 64) / other.0[0] as f64
    }

    /// Returns the distance of a fraction from a longer one, in ulp of the first.
    #[allow(clippy::float_arithmetic, reason = "errors are measured")]
    pub(crate) fn ulps<const L: usize, const M: usize>(x: &Fixed<L>, reference: &Fixed<M>) -> f64 {
        let mut longer = [0; M];
        longer[..L].copy_from_slice(&x.0);
        let distance = distance(&Fixed(longer), reference);
        let zeros = distance.leading_zeros();
        distance.shl(zeros).0[0] as f64 * f64::powi(2.0, Fixed::<L>::BITS as i32 - 64 - zeros as i32)
    }

    /// Returns the distance between two fractions.
    pub(crate) fn distance<const L: usize>(a: &Fixed<L>, b: &Fixed<L>) -> Fixed<L> {
        let (mut more, less) = if a.0 < b.0 { (b.0, a.0) } else { (a.0, b.0) };
        limbs::subtract(&mut more, &less);
        Fixed(more)
    }

    /// Returns `1 - fraction`, too small by 1 ulp.
    fn below_one<const L: usize>(mut fraction: Fixed<L>) -> Fixed<L> {
        limbs::complement(&mut fraction.0);
        fraction
    }

    pub(crate) fn any_base() -> impl Strategy<Value = f64> {
        (1..=f64::MAX.to_bits()).prop_map(f64::from_bits)
    }

    /// Ratios up to 2, with terms from one bit up to the largest.
    fn any_exponent() -> impl Strategy<Value = Ratio> {
        (0..1u128 << 119, 1..1u128 << 118, 0u32..118).prop_map(|(numerator, denominator, shift)| {
            let denominator = (denominator >> shift).max(1);
            Ratio { numerator: numerator % (2 * denominator + 1), denominator }
        })
    }

    properties! {
        #![cases(10)]

        #[test]
        fn a_power_is_as_precise_as_stated(base in any_base(), x in any_exponent()) {
            let reference = power::<LIMBS>(&Base::of(base), x);
            prop_assert!(is_within(power::<5>(&Base::of(base), x), &reference, POWER_ERROR_BITS));
            prop_assert!(is_within(power::<16>(&Base::of(base), x), &reference, POWER_ERROR_BITS));
        }

        /// An independent check: the powers with exponents `x` and `1 - x` multiply to the reciprocal of the base.
        #[test]
        fn powers_multiply_by_adding_exponents(base in any_base(), denominator in 1..1u128 << 60, numerator: u64) {
            let numerator = u128::from(numerator) % (denominator + 1);
            let of = |numerator| power::<LIMBS>(&Base::of(base), Ratio { numerator, denominator });
            let one = of(numerator).mul(&of(denominator - numerator)).mul(&Float::from_f64(base));
            // If it is too small, the product is a fraction just below 1. Otherwise the fraction is 1/2 or just above,
            // and the exponent is one more.
            let half = Float::from_f64(0.5).fraction;
            let off = if one.exponent == 0 { below_one(one.fraction) } else { distance(&one.fraction, &half) };
            prop_assert!((0..2).contains(&one.exponent) && off.leading_zeros() >= Fixed::<LIMBS>::BITS - POWER_ERROR_BITS - 2);
        }
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn powers_are_as_precise_as_stated() {
        use crate::engine::error_audit::{Goal, Worst, report, worst};

        // With few limbs, the tables of logarithms and of inverse factorials are used.
        let look = |(base, x): (f64, Ratio), Worst { shares, entries }: &mut Worst<1>| {
            let base = Base::of(base);
            let few = power::<8>(&base, x);
            let off = relative_ulps(&power::<16>(&base, x), &power::<18>(&base, x))
                .max(relative_ulps(&power::<3>(&base, x), &few))
                .max(relative_ulps(&power::<5>(&base, x), &few));
            shares[0] = shares[0].max(off / power_of_two(POWER_ERROR_BITS as i32));
            *entries += 1;
        };
        let Worst { shares: [share], entries } = worst(|| (any_base(), any_exponent()), Goal::of_share(100), look);
        report("exact, powers", share, entries, 0.007);
    }

    /// The last terms count most where the argument is greatest.
    #[test]
    fn an_exponential_has_terms_enough() {
        fn check<const L: usize>() {
            let bits = Fixed::<L>::BITS;
            let terms = exponential_terms(bits);
            let reaches = |terms: u64| {
                let factorial: f64 = (1..=terms).map(|j| (j as f64).log2()).sum();
                SQUARINGS as f64 * terms as f64 + factorial >= f64::from(bits)
            };
            assert!(reaches(terms), "{terms} terms");
            // The logarithms of the factors are rounded down.
            assert!(!reaches(terms - 2 - terms / 12), "{terms} terms");

            let (mut argument, mut longer) = (HALF_LN_2, [0; LIMBS]);
            limbs::shift_down(&mut argument, SQUARINGS - 1);
            exp_of_minus(&argument, &mut longer);
            let mut exponential = [0; L];
            exp_of_minus(&argument[..L], &mut exponential);
            let error = distance(&Fixed(exponential), &Fixed::from_prefix(&longer));
            assert!(error.0[..L - 1].iter().all(|&limb| limb == 0) && error.0[L - 1] < 6 + 1, "{error:?}");
        }
        check::<2>();
        check::<3>();
        check::<5>();
        check::<8>();
        check::<16>();
        check::<32>();
    }

    #[test]
    fn the_logarithm_of_a_turn_is_that_of_its_reciprocal() {
        let (mut fraction, mut turn) = (LOG2_TAU, INVERSE_TAU);
        exp2_of_minus(&mut fraction, &mut [0; LIMBS]);
        limbs::shift_up(&mut turn, 2);
        assert!(distance(&Fixed(fraction), &Fixed(turn)).leading_zeros() >= 64 * LIMBS as u32 - 15);
    }

    #[test]
    fn powers_of_two_come_out_as_powers_of_two() {
        for (base, numerator, denominator, exponent) in
            [(16.0, 1, 4, -1), (f64::from_bits(1), 1, 2, 537), (2.0, 0, 5, 0), (0.25, 2, 1, 4), (1.0, 3, 7, 0)]
        {
            let result = power::<8>(&Base::of(base), Ratio { numerator, denominator });
            // 2^exponent is the fraction 1/2 with the exponent one more, or, if too small, a fraction just below 1.
            let nearly_one = below_one(result.fraction).leading_zeros() >= Fixed::<8>::BITS - POWER_ERROR_BITS;
            let just_half = distance(&result.fraction, &Float::from_f64(0.5).fraction).leading_zeros()
                >= Fixed::<8>::BITS - POWER_ERROR_BITS;
            assert!((nearly_one && result.exponent == exponent) || (just_half && result.exponent == exponent + 1));
        }
    }
}
