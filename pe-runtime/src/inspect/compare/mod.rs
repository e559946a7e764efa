//! Comparing two tables, or a table with the exact one.

#[cfg(feature = "alloc")]
pub(crate) mod against_spec;
mod display;
pub(crate) mod histogram;
pub(crate) mod mismatch;
pub(crate) mod report;

use crate::element::Element;
use crate::inspect::compare::report::Report;
use crate::table::compare_error::CompareError;
use crate::table::rows::Rows;

/// Compares two tables of the same shape, entry by entry.
///
/// The report says how many entries differ in any bit, by how much, and where. [`Spec::compare`](crate::Spec::compare)
/// compares a table with the exact one, without storing the exact table.
///
/// # Errors
///
/// Returns an error if the shapes differ, or if the rows of a table differ in length.
///
/// # Examples
///
/// ```
/// use posenc::{compare, sinusoidal_table};
///
/// static BAKED: [[f32; 64]; 128] = sinusoidal_table!(128, 64);
/// let report = compare(&BAKED, &sinusoidal_table(128, 64)?)?;
/// assert!(report.is_identical(), "{report}");
///
/// let narrowed = BAKED.map(|row| row.map(|entry| (entry * 256.0).round() / 256.0));
/// let report = compare(&BAKED, &narrowed)?;
/// assert!(report.max_abs_error() <= 1.0 / 512.0, "{report}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("allclose", "diff", "max_abs_diff", "assert_close"))]
pub fn compare<T: Element>(
    expected: &(impl Rows<T> + ?Sized),
    found: &(impl Rows<T> + ?Sized),
) -> Result<Report<T>, CompareError> {
    let (d_model, other) = (width("expected", expected)?, width("found", found)?);
    let seq_len = expected.seq_len();
    let (expected_shape, found_shape) = ((seq_len, d_model), (found.seq_len(), other));
    if expected_shape != found_shape {
        return Err(CompareError::Shape { expected: expected_shape, found: found_shape });
    }
    let mut report = Report::new(d_model);
    for i in 0..seq_len {
        report.add_row(expected.row(i), found.row(i));
    }
    Ok(report)
}

/// Returns the length of all rows, or 0 if there are none. Errors show the table's `name`.
fn width<T>(name: &'static str, table: &(impl Rows<T> + ?Sized)) -> Result<usize, CompareError> {
    let rows = table.seq_len();
    let d_model = if rows > 0 { table.row(0).len() } else { 0 };
    match (0..rows).map(|row| (row, table.row(row).len())).find(|&(_, len)| len != d_model) {
        Some((row, len)) => Err(CompareError::RowLength { table: name, row, len, d_model }),
        None => Ok(d_model),
    }
}
