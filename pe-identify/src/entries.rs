//! Reads the entries of a table.

use std::io;
use std::ops::Range;

use crate::element::Entry;
use crate::rows::Table;
use crate::sample::{self, Numbers};

/// Why a table cannot be identified.
#[derive(Debug)]
pub(crate) enum Stop {
    Failed(io::Error),
    NotFinite { row: usize, column: usize },
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Reads a sample of the rows.
pub(crate) fn numbers<T: Entry>(found: &Table) -> Result<Numbers, Stop> {
    let [seq_len, d_model] = found.shape();
    let windows = sample::windows(seq_len, d_model).into_iter();
    let windows = windows.map(|rows| Ok((rows.clone(), entries::<T>(found, rows)?))).collect::<Result<_, Stop>>()?;
    Ok(Numbers::new(windows, found.shape(), T::ROUNDING))
}

/// Reads consecutive rows as `f64`.
pub(crate) fn entries<T: Entry>(found: &Table, rows: Range<usize>) -> Result<Vec<f64>, Stop> {
    let entries: Vec<f64> = found.rows::<T>(rows.clone())?.into_iter().map(Into::into).collect();
    let Some(entry) = entries.iter().position(|entry| !entry.is_finite()) else { return Ok(entries) };
    let [_, d_model] = found.shape();
    Err(Stop::NotFinite { row: rows.start + entry / d_model, column: entry % d_model })
}
