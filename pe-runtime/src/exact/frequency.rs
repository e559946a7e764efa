//! The frequencies of a table in turns per position: `scale base^(-x) / 2π`, or given frequencies times `scale / 2π`.

use crate::error_bounds::{POWER_ERROR_BITS, PROGRESSION_ERROR_BITS};
use crate::exact::constants::{HALF_LN_2, HALF_LOG2_E, INVERSE_TAU, LOG2_10000};
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::format::decompose;
use crate::exact::limbs;
#[cfg(feature = "alloc")]
use crate::float_bits::power_of_two;
use crate::float_bits::{is_zero, sign};

/// The absolute value of a frequency in turns per position, with a relative error below `2^(error_bits - 64 L)`.
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
        /// Finite and greater than 0.
        base: f64,
        /// The multiples that are used are at most 2.
        step: Ratio,
    },
    /// Finite numbers.
    Given(&'a [f64]),
}

/// A quotient of two numbers, each below `2^119`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio {
    pub(crate) numerator: u128,
    pub(crate) denominator: u128,
}

/// All frequencies of a table: a family times `scale`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrequencyRule<'a> {
    pub(crate) family: Family<'a>,
    pub(crate) scale: f64,
}

impl FrequencyRule<'_> {
    /// Returns 1, 0 or -1 if frequency `i` is positive, zero or negative.
    #[inline]
    pub(crate) const fn sign(&self, i: usize) -> i32 {
        match self.family {
            Family::Geometric { .. } => sign(self.scale),
            Family::Given(frequencies) => sign(self.scale) * sign(frequencies[i]),
        }
    }

    /// Returns whether the magnitudes of all frequencies are known to be below `2^64` radians per position.
    #[cfg(feature = "alloc")]
    pub(crate) fn are_below_2_64(&self) -> bool {
        const LIMIT: f64 = power_of_two(32);
        let family_is_below = match self.family {
            Family::Geometric { base, .. } => base >= 1.0,
            Family::Given(frequencies) => frequencies.iter().all(|frequency| frequency.abs() < LIMIT),
        };
        family_is_below && self.scale.abs() < LIMIT
    }

    /// Returns 1, 0 or -1 if the angle of frequency `i` at `position` is positive, zero or negative.
    pub(crate) const fn angle_sign(&self, i: usize, position: f64) -> i32 {
        sign(position) * self.sign(i)
    }

    /// Returns the absolute value of frequency `i`, computed on its own. For a frequency of zero it is not meaningful.
    ///
    /// The radian and a product each add `2^(3 - 64 L)` to the relative error of the [radians](Self::radians_in).
    pub(crate) const fn of<const L: usize>(&self, i: usize) -> Frequency<L> {
        let mut numbers = [[0; L]; 6];
        let [out, one, two, three, four, five] = &mut numbers;
        let exponent = self.turns_in(i, [out, one, two, three, four, five]);
        Frequency { turns: Float { fraction: Fixed(numbers[0]), exponent }, error_bits: Self::ERROR_BITS }
    }

    /// The error bits of a frequency that is computed [on its own](Self::of).
    pub(crate) const ERROR_BITS: u32 = POWER_ERROR_BITS + 1;

    /// Implements [`of`](Self::of) for all precisions, so that it is compiled once.
    ///
    /// It stores the fraction in the first of the numbers, and returns the exponent.
    pub(crate) const fn turns_in(&self, i: usize, numbers: [&mut [u64]; 6]) -> i32 {
        let [out, one, two, three, four, five] = numbers;
        let exponent = self.radians_in(i, [out, one, two, three, four, five]);
        let radian = radian_in(one);
        limbs::multiply(out, one);
        exponent + radian - limbs::normalise(out)
    }

    /// Returns the absolute value of frequency `i` in radians per position. For a frequency of zero it is not
    /// meaningful.
    ///
    /// The relative error is below `2^(POWER_ERROR_BITS + 1 - 64 L)`.
    #[cfg(feature = "inspect")]
    pub(crate) const fn radians<const L: usize>(&self, i: usize) -> Float<L> {
        let mut numbers = [[0; L]; 6];
        let [out, one, two, three, four, five] = &mut numbers;
        let exponent = self.radians_in(i, [out, one, two, three, four, five]);
        Float { fraction: Fixed(numbers[0]), exponent }
    }

    /// Implements [`radians`](Self::radians) for all precisions, so that it is compiled once.
    ///
    /// It stores the fraction in the first of the numbers, and returns the exponent. The relative error is that of
    /// `power`, `2^(POWER_ERROR_BITS - 64 L)`, plus that of a product, `2^(3 - 64 L)`. Given numbers are exact factors.
    const fn radians_in(&self, i: usize, numbers: [&mut [u64]; 6]) -> i32 {
        let [out, one, two, three, four, five] = numbers;
        let exponent = match self.family {
            Family::Geometric { base, step } => power_in(base, step.times(i), [out, one, two, three, four, five]),
            Family::Given(frequencies) => limbs::set_f64(out, or_one(frequencies[i])),
        };
        let scale = limbs::set_f64(one, or_one(self.scale));
        limbs::multiply(out, one);
        exponent + scale - limbs::normalise(out)
    }

    /// Returns the absolute value of frequency `i` in radians per position if it is a product of given numbers.
    ///
    /// It has up to 106 bits, so two limbs represent it exactly. For a frequency of zero it is not meaningful.
    pub(crate) const fn exact<const L: usize>(&self, i: usize) -> Option<Float<L>> {
        let scale = Float::from_f64(self.scale);
        match self.family {
            Family::Given(frequencies) => Some(scale.mul(&Float::from_f64(frequencies[i]))),
            Family::Geometric { step, .. } if step.times(i).numerator == 0 => Some(scale),
            Family::Geometric { .. } => None,
        }
    }

    /// Returns `|scale|` radians in turns, with a relative error below `2^(4 - 64 L)`.
    const fn unit<const L: usize>(&self) -> Float<L> {
        let mut radian = [0; L];
        let exponent = radian_in(&mut radian);
        Float { fraction: Fixed(radian), exponent }.mul(&Float::from_f64(or_one(self.scale)))
    }
}

/// Returns the factor, or 1 if it is 0. A frequency of zero is recognised by its sign, and its value is not used.
const fn or_one(factor: f64) -> f64 {
    if is_zero(factor) { 1.0 } else { factor }
}

impl Ratio {
    pub(crate) const fn times(self, i: usize) -> Self {
        Self { numerator: self.numerator * i as u128, ..self }
    }
}

/// The frequencies of a table in order. In a geometric family, each is the product of the previous one and the ratio.
pub(crate) struct Progression<'a, const L: usize> {
    frequencies: FrequencyRule<'a>,
    next: usize,
    turns: Float<L>,
    ratio: Float<L>,
}

impl<'a, const L: usize> Progression<'a, L> {
    pub(crate) const fn new(frequencies: FrequencyRule<'a>) -> Self {
        let ratio = match frequencies.family {
            Family::Geometric { base, step } => power(base, step),
            Family::Given(_) => Float::from_f64(1.0), // not used
        };
        Self { frequencies, next: 0, turns: frequencies.unit(), ratio }
    }

    /// Returns the next frequency, starting with frequency 0.
    #[cfg_attr(feature = "alloc", inline)] // see `Float::mul`
    pub(crate) const fn advance(&mut self) -> Frequency<L> {
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

/// Sets `out` to the fraction of one radian in turns, 1/2π, and returns the exponent: relative error < `2^(3 - 64 L)`.
const fn radian_in(out: &mut [u64]) -> i32 {
    limbs::copy(&INVERSE_TAU, out);
    -limbs::normalise(out)
}

/// Returns `base^(-x)` for a finite `base > 0` and `0 <= x <= 2`.
///
/// With `base = 2^e m`, `1 <= m < 2`, it is `2^(-t)` where `t = x e + x log2(m)`. The integer part of `t` is an
/// exponent. The fraction `f` gives `2^(-f) = exp(-f ln(2)/512)^512`. The error is derived at [`POWER_ERROR_BITS`].
pub(crate) const fn power<const L: usize>(base: f64, x: Ratio) -> Float<L> {
    let mut numbers = [[0; L]; 6];
    let [out, one, two, three, four, five] = &mut numbers;
    let exponent = power_in(base, x, [out, one, two, three, four, five]);
    Float { fraction: Fixed(numbers[0]), exponent }
}

/// Implements [`power`] for all precisions, so that it is compiled once.
///
/// It stores the fraction in the first of the numbers, and returns the exponent.
#[inline(never)]
pub(crate) const fn power_in(base: f64, exponent: Ratio, numbers: [&mut [u64]; 6]) -> i32 {
    let [out, x, power, square, log2, term] = numbers;
    let (mantissa, e) = decompose(base);
    let x_whole = limbs::quotient(x, exponent.numerator, exponent.denominator);

    // x e, as an integer and a fraction in `out`.
    limbs::copy(x, out);
    let carry = limbs::multiply_small(out, e.unsigned_abs() as u64);
    let mut whole = (x_whole * e.unsigned_abs() as u64 + carry) as i64;
    if e < 0 {
        whole = -whole - !limbs::is_zero(out) as i64;
        limbs::negate(out);
    }

    set_log2(mantissa, log2, [power, square, term]);
    // x log2(m), where the integer part of x is multiplied separately.
    limbs::copy(log2, term);
    let log_whole = limbs::multiply_small(term, x_whole);
    limbs::multiply(x, log2);
    let carry = limbs::add(term, x) + limbs::add(out, term);
    let t = whole + (log_whole + carry) as i64;

    limbs::multiply(out, &HALF_LN_2);
    limbs::shift_down(out, SQUARINGS - 1);
    exp_of_minus(out, power);
    let mut i = 0;
    while i < SQUARINGS {
        limbs::copy(power, out);
        limbs::multiply(power, out);
        i += 1;
    }
    limbs::copy(power, out);
    -t as i32 - limbs::normalise(out)
}

/// Sets `log2` to `log2(m)` for a mantissa `2^52 m`, `1 <= m < 2`, with an error below `2^13.6` ulp.
///
/// It is `4 atanh((m - 1)/(m + 1)) / (2 ln(2))`. That of the usual base is a constant, because the series takes longer
/// than all other steps of a power.
const fn set_log2(mantissa: u64, log2: &mut [u64], numbers: [&mut [u64]; 3]) {
    const USUAL: u64 = decompose(10_000.0).0;
    const ONE: u64 = 1 << 52;
    if mantissa == USUAL {
        return limbs::copy(&LOG2_10000, log2);
    }
    atanh(mantissa - ONE, mantissa + ONE, log2, numbers);
    limbs::multiply(log2, &HALF_LOG2_E);
    limbs::shift_up(log2, 2);
}

/// Sets `sum` to `atanh(numerator / denominator) = z + z^3/3 + z^5/5 + ...` for a quotient `z < 1/3`.
///
/// The powers shrink by more than `2^3.16` per step, and the sum ends when one is zero. At 5120 bits that takes at most
/// 1621 terms, and less than 1 ulp is missing. Each power is off by less than 4 ulp: 2 for the product, a ninth of the
/// previous 4, and a third of the 3 of the square. Each term is off by the error of its power over `2j + 1`, plus 1
/// ulp. The sum is off by less than `2^12` ulp.
const fn atanh(numerator: u64, denominator: u64, sum: &mut [u64], numbers: [&mut [u64]; 3]) {
    let [power, square, term] = numbers;
    limbs::set(sum, 0);
    limbs::divide(sum, numerator, denominator);
    limbs::copy(sum, power);
    limbs::copy(sum, square);
    limbs::multiply(square, sum);
    let mut odd = 1;
    while !limbs::is_zero(power) {
        limbs::multiply(power, square);
        odd += 2;
        limbs::copy(power, term);
        limbs::divide(term, 0, odd);
        limbs::add(sum, term);
    }
}

/// The number of times that an exponential is squared. Its series is then short: 16 terms for 192 bits, and not 44.
const SQUARINGS: u32 = 9;

/// Sets `v` to `exp(-h)` for `0 <= h < 0.35 / 256`, with an error below 6 ulp plus the error of `h`.
///
/// Horner's scheme starts with the last term: `v_j = h (1 - v_(j+1)) / j` is below `2^-9`, and `exp(-h) = 1 - v_1`. A
/// step adds at most `(2 + h (1 + e_(j+1))) / j + 1` ulp, so `e_1 < 4`. The last complement adds one, and so do the
/// omitted terms.
const fn exp_of_minus(h: &[u64], v: &mut [u64]) {
    limbs::set(v, 0);
    let mut j = exponential_terms(limbs::bits(v));
    while j > 0 {
        limbs::complement(v);
        limbs::multiply(v, h);
        limbs::divide(v, 0, j);
        j -= 1;
    }
    limbs::complement(v);
}

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
    use crate::effort::cases;
    use crate::exact::constants::LIMBS;
    #[cfg(feature = "alloc")]
    use crate::exact::limbs::FOR_FLOATS;
    use crate::exact::limbs::NARROW;

    /// Returns the frequencies of `d_model` columns in pairs.
    pub(crate) fn paired(base: f64, d_model: u64) -> FrequencyRule<'static> {
        let step = Ratio { numerator: 2, denominator: d_model.into() };
        FrequencyRule { family: Family::Geometric { base, step }, scale: 1.0 }
    }

    /// Returns frequency `i` of the narrow tier.
    pub(crate) fn advanced(frequencies: FrequencyRule, i: usize) -> Frequency<NARROW> {
        let mut progression = Progression::new(frequencies);
        for _ in 0..i {
            progression.advance();
        }
        progression.advance()
    }

    /// Returns whether the relative error of `x` against a far more precise `reference` is below `2^(bits - 64 L)`.
    fn is_within<const L: usize>(x: Float<L>, reference: &Float<LIMBS>, bits: u32) -> bool {
        let prefix = Fixed::<L>::from_prefix(&reference.fraction.0);
        // The fractions are at least 1/2, which costs a bit. The prefix is too small by less than 1 ulp.
        x.exponent == reference.exponent && distance(&x.fraction, &prefix).leading_zeros() > Fixed::<L>::BITS - bits
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

    fn any_base() -> impl Strategy<Value = f64> {
        (1..=f64::MAX.to_bits()).prop_map(f64::from_bits)
    }

    fn any_scale() -> impl Strategy<Value = f64> {
        (any_base(), any::<bool>()).prop_map(|(scale, negative)| scale.copysign(if negative { -1.0 } else { 1.0 }))
    }

    /// Ratios up to 2, with terms from one bit up to the largest.
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

        /// An independent check: the powers with exponents `x` and `1 - x` multiply to the reciprocal of the base.
        #[test]
        fn powers_multiply_by_adding_exponents(base in any_base(), denominator in 1..1u128 << 60, numerator: u64) {
            let numerator = u128::from(numerator) % (denominator + 1);
            let of = |numerator| power::<LIMBS>(base, Ratio { numerator, denominator });
            let one = of(numerator).mul(&of(denominator - numerator)).mul(&Float::from_f64(base));
            // If it is too small, the product is a fraction just below 1. Otherwise the fraction is 1/2 or just above,
            // and the exponent is one more.
            let half = Float::from_f64(0.5).fraction;
            let off = if one.exponent == 0 { below_one(one.fraction) } else { distance(&one.fraction, &half) };
            prop_assert!((0..2).contains(&one.exponent) && off.leading_zeros() >= Fixed::<LIMBS>::BITS - POWER_ERROR_BITS - 2);
        }

        #[test]
        fn a_frequency_is_as_precise_as_stated(base in any_base(), d_model in 1u64..5000, scale in any_scale(), at: prop::sample::Index) {
            let i = at.index(d_model.div_ceil(2) as usize);
            let frequencies = FrequencyRule { scale, ..paired(base, d_model) };
            let reference = frequencies.of(i).turns;
            prop_assert!(is_within(frequencies.of::<8>(i).turns, &reference, frequencies.of::<8>(i).error_bits));
            prop_assert!(is_within(advanced(frequencies, i).turns, &reference, PROGRESSION_ERROR_BITS));
            #[cfg(feature = "alloc")]
            {
                let mut progression = Progression::<FOR_FLOATS>::new(frequencies);
                let turns = (0..=i).map(|_| progression.advance()).last().expect("frequency 0").turns;
                prop_assert!(is_within(turns, &reference, PROGRESSION_ERROR_BITS));
            }
        }

        #[test]
        fn a_given_frequency_is_as_precise_as_stated(frequency in any_scale(), scale in any_scale()) {
            let given = [1.0, frequency];
            let frequencies = FrequencyRule { family: Family::Given(&given), scale };
            let reference = frequencies.of(1).turns;
            let narrow = advanced(frequencies, 1);
            prop_assert!(is_within(narrow.turns, &reference, narrow.error_bits));
            prop_assert_eq!(frequencies.sign(1) > 0, (frequency > 0.0) == (scale > 0.0));
        }
    }

    /// The constant agrees with the series, whose steps are those of [`set_log2`].
    #[test]
    fn the_logarithm_of_the_usual_base_is_that_of_its_series() {
        let (mut series, mut constant, mut numbers) = ([0; LIMBS], [0; LIMBS], [[0; LIMBS]; 3]);
        let (mantissa, one) = (decompose(10_000.0).0, 1 << 52);
        atanh(mantissa - one, mantissa + one, &mut series, numbers.each_mut().map(|number| &mut number[..]));
        limbs::multiply(&mut series, &HALF_LOG2_E);
        limbs::shift_up(&mut series, 2);
        set_log2(mantissa, &mut constant, numbers.each_mut().map(|number| &mut number[..]));
        assert!(distance(&Fixed(series), &Fixed(constant)).leading_zeros() >= 64 * LIMBS as u32 - 14);
    }

    #[test]
    fn the_longest_progression_is_as_precise_as_stated() {
        let step = Ratio { numerator: 1, denominator: 1 << 24 };
        let frequencies = FrequencyRule { family: Family::Geometric { base: 10_000.0, step }, scale: 1.0 };
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
            // 2^exponent is the fraction 1/2 with the exponent one more, or, if too small, a fraction just below 1.
            let nearly_one = below_one(result.fraction).leading_zeros() >= Fixed::<8>::BITS - POWER_ERROR_BITS;
            let just_half = distance(&result.fraction, &Float::from_f64(0.5).fraction).leading_zeros()
                >= Fixed::<8>::BITS - POWER_ERROR_BITS;
            assert!((nearly_one && result.exponent == exponent) || (just_half && result.exponent == exponent + 1));
        }
    }

    #[test]
    fn a_zero_has_no_sign() {
        let cases = [(0.0, 1.0, 0), (-0.0, 1.0, 0), (-2.0, -0.0, 0), (-2.0, -5e-324, 1), (3.0, -1.0, -1)];
        for (scale, frequency, sign) in cases {
            assert_eq!(FrequencyRule { family: Family::Given(&[frequency]), scale }.sign(0), sign);
        }
        assert_eq!(FrequencyRule { scale: -1.0, ..paired(2.0, 4) }.sign(1), -1);
    }
}
