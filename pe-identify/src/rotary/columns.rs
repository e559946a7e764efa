//! The columns of a table in an arrangement, and the frequencies that they show.

use posenc::{PairColumns, Spec};

use super::measured::Measured;
use crate::interval::{Interval, simplest};
use crate::rounding::Precision;
use crate::sample::Numbers;

/// The precisions with which a cache may have been computed.
pub(super) const PRECISIONS: [Precision; 2] = [Precision::Double, Precision::Single];

/// The columns in an arrangement, and what they determine if they were computed with this precision.
pub(super) struct MeasuredColumns<'a> {
    numbers: &'a Numbers,
    columns: Vec<PairColumns>,
    pub(super) precision: Precision,
    pub(super) measured: Measured,
}

impl<'a> MeasuredColumns<'a> {
    /// Returns the columns as all precisions that explain them measure them.
    pub(super) fn all(numbers: &'a Numbers, spec: &Spec) -> Vec<Self> {
        let columns: Vec<_> = spec.sin_cos_columns().collect();
        let of = |precision| {
            let measured = Measured::new(numbers, &columns, precision)?;
            Some(Self { numbers, columns: columns.clone(), precision, measured })
        };
        PRECISIONS.into_iter().filter_map(of).collect()
    }

    /// Returns the frequencies for one of the amplitudes that fit.
    pub(super) fn with_amplitude(&self, amplitude: f64) -> Option<Vec<Interval>> {
        let Self { numbers, ref columns, precision, .. } = *self;
        Some(Measured::with_amplitude(numbers, columns, precision, Interval::of(amplitude))?.frequencies)
    }

    /// Returns a list of frequencies, and the amplitude.
    pub(super) fn listed(&self) -> Option<(Vec<f64>, Interval)> {
        let range = self.measured.amplitude;
        let amplitudes = range.likeliest().into_iter().chain([range.low.midpoint(range.high)]);
        let of = |amplitude| Some((amplitude, self.with_amplitude(amplitude)?));
        let (amplitude, frequencies) = amplitudes.into_iter().find_map(of)?;
        Some((frequencies.into_iter().map(simplest).collect(), Interval::of(amplitude)))
    }
}
