//! Frequencies, unscaled sines and cosines, and the amplitude, in any number of limbs and without rounding.
//!
//! They serve code that shows these values or adds them up.

use crate::error_bounds::WIDE_ERROR_BITS;
use crate::exact::factor::{Factor, Size};
use crate::exact::fixed::Fixed;
use crate::exact::float::Float;
use crate::exact::frequency_rule::FrequencyRule;
use crate::exact::phase::Phase;
use crate::exact::sincos::wide_halves;
use crate::exact::sinusoid::{Function, PreparedAmplitude};
use crate::float_bits::{is_zero, sign};

/// A number in `L` limbs with an error bound.
#[derive(Clone, Copy)]
pub(crate) struct Approximation<const L: usize> {
    pub(crate) negative: bool,
    /// The fraction is zero for zero. The fraction of a sine or cosine is not normalised.
    pub(crate) size: Float<L>,
    /// The fraction is off by less than `2^error_bits` ulp, or exact if this is `None`.
    pub(crate) error_bits: Option<u32>,
}

impl<const L: usize> Approximation<L> {
    const ZERO: Self = Self { negative: false, size: Float { fraction: Fixed([0; L]), exponent: 0 }, error_bits: None };
    const ONE: Self = Self { negative: false, size: Float::from_f64(1.0), error_bits: None };

    /// Returns a finite number as an exact approximation.
    pub(crate) const fn of_f64(value: f64) -> Self {
        if is_zero(value) {
            return Self::ZERO;
        }
        Self { negative: value.is_sign_negative(), size: Float::from_f64(value), error_bits: None }
    }
}

impl FrequencyRule<'_> {
    /// Returns frequency `i` in radians per position.
    ///
    /// The fraction is below 1, so a relative error below `2^(b - 64 L)` is an error below `2^b` ulp of the fraction.
    pub(crate) fn in_radians<const L: usize>(&self, i: usize) -> Approximation<L> {
        if self.sign(i) == 0 {
            return Approximation::ZERO;
        }
        let (size, error_bits) = match self.exact(i) {
            Some(size) => (size, None),
            None => (self.radians(i), Some(self.error_bits())),
        };
        Approximation { negative: self.sign(i) < 0, size, error_bits }
    }

    /// Returns frequency `i` in turns per position.
    pub(crate) fn in_turns<const L: usize>(&self, i: usize) -> Approximation<L> {
        if self.sign(i) == 0 {
            return Approximation::ZERO;
        }
        let frequency = self.of(i);
        let error_bits = Some(frequency.error_bits);
        Approximation { negative: self.sign(i) < 0, size: frequency.turns, error_bits }
    }

    /// Returns `function` of the angle of frequency `i` at `position`.
    ///
    /// Returns `None` if `L` limbs do not even determine the position of the angle within its turn.
    pub(crate) fn unscaled<const L: usize>(
        &self,
        function: Function,
        i: usize,
        position: f64,
    ) -> Option<Approximation<L>> {
        let angle_sign = sign(position) * self.sign(i);
        if angle_sign == 0 {
            return Some(match function {
                Function::Sine => Approximation::ZERO,
                Function::Cosine => Approximation::ONE,
            });
        }
        let phase = Phase::new(position, &self.of::<L>(i))?;
        let (sin, half_cos) = wide_halves(&phase);
        let (sin, cos) = (Float { fraction: sin, exponent: 0 }, Float { fraction: half_cos, exponent: 1 });
        let [sin, cos] = phase.turn.unfold(sin, cos);
        let (size, negative) = match function {
            Function::Sine => sin,
            Function::Cosine => cos,
        };
        let error_bits = Some(phase.turn.error_bits + WIDE_ERROR_BITS);
        Some(Approximation { negative: negative ^ function.is_flipped(angle_sign), size, error_bits })
    }
}

impl PreparedAmplitude {
    /// Returns the amplitude.
    pub(crate) fn approximate<const L: usize>(&self) -> Approximation<L> {
        let Factor { size, error_bits } = Factor::of(self.size);
        let error_bits = match self.size {
            Size::Rational(_, 1.0) => None,
            _ => Some(error_bits),
        };
        Approximation { negative: self.negative, size, error_bits }
    }
}
