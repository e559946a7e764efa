//! What an entry may be off by if its table was computed with a framework.

use posenc::{Amplitude, Parameters, Spec};

use super::fit::rsqrt;

/// What the angle of an entry is off by in `f32`, relative to the row's largest angle: half a unit (`2^-24`) each for the
/// exponent, the power, the position and the product, which tables of `NumPy` use up to a quarter of, and twice that for
/// frameworks with worse powers.
pub(super) const SINGLE: f64 = 8.0 * 5.960_464_477_539_063e-8;

/// The same in `f64`.
const DOUBLE: f64 = 8.0 * f64::EPSILON / 2.0;

/// How finely a table was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precision {
    /// All entries are the correctly rounded ones.
    Exact,
    /// As computed in `f64` and stored in it: what is stored in less does not tell `f64` from `f32`.
    Double,
    /// As computed in `f32`.
    Single,
}

/// The bounds of a table's entries row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    start: f64,
    step: f64,
    /// Amplitude times scale: what an error of the angle makes of an entry.
    slope: f64,
    /// What the element type makes.
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
        };
        // An amplitude beyond the largest entry is no excuse: it would let anything fit that is small enough. The eighth is for
        // largest entries that are no crest.
        let amplitude = amplitude.min(1.125 * largest);
        let slope = amplitude * scale.abs();
        Self { start: start.unwrap_or(0) as f64, step: step as f64, slope, rounding, amplitude }
    }

    /// What an entry of this row may be off by. A wrong quadrant is no error of an angle, so it is less than the amplitude.
    fn bound(&self, row: usize, precision: Precision) -> f64 {
        let turned = self.slope * (self.start + self.step * row as f64).abs();
        // Sine, cosine and the amplitude are off by some units themselves; the element type by one, where
        // an error before crosses the middle.
        let bound = match precision {
            Precision::Exact => 0.0,
            Precision::Double => DOUBLE * turned + self.amplitude * (2.0 * self.rounding + 4.0 * f64::EPSILON),
            Precision::Single => {
                SINGLE * turned + self.amplitude * (2.0 * self.rounding + 4.0 * f64::from(f32::EPSILON) / 2.0)
            }
        };
        bound.min(self.amplitude / 8.0)
    }

    /// The finest computation that is off by so much in this row.
    pub(super) fn precision(&self, row: usize, off: f64) -> Option<Precision> {
        let is_double = self.rounding <= f64::EPSILON;
        let all = [Precision::Exact, Precision::Double, Precision::Single];
        let mut told = all.into_iter().filter(|&precision| is_double || precision != Precision::Double);
        told.find(|&precision| off <= self.bound(row, precision))
    }
}
