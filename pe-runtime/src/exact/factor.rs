//! The factor of all entries: a given number, or the reciprocal of a square root.

use crate::error_bounds::POWER_ERROR_BITS;
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::format::Format;
use crate::exact::format::decompose;
use crate::exact::frequency::{Ratio, power_in};
use crate::exact::limbs;
use crate::exact::limbs::NARROW;
use crate::exact::rounding::{Enclosure, Magnitude};
use crate::float_bits::power_of_two;

/// The absolute value of an amplitude.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    /// The absolute value of a given number, exactly.
    Of(f64),
    /// `1 / sqrt(x)`, which is not a dyadic number, for an integer or half-integer `x` up to `2^24` other than a power
    /// of 4.
    Rsqrt(f64),
}

impl Size {
    pub(crate) const fn rsqrt(x: f64) -> Self {
        match decompose(x) {
            (0x10_0000_0000_0000, exponent) if exponent % 2 == 0 => Self::Of(power_of_two(-exponent / 2)),
            _ => Self::Rsqrt(x),
        }
    }

    /// Returns the bits of the nearest number of `format`, which are the entry for the cosine of a zero angle.
    ///
    /// A midpoint `m` of two `f64` near `1 / sqrt(x)` is below 2 and a multiple of `2^-66`. So `m^2` and `1 / x` differ
    /// by at least `2^-132 / 2^25`, and `m` and `1 / sqrt(x)` by at least a quarter of that. Therefore 512 bits decide
    /// the rounding, and the lower end of the enclosure rounds correctly.
    pub(crate) const fn round(self, format: Format) -> u64 {
        match self {
            Self::Of(value) => Magnitude::of_f64(value).round(format),
            Self::Rsqrt(_) => {
                let Factor { size: Float { fraction, exponent }, error_bits } = Factor::<8>::of(self);
                Enclosure::around(&fraction, error_bits, exponent).round_low(format)
            }
        }
    }
}

/// The absolute value of an amplitude in `L` limbs, off by less than `2^error_bits` ulp of the fraction.
#[derive(Clone, Copy)]
pub(crate) struct Factor<const L: usize> {
    pub(crate) size: Float<L>,
    pub(crate) error_bits: u32,
}

impl<const L: usize> Factor<L> {
    pub(crate) const fn of(size: Size) -> Self {
        let mut numbers = [[0; L]; 6];
        let [out, one, two, three, four, five] = &mut numbers;
        let (exponent, error_bits) = factor_in(size, [out, one, two, three, four, five]);
        Self { size: Float { fraction: Fixed(numbers[0]), exponent }, error_bits }
    }
}

/// Implements [`Factor::of`] for all precisions, so that it is compiled once.
///
/// It stores the fraction in the first of the numbers, and returns the exponent and the error bits.
pub(crate) const fn factor_in(size: Size, numbers: [&mut [u64]; 6]) -> (i32, u32) {
    match size {
        Size::Of(value) => {
            let [out, ..] = numbers;
            (limbs::set_f64(out, value), 0)
        }
        Size::Rsqrt(x) => (power_in(x, Ratio { numerator: 1, denominator: 2 }, numbers), POWER_ERROR_BITS),
    }
}

impl Factor<NARROW> {
    /// Returns the least `n` for which the factor is at most `2^n`.
    pub(crate) const fn exponent(&self) -> i32 {
        let Float { fraction, exponent } = self.size;
        // The fraction of a power of 2 is 1/2: only the first bit is set.
        exponent - limbs::is_zero_from(&fraction.0, 1) as i32
    }

    /// Returns the product with a positive number.
    pub(crate) const fn times(&self, other: Enclosure) -> Enclosure {
        // In units of 2^-128, truncation cost less than 1, and the error is far below 1. If the factor is not exact, it
        // is not a power of 2, so its fraction differs from 1 by more than that.
        let cut = self.size.fraction.window(0);
        other.times(cut - 1, cut.saturating_add(2), self.size.exponent)
    }
}
