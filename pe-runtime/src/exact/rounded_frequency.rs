//! Frequencies that are rounded to a format of 16 bits, or whose reciprocals are, as models store them.

use crate::exact::constants::LIMBS;
use crate::exact::division;
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::format::{Format, decompose};
use crate::exact::frequency::{Family, FrequencyRule, or_one};
use crate::exact::limbs;
use crate::exact::rounding::Enclosure;
use crate::exact::scaling::{LoweredScaling, THERE_ARE_RULES};
use crate::float_bits::{is_zero, times_power_of_two};

/// What is rounded after the scaling rule, and to which format.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FrequencyRounding {
    None,
    /// Each frequency.
    Frequency(Format),
    /// The reciprocal of each frequency.
    Period(Format),
}

impl FrequencyRounding {
    pub(crate) const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

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
            _ if !THERE_ARE_RULES => None,
            FrequencyRounding::None => None,
            FrequencyRounding::Frequency(format) => Some(Rounded::Frequency(self.round_to(i, format))),
            FrequencyRounding::Period(format) => Some(Rounded::Period(self.round_to(i, format))),
        }
    }

    /// Returns whether a frequency that is not zero is rounded to zero.
    pub(crate) const fn is_rounded_to_zero(&self, i: usize) -> bool {
        let least = match self.rounding {
            FrequencyRounding::None => return false,
            FrequencyRounding::Frequency(Format { min_quantum, .. }) => min_quantum,
            // Its period has at most twice the exponent of the largest number.
            FrequencyRounding::Period(format) => -decompose(format.max()).1,
        };
        if self.is_at_least(i, least) {
            return false;
        }
        match self.rounded(i) {
            None => false,
            Some(Rounded::Frequency(value)) => is_zero(value),
            Some(Rounded::Period(value)) => value.is_infinite(),
        }
    }

    /// Returns one of `count` frequencies that is infinite when rounded, or whose period is zero.
    ///
    /// In a geometric family the first or the last is the largest, because a rule divides the more the later they are, and one
    /// that is not a power itself is for families that fall.
    pub(crate) const fn out_of_range(&self, count: usize) -> Option<usize> {
        let count = self.scaling.count_nonzero(count);
        let are_ends_enough =
            matches!(self.family, Family::Geometric { .. }) && !matches!(self.scaling, LoweredScaling::Each(_));
        let mut i = 0;
        while i < count {
            let is_infinite = match self.rounded(i) {
                None => false,
                Some(Rounded::Frequency(value)) => value.is_infinite(),
                Some(Rounded::Period(value)) => is_zero(value),
            };
            if is_infinite {
                return Some(i);
            }
            i += if are_ends_enough && i + 1 < count { count - 1 - i } else { 1 };
        }
        None
    }

    /// Returns whether frequency `i` before `scale` and rounding is known to be at least `2^exponent`. Zero counts as 1.
    const fn is_at_least(&self, i: usize, exponent: i32) -> bool {
        /// More than what [`octaves`](FrequencyRule::octaves) is off by.
        const MARGIN: i32 = 4;
        /// A rule divides by at most this power of two: `dynamic` has the largest.
        const RULES: i32 = 100;
        let margin = if self.scaling.divisor(i).is_some() { MARGIN } else { MARGIN + RULES };
        self.octaves(i) - margin >= exponent
    }

    /// Returns the frequency or the period, rounded.
    ///
    /// If the most limbs do not decide either, it is a tie, because any other number would have to agree with a tie in 5000 bits.
    const fn round_to(&self, i: usize, format: Format) -> f64 {
        let bits = match ladder!(L of 3, 8 => self.enclose::<L>(i).round_size(format)) {
            Some(bits) => bits,
            None => self.enclose::<LIMBS>(i).round_size_or_tie(format),
        };
        if bits >= format.infinity() {
            return f64::INFINITY;
        }
        let (mantissa, exponent) = format.places(bits);
        times_power_of_two(mantissa, exponent)
    }

    /// Returns an enclosure of the frequency or of the period, whichever is rounded.
    const fn enclose<const L: usize>(&self, i: usize) -> Enclosure {
        let mut numbers = [[0; L]; 7];
        let [out, one, two, three, four, five, six] = &mut numbers;
        let exponent = self.unrounded_in(i, [out, one, two, three, four, five, six]);
        let mut number = Float { fraction: Fixed(numbers[0]), exponent };
        let mut error_bits = self.error_bits();
        if matches!(self.rounding, FrequencyRounding::Period(_)) {
            number = Float::from_f64(1.0).over(&number);
            error_bits += 2;
        }
        Enclosure::around(&number.fraction, error_bits, number.exponent)
    }
}

impl Rounded {
    /// Sets `out` to the fraction of the frequency, and returns the exponent: relative error < `2^(3 - 64 L)`. For a frequency of
    /// zero it is not meaningful.
    pub(crate) const fn set(self, out: &mut [u64]) -> i32 {
        match self {
            Self::Frequency(value) => limbs::set_f64(out, or_one(value)),
            Self::Period(value) => limbs::set_f64(out, 1.0) + division::divide_f64(out, value),
        }
    }
}

#[cfg(all(test, feature = "scaling"))]
#[allow(clippy::float_arithmetic, reason = "computes frequencies once more")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::apply_scaling::tests::rule;
    use crate::exact::frequency::Unit;
    use crate::exact::frequency::tests::{any_scale, paired};
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
