//! Ranges of rows, and the lengths of buffers for rows.

use core::ops::{Range, RangeFrom};

use crate::spec::error::SpecError;

/// A range of rows to write to a buffer: `first..` or `first..end`.
///
/// `first..` is as many rows as the buffer holds. `first..end` must be exactly as many rows. The numbers count rows of
/// the table, not entries: row `i` has `d_model` entries and is the encoding of position `start + i * step`. This trait
/// is sealed.
///
/// # Examples
///
/// ```
/// use posenc::{RowRange, Spec, SpecError};
///
/// fn norm(spec: Spec, rows: impl RowRange) -> Result<f32, SpecError> {
///     let mut entries = [0.0f32; 4 * 2];
///     spec.fill(rows, &mut entries)?;
///     Ok(entries.iter().map(|entry| entry * entry).sum())
/// }
///
/// assert_eq!(norm(Spec::new(2), 0..), norm(Spec::new(2), 0..4));
/// assert_eq!(
///     norm(Spec::new(2), 0..8).unwrap_err().to_string(),
///     "the number of rows in the buffer is 4, but must be 8 for rows 0..8",
/// );
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a range of rows",
    note = "use `first..` for as many rows as the buffer holds, or `first..end`, with bounds of type `usize`"
)]
pub trait RowRange: sealed::Bounds {}

pub(crate) mod sealed {
    /// A range with a start.
    pub trait Bounds {
        /// Returns the first row and, if the range has an end, the row after the last.
        fn bounds(self) -> (usize, Option<usize>);
    }
}

impl RowRange for RangeFrom<usize> {}

impl sealed::Bounds for RangeFrom<usize> {
    fn bounds(self) -> (usize, Option<usize>) {
        (self.start, None)
    }
}

impl RowRange for Range<usize> {}

impl sealed::Bounds for Range<usize> {
    fn bounds(self) -> (usize, Option<usize>) {
        (self.start, Some(self.end))
    }
}

/// Returns the number of rows of a buffer of `len` entries. The bounds are the first row and, if given, the end.
pub(crate) const fn rows_of_buffer(
    (first, end): (usize, Option<usize>),
    len: usize,
    d_model: usize,
) -> Result<usize, SpecError> {
    if len % d_model != 0 {
        return Err(SpecError::BufferLength { len, d_model });
    }
    let buffer = len / d_model;
    match end {
        Some(end) if end < first => Err(SpecError::RowsBackwards { start: first, end }),
        Some(end) if end - first != buffer => Err(SpecError::RowCount { buffer, start: first, end }),
        _ => Ok(buffer),
    }
}

/// Checks the length of a buffer for one row.
#[inline]
pub(crate) fn check_row_length(len: usize, d_model: usize) -> Result<(), SpecError> {
    if len == d_model { Ok(()) } else { Err(SpecError::RowLength { len, d_model }) }
}

/// Checks the length of a buffer for a row of each of some positions.
#[inline]
pub(crate) fn check_positions_length(len: usize, positions: usize, d_model: usize) -> Result<(), SpecError> {
    let fits = len % d_model == 0 && len / d_model == positions;
    if fits { Ok(()) } else { Err(SpecError::PositionsLength { len, positions, d_model }) }
}
