//! Tables held against each other, or against the exact one.

#[cfg(feature = "alloc")]
use alloc::vec;

use crate::element::Element;
use crate::inspect::report::Report;
#[cfg(feature = "alloc")]
use crate::spec::Spec;
use crate::table::compare_error::CompareError;
use crate::table::rows::{Rows, width};

/// Compares two tables of the same shape, entry by entry: how many differ in a bit, by how much, and where.
///
/// [`Spec::compare`] compares one with the exact table, without making that.
///
/// # Errors
///
/// If the shapes differ, or the rows of one table are of unequal length.
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
    let mut report = Report::new(seq_len, d_model);
    for i in 0..seq_len {
        report.add_row(i, expected.row(i), found.row(i));
    }
    Ok(report)
}

#[cfg(feature = "alloc")]
impl Spec<'_> {
    /// Compares `found`, taken as the first rows of the table of this spec, with the exact entries. These are made row by row, so
    /// the memory it takes grows with the root of the number of rows, as that of [`prepare`](Self::prepare) does.
    ///
    /// The report's [`Worst::correct`](crate::Worst::correct) are set, and are what was expected.
    ///
    /// # Errors
    ///
    /// For parameters that [`check_parameters`](Self::check_parameters) refuses, for a `start` that is missing or a row's
    /// position out of range, if the rows are not all of `d_model` entries, and if the allocator refuses. (A `zero_row` may lie beyond
    /// these rows.)
    ///
    /// ```
    /// # use posenc::Spec;
    /// // The recipe of most tutorials, run in f32.
    /// let mut usual = vec![[0.0f32; 64]; 1000];
    /// for (position, row) in usual.iter_mut().enumerate() {
    ///     for (k, pair) in row.chunks_exact_mut(2).enumerate() {
    ///         let angle = position as f32 / 10_000f32.powf(2.0 * k as f32 / 64.0);
    ///         pair.copy_from_slice(&[angle.sin(), angle.cos()]);
    ///     }
    /// }
    /// let report = Spec::new(64).compare(&usual)?;
    /// assert!(report.differing() > report.entries() / 2);
    /// assert!(report.max_abs_error() < 1e-3, "{report}");
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    pub fn compare<T: Element>(&self, found: &(impl Rows<T> + ?Sized)) -> Result<Report<T>, CompareError> {
        let (rows, width) = (found.seq_len(), width("found", found)?);
        if rows > 0 && width != self.d_model() {
            return Err(CompareError::Shape { expected: (rows, self.d_model()), found: (rows, width) });
        }
        let encoder = self.prepare::<T>(rows)?;
        let mut report = Report::new(rows, self.d_model());
        let mut exact = vec![T::default(); self.d_model()];
        for i in 0..rows {
            encoder.encode_row(i, &mut exact)?;
            report.add_row(i, &exact, found.row(i));
        }
        Ok(report.with_expected_correct())
    }
}
