//! Applies scaling rules to frequencies.
//!
//! Some rules keep the first frequencies, divide the last by a factor, and blend those between: with the share `g` that is
//! kept, a frequency is multiplied by `g + (1 - g) / factor`. For each of these rules, the multiplier is linear in the index
//! or in the frequency. So most steps are the same for all frequencies, and are taken once.

use crate::exact::constants::{LOG2_TAU, QUARTER_PI};
use crate::exact::division;
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::limbs;
use crate::exact::logarithm::Base;
use crate::exact::power::{Octaves, power_in};
use crate::exact::scaling::{Blend, LoweredScaling, THERE_ARE_RULES};

/// A rule, with what it computes once for all frequencies.
#[derive(Clone, Copy)]
pub(crate) struct PreparedScaling<'a, const L: usize> {
    rule: &'a LoweredScaling<'a>,
    numbers: [[u64; L]; 3],
    exponent: i32,
}

impl<'a, const L: usize> PreparedScaling<'a, L> {
    /// Prepares a rule. `fall` is the number of octaves from a frequency to the next, if it is known.
    pub(crate) const fn new(rule: &'a LoweredScaling<'a>, fall: Option<&Octaves<L>>) -> Self {
        let (mut numbers, mut memory) = ([[0; L]; 3], [[0; L]; 3]);
        let [reciprocal, first, second] = &mut numbers;
        let [one, two, three] = &mut memory;
        let fall = match fall {
            Some(Octaves { whole, fraction }) => Some((*whole, fraction.as_slice())),
            None => None,
        };
        let exponent =
            if THERE_ARE_RULES { rule.prepare_in(fall, [reciprocal, first, second], [one, two, three]) } else { 0 };
        Self { rule, numbers, exponent }
    }

    /// Returns frequency `i` after the rule, given the one before it, both in radians per position, or in turns if the
    /// rule divides by given numbers.
    #[inline(never)] // Other frequencies then stay in registers.
    pub(crate) const fn scaled(&self, i: usize, frequency: Float<L>) -> Float<L> {
        let Float { fraction: Fixed(mut fraction), exponent } = frequency;
        let [reciprocal, first, second] = &self.numbers;
        let mut memory = [[0; L]; 2];
        let [one, two] = &mut memory;
        let prepared = (&[reciprocal.as_slice(), first, second], self.exponent);
        let exponent = self.rule.apply_in(i, exponent, &mut fraction, prepared, [one, two]);
        Float { fraction: Fixed(fraction), exponent }
    }

    /// Returns what the rule does to frequency `i`, as far as the index shows it.
    #[cfg(feature = "alloc")]
    pub(crate) fn blend(&self, i: usize) -> Blend {
        self.rule.blend(i)
    }

    /// Returns the first bits of what the rule multiplies frequency `i` by, in radians per position.
    #[cfg(feature = "alloc")]
    pub(crate) fn multiplier(&self, i: usize, frequency: impl FnOnce() -> Float<L>) -> Float<2> {
        let Float { fraction, exponent } = match self.rule {
            LoweredScaling::Band { .. } => frequency(),
            // The index alone determines the others.
            _ => Float::from_f64(1.0),
        };
        let [reciprocal, first, second] = &self.numbers;
        let [mut number, mut other] = [[0; L]; 2];
        let prepared = (&[reciprocal.as_slice(), first, second], self.exponent);
        match self.rule.blend_in(i, (&fraction.0, exponent), prepared, [&mut number, &mut other]) {
            Blend::Kept => Float::from_f64(1.0),
            Blend::Divided => self.reciprocal(),
            Blend::By => first_bits(&number),
        }
    }

    /// Returns the first bits of the reciprocal of the factor of a rule that blends.
    #[cfg(feature = "alloc")]
    pub(crate) fn reciprocal(&self) -> Float<2> {
        first_bits(&self.numbers[0])
    }
}

/// Returns the first 128 bits of a fraction that is not zero.
#[cfg(feature = "alloc")]
fn first_bits(fraction: &[u64]) -> Float<2> {
    let zeros = limbs::leading_zeros(fraction);
    let bits = limbs::window(fraction, zeros);
    Float { fraction: Fixed([limbs::low(bits >> 64), limbs::low(bits)]), exponent: -(zeros as i32) }
}

/// The growth of the multiplier in a [band](LoweredScaling::Band) is divided by 2 to this, so that it is a fraction: the width
/// of the band is more than `2^-11` of the unit.
const GROWTH_UNIT: u32 = 11;

/// The multipliers in a logarithmic band, and logarithms, are in units of `2^LOG_UNIT`, and negative ones are below zero mod 1.
const LOG_UNIT: u32 = 13;

impl LoweredScaling<'_> {
    /// Changes frequency `i`, in radians per position. This serves all precisions, so it is compiled once.
    ///
    /// The first of the numbers is the fraction of the frequency. The result is the exponent.
    #[inline(never)]
    pub(crate) const fn scale_in(&self, i: usize, exponent: i32, numbers: [&mut [u64]; 7]) -> i32 {
        let [out, one, two, three, four, five, six] = numbers;
        match *self {
            _ if !THERE_ARE_RULES => exponent,
            Self::Power { base, step } => {
                let (power, _) = power_in(&base, step.times(i), [one, two, three, four, five, six]);
                limbs::multiply(out, one);
                exponent + power - limbs::normalise(out)
            }
            Self::Ramp { .. } | Self::Band { .. } | Self::LogBand { .. } if matches!(self.blend(i), Blend::Kept) => {
                exponent
            }
            _ => {
                let unit = self.prepare_in(None, [one, two, three], [four, five, six]);
                self.apply_in(i, exponent, out, (&[one, two, three], unit), [four, five])
            }
        }
    }

    /// Does the same with numbers that are [prepared](Self::prepare_in), except for a power, which it leaves out.
    #[inline(never)]
    pub(crate) const fn apply_in(
        &self,
        i: usize,
        exponent: i32,
        out: &mut [u64],
        prepared: (&[&[u64]; 3], i32),
        [number, other]: [&mut [u64]; 2],
    ) -> i32 {
        match *self {
            _ if !THERE_ARE_RULES => exponent,
            Self::None | Self::Power { .. } => exponent,
            Self::Linear(factor) | Self::First { factor, .. } => exponent + division::divide_f64(out, factor),
            Self::Each(divisors) => exponent + division::divide_f64(out, divisors[i]),
            Self::Ramp { .. } | Self::Band { .. } | Self::LogBand { .. } => {
                match self.blend_in(i, (out, exponent), prepared, [number, other]) {
                    Blend::Kept => return exponent,
                    Blend::Divided => limbs::copy(prepared.0[0], number),
                    Blend::By => {}
                }
                let zeros = limbs::normalise(number);
                limbs::multiply(out, number);
                exponent - zeros - limbs::normalise(out)
            }
        }
    }

    /// Sets three numbers that are the same for all frequencies, and returns the exponent of a unit. `fall` is the number of
    /// octaves from a frequency to the next, if it is known.
    ///
    /// The first is the reciprocal of the factor. The others are
    ///
    /// * for a ramp, by how much the multiplier of a frequency grows with each index below `high`
    /// * for a band, by how much it grows per unit, over `2^GROWTH_UNIT`, and the frequency at its lower end in units, in radians
    ///   per position
    /// * for a logarithmic band, the multiplier of frequency 0, not clamped, and by how much it falls with each index
    const fn prepare_in(&self, fall: Option<(i32, &[u64])>, numbers: [&mut [u64]; 3], memory: [&mut [u64]; 3]) -> i32 {
        let [reciprocal, first, second] = numbers;
        let [one, two, three] = memory;
        match *self {
            Self::Ramp { factor, low, high } => {
                factor.reciprocal(reciprocal);
                limbs::copy(reciprocal, first);
                limbs::complement(first);
                if low < high {
                    division::divide(first, 0, (high - low) as u64);
                }
                0
            }
            Self::Band { factor, length, least, most, .. } => {
                // The radians of a turn in `length` positions.
                limbs::copy(&QUARTER_PI, one);
                let radians = 3 + division::divide_f64(one, length);
                let unit = limbs::set_f64(first, most);
                let exponent = limbs::set_f64(second, least);
                limbs::shift_down(second, (unit - exponent) as u32);
                limbs::subtract(first, second);
                limbs::multiply(second, one);
                limbs::multiply(one, first);
                factor.reciprocal(reciprocal);
                limbs::copy(reciprocal, first);
                limbs::complement(first);
                limbs::shift_down(first, GROWTH_UNIT);
                quotient(first, one, two);
                unit + radians
            }
            Self::LogBand { factor, length, least, most, base, step, .. } => {
                if let Some((whole, fraction)) = fall {
                    limbs::copy(fraction, second);
                    shift_into_units(second, whole);
                } else {
                    set_logarithm(Base::of(base), second, [one, two, three]);
                    division::quotient(one, step.numerator, step.denominator);
                    multiply_signed(second, one);
                }
                // By how much the multiplier falls with each octave.
                set_logarithm(Base::quotient(most, least), one, [two, three, first]);
                factor.reciprocal(first);
                limbs::complement(first);
                limbs::shift_down(first, LOG_UNIT);
                quotient(first, one, two);
                multiply_signed(second, first);
                // The octaves from frequency 0 up to `most`.
                set_logarithm(Base::quotient(most, length), one, [two, three, reciprocal]);
                limbs::copy(&LOG2_TAU, two);
                shift_into_units(two, 2);
                limbs::add(one, two);
                multiply_signed(one, first);
                limbs::set(first, 1 << (64 - LOG_UNIT));
                limbs::subtract(first, one);
                factor.reciprocal(reciprocal);
                0
            }
            _ => 0,
        }
    }

    /// Returns what the rule does to frequency `i`, given as a fraction and an exponent, in radians per position.
    ///
    /// If it multiplies, the first of the numbers is set to the multiplier. The three numbers and the exponent are
    /// [prepared](Self::prepare_in).
    #[cfg_attr(feature = "alloc", inline(always))] // The tier in floats then knows the length.
    const fn blend_in(
        &self,
        i: usize,
        (frequency, exponent): (&[u64], i32),
        (&[reciprocal, first, second], unit): (&[&[u64]; 3], i32),
        [number, other]: [&mut [u64]; 2],
    ) -> Blend {
        match (self.blend(i), *self) {
            (sure @ (Blend::Kept | Blend::Divided), _) => return sure,
            (_, Self::Ramp { high, .. }) => {
                limbs::copy(first, number);
                limbs::multiply_small(number, (high - i) as u64);
                limbs::add(number, reciprocal);
            }
            (_, Self::Band { .. }) => {
                if exponent > unit {
                    return Blend::Kept;
                }
                limbs::copy(frequency, number);
                limbs::shift_down(number, (unit - exponent) as u32);
                if limbs::subtract(number, second) {
                    return Blend::Divided;
                }
                limbs::multiply(number, first);
                if number[0] >> (64 - GROWTH_UNIT) != 0 {
                    return Blend::Kept;
                }
                limbs::shift_up(number, GROWTH_UNIT);
                if limbs::add(number, reciprocal) != 0 {
                    return Blend::Kept;
                }
            }
            (_, Self::LogBand { .. }) => {
                limbs::copy(second, other);
                limbs::multiply_small(other, i as u64);
                limbs::copy(first, number);
                limbs::subtract(number, other);
                // A negative number is below the reciprocal.
                if number[0] >> 63 == 1 {
                    return Blend::Divided;
                }
                if number[0] >> (64 - LOG_UNIT) != 0 {
                    return Blend::Kept;
                }
                limbs::shift_up(number, LOG_UNIT);
                if !limbs::is_less(reciprocal, number) {
                    return Blend::Divided;
                }
            }
            _ => return Blend::Kept,
        }
        Blend::By
    }
}

/// Sets `log2` to the logarithm to base 2, in the unit of logarithms.
const fn set_logarithm(number: Base, log2: &mut [u64], memory: [&mut [u64]; 3]) {
    let whole = number.log2(log2, memory);
    shift_into_units(log2, whole);
}

/// Adds an integer to the fraction of a logarithm, in the unit of logarithms.
const fn shift_into_units(fraction: &mut [u64], integer: i32) {
    limbs::shift_down(fraction, LOG_UNIT);
    fraction[0] = fraction[0].wrapping_add((integer as i64 as u64) << (64 - LOG_UNIT));
}

/// Multiplies a number, which is negative if its first bit is set, by a fraction.
const fn multiply_signed(x: &mut [u64], factor: &[u64]) {
    let is_negative = x[0] >> 63 == 1;
    if is_negative {
        limbs::negate(x);
    }
    limbs::multiply(x, factor);
    if is_negative {
        limbs::negate(x);
    }
}

/// Divides a fraction by a greater one.
const fn quotient(x: &mut [u64], divisor: &mut [u64], remainder: &mut [u64]) {
    let zeros = limbs::normalise(divisor) as u32;
    limbs::shift_up(x, zeros);
    division::divide_by(x, divisor, remainder);
}

#[cfg(test)]
#[allow(clippy::float_arithmetic, reason = "computes the rules once more")]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error_bounds::{BAND_ERROR_BITS, LOG_BAND_ERROR_BITS, POWER_ERROR_BITS, PROGRESSION_ERROR_BITS};
    use crate::exact::constants::LIMBS;
    use crate::exact::frequency::tests::{advanced, paired};
    use crate::exact::frequency_rule::FrequencyRounding;
    use crate::exact::frequency_rule::{Exponents, Family, FrequencyRule, Unit};
    use crate::exact::logarithm::Ratio;
    use crate::exact::power::tests::is_within;
    use crate::exact::scaling::{Divisor, Sure};
    use crate::properties;

    const DIVISORS: [f64; 200] = {
        let mut divisors = [0.3; 200];
        let mut i = 1;
        while i < divisors.len() {
            divisors[i] = divisors[i - 1] * 1.1;
            i += 1;
        }
        divisors
    };

    /// Returns the frequencies that a rule keeps or divides for certain.
    fn sure(base: f64, count: usize, length: f64, [least, most]: [f64; 2]) -> Sure {
        let frequencies = paired(base, 2 * count as u64);
        let exceeding = |turns| (0..count).take_while(|&i| frequencies.turns_exceed(i, length, turns)).count();
        Sure { kept: exceeding(most), divided: exceeding(least) }
    }

    /// A rule, the base and the number of frequencies.
    pub(crate) fn rule() -> impl Strategy<Value = (LoweredScaling<'static>, f64, usize)> {
        let factor = prop_oneof![Just(1.5), Just(8.0), Just(40.0), 1.001..Divisor::MAX];
        (factor, 2usize..200, 2.0..1e7, 1.0..1e6, 0.01..20.0, 1.004..300.0, 0..10)
            .prop_flat_map(|(factor, count, base, length, least, times, kind)| {
                // The end of a ramp may be beyond the last frequency.
                let ends = (0..count, 0..2 * count);
                (Just((factor, count, base, length, least, least * times, kind)), ends)
            })
            .prop_map(|((number, count, base, length, least, most, kind), (low, high))| {
                let factor = Divisor::of(number);
                let step = Ratio { numerator: 1, denominator: count as u128 };
                let scaling = match kind {
                    0 => LoweredScaling::Linear(number),
                    1 => LoweredScaling::Each(&DIVISORS[..count]),
                    2 => LoweredScaling::First { count: low + 1, factor: number },
                    3 => LoweredScaling::Power { base: Base::of(number), step },
                    4 | 5 => LoweredScaling::Ramp { factor, low, high },
                    6 => LoweredScaling::Band { factor, length, least, most, sure: Sure::NONE },
                    7 => {
                        let sure = sure(base, count, length, [least, most]);
                        LoweredScaling::Band { factor, length, least, most, sure }
                    }
                    _ => {
                        let most = 2.0 * most;
                        let sure = if kind == 8 { Sure::NONE } else { sure(base, count, length, [least, most]) };
                        LoweredScaling::LogBand { factor, length, least, most, base, step, sure }
                    }
                };
                (scaling, base, count)
            })
    }

    /// Returns a frequency after the rule.
    #[cfg(feature = "alloc")]
    fn scaled<const L: usize>(rule: &LoweredScaling, i: usize, frequency: Float<L>) -> Float<L> {
        PreparedScaling::new(rule, None).scaled(i, frequency)
    }

    /// Returns a number as a double.
    fn double<const L: usize>(number: &Float<L>) -> f64 {
        number.fraction.0[0] as f64 * f64::powi(2.0, number.exponent - 64)
    }

    /// Returns frequency `w` after the rule.
    fn expected(scaling: &LoweredScaling, i: usize, w: f64) -> f64 {
        let blended = |factor: Divisor, keep: f64| {
            let factor = factor.numerator as f64 / factor.denominator as f64;
            w * (keep.clamp(0.0, 1.0) + (1.0 - keep.clamp(0.0, 1.0)) / factor)
        };
        let turns = w / core::f64::consts::TAU;
        match *scaling {
            LoweredScaling::None => w,
            LoweredScaling::Linear(factor) | LoweredScaling::First { factor, .. } => w / factor,
            LoweredScaling::Each(divisors) => w / divisors[i],
            LoweredScaling::Power { base, step } => {
                let exponent = i as f64 * step.numerator as f64 / step.denominator as f64;
                w * f64::powf(
                    double(&crate::exact::power::power::<5>(&base, Ratio { numerator: 1, denominator: 1 })),
                    exponent,
                )
            }
            LoweredScaling::Ramp { factor, low, high } if high <= low => blended(factor, f64::from(i <= low)),
            LoweredScaling::Ramp { factor, low, high } => {
                blended(factor, (high as f64 - i as f64) / (high as f64 - low as f64))
            }
            LoweredScaling::Band { factor, length, least, most, .. } => {
                blended(factor, (length * turns - least) / (most - least))
            }
            LoweredScaling::LogBand { factor, length, least, most, .. } => {
                blended(factor, (length * turns / least).ln() / (most / least).ln())
            }
        }
    }

    properties! {
        #![cases(200)]

        #[test]
        fn a_rule_is_what_its_name_says((scaling, base, count) in rule(), scale in prop_oneof![Just(1.0), 0.01..100.0]) {
            let step = Ratio { numerator: 1, denominator: count as u128 };
            let frequencies = FrequencyRule { family: Family::Geometric { base, exponents: Exponents::multiples(step) }, scaling, rounding: FrequencyRounding::None, scale, unit: Unit::ONE };
            for i in [0, count / 3, count / 2, count - 1] {
                let w = f64::powf(base, -(i as f64) / count as f64);
                let expected = scale * expected(&scaling, i, w) / core::f64::consts::TAU;
                if scaling.is_zero(i) {
                    prop_assert_eq!(frequencies.sign(i), 0);
                    continue;
                }
                let actual = double(&frequencies.of::<5>(i).turns);
                prop_assert!((actual / expected - 1.0).abs() < 1e-7, "{:?} {} {} {}", scaling, i, actual, expected);
            }
        }
    }

    properties! {
        #![cases(20)]

        #[test]
        fn a_scaled_frequency_is_as_precise_as_stated((scaling, base, count) in rule(), at: prop::sample::Index) {
            let i = at.index(count);
            let step = Ratio { numerator: 1, denominator: count as u128 };
            let frequencies = FrequencyRule { family: Family::Geometric { base, exponents: Exponents::multiples(step) }, scaling, rounding: FrequencyRounding::None, scale: 3.0, unit: Unit::ONE };
            prop_assume!(!scaling.is_zero(i));
            let reference = frequencies.of::<LIMBS>(i);
            prop_assert!(is_within(frequencies.of::<8>(i).turns, &reference.turns, reference.error_bits));
            prop_assert!(reference.error_bits <= POWER_ERROR_BITS + 1 + BAND_ERROR_BITS.max(LOG_BAND_ERROR_BITS));
            let narrow = advanced(&frequencies, i);
            prop_assert!(is_within(narrow.turns, &reference.turns, scaling.error_bits(PROGRESSION_ERROR_BITS)));
        }
    }

    /// The errors count most in the narrowest bands, next to the lower end, and with the largest factor.
    #[cfg(feature = "alloc")]
    #[test]
    fn bands_are_as_precise_as_stated() {
        use crate::engine::error_audit::{Goal, Worst, report, worst};
        use crate::exact::power::tests::relative_ulps;

        let factor = || prop_oneof![Just(Divisor::MAX), 1.001..Divisor::MAX].prop_map(Divisor::of);
        let least = || (-20i32..20, 1.0..2.0).prop_map(|(binade, fraction)| fraction * f64::powi(2.0, binade));
        let share = || (0i32..40).prop_map(|bits| f64::powi(2.0, -bits));

        // The frequency is off by nearly 2^ERROR_BITS ulp.
        const ERROR_BITS: u32 = 40;
        let bands = || (factor(), least(), share(), 1u64..1 << 40, any::<bool>());
        let look = |(factor, least, share, length, up), Worst { shares, entries }: &mut Worst<1>| {
            let (length, most) = (length as f64, least * (257.0 / 256.0) * (1.0 + f64::EPSILON));
            let band = LoweredScaling::Band { factor, length, least, most, sure: Sure::NONE };
            let frequency = (least + share * (most - least)) * core::f64::consts::TAU / length;
            let mut displaced = Float::<5>::from_f64(frequency);
            let mut error = displaced.fraction.0;
            limbs::shift_down(&mut error, Fixed::<5>::BITS - ERROR_BITS);
            if up {
                limbs::add(&mut displaced.fraction.0, &error);
            } else {
                limbs::subtract(&mut displaced.fraction.0, &error);
            }
            if displaced.fraction.0[0] >> 63 == 1 {
                let off =
                    relative_ulps(&scaled(&band, 0, displaced), &scaled(&band, 0, Float::<8>::from_f64(frequency)));
                shares[0] = shares[0].max(off / f64::powi(2.0, band.error_bits(ERROR_BITS) as i32));
                *entries += 1;
            }
        };
        let Worst { shares: [share], entries } = worst(bands, Goal::of_share(50), look);
        report("exact, bands", share, entries, 0.08);

        // The fall is off by most at the last of many indices.
        let count = || prop_oneof![1usize..100, 1usize << 20..1 << 24];
        let bands = || (factor(), 2.0..1e9, count(), 0usize..1 << 24, 1u64..1 << 40, -30i32..0);
        let look = |(factor, base, count, i, length, bits), Worst { shares, entries }: &mut Worst<1>| {
            let step = Ratio { numerator: 1, denominator: count as u128 };
            let (i, length): (usize, f64) = (i % count, length as f64);
            let turns = length * f64::powf(base, -(i as f64) / count as f64) / core::f64::consts::TAU;
            let least = turns * (1.0 - f64::powi(2.0, bits));
            let band =
                LoweredScaling::LogBand { factor, length, least, most: 2.0 * least, base, step, sure: Sure::NONE };
            let off = relative_ulps(
                &scaled(&band, i, Float::<16>::from_f64(1.0)),
                &scaled(&band, i, Float::<18>::from_f64(1.0)),
            );
            shares[0] = shares[0].max(off / f64::powi(2.0, band.error_bits(0) as i32));
            *entries += 1;
        };
        let Worst { shares: [share], entries } = worst(bands, Goal::of_share(500), look);
        report("exact, logarithmic bands", share, entries, 0.01);
    }

    /// The numbers of kept, blended and divided pairs of models (as their own code has them).
    #[test]
    fn pairs_are_kept_blended_and_divided_as_in_the_models() {
        let counts = |base, d, scaling: LoweredScaling| {
            let frequencies = FrequencyRule { scaling, ..paired(base, d) };
            let mut counts = [0; 3];
            for i in 0..d as usize / 2 {
                let factor = frequencies.of::<5>(i).turns;
                let plain = paired(base, d).of::<5>(i).turns;
                let ratio = double(&plain) / double(&factor);
                counts[if ratio < 1.0 + 1e-9 { 0 } else { 1 + usize::from(ratio > 7.999_999) }] += 1;
            }
            counts
        };
        let band =
            LoweredScaling::Band { factor: Divisor::of(8.0), length: 8192.0, least: 1.0, most: 4.0, sure: Sure::NONE };
        assert_eq!(counts(500_000.0, 128, band), [29, 6, 29]); // Llama 3.1
        let ramp = LoweredScaling::Ramp { factor: Divisor::of(8.0), low: 10, high: 23 };
        assert_eq!(counts(10_000.0, 64, ramp), [11, 12, 9]); // DeepSeek's bounds
    }
}
