//! The comparison of a table with the table of a grid.

use std::ops::Range;

use posenc::Quantiser;

use crate::answer::Distance;
use crate::any_grid::AnyGrid;
use crate::element::{Dtype, FloatType};
use crate::entries::{Stop, entries};
use crate::exact;
use crate::rounding::{Precision, UNIT_DOUBLE, UNIT_SINGLE, off_before_rounding};
use crate::rows::Table;
use crate::sample::Numbers;

/// How the entries of a table are compared with a grid.
pub(crate) trait Entries {
    /// Reads consecutive rows.
    fn read(&self, rows: Range<usize>) -> Result<Vec<f64>, Stop>;

    /// Adds the distance of consecutive rows, or returns `None` if the grid cannot have one of their entries.
    fn add(&self, distance: &mut Distance, grid: &AnyGrid, first: usize, found: &[f64]) -> Option<()>;

    /// Returns whether the table is near the table of a grid, in all its rows.
    fn is_near(&self, distance: &Distance) -> bool;

    /// Returns the scale and the zero point of integers.
    fn quantiser(&self) -> Option<Quantiser>;

    /// Returns the element type of the table.
    fn dtype(&self) -> Dtype;
}

/// Returns the distance in some rows of the sample, or `None` if the grid cannot have one of their entries.
pub(crate) fn distance_of(
    entries: &dyn Entries,
    grid: &AnyGrid,
    numbers: &Numbers,
    rows: impl IntoIterator<Item = Range<usize>>,
) -> Option<Distance> {
    let mut distance = Distance::EXACT;
    for rows in rows {
        entries.add(&mut distance, grid, rows.start, numbers.rows_in(&rows))?;
    }
    Some(distance)
}

/// Returns the order of distances.
pub(crate) fn key(distance: &Distance) -> (f64, usize) {
    (distance.largest, distance.inexact)
}

/// Returns the distance in all rows, or `None` if the table is not near the table of the grid.
pub(crate) fn distance_of_all(entries: &dyn Entries, table: &Table, grid: &AnyGrid) -> Result<Option<Distance>, Stop> {
    let mut distance = Distance::EXACT;
    for rows in table.pieces() {
        let there = entries.read(rows.clone())?;
        if entries.add(&mut distance, grid, rows.start, &there).is_none() {
            return Ok(None);
        }
    }
    Ok(entries.is_near(&distance).then_some(distance))
}

/// Floats, with the errors of an arithmetic.
pub(crate) struct Floats<'a> {
    pub(crate) table: &'a Table<'a>,
    pub(crate) numbers: &'a Numbers,
}

impl Entries for Floats<'_> {
    fn read(&self, rows: Range<usize>) -> Result<Vec<f64>, Stop> {
        entries(self.table, rows)
    }

    fn add(&self, distance: &mut Distance, grid: &AnyGrid, first: usize, found: &[f64]) -> Option<()> {
        let exact = exact::entries_of_grid(self.dtype(), grid, first, found.len())?;
        distance.entries += found.len();
        distance.is_identical &= exact.iter().zip(found).all(|(exact, found)| exact.to_bits() == found.to_bits());
        if exact == found {
            return Some(());
        }
        let values = exact::entries_of_grid(Dtype::Float(FloatType::F64), grid, first, found.len())?;
        let angle = grid.largest_angle();
        // A larger error would let any entry fit.
        let bound = |unit: f64| ((8.0 * angle + 4.0) * unit).min(1.0 / 8.0);
        for ((&exact, &value), &found) in exact.iter().zip(&values).zip(found) {
            let apart = (exact - found).abs();
            let off = off_before_rounding(value, found, self.numbers.rounding) - self.numbers.tolerance;
            if off > bound(UNIT_SINGLE) {
                return None;
            }
            let precision = match off {
                _ if apart == 0.0 && off <= bound(UNIT_DOUBLE) => Precision::Exact,
                off if off > bound(UNIT_DOUBLE) => Precision::Single,
                _ => Precision::Double,
            };
            distance.precision = distance.precision.max(Some(precision));
            distance.inexact += usize::from(apart != 0.0);
            distance.largest = distance.largest.max(apart);
        }
        Some(())
    }

    fn is_near(&self, _: &Distance) -> bool {
        true
    }

    fn quantiser(&self) -> Option<Quantiser> {
        None
    }

    fn dtype(&self) -> Dtype {
        self.numbers.dtype()
    }
}
