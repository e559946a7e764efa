//! An entry where two tables differ.

#![allow(clippy::float_arithmetic, reason = "differences are measured here, and no entry is made of them")]

use crate::element::Element;
use crate::inspect::entry::{ulps_between, value};

/// An entry where two tables differ: [`Report::max_ulps_at`](crate::Report::max_ulps_at) and others tell of such.
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
    /// The entry of the one table.
    pub expected: T,
    /// The entry of the other.
    pub found: T,
    /// The correctly rounded entry, if the report comes from [`Spec::compare`](crate::Spec::compare) or [`Report::annotate`](crate::Report::annotate).
    pub correct: Option<T>,
    /// How many numbers of the element type `found` is away from `expected`. If one of the two is not finite, `u64::MAX`.
    pub ulps: u64,
    /// How far they are apart, rounded to `f64`. If one of the two is not finite, infinite.
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
