//! Error bounds for the entries of a table that was computed with a framework.

use posenc::{Amplitude, Frequencies, Parameters, Spec};

use crate::numbers::rsqrt;
use crate::products::Products;
use crate::rotary::cache;
use crate::rounding::{Precision, angle_error, bound_of_cache, off_before_rounding, units};

/// The error bounds of a table's entries.
#[derive(Clone, Debug)]
pub(crate) struct Noise {
    start: f64,
    step: f64,
    /// The relative rounding error of the element type.
    rounding: f64,
    /// How far entries may be from those that were computed.
    pub(crate) tolerance: f64,
    /// The amplitude with its sign.
    amplitude: f64,
    /// Its size, or the size of the largest entry.
    peak: f64,
    scale: f64,
    columns: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Column {
    frequency: f64,
    /// The exponent of the frequency, which has its error, or `None` for a rotary cache.
    exponent: Option<f64>,
    is_sin: bool,
    /// The products that explain the entries with large angles, if there are any.
    products: Option<Products>,
}

/// The error of an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Error {
    /// Whether the entry is the exact one.
    pub(crate) is_exact: bool,
    /// The value of the formula, as an `f64`.
    pub(crate) value: f64,
    pub(crate) found: f64,
}

impl Noise {
    /// Returns the bounds, or `None` if the spec has no frequencies.
    pub(crate) fn new(spec: &Spec, rounding: f64, largest: f64) -> Option<Self> {
        let Parameters { start, step, scale, amplitude, d_model, .. } = spec.parameters();
        let amplitude = match amplitude {
            Amplitude::RsqrtD => rsqrt(d_model),
            Amplitude::Sqrt2OverD => rsqrt(d_model) * 2_f64.sqrt(),
            Amplitude::Value(value) => value,
            Amplitude::AttentionFactor => cache::attention_factor(spec).unwrap_or(f64::INFINITY),
        };
        // An amplitude far above the largest entry would let any small table fit. The eighth allows for a largest entry
        // that is below the peak of the wave.
        let peak = amplitude.abs().min(1.125 * largest);
        let is_cache = cache::is_cache(spec);
        let is_progression = matches!(spec.parameters().frequencies, Frequencies::Geometric { .. }) && !is_cache;
        let frequencies = if is_progression { approximate(spec)? } else { cache::frequencies(spec)? };
        let most = frequencies.iter().fold(0.0, |most: f64, frequency| most.max(frequency.abs()));
        let exponent = |frequency: f64| if frequency == 0.0 { 0.0 } else { (most / frequency.abs()).ln() };
        let column = |frequency: f64| Column {
            frequency: frequency.abs(),
            exponent: (!is_cache).then(|| exponent(frequency)),
            is_sin: false,
            products: None,
        };
        let mut columns: Vec<_> = frequencies.into_iter().map(column).collect();
        spec.sin_cos_columns().filter_map(|slot| slot.sin).for_each(|column| columns[column].is_sin = true);
        let (start, step) = (start.unwrap_or(0) as f64, step as f64);
        Some(Self { start, step, scale, rounding, tolerance: 0.0, amplitude, peak, columns })
    }

    /// Returns the most precise computation that explains an entry.
    pub(crate) fn precision(&mut self, row: usize, column: usize, error: Error) -> Option<Precision> {
        if error.is_exact {
            return Some(Precision::Exact);
        }
        let position = self.start + self.step * row as f64;
        let off = (off_before_rounding(error.value, error.found, self.rounding) - self.tolerance).max(0.0);
        // A bound is capped well below the amplitude, so that a wrong quadrant never fits.
        let most = self.peak / 8.0;
        let Column { frequency, exponent, is_sin, ref mut products } = self.columns[column];
        let angle = position.abs() * frequency;
        let bound = |precision| match exponent {
            None => bound_of_cache(angle, error.value, self.peak, precision),
            Some(exponent) => {
                self.peak * angle_error(precision, exponent) * angle + error.value.abs() * units(precision)
            }
        };
        let explains = |precision| off <= bound(precision).min(most);
        if explains(Precision::Double) {
            return Some(Precision::Double);
        }
        if let Some(exponent) = exponent.filter(|_| bound(Precision::Single) > most) {
            let error_of_frequency = angle_error(Precision::Single, exponent);
            let products =
                products.get_or_insert_with(|| Products::new(frequency, self.scale, error_of_frequency, is_sin));
            let is_explained = products.explain(position, error.found, self.amplitude, self.rounding, self.tolerance);
            return is_explained.then_some(Precision::Single);
        }
        explains(Precision::Single).then_some(Precision::Single)
    }
}

/// Returns the frequency of each column of a 1-D table, nearly: its bounds need not be exact.
fn approximate(spec: &Spec) -> Option<Vec<f64>> {
    let mut first = spec.angular_frequencies().ok()?;
    let (first, second) = (first.next()?, first.next());
    let ratio = second.map_or(1.0, |second| second / first);
    let mut columns = vec![0.0; spec.d_model()];
    for (k, slot) in spec.sin_cos_columns().enumerate() {
        for column in [slot.sin, slot.cos].into_iter().flatten() {
            columns[column] = first * ratio.powf(k as f64);
        }
    }
    Some(columns)
}
