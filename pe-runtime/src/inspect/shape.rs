//! The shape of a table with any kind of rows.

use crate::table::compare_error::CompareError;
use crate::table::rows::Rows;

/// Returns the length of all rows, or 0 if there are none. Errors show the table's `name`.
pub(crate) fn width<T>(name: &'static str, table: &(impl Rows<T> + ?Sized)) -> Result<usize, CompareError> {
    let rows = table.seq_len();
    let d_model = if rows > 0 { table.row(0).len() } else { 0 };
    match (0..rows).map(|row| (row, table.row(row).len())).find(|&(_, len)| len != d_model) {
        Some((row, len)) => Err(CompareError::RowLength { table: name, row, len, d_model }),
        None => Ok(d_model),
    }
}
