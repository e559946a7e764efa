//! Rules that divide some frequencies, for contexts longer than the one a model was trained with.
//!
//! Every rule is a factor of each frequency. With the share `g` that is kept, it is `g + (1 - g) / factor`, or `1 / x`
//! for a list of divisors, or a power.

use crate::error_bounds::{BAND_ERROR_BITS, LOG_BAND_ERROR_BITS};
use crate::exact::constants::{INVERSE_TAU, LOG2_TAU};
use crate::exact::division;
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::format::decompose;
use crate::exact::limbs;
use crate::exact::power::{Base, Ratio, power_in};

/// Whether there are rules. Without the feature, only [`Scaling::None`] is ever made, and the code of the others is left out.
pub(crate) const THERE_ARE_RULES: bool = cfg!(feature = "scaling");

/// A scaling rule, with everything checked. Factors and divisors are finite and greater than 0.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoweredScaling<'a> {
    /// The frequencies remain as they are.
    None,
    /// All are divided by one number.
    Linear(f64),
    /// Each is divided by a number of its own.
    Each(&'a [f64]),
    /// The first ones are divided by a number, and all others are zero.
    First { count: usize, factor: f64 },
    /// Frequency `i` is multiplied by `base^(-i step)`.
    Power { base: Base, step: Ratio },
    /// Up to frequency `low` they are kept, and from `high` on they are divided. Between the two, `g` falls linearly with
    /// the index. If `high` is not greater than `low`, all beyond `low` are divided.
    Ramp { factor: Divisor, low: usize, high: usize },
    /// With `turns` in `length` positions, `g` rises linearly from 0 at `least` to 1 at `most`.
    Band { factor: Divisor, length: f64, least: f64, most: f64 },
    /// With `turns` in `length` positions, `g` rises linearly with their logarithm, from 0 at `least` to 1 at `most`.
    /// Frequency `i` is `base^(-i step)`.
    LogBand { factor: Divisor, length: f64, least: f64, most: f64, base: f64, step: Ratio },
}

/// A number from 1 to `2^16`, as a quotient of an integer and a power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor {
    /// Below `2^53`.
    pub(crate) numerator: u128,
    /// At most `2^52`.
    pub(crate) denominator: u128,
}

impl Divisor {
    /// The largest factor.
    pub(crate) const MAX: f64 = 65_536.0;

    /// Returns a number from 1 to [`MAX`](Self::MAX), exactly.
    pub(crate) const fn of(value: f64) -> Self {
        let (mantissa, exponent) = decompose(value);
        let zeros = mantissa.trailing_zeros();
        let bits = 52 - exponent as u32;
        let twos = if zeros < bits { zeros } else { bits };
        Self { numerator: (mantissa >> twos) as u128, denominator: 1 << (bits - twos) }
    }

    /// Sets `x` to the reciprocal of a factor other than 1, rounded down.
    const fn reciprocal(self, x: &mut [u64]) {
        division::quotient(x, self.denominator, self.numerator);
    }

    /// Sets `x` to `g + (1 - g) / factor` for the share `g = kept / whole`, rounded down.
    const fn blend(self, x: &mut [u64], kept: u128, whole: u128) {
        let Self { numerator, denominator } = self;
        division::quotient(x, kept * numerator + (whole - kept) * denominator, whole * numerator);
    }

    /// Divides a fraction by a factor other than 1, and returns the exponent.
    const fn divide(self, x: &mut [u64], reciprocal: &mut [u64], exponent: i32) -> i32 {
        self.reciprocal(reciprocal);
        multiply(x, reciprocal, exponent)
    }
}

impl LoweredScaling<'_> {
    /// Returns whether frequency `i` is zero.
    #[inline]
    pub(crate) const fn is_zero(&self, i: usize) -> bool {
        THERE_ARE_RULES && matches!(self, Self::First { count, .. } if i >= *count)
    }

    /// Returns whether the ratio of two frequencies is what it was.
    ///
    /// Small machines have no room for what a progression then does with the first frequency.
    pub(crate) const fn keeps_ratio(&self) -> bool {
        matches!(self, Self::None) || (cfg!(feature = "alloc") && matches!(self, Self::Linear(_)))
    }

    /// Returns what frequency `i` is divided by if that is a given number.
    pub(crate) const fn divisor(&self, i: usize) -> Option<f64> {
        match *self {
            _ if !THERE_ARE_RULES => Some(1.0),
            Self::None => Some(1.0),
            Self::Linear(factor) | Self::First { factor, .. } => Some(factor),
            Self::Each(divisors) => Some(divisors[i]),
            Self::Ramp { low, .. } if i <= low => Some(1.0),
            Self::Power { .. } if i == 0 => Some(1.0),
            Self::Ramp { .. } | Self::Power { .. } | Self::Band { .. } | Self::LogBand { .. } => None,
        }
    }

    /// Returns the error bits of a scaled frequency, given those of the frequency.
    #[inline]
    pub(crate) const fn error_bits(&self, bits: u32) -> u32 {
        match self {
            _ if !THERE_ARE_RULES => bits,
            Self::Band { .. } => bits + BAND_ERROR_BITS,
            Self::LogBand { .. } if bits < LOG_BAND_ERROR_BITS => LOG_BAND_ERROR_BITS + 1,
            Self::LogBand { .. } => bits + 1,
            _ => bits,
        }
    }

    /// Returns frequency `i` after the rule, given the one before it, both in radians per position, or in
    /// turns if the rule divides by given numbers.
    pub(crate) const fn scaled<const L: usize>(&self, i: usize, frequency: &Float<L>) -> Float<L> {
        let mut numbers = [[0; L]; 7];
        let [out, one, two, three, four, five, six] = &mut numbers;
        limbs::copy(&frequency.fraction.0, out);
        let exponent = self.scale_in(i, frequency.exponent, [out, one, two, three, four, five, six]);
        Float { fraction: Fixed(numbers[0]), exponent }
    }

    /// Implements [`scaled`](Self::scaled) for all precisions, so that it is compiled once.
    ///
    /// The first of the numbers is the fraction of the frequency. The result is the exponent.
    #[inline(never)]
    pub(crate) const fn scale_in(&self, i: usize, exponent: i32, numbers: [&mut [u64]; 7]) -> i32 {
        let [out, one, two, three, four, five, six] = numbers;
        match *self {
            _ if !THERE_ARE_RULES => exponent,
            Self::None => exponent,
            Self::Linear(factor) | Self::First { factor, .. } => exponent + division::divide_f64(out, factor),
            Self::Each(divisors) => exponent + division::divide_f64(out, divisors[i]),
            Self::Power { base, step } => {
                let power = power_in(&base, step.times(i), [one, two, three, four, five, six]);
                limbs::multiply(out, one);
                exponent + power - limbs::normalise(out)
            }
            Self::Ramp { factor, low, high } => match i {
                _ if i <= low => exponent,
                _ if low < high && i < high => {
                    factor.blend(one, (high - i) as u128, (high - low) as u128);
                    multiply(out, one, exponent)
                }
                _ => factor.divide(out, one, exponent),
            },
            Self::Band { factor, length, least, most } => {
                let turns = exponent + turns_in(length, one, [out, two]);
                let blend = band(factor, least, most, (one, turns), [two, three, four, five]);
                blend.apply(factor, out, one, exponent)
            }
            Self::LogBand { factor, length, least, most, base, step } => {
                let (quotient, x) = (Base::quotient(most, length), step.times(i));
                logarithm_of_fall(quotient, base, x, one, [two, three, four, five, six]);
                let blend = logarithmic_band(factor, Base::quotient(most, least), one, [two, three, four, five]);
                blend.apply(factor, out, one, exponent)
            }
        }
    }
}

/// What a band does to a frequency.
enum Blend {
    /// All is kept.
    Kept,
    /// Nothing is kept.
    Divided,
    /// It is multiplied by the number that was set.
    By,
}

impl Blend {
    /// Changes the fraction of a frequency, and returns its exponent.
    const fn apply(self, factor: Divisor, out: &mut [u64], number: &mut [u64], exponent: i32) -> i32 {
        match self {
            Self::Kept => exponent,
            Self::Divided => factor.divide(out, number, exponent),
            Self::By => multiply(out, number, exponent),
        }
    }
}

/// Replaces a fraction of turns, of which the exponent is given, by the factor of a [band](LoweredScaling::Band).
const fn band(
    factor: Divisor,
    least: f64,
    most: f64,
    (turns, exponent): (&mut [u64], i32),
    [width, other, product, remainder]: [&mut [u64]; 4],
) -> Blend {
    let unit = limbs::set_f64(width, most);
    if exponent > unit {
        return Blend::Kept;
    }
    // Everything is in `2^unit` turns from here on.
    limbs::shift_down(turns, (unit - exponent) as u32);
    let down = unit - limbs::set_f64(other, least);
    limbs::shift_down(other, down as u32);
    if !limbs::is_less(turns, width) {
        return Blend::Kept;
    }
    if !limbs::is_less(other, turns) {
        return Blend::Divided;
    }
    limbs::subtract(turns, other);
    limbs::subtract(width, other);
    // g + (1 - g) / factor, times the width of the band
    factor.reciprocal(other);
    limbs::copy(width, product);
    limbs::multiply(product, other);
    limbs::complement(other);
    limbs::multiply(turns, other);
    limbs::add(turns, product);
    quotient(turns, width, remainder);
    Blend::By
}

/// Replaces the logarithm of the fall below `most` by the factor of a [logarithmic band](LoweredScaling::LogBand).
const fn logarithmic_band(
    factor: Divisor,
    width: Base,
    fall: &mut [u64],
    [logarithm, one, two, three]: [&mut [u64]; 4],
) -> Blend {
    // The logarithm of a fraction, above `most`, is negative.
    if fall[0] >> 63 == 1 {
        return Blend::Kept;
    }
    let whole = width.log2(logarithm, [one, two, three]);
    shift_into_units(logarithm, whole);
    if !limbs::is_less(fall, logarithm) {
        return Blend::Divided;
    }
    // 1 - (1 - g) (1 - 1 / factor)
    quotient(fall, logarithm, one);
    factor.reciprocal(one);
    limbs::complement(one);
    limbs::multiply(fall, one);
    limbs::complement(fall);
    Blend::By
}

/// Divides a fraction by a greater one.
const fn quotient(x: &mut [u64], divisor: &mut [u64], remainder: &mut [u64]) {
    let zeros = limbs::normalise(divisor) as u32;
    limbs::shift_up(x, zeros);
    division::divide_by(x, divisor, remainder);
}

/// Multiplies a fraction by a factor below 1, and returns the exponent of the product.
const fn multiply(out: &mut [u64], factor: &mut [u64], exponent: i32) -> i32 {
    let zeros = limbs::normalise(factor);
    limbs::multiply(out, factor);
    exponent - zeros - limbs::normalise(out)
}

/// Sets `turns` to the fraction of a frequency's turns in `length` positions, and returns by how much its exponent is
/// greater.
const fn turns_in(length: f64, turns: &mut [u64], [frequency, number]: [&mut [u64]; 2]) -> i32 {
    limbs::copy(&INVERSE_TAU, turns);
    limbs::multiply(turns, frequency);
    let length = limbs::set_f64(number, length);
    limbs::multiply(turns, number);
    length - limbs::normalise(turns)
}

/// Logarithms are in units of `2^LOG_UNIT`, and negative ones are below zero mod 1.
const LOG_UNIT: u32 = 13;

/// Adds an integer to the fraction of a logarithm, in the unit of logarithms.
const fn shift_into_units(fraction: &mut [u64], integer: i32) {
    limbs::shift_down(fraction, LOG_UNIT);
    fraction[0] = fraction[0].wrapping_add((integer as i64 as u64) << (64 - LOG_UNIT));
}

/// Sets `sum` to the logarithm of `quotient 2π base^x`, in the unit of logarithms.
const fn logarithm_of_fall(quotient: Base, base: f64, x: Ratio, sum: &mut [u64], numbers: [&mut [u64]; 5]) {
    let [log2, product, one, two, three] = numbers;
    limbs::copy(&LOG2_TAU, sum);
    shift_into_units(sum, 2);
    let whole = quotient.log2(log2, [one, two, three]);
    shift_into_units(log2, whole);
    limbs::add(sum, log2);
    let whole = Base::of(base).log2(log2, [one, two, three]);
    shift_into_units(log2, whole);
    division::quotient(product, x.numerator, x.denominator);
    limbs::multiply(product, log2);
    limbs::add(sum, product);
}

#[cfg(test)]
#[allow(clippy::float_arithmetic, reason = "computes the rules once more")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error_bounds::{POWER_ERROR_BITS, PROGRESSION_ERROR_BITS};
    use crate::exact::constants::LIMBS;
    use crate::exact::frequency::tests::{advanced, paired};
    use crate::exact::frequency::{Family, FrequencyRule, Unit};
    use crate::exact::power::tests::is_within;
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

    /// A rule, the base and the number of frequencies.
    fn rule() -> impl Strategy<Value = (LoweredScaling<'static>, f64, usize)> {
        let factor = prop_oneof![Just(1.5), Just(8.0), Just(40.0), 1.001..Divisor::MAX];
        (factor, 2usize..200, 2.0..1e7, 1.0..1e6, 0.01..20.0, 1.004..300.0, 0..8)
            .prop_flat_map(|(factor, count, base, length, least, times, kind)| {
                let ends = (0..count, 0..count);
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
                    6 => LoweredScaling::Band { factor, length, least, most },
                    _ => LoweredScaling::LogBand { factor, length, least, most: 2.0 * most, base, step },
                };
                (scaling, base, count)
            })
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
            LoweredScaling::Band { factor, length, least, most } => {
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
            let frequencies = FrequencyRule { family: Family::Geometric { base, step }, scaling, scale, unit: Unit::ONE };
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
            let frequencies = FrequencyRule { family: Family::Geometric { base, step }, scaling, scale: 3.0, unit: Unit::ONE };
            prop_assume!(!scaling.is_zero(i));
            let reference = frequencies.of::<LIMBS>(i);
            prop_assert!(is_within(frequencies.of::<8>(i).turns, &reference.turns, reference.error_bits));
            prop_assert!(reference.error_bits <= POWER_ERROR_BITS + 1 + BAND_ERROR_BITS.max(LOG_BAND_ERROR_BITS));
            let narrow = advanced(&frequencies, i);
            prop_assert!(is_within(narrow.turns, &reference.turns, scaling.error_bits(PROGRESSION_ERROR_BITS)));
        }
    }

    /// A band multiplies the error of a frequency, and a logarithmic one adds another, of which either may be the larger.
    #[test]
    fn the_errors_of_a_frequency_and_its_rule_add_up() {
        let (factor, length, least, most) = (Divisor::of(8.0), 8192.0, 1.0, 4.0);
        let step = Ratio { numerator: 1, denominator: 64 };
        let log_band = LoweredScaling::LogBand { factor, length, least, most, base: 10_000.0, step };
        assert_eq!([16, 32, 33, 40].map(|bits| log_band.error_bits(bits)), [34, 34, 34, 41]);
        assert_eq!(LoweredScaling::Band { factor, length, least, most }.error_bits(16), 42);
        assert_eq!(LoweredScaling::Ramp { factor, low: 1, high: 2 }.error_bits(16), 16);
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
            let band = LoweredScaling::Band { factor, length, least, most };
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
                let off = relative_ulps(&band.scaled(0, &displaced), &band.scaled(0, &Float::<8>::from_f64(frequency)));
                shares[0] = shares[0].max(off / f64::powi(2.0, band.error_bits(ERROR_BITS) as i32));
                *entries += 1;
            }
        };
        let Worst { shares: [share], entries } = worst(bands, Goal::of_share(50), look);
        report("exact, bands", share, entries, 0.08);

        let bands = || (factor(), 2.0..1e9, 1usize..100, 0usize..100, 1u64..1 << 40, -30i32..0);
        let look = |(factor, base, count, i, length, bits), Worst { shares, entries }: &mut Worst<1>| {
            let step = Ratio { numerator: 1, denominator: count as u128 };
            let (i, length): (usize, f64) = (i % count, length as f64);
            let turns = length * f64::powf(base, -(i as f64) / count as f64) / core::f64::consts::TAU;
            let least = turns * (1.0 - f64::powi(2.0, bits));
            let band = LoweredScaling::LogBand { factor, length, least, most: 2.0 * least, base, step };
            let off = relative_ulps(
                &band.scaled(i, &Float::<16>::from_f64(1.0)),
                &band.scaled(i, &Float::<18>::from_f64(1.0)),
            );
            shares[0] = shares[0].max(off / f64::powi(2.0, band.error_bits(0) as i32));
            *entries += 1;
        };
        let Worst { shares: [share], entries } = worst(bands, Goal::of_share(500), look);
        report("exact, logarithmic bands", share, entries, 0.03);
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
        let band = LoweredScaling::Band { factor: Divisor::of(8.0), length: 8192.0, least: 1.0, most: 4.0 };
        assert_eq!(counts(500_000.0, 128, band), [29, 6, 29]); // Llama 3.1
        let ramp = LoweredScaling::Ramp { factor: Divisor::of(8.0), low: 10, high: 23 };
        assert_eq!(counts(10_000.0, 64, ramp), [11, 12, 9]); // DeepSeek's bounds
    }
}
