//! The factor of all entries: a number that is given, or one over a square root.

use crate::fixed::{Fixed, Float, decompose, divide_exactly, sign};
use crate::frequency::{NARROW, POWER_ERROR_BITS, Ratio, power};
use crate::rounding::{Enclosure, Format, Magnitude};

/// What every sine and cosine is multiplied by, before the one rounding.
///
/// ```
/// use posenc::{Amplitude, Spec};
///
/// let mut row = [0.0f64; 8];
/// Spec::new(8).amplitude(Amplitude::Value(-0.5)).encode(0, &mut row)?;
/// assert_eq!(row[..2], [0.0, -0.5]); // sin 0 and cos 0
/// Spec::new(8).amplitude(Amplitude::Sqrt2OverD).encode(0, &mut row)?;
/// assert_eq!(row[..2], [0.0, 0.5]); // so that every row has length 1
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amplitude {
    /// A number: finite, and within the range of the element type. It may be negative or zero.
    Value(f64),
    /// `1 / sqrt(d_model)`, which `NeMo` and x-transformers use: `rsqrt_d` in the macro.
    RsqrtD,
    /// `sqrt(2 / d_model)`, which MLX uses: `sqrt_2_over_d` in the macro.
    Sqrt2OverD,
}

/// The size of an amplitude.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    /// Exactly that of the number.
    Of(f64),
    /// `1 / sqrt(x)` for an integer or half integer `x` up to `2^24` that is no power of 4: not a dyadic number.
    Rsqrt(f64),
}

impl Amplitude {
    pub(crate) const fn sign(self) -> i32 {
        match self {
            Self::Value(value) => sign(value),
            Self::RsqrtD | Self::Sqrt2OverD => 1,
        }
    }

    pub(crate) const fn size(self, d_model: usize) -> Size {
        match self {
            Self::Value(value) => Size::Of(value),
            Self::RsqrtD => Size::rsqrt(d_model as f64),
            Self::Sqrt2OverD => Size::rsqrt(divide_exactly(d_model as u64, 1)),
        }
    }
}

impl Size {
    const fn rsqrt(x: f64) -> Self {
        match decompose(x) {
            (0x10_0000_0000_0000, exponent) if exponent % 2 == 0 => {
                Self::Of(f64::from_bits(((1023 - exponent / 2) as u64) << 52))
            }
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
        match size {
            Size::Of(value) => Self { size: Float::from_f64(value), error_bits: 0 },
            Size::Rsqrt(x) => {
                let size = power(x, Ratio { numerator: 1, denominator: 2 });
                Self { size, error_bits: POWER_ERROR_BITS }
            }
        }
    }
}

impl Factor<NARROW> {
    /// The least `n` such that the factor is not above `2^n`.
    pub(crate) const fn exponent(&self) -> i32 {
        let Float { fraction, exponent } = self.size;
        exponent - fraction.wrapping_sub(&Fixed::HALF).is_zero() as i32
    }

    /// The product with a positive number.
    pub(crate) const fn times(&self, other: Enclosure) -> Enclosure {
        // In units of 2^-128: up to 1 was cut off, and the error is far below 1. A size that is not exact is no power of 2, so
        // its fraction is further than that from 1.
        let cut = self.size.fraction.window(0);
        other.times(cut - 1, cut.saturating_add(2), self.size.exponent)
    }
}
