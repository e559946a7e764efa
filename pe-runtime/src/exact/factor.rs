//! The factor of all entries: a number that is given, or one over a square root.

use crate::error_bounds::POWER_ERROR_BITS;
use crate::exact::bits::power_of_two;
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::format::Format;
use crate::exact::format::decompose;
use crate::exact::frequency::{NARROW, Ratio, power_in};
use crate::exact::limbs;
use crate::exact::rounding::{Enclosure, Magnitude};

/// The size of an amplitude.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    /// Exactly that of the number.
    Of(f64),
    /// `1 / sqrt(x)` for an integer or half integer `x` up to `2^24` that is no power of 4: not a dyadic number.
    Rsqrt(f64),
}

impl Size {
    pub(crate) const fn rsqrt(x: f64) -> Self {
        match decompose(x) {
            (0x10_0000_0000_0000, exponent) if exponent % 2 == 0 => Self::Of(power_of_two(-exponent / 2)),
            _ => Self::Rsqrt(x),
        }
    }

    /// The bits of the nearest number of `format`: what the cosine of 0 becomes.
    ///
    /// A midpoint `m` of two `f64` around `1 / sqrt(x)` is below 2 and a multiple of `2^-66`, so `m^2` and `1 / x` differ by at
    /// least `2^-132 / 2^25`, and `m` and `1 / sqrt(x)` by a quarter of that: 512 bits decide, and the lower end rounds right.
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

/// The size of an amplitude in `L` limbs, off by less than `2^error_bits` ulp of the fraction.
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

/// The body of [`Factor::of`], once for all precisions: leaves the fraction in the first of the numbers, and returns
/// the exponent and the error's bits.
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
    /// The least `n` such that the factor is not above `2^n`.
    pub(crate) const fn exponent(&self) -> i32 {
        let Float { fraction, exponent } = self.size;
        // A power of 2 has the fraction 1/2: no bit but the first.
        exponent - limbs::is_zero_from(&fraction.0, 1) as i32
    }

    /// The product with a positive number.
    pub(crate) const fn times(&self, other: Enclosure) -> Enclosure {
        // In units of 2^-128: up to 1 was cut off, and the error is far below 1. A size that is not exact is no power of 2, so
        // its fraction is further than that from 1.
        let cut = self.size.fraction.window(0);
        other.times(cut - 1, cut.saturating_add(2), self.size.exponent)
    }
}
