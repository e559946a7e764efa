//! Rules that divide some frequencies, for contexts longer than the one a model was trained with.
//!
//! Every rule is a factor of each frequency. With the share `g` that is kept, it is `g + (1 - g) / factor`, or `1 / x`
//! for a list of divisors, or a power.

use crate::error_bounds::{BAND_ERROR_BITS, LOG_BAND_ERROR_BITS, RAMP_ERROR_BITS};
use crate::exact::division;
use crate::exact::format::decompose;
use crate::exact::logarithm::{Base, Ratio};
use crate::float_bits::times_power_of_two;

/// Whether there are rules, and offsets of the frequencies. Without the feature, only [`Scaling::None`] is ever made, and the
/// code of the others is left out.
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
    Band { factor: Divisor, length: f64, least: f64, most: f64, sure: Sure },
    /// With `turns` in `length` positions, `g` rises linearly with their logarithm, from 0 at `least` to 1 at `most`.
    /// Frequency `i` is `base^(-i step)`.
    LogBand { factor: Divisor, length: f64, least: f64, most: f64, base: f64, step: Ratio, sure: Sure },
}

/// Which frequencies are kept or divided for certain, so that their share is not evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sure {
    /// How many of the first are kept.
    pub(crate) kept: usize,
    /// The first that is divided, as are all after it.
    pub(crate) divided: usize,
}

#[cfg(test)]
impl Sure {
    pub(crate) const NONE: Self = Self { kept: 0, divided: usize::MAX };
}

/// What a rule does to a frequency.
#[derive(Clone, Copy)]
pub(crate) enum Blend {
    /// It remains as it is.
    Kept,
    /// It is divided by the factor.
    Divided,
    /// It is multiplied by a number between the reciprocal of the factor and 1.
    By,
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

    /// Returns the number.
    const fn value(&self) -> f64 {
        times_power_of_two(self.numerator as u64, -(self.denominator.ilog2() as i32))
    }

    /// Returns an exponent of two that is greater than the number.
    pub(crate) const fn octaves(&self) -> i32 {
        self.numerator.ilog2() as i32 - self.denominator.ilog2() as i32 + 1
    }

    /// Sets `x` to the reciprocal of a factor other than 1, rounded down.
    pub(crate) const fn reciprocal(self, x: &mut [u64]) {
        division::quotient(x, self.denominator, self.numerator);
    }
}

impl LoweredScaling<'_> {
    /// Returns whether frequency `i` is zero.
    #[inline]
    pub(crate) const fn is_zero(&self, i: usize) -> bool {
        THERE_ARE_RULES && matches!(self, Self::First { count, .. } if i >= *count)
    }

    /// Returns how many of the first `count` frequencies are not zero.
    pub(crate) const fn count_nonzero(&self, count: usize) -> usize {
        match *self {
            Self::First { count: nonzero, .. } if nonzero < count => nonzero,
            _ => count,
        }
    }

    /// Returns whether the ratio of two frequencies is what it was, if neither is zero.
    ///
    /// Small machines have no room for what a progression then does with the first frequency.
    pub(crate) const fn keeps_ratio(&self) -> bool {
        matches!(self, Self::None) || (cfg!(feature = "alloc") && matches!(self, Self::Linear(_) | Self::First { .. }))
    }

    /// Returns what a rule that blends does to frequency `i`, as far as the index shows it. Other rules do something else.
    pub(crate) const fn blend(&self, i: usize) -> Blend {
        let Sure { kept, divided } = match *self {
            Self::Ramp { low, high, .. } => Sure { kept: low + 1, divided: high },
            Self::Band { sure, .. } | Self::LogBand { sure, .. } => sure,
            _ => return Blend::Kept,
        };
        if i < kept {
            Blend::Kept
        } else if i >= divided {
            Blend::Divided
        } else {
            Blend::By
        }
    }

    /// Returns what frequency `i` is divided by if that is a given number.
    pub(crate) const fn divisor(&self, i: usize) -> Option<f64> {
        match *self {
            _ if !THERE_ARE_RULES => Some(1.0),
            Self::None => Some(1.0),
            Self::Linear(factor) | Self::First { factor, .. } => Some(factor),
            Self::Each(divisors) => Some(divisors[i]),
            Self::Power { .. } if i == 0 => Some(1.0),
            Self::Power { .. } => None,
            Self::Ramp { factor, .. } | Self::Band { factor, .. } | Self::LogBand { factor, .. } => match self.blend(i)
            {
                Blend::Kept => Some(1.0),
                Blend::Divided => Some(factor.value()),
                Blend::By => None,
            },
        }
    }

    /// Returns the error bits of a scaled frequency, given those of the frequency.
    #[inline]
    pub(crate) const fn error_bits(&self, bits: u32) -> u32 {
        let own = match self {
            Self::Band { .. } if THERE_ARE_RULES => return bits + BAND_ERROR_BITS,
            Self::Ramp { .. } if THERE_ARE_RULES => RAMP_ERROR_BITS,
            Self::LogBand { .. } if THERE_ARE_RULES => LOG_BAND_ERROR_BITS,
            _ => return bits,
        };
        1 + if bits < own { own } else { bits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs that a rule keeps or divides for certain have the numbers that are given.
    #[test]
    fn divisors_of_blended_rules_are_known_at_both_ends() {
        for value in [1.0, 65_536.0, 1.0 + f64::EPSILON, 257.0 / 256.0, 65_535.999] {
            let factor = Divisor::of(value);
            let ramp = LoweredScaling::Ramp { factor, low: 1, high: 3 };
            assert_eq!(
                [0, 1, 2, 3, 9].map(|i| ramp.divisor(i)),
                [Some(1.0), Some(1.0), None, Some(value), Some(value)]
            );
            let sure = Sure { kept: 1, divided: 3 };
            let band = LoweredScaling::Band { factor, length: 8192.0, least: 1.0, most: 4.0, sure };
            assert_eq!([0, 1, 2, 3].map(|i| band.divisor(i)), [Some(1.0), None, None, Some(value)]);
        }
    }

    /// A band multiplies the error of a frequency, and a logarithmic one adds another, of which either may be the larger.
    #[test]
    fn the_errors_of_a_frequency_and_its_rule_add_up() {
        let (factor, length, least, most) = (Divisor::of(8.0), 8192.0, 1.0, 4.0);
        let step = Ratio { numerator: 1, denominator: 64 };
        let log_band = LoweredScaling::LogBand { factor, length, least, most, base: 10_000.0, step, sure: Sure::NONE };
        assert_eq!([16, 56, 57, 60].map(|bits| log_band.error_bits(bits)), [58, 58, 58, 61]);
        assert_eq!(LoweredScaling::Band { factor, length, least, most, sure: Sure::NONE }.error_bits(16), 43);
        assert_eq!(LoweredScaling::Ramp { factor, low: 1, high: 2 }.error_bits(16), 43);
    }
}
