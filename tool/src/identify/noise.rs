//! Error bounds for the entries of a table that was computed with a framework.

use posenc::{Amplitude, Parameters, Spec};

use super::fit::rsqrt;

/// The error bound of an angle in `f32`, relative to the largest angle of the row.
///
/// It allows half a unit (`2^-24`) each for the exponent, the power, the position and the product, and twice that for
/// frameworks with less accurate powers. Tables of `NumPy` use up to a quarter of it.
pub(super) const SINGLE: f64 = 8.0 * 5.960_464_477_539_063e-8;

/// The same in `f64`.
const DOUBLE: f64 = 8.0 * f64::EPSILON / 2.0;

/// The precision with which a table was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precision {
    /// All entries are the correctly rounded ones.
    Exact,
    /// The entries were computed and stored in `f64`.
    ///
    /// A table stored in a smaller type cannot distinguish `f64` from `f32`.
    Double,
    /// The entries were computed in `f32`.
    Single,
}

/// The error bounds of a table's entries, row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    start: f64,
    step: f64,
    /// Amplitude times scale.
    ///
    /// Multiplied by a position and a relative error of the angle, it bounds the error of an entry.
    slope: f64,
    /// The relative rounding error of the element type.
    rounding: f64,
    amplitude: f64,
}

impl Noise {
    pub(super) fn new(spec: &Spec, rounding: f64, largest: f64) -> Self {
        let Parameters { start, step, scale, amplitude, d_model, .. } = spec.parameters();
        let amplitude = match amplitude {
            Amplitude::RsqrtD => rsqrt(d_model),
            Amplitude::Sqrt2OverD => rsqrt(d_model) * 2_f64.sqrt(),
            Amplitude::Value(value) => value.abs(),
            Amplitude::AttentionFactor => f64::INFINITY, // what is below still limits it
        };
        // An amplitude far above the largest entry would let any small table fit. The eighth allows for a largest entry
        // that is below the crest of the wave.
        let amplitude = amplitude.min(1.125 * largest);
        let slope = amplitude * scale.abs();
        Self { start: start.unwrap_or(0) as f64, step: step as f64, slope, rounding, amplitude }
    }

    /// Returns the error bound of an entry in this row.
    ///
    /// It is capped well below the amplitude, so that a wrong quadrant never fits.
    fn bound(&self, row: usize, precision: Precision) -> f64 {
        let turned = self.slope * (self.start + self.step * row as f64).abs();
        // Sine, cosine and the amplitude have errors of a few units. The element type adds one unit if an earlier error
        // crosses a midpoint.
        let bound = match precision {
            Precision::Exact => 0.0,
            Precision::Double => DOUBLE * turned + self.amplitude * (2.0 * self.rounding + 4.0 * f64::EPSILON),
            Precision::Single => {
                SINGLE * turned + self.amplitude * (2.0 * self.rounding + 4.0 * f64::from(f32::EPSILON) / 2.0)
            }
        };
        bound.min(self.amplitude / 8.0)
    }

    /// Returns the most precise computation that explains an error of `off` in this row.
    pub(super) fn precision(&self, row: usize, off: f64) -> Option<Precision> {
        let is_double = self.rounding <= f64::EPSILON;
        let all = [Precision::Exact, Precision::Double, Precision::Single];
        let mut told = all.into_iter().filter(|&precision| is_double || precision != Precision::Double);
        told.find(|&precision| off <= self.bound(row, precision))
    }
}
