//! Frequencies that are rounded to a format of 16 bits, or whose reciprocals are, as models store them.

use crate::exact::division;
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::format::{Format, decompose};
use crate::exact::frequency_rule::{FrequencyRounding, FrequencyRule, or_one};
use crate::exact::limbs;
use crate::exact::product::Product;
use crate::exact::rounding::Enclosure;
use crate::exact::scaling::{LoweredScaling, THERE_ARE_RULES};
use crate::float_bits::{is_zero, times_power_of_two};

impl FrequencyRounding {
    /// Returns what a number stands for that is rounded.
    const fn of(&self, number: f64) -> Rounded {
        match self {
            Self::Period(_) => Rounded::Period(number),
            _ => Rounded::Frequency(number),
        }
    }

    /// Returns an enclosure of a frequency, or of its reciprocal if that is what is rounded.
    ///
    /// The frequency has a relative error below `2^(error_bits - 64 L)`. The reciprocal adds less than `2^2`.
    const fn enclose<const L: usize>(&self, frequency: &Float<L>, error_bits: u32) -> Enclosure {
        let (number, error_bits) = match self {
            Self::Period(_) => (Float::from_f64(1.0).over(frequency), error_bits + 2),
            _ => (*frequency, error_bits),
        };
        Enclosure::around(&number.fraction, error_bits, number.exponent)
    }
}

/// More than what [`octaves`](FrequencyRule::octaves) is off by, if a rule does not matter.
///
/// It has whole octaves of the base and of the divisor. Since the exponent of the base is at most 2, that makes it too large by less
/// than 2 and 1. The exponent is truncated to units of `2^-10`. Times up to 1023 octaves, that makes it too large by less than 1 if
/// the base is above 1; if it is below 1, too small by less than 2. The last truncation makes it too small by less than 1. Together
/// it is too large by less than 4, and too small by less than 3.
const MARGIN: i32 = 4;

/// What stands for a frequency that is rounded.
pub(crate) enum Rounded {
    Frequency(f64),
    Period(f64),
}

impl FrequencyRule<'_> {
    /// Returns the magnitude of frequency `i`, which is not zero before it is rounded, or `None` if it is not rounded.
    ///
    /// It may be rounded to zero or to infinity.
    pub(crate) const fn rounded(&self, i: usize) -> Option<Rounded> {
        match self.rounding {
            FrequencyRounding::Frequency(format) | FrequencyRounding::Period(format) if THERE_ARE_RULES => {
                Some(self.rounding.of(self.round_to(i, format)))
            }
            _ => None,
        }
    }

    /// Returns whether a frequency that is not zero may be rounded to zero, for all that is known of it without evaluating it.
    pub(crate) const fn may_be_rounded_to_zero(&self, i: usize) -> bool {
        match self.rounding {
            FrequencyRounding::None => false,
            FrequencyRounding::Frequency(Format { min_quantum, .. }) => !self.is_at_least(i, min_quantum),
            // Its period is at most this power of two, which is not infinite.
            FrequencyRounding::Period(format) => !self.is_at_least(i, -decompose(format.max()).1),
        }
    }

    /// Returns whether a frequency that is not zero is rounded to zero.
    pub(crate) const fn is_rounded_to_zero(&self, i: usize) -> bool {
        if !self.may_be_rounded_to_zero(i) {
            return false;
        }
        match self.rounded(i) {
            None => false,
            Some(Rounded::Frequency(value)) => is_zero(value),
            Some(Rounded::Period(value)) => value.is_infinite(),
        }
    }

    /// Returns the first of `count` frequencies that is infinite when rounded, or whose period is zero.
    ///
    /// Rules divide, except for lists of divisors, so a frequency that is small before the rule need not be evaluated.
    pub(crate) const fn out_of_range(&self, count: usize) -> Option<usize> {
        let (FrequencyRounding::Frequency(format) | FrequencyRounding::Period(format)) = self.rounding else {
            return None;
        };
        // The exponent of the largest number, or less than that of the reciprocal of the smallest.
        let most = decompose(format.max()).1;
        let (count, mut i) = (self.scaling.count_nonzero(count), 0);
        while i < count {
            if self.octaves(i) + MARGIN > most {
                let is_infinite = match self.rounding.of(self.round_to(i, format)) {
                    Rounded::Frequency(value) => value.is_infinite(),
                    Rounded::Period(value) => is_zero(value),
                };
                if is_infinite {
                    return Some(i);
                }
            }
            i += 1;
        }
        None
    }

    /// Returns whether frequency `i` before `scale` and rounding is known to be at least `2^exponent`. Zero counts as 1.
    const fn is_at_least(&self, i: usize, exponent: i32) -> bool {
        // What the rule divides by at most, unless that is known exactly.
        let of_rule = match &self.scaling {
            LoweredScaling::Ramp { factor, .. }
            | LoweredScaling::Band { factor, .. }
            | LoweredScaling::LogBand { factor, .. } => factor.octaves(),
            // Its power has an exponent of at most 1.
            LoweredScaling::Power { base, .. } => base.octaves(),
            _ => 0,
        };
        self.octaves(i) - MARGIN - of_rule >= exponent
    }

    /// Returns frequency `i`, rounded, given an approximation before that in radians per position, with a relative error below
    /// `2^(error_bits - 64 L)`.
    pub(crate) const fn round_near<const L: usize>(&self, i: usize, frequency: &Float<L>, error_bits: u32) -> Float<L> {
        let (FrequencyRounding::Frequency(format) | FrequencyRounding::Period(format)) = self.rounding else {
            return *frequency;
        };
        // Two limbs decide nearly always. What is cut off is less than an ulp, as are the errors that they do not show.
        let short: Float<2> = frequency.truncated();
        let short_error_bits = error_bits.saturating_sub(64 * (L as u32 - 2)) + 2;
        let number = match self.rounding.enclose(&short, short_error_bits).round_size(format) {
            Some(bits) => value(bits, format),
            None => self.round_to(i, format),
        };
        let mut fraction = [0; L];
        let exponent = self.rounding.of(number).set(&mut fraction);
        Float { fraction: Fixed(fraction), exponent }
    }

    /// Returns the frequency or the period, rounded.
    ///
    /// What few limbs do not decide may be a tie. A rational number is compared with it exactly. (It has few bits, so if it is
    /// nearer to a tie than `2^-380`, it is one.) Another number would have to agree with a tie in 2000 bits.
    const fn round_to(&self, i: usize, format: Format) -> f64 {
        let bits = match self.enclose::<3>(i).round_size(format) {
            Some(bits) => bits,
            None => match self.rational(i) {
                Some(number) => Enclosure::around(&number.fraction, 4, number.exponent).round_size_or_tie(format),
                None => self.enclose::<32>(i).round_size_or_tie(format),
            },
        };
        value(bits, format)
    }

    /// Returns the frequency or the period, whichever is rounded, if it is rational and known to be: too small by a relative error
    /// below `2^-380`.
    const fn rational(&self, i: usize) -> Option<Float<6>> {
        let mut product = Product::of(1.0);
        if !self.multiply_unrounded(i, &mut product) {
            return None;
        }
        Some(match self.rounding {
            FrequencyRounding::Period(_) => product.reciprocal().quotient(),
            _ => product.quotient(),
        })
    }

    /// Returns an enclosure of the frequency or of the period, whichever is rounded.
    const fn enclose<const L: usize>(&self, i: usize) -> Enclosure {
        let mut numbers = [[0; L]; 7];
        let [out, one, two, three, four, five, six] = &mut numbers;
        let exponent = self.unrounded_in(i, [out, one, two, three, four, five, six]);
        let frequency = Float { fraction: Fixed(numbers[0]), exponent };
        self.rounding.enclose(&frequency, self.error_bits())
    }
}

/// Returns the number with these bits, or infinity.
const fn value(bits: u64, format: Format) -> f64 {
    if bits >= format.infinity() {
        return f64::INFINITY;
    }
    let (mantissa, exponent) = format.places(bits);
    times_power_of_two(mantissa, exponent)
}

impl Rounded {
    /// Sets `out` to the fraction of the frequency, and returns the exponent: relative error < `2^(3 - 64 L)`. For a frequency of
    /// zero it is not meaningful.
    pub(crate) const fn set(self, out: &mut [u64]) -> i32 {
        match self {
            Self::Frequency(value) => limbs::set_f64(out, or_one(value)),
            Self::Period(value) => limbs::set_f64(out, 1.0) + division::divide_f64(out, or_one(value)),
        }
    }
}

#[cfg(all(test, feature = "scaling"))]
#[allow(clippy::float_arithmetic, reason = "computes frequencies once more")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::apply_scaling::tests::rule;
    use crate::exact::frequency::tests::{any_scale, paired};
    use crate::exact::frequency_rule::{Family, Unit};
    use crate::exact::scaling::Divisor;
    use crate::properties;

    fn listed(list: &[f64], rounding: FrequencyRounding) -> FrequencyRule<'_> {
        let family = Family::Given(list);
        FrequencyRule { family, scaling: LoweredScaling::None, rounding, scale: 1.0, unit: Unit::ONE }
    }

    fn value(rule: &FrequencyRule, i: usize) -> f64 {
        match rule.rounded(i) {
            Some(Rounded::Frequency(value) | Rounded::Period(value)) => value,
            None => unreachable!("they are rounded"),
        }
    }

    /// Reciprocals of integers are not exact, so that only the most limbs tell that a period is a tie.
    #[test]
    fn ties_go_to_even() {
        let frequencies = listed(&[257.0, 259.0, -257.5], FrequencyRounding::Frequency(Format::BF16));
        assert_eq!([0, 1, 2].map(|i| value(&frequencies, i)), [256.0, 260.0, 258.0]);
        for (base, nearest) in [(257.0, 256.0), (259.0, 260.0), (257.5, 258.0)] {
            let rounding = FrequencyRounding::Period(Format::BF16);
            // Frequency 1 of one pair after the other is the reciprocal of the base.
            let periods = FrequencyRule { rounding, ..paired(base, 2) };
            assert_eq!(value(&periods, 1), nearest);
        }
    }

    /// Each period is 257 / 256 exactly, which is decided without thousands of bits.
    #[test]
    fn ties_of_rational_numbers_are_decided_at_once() {
        let tie = FrequencyRule { scaling: LoweredScaling::Linear(257.0 / 256.0), ..paired(1.0, 200_000) };
        let periods = FrequencyRule { rounding: FrequencyRounding::Period(Format::BF16), ..tie };
        assert!((0..100_000).all(|i| value(&periods, i) == 1.0));
        let above = FrequencyRule { scaling: LoweredScaling::Linear((257.0f64 / 256.0).next_up()), ..periods };
        assert_eq!((value(&above, 1), value(&above, 99_999)), (129.0 / 128.0, 129.0 / 128.0));
        let ramp = LoweredScaling::Ramp { factor: Divisor::of(257.0 / 256.0), low: 0, high: 1 };
        let divided = FrequencyRule { scaling: ramp, ..periods };
        assert!((0..100_000).all(|i| value(&divided, i) == 1.0));
        let third = LoweredScaling::Linear(3.0);
        let list = [3.0 * 257.0, 3.0 * 259.0];
        let frequencies = FrequencyRule { scaling: third, ..listed(&list, FrequencyRounding::Frequency(Format::BF16)) };
        assert_eq!([0, 1].map(|i| value(&frequencies, i)), [256.0, 260.0]);
    }

    #[test]
    fn the_ends_of_the_range_are_those_of_the_format() {
        let f16 = FrequencyRounding::Frequency(Format::F16);
        let tiny = f64::powi(2.0, -25);
        let list = [65_519.99, 65_520.0, tiny, tiny.next_up(), 0.0];
        let frequencies = listed(&list, f16);
        assert_eq!([0, 1, 2, 3].map(|i| value(&frequencies, i)), [65_504.0, f64::INFINITY, 0.0, 2.0 * tiny]);
        assert_eq!(frequencies.out_of_range(list.len()), Some(1));
        assert_eq!([0, 2, 3, 4].map(|i| frequencies.sign(i)), [1, 0, 1, 0]);
        let list = [f64::powi(2.0, 134), f64::powi(2.0, 133), 1e-38, 1e-39];
        let periods = listed(&list, FrequencyRounding::Period(Format::BF16));
        assert_eq!((periods.out_of_range(4), periods.out_of_range(1)), (Some(0), Some(0)));
        assert_eq!([1, 2, 3].map(|i| periods.sign(i)), [1, 1, 0]);
        // The last frequency of a base below 1 is the largest.
        let rising = FrequencyRule { rounding: f16, ..paired(1e-5, 4) };
        assert_eq!((rising.out_of_range(2), rising.out_of_range(3)), (None, Some(2)));
    }

    properties! {
        #![cases(200)]

        #[test]
        fn what_is_known_to_be_large_is(
            (scaling, base, count) in rule(),
            given in any_scale(),
            at: prop::sample::Index,
            (is_given, format) in (any::<bool>(), prop_oneof![Just(Format::F16), Just(Format::BF16)]),
        ) {
            let list = [given];
            let rounding = FrequencyRounding::Frequency(format);
            let frequencies = if is_given {
                listed(&list, rounding)
            } else {
                FrequencyRule { scaling, rounding, ..paired(base, 2 * count as u64) }
            };
            let i = if is_given { 0 } else { at.index(count) };
            let frequency: Float<8> = FrequencyRule { rounding: FrequencyRounding::None, ..frequencies }.of(i).turns;
            // In radians, it is more than twice as large, and below eight times as large.
            let octaves = frequency.exponent + 1;
            for exponent in octaves + 2..octaves + 120 {
                prop_assert!(!frequencies.is_at_least(i, exponent));
            }
        }
    }
}
