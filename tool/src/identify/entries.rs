//! Reads the entries of a table.

use std::ops::Range;

use super::sample::{self, Numbers};
use crate::entry::Entry;
use crate::failure::Failure;
use crate::input::Table;

/// Why a table cannot be identified.
#[derive(Debug)]
pub(super) enum Stop {
    Failed(Failure),
    NotFinite { row: usize, column: usize },
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Reads a sample of the rows.
pub(super) fn numbers<T: Entry>(found: &Table) -> Result<Numbers, Stop> {
    let [seq_len, d_model] = found.shape();
    let windows = sample::windows(seq_len, d_model).into_iter();
    let windows = windows.map(|rows| Ok((rows.clone(), entries::<T>(found, rows)?))).collect::<Result<_, Stop>>()?;
    Ok(Numbers::new(windows, found.shape(), T::ROUNDING))
}

/// Reads consecutive rows as `f64`.
pub(super) fn entries<T: Entry>(found: &Table, rows: Range<usize>) -> Result<Vec<f64>, Stop> {
    let entries: Vec<f64> = found.rows::<T>(rows.clone())?.into_iter().map(Into::into).collect();
    let Some(entry) = entries.iter().position(|entry| !entry.is_finite()) else { return Ok(entries) };
    let [_, d_model] = found.shape();
    Err(Stop::NotFinite { row: rows.start + entry / d_model, column: entry % d_model })
}
