//! An entry where two tables differ.

#![allow(clippy::float_arithmetic, reason = "differences are measured here, and no entry is computed from them")]

use crate::element::Element;
use crate::inspect::entry::{ulps_between, value};

/// An entry at which two tables differ, as in [`Report::max_ulps_at`](crate::Report::max_ulps_at).
///
/// # Examples
///
/// ```
/// let report = posenc::compare(&[[1.0f32, 2.0]], &[[1.0, 2.5]])?;
/// let mismatch = report.max_ulps_at().expect("an entry differs");
/// assert_eq!((mismatch.row, mismatch.column, mismatch.expected, mismatch.found), (0, 1, 2.0, 2.5));
/// assert_eq!((mismatch.ulps, mismatch.abs_error, mismatch.correct), (1 << 21, 0.5, None));
/// # Ok::<(), posenc::CompareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Mismatch<T> {
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub column: usize,
    /// The entry of the first table.
    pub expected: T,
    /// The entry of the second table.
    pub found: T,
    /// The correctly rounded entry, if [`Spec::compare`](crate::Spec::compare) or
    /// [`Report::annotate`](crate::Report::annotate) computed it.
    pub correct: Option<T>,
    /// The distance from `expected` to `found`, in numbers of the element type.
    ///
    /// It is `u64::MAX` if one of the two is not finite.
    pub ulps: u64,
    /// The absolute difference, rounded to `f64`, or infinity if one of the two is not finite.
    pub abs_error: f64,
}

impl<T: Element> Mismatch<T> {
    pub(super) fn finite(row: usize, column: usize, expected: T, found: T) -> Self {
        let (ulps, abs_error) = (ulps_between(expected, found), (value(found) - value(expected)).abs());
        Self { row, column, expected, found, correct: None, ulps, abs_error }
    }

    pub(super) fn not_finite(row: usize, column: usize, expected: T, found: T) -> Self {
        Self { row, column, expected, found, correct: None, ulps: u64::MAX, abs_error: f64::INFINITY }
    }
}
