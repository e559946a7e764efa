//! Error bounds for the entries of a table that was computed with a framework.

use posenc::{Amplitude, Parameters, Spec};

use super::fit::rsqrt;
use super::rotary;

/// The error bound of an angle in `f32`, relative to the largest angle of the row.
///
/// It allows half a unit (`2^-24`) each for the exponent, the power, the position and the product, and twice that for
/// frameworks with less accurate powers. Tables of `NumPy` use up to a quarter of it.
pub(super) const SINGLE: f64 = 8.0 * 5.960_464_477_539_063e-8;

/// The same in `f64`.
const DOUBLE: f64 = 8.0 * f64::EPSILON / 2.0;

/// How many times as large the error of an angle of a rotary cache may be, relative to the angle itself.
///
/// The exponent has half a unit, which the logarithm of the base multiplies by up to 16; a scaling rule adds a few units,
/// and more where it blends two frequencies. The recipe of transformers uses up to a quarter of it, for gpt-oss.
const OF_CACHE: f64 = 8.0;

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

/// The error bounds of a table's entries.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    start: f64,
    step: f64,
    /// The relative rounding error of the element type.
    rounding: f64,
    amplitude: f64,
    frequencies: Frequencies,
}

/// The frequencies that determine the errors of the angles.
#[derive(Clone, Debug)]
enum Frequencies {
    /// The largest one, for all columns.
    Largest(f64),
    /// That of each column. The rules of rotary caches differ in slow columns, where errors are small.
    Each(Vec<f64>),
}

/// The error of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Error {
    /// The difference from the exact entry.
    pub(super) off: f64,
    /// The value of the formula: for a rotary cache as an `f64`, otherwise the exact entry.
    pub(super) value: f64,
    pub(super) found: f64,
}

impl Noise {
    pub(super) fn new(spec: &Spec, rounding: f64, largest: f64) -> Self {
        let Parameters { start, step, scale, amplitude, d_model, .. } = spec.parameters();
        let cache = if rotary::is_cache(spec) { rotary::frequencies(spec) } else { None };
        let amplitude = match amplitude {
            Amplitude::RsqrtD => rsqrt(d_model),
            Amplitude::Sqrt2OverD => rsqrt(d_model) * 2_f64.sqrt(),
            Amplitude::Value(value) => value.abs(),
            Amplitude::AttentionFactor => rotary::attention_factor(spec).unwrap_or(f64::INFINITY),
        };
        // An amplitude far above the largest entry would let any small table fit. The eighth allows for a largest entry
        // that is below the crest of the wave.
        let amplitude = amplitude.min(1.125 * largest);
        let frequencies = cache.map_or(Frequencies::Largest(scale.abs()), Frequencies::Each);
        Self { start: start.unwrap_or(0) as f64, step: step as f64, rounding, amplitude, frequencies }
    }

    /// Returns the most precise computation that explains an entry.
    pub(super) fn precision(&self, row: usize, column: usize, error: Error) -> Option<Precision> {
        if error.off == 0.0 {
            return Some(Precision::Exact);
        }
        let position = (self.start + self.step * row as f64).abs();
        let explains = |precision: Precision| match &self.frequencies {
            Frequencies::Largest(frequency) => error.off <= self.bound(position * frequency, precision),
            Frequencies::Each(frequencies) => {
                let bound = bound_of_cache(position * frequencies[column], error.value, self.amplitude, precision);
                off_before_rounding(error.value, error.found, self.rounding) <= bound
            }
        };
        let is_double = self.rounding <= f64::EPSILON;
        let inexact = [Precision::Double, Precision::Single];
        let mut told = inexact.into_iter().filter(|&precision| is_double || precision != Precision::Double);
        told.find(|&precision| explains(precision))
    }

    /// Returns the error bound of an entry of a 1-D table.
    ///
    /// It is capped well below the amplitude, so that a wrong quadrant never fits.
    fn bound(&self, angle: f64, precision: Precision) -> f64 {
        // Sine, cosine and the amplitude have errors of a few units. The element type adds one unit if an earlier error
        // crosses a midpoint.
        let (error, units) = units(precision);
        let bound = self.amplitude * (error * angle + 2.0 * self.rounding + units);
        bound.min(self.amplitude / 8.0)
    }
}

/// Returns the relative error of an angle, and that of a sine or cosine with its amplitude.
fn units(precision: Precision) -> (f64, f64) {
    match precision {
        Precision::Exact => (0.0, 0.0),
        Precision::Double => (DOUBLE, 4.0 * f64::EPSILON),
        Precision::Single => (SINGLE, 4.0 * f64::from(f32::EPSILON) / 2.0),
    }
}

/// Returns the error bound of an entry of a rotary cache before it is rounded to the element type.
pub(super) fn bound_of_cache(angle: f64, value: f64, amplitude: f64, precision: Precision) -> f64 {
    let (error, units) = units(precision);
    // The gap between the smallest numbers of `f16`.
    let gap = if precision == Precision::Single { f64::from(f32::EPSILON) / 2.0 } else { 0.0 };
    (amplitude * OF_CACHE * error * angle + value.abs() * units + gap).min(amplitude / 8.0)
}

/// Returns the least error of numbers that are rounded to `found`.
///
/// In 16 bits, different rules may make tables whose entries are at most one unit apart, but only entries near a midpoint
/// are rounded to the other side by an error of `f32`.
pub(super) fn off_before_rounding(value: f64, found: f64, rounding: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let power_of_two = f64::from_bits(found.to_bits() & EXPONENT);
    ((value - found).abs() - rounding * power_of_two).max(0.0)
}
