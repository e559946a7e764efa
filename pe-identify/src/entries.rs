//! Reads the entries of a table of floats.

use std::io;
use std::ops::Range;

use crate::element::FloatType;
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

/// Reads a sample of the rows, whose entries have this type.
pub(crate) fn numbers(found: &Table, float: FloatType) -> Result<Numbers, Stop> {
    let [seq_len, d_model] = found.shape();
    let windows = sample::windows(seq_len, d_model).into_iter();
    let windows = windows.map(|rows| Ok((rows.clone(), entries(found, rows)?))).collect::<Result<_, Stop>>()?;
    Ok(Numbers::new(windows, found.shape(), float))
}

/// Reads consecutive rows.
pub(crate) fn entries(found: &Table, rows: Range<usize>) -> Result<Vec<f64>, Stop> {
    let entries = found.rows(rows.clone())?;
    let Some(entry) = entries.iter().position(|entry| !entry.is_finite()) else { return Ok(entries) };
    let [_, d_model] = found.shape();
    Err(Stop::NotFinite { row: rows.start + entry / d_model, column: entry % d_model })
}
