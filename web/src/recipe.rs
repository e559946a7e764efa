//! How other programs compute an entry: the same formula, rounded after each step.

use posenc::explain::Function;
use posenc::half::{bf16, f16};
use serde::Deserialize;

/// The arithmetic of a program.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Recipe {
    /// Frequencies, angles, sines and cosines in `f32`. The exact frequencies are rounded, not computed in `f32`.
    F32,
    /// Frequencies in `f32`, and angles in `bf16`.
    Bf16Angles,
    /// Frequencies in `f32`, and angles in `f16`.
    F16Angles,
    /// Frequencies in `bf16`, and angles in `f32`.
    Bf16Frequencies,
    /// Everything in `f64`.
    F64,
}

impl Recipe {
    /// Returns an entry of amplitude 1, from the `f64` nearest to its frequency.
    #[allow(clippy::cast_possible_truncation, reason = "these are the errors in question")]
    pub(crate) fn entry(self, function: Function, frequency: f64, position: f64) -> f64 {
        let angle = self.angle(frequency, position);
        let entry = match function {
            Function::Sine => angle.sin(),
            Function::Cosine => angle.cos(),
        };
        if self == Self::F64 { entry } else { f64::from(entry as f32) }
    }

    /// Returns the angle in radians.
    #[allow(clippy::cast_possible_truncation, reason = "these are the errors in question")]
    pub(crate) fn angle(self, frequency: f64, position: f64) -> f64 {
        let single = |frequency: f32| position as f32 * frequency;
        match self {
            Self::F64 => position * frequency,
            Self::F32 => single(frequency as f32).into(),
            Self::Bf16Frequencies => single(bf16::from_f64(frequency).into()).into(),
            Self::Bf16Angles => bf16::from_f32(single(frequency as f32)).into(),
            Self::F16Angles => f16::from_f32(single(frequency as f32)).into(),
        }
    }

    /// Returns a bound on the errors of angles up to a size, relative to that size.
    ///
    /// The frequency, the product and its conversion are each rounded to nearest: with a relative error of at most 2^-53 in
    /// `f64`, 2^-24 in `f32`, 2^-11 in `f16` and 2^-8 in `bf16`. Positions are exact. The bound is larger than the sum of these
    /// errors for normal numbers; that of a subnormal angle is at most 2^-25.
    pub(crate) fn precision(self, angle: f64) -> f64 {
        match self {
            Self::F64 => 2f64.powi(-51),
            Self::F32 => 2f64.powi(-22),
            // Larger angles are infinite.
            Self::F16Angles if angle > 65000.0 => f64::INFINITY,
            Self::F16Angles => 2f64.powi(-9),
            Self::Bf16Angles | Self::Bf16Frequencies => 2f64.powi(-7),
        }
    }
}
