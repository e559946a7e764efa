//! How other programs compute an entry: the same formula, rounded after each step.

use posenc::explain::Function;
use posenc::half::{bf16, f16};
use serde::Deserialize;

/// The arithmetic of a program.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Recipe {
    /// Frequencies, angles, sines and cosines in `f32`, as in PyTorch.
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
        let sine = |angle: f64| match function {
            Function::Sine => angle.sin(),
            Function::Cosine => angle.cos(),
        };
        let single = |frequency: f32| position as f32 * frequency;
        match self {
            Self::F64 => sine(position * frequency),
            Self::F32 => f64::from(sine(single(frequency as f32).into()) as f32),
            Self::Bf16Frequencies => f64::from(sine(single(bf16::from_f64(frequency).into()).into()) as f32),
            Self::Bf16Angles => f64::from(sine(bf16::from_f32(single(frequency as f32)).into()) as f32),
            Self::F16Angles => f64::from(sine(f16::from_f32(single(frequency as f32)).into()) as f32),
        }
    }
}
