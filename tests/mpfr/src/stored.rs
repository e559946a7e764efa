//! Frequencies, or their reciprocals, that are rounded to a float of 16 bits before they are used.

use posenc::FrequencyDtype;
use rug::Float;

use crate::amplitude::{FIRST, LAST};
use crate::interval::Interval;
use crate::rounding::{Digits, FORMATS, Format};

/// What stands for a frequency.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    Frequency(Float),
    Period(Float),
    /// It is beyond the largest number, and must be refused.
    Infinite,
}

impl Stored {
    /// Rounds a frequency, or its reciprocal, which are to be neither 0 nor infinite before that.
    ///
    /// The frequency is given in so many bits, with a relative error below `2^15 u`.
    pub fn of(frequency: impl Fn(u32) -> Float, dtype: FrequencyDtype) -> Self {
        let (format, is_period) = match dtype {
            FrequencyDtype::F16 => (&FORMATS[2], false),
            FrequencyDtype::Bf16 => (&FORMATS[3], false),
            FrequencyDtype::Bf16Period => (&FORMATS[3], true),
            FrequencyDtype::Exact => unreachable!("nothing is rounded"),
        };
        let bits = nearest(frequency, format, is_period);
        match (bits >= format.infinity(), is_period) {
            (true, false) => Self::Infinite,
            (false, true) if bits == 0 => Self::Infinite,
            // The reciprocal of infinity.
            (true, true) => Self::Frequency(Float::new(53)),
            (false, true) => Self::Period(format.value(bits)),
            (false, false) => Self::Frequency(format.value(bits)),
        }
    }

    /// Returns the frequency in so many bits, with a relative error of at most `u`.
    pub fn frequency(&self, precision: u32) -> Float {
        match self {
            Self::Frequency(frequency) => Float::with_val(precision, frequency),
            Self::Period(period) => Float::with_val(precision, period.recip_ref()),
            Self::Infinite => panic!("an infinite frequency has to be refused"),
        }
    }
}

/// Returns the bits of the nearest number. If even the last precision leaves it open, it is a midpoint.
fn nearest(frequency: impl Fn(u32) -> Float, format: &Format, is_period: bool) -> u64 {
    let mut precision = FIRST;
    loop {
        let frequency = frequency(precision).abs();
        let number = if is_period { frequency.recip() } else { frequency };
        // The frequency has a relative error below 2^15 u, and the reciprocal adds u.
        let error = number.get_exp().expect("not 0") + 16 - precision.cast_signed();
        let midpoint = Float::with_val(precision / 2, &number);
        let [low, high] = Interval::around(number, error).ends();
        let [low, high] = [low, high].map(|end| bits(format, &end));
        if low == high {
            return low;
        }
        precision *= 2;
        if precision > LAST {
            return bits(format, &midpoint);
        }
    }
}

/// Returns the bits of the nearest number, or of one beyond all numbers.
fn bits(format: &Format, x: &Float) -> u64 {
    if x.get_exp().expect("not 0") > 200 {
        return format.infinity();
    }
    format.nearest(&Digits::of(x).expect("not 0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(frequency: f64, dtype: FrequencyDtype) -> Stored {
        Stored::of(|precision| Float::with_val(precision, frequency), dtype)
    }

    fn exactly(number: f64) -> Float {
        Float::with_val(64, number)
    }

    #[test]
    fn midpoints_are_rounded_to_even() {
        let of = |number: f64| stored(number, FrequencyDtype::Bf16);
        assert_eq!([257.0, 259.0].map(of), [256.0, 260.0].map(|number| Stored::Frequency(exactly(number))));
        // In no number of bits is this exact.
        let period = Stored::of(|precision| Float::with_val(precision, 257).recip(), FrequencyDtype::Bf16Period);
        assert_eq!(period, Stored::Period(exactly(256.0)));
    }

    #[test]
    fn what_is_beyond_all_numbers_is_infinite_or_zero() {
        use FrequencyDtype::{Bf16, Bf16Period, F16};
        assert_eq!(
            [stored(65_519.0, F16), stored(65_520.0, F16)],
            [Stored::Frequency(exactly(65_504.0)), Stored::Infinite]
        );
        assert_eq!(
            [stored(1e39, Bf16), stored(1e300, Bf16), stored(1e41, Bf16Period)],
            [const { Stored::Infinite }; 3]
        );
        assert_eq!(
            [stored(1e-8, F16), stored(1e-39, Bf16Period)],
            [0.0; 2].map(|zero| Stored::Frequency(exactly(zero)))
        );
        assert_eq!(stored(-0.75, F16), Stored::Frequency(exactly(0.75)));
    }
}
