//! The distance of a table from the exact one of a spec, and which arithmetic explains it.

use std::ops::Range;

use posenc::Spec;

use crate::answer::Distance;
use crate::element::{Dtype, FloatType};
use crate::entries::{Stop, entries};
use crate::exact;
use crate::noise::{Error, Noise};
use crate::rank;
use crate::rounding::Precision;
use crate::rows::Table;
use crate::sample::Numbers;

/// A spec, and the distance of its table from the table found.
#[derive(Clone, Debug)]
pub(crate) struct Fit<'a> {
    pub(crate) spec: Spec<'a>,
    pub(crate) distance: Distance,
}

impl Fit<'_> {
    /// Returns whether the errors of an arithmetic explain the distance.
    pub(crate) fn is_explained(&self) -> bool {
        self.distance.precision.is_some()
    }

    /// Returns whether this arithmetic, or a more precise one, explains the distance.
    pub(crate) fn is_explained_by(&self, most: Precision) -> bool {
        self.distance.precision.is_some_and(|precision| precision <= most)
    }

    /// Returns the root of the mean square of the differences.
    pub(crate) fn mean_distance(&self) -> f64 {
        self.distance.mean
    }

    /// Returns about the cost, in bits, of a description of the table: the less, the more likely is the spec.
    pub(crate) fn cost(&self) -> f64 {
        rank::cost(&self.spec) + self.distance.cost()
    }
}

/// Compares the rows of a table with the exact ones.
pub(crate) struct Comparison<'a> {
    spec: &'a Spec<'a>,
    dtype: Dtype,
    noise: Noise,
    distance: Distance,
    squares: f64,
}

impl<'a> Comparison<'a> {
    /// Returns a comparison without rows, or `None` if the spec has no such table.
    ///
    /// `largest` is the largest magnitude of an entry found.
    pub(crate) fn new(spec: &'a Spec<'a>, float: FloatType, seq_len: usize, largest: f64) -> Option<Self> {
        let dtype = Dtype::Float(float);
        if !exact::has_table(dtype, spec, seq_len) {
            return None;
        }
        let noise = Noise::new(spec, float.rounding(), largest)?;
        Some(Self { spec, dtype, noise, distance: Distance::EXACT, squares: 0.0 })
    }

    /// Returns a comparison with the table of a sample.
    pub(crate) fn of(spec: &'a Spec<'a>, numbers: &Numbers) -> Option<Self> {
        let mut comparison = Self::new(spec, numbers.float, numbers.seq_len, numbers.largest)?;
        comparison.noise.tolerance = numbers.tolerance;
        Some(comparison)
    }

    /// Compares consecutive rows, given the entries of the table found.
    pub(crate) fn add(&mut self, first: usize, found: &[f64]) -> Option<()> {
        let exact = exact::entries(self.dtype, self.spec, first, found.len())?;
        if exact.iter().zip(found).all(|(exact, found)| exact.to_bits() == found.to_bits()) {
            self.distance.entries += found.len();
            self.distance.rows += found.len() / self.spec.d_model();
            return Some(());
        }
        // Only entries that are not exact need the value before it was rounded.
        let values = exact::entries(Dtype::Float(FloatType::F64), self.spec, first, found.len())?;
        let d_model = self.spec.d_model();
        for (i, (exact, found)) in exact.chunks(d_model).zip(found.chunks(d_model)).enumerate() {
            let (mut off, mut precision) = (0.0_f64, Some(Precision::Exact));
            for (column, (&exact, &there)) in exact.iter().zip(found).enumerate() {
                let apart = (exact - there).abs();
                off = off.max(apart);
                self.squares += apart * apart;
                self.distance.is_identical &= exact.to_bits() == there.to_bits();
                self.distance.inexact += usize::from(apart != 0.0);
                let error = Error { is_exact: apart == 0.0, value: values[i * d_model + column], found: there };
                precision = least_precise(precision, self.noise.precision(first + i, column, error));
            }
            self.distance.add_row(first + i, off, precision);
        }
        self.distance.entries += found.len();
        Some(())
    }

    /// Returns the distance of all rows of a table, or `None` if the spec is invalid.
    pub(crate) fn of_all(mut self, found: &Table) -> Result<Option<Distance>, Stop> {
        for rows in found.pieces() {
            if self.add(rows.start, &entries(found, rows)?).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(self.distance()))
    }

    pub(crate) fn distance(&self) -> Distance {
        Distance { mean: (self.squares / self.distance.entries.max(1) as f64).sqrt(), ..self.distance }
    }
}

/// Returns the distance of the exact table from the table found in these rows, or `None` if the spec is invalid.
pub(crate) fn distance(
    spec: &Spec,
    numbers: &Numbers,
    rows: impl IntoIterator<Item = Range<usize>>,
) -> Option<Distance> {
    let mut comparison = Comparison::of(spec, numbers)?;
    for rows in rows {
        comparison.add(rows.start, numbers.rows_in(&rows))?;
    }
    Some(comparison.distance())
}

impl Distance {
    /// Returns about the cost, in bits, of saying which entries are not exact.
    ///
    /// There is a limit, which the numbers of a spec hardly reach: an exact table is far more likely than one that only the
    /// errors of `f32` explain.
    pub(crate) fn cost(&self) -> f64 {
        let most = match self.precision {
            Some(Precision::Exact) => 0.0,
            Some(Precision::Double) => 32.0,
            Some(Precision::Single) => 64.0,
            None => f64::INFINITY,
        };
        self.cost_of_inexact().min(most)
    }

    /// Returns the same without a limit.
    ///
    /// A few entries take a bit each. Many have common causes, so their number takes four bits more if it is doubled.
    pub(crate) fn cost_of_inexact(&self) -> f64 {
        let inexact = self.inexact as f64;
        inexact.min(4.0 * (1.0 + inexact).log2())
    }

    fn add_row(&mut self, row: usize, largest: f64, precision: Option<Precision>) {
        self.rows += 1;
        self.largest = self.largest.max(largest);
        if precision.is_none() {
            self.rows_off += 1;
            self.first_off.get_or_insert(row);
        }
        self.precision = least_precise(self.precision, precision);
    }
}

/// Returns the precision that explains both, if there is one.
fn least_precise(one: Option<Precision>, other: Option<Precision>) -> Option<Precision> {
    Some(one?.max(other?))
}
