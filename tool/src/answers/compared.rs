//! The answer of `posenc compare`.

use posenc::{Bucket, Mismatch, Report};
use posenc_files::element::Stored;
use serde::Serialize;

use super::JsonNumber;

/// How a table differs from the exact one.
#[derive(Serialize)]
pub(crate) struct Compared {
    rows: usize,
    columns: usize,
    dtype: &'static str,
    /// Whether the exit status is 0.
    accepted: bool,
    /// Whether the arithmetic of `--computed-in` explains all differences.
    explained: Option<bool>,
    identical: bool,
    differing: u64,
    not_finite: u64,
    max_ulps: u64,
    /// `null` if it overflows, as the mean may.
    max_abs_error: Option<f64>,
    mean_abs_error: Option<f64>,
    max_ulps_at: Option<ComparedEntry>,
    max_error_at: Option<ComparedEntry>,
    first_not_finite: Option<ComparedEntry>,
    histogram: Vec<ComparedBucket>,
}

#[derive(Serialize)]
struct ComparedEntry {
    row: usize,
    column: usize,
    expected: JsonNumber,
    found: JsonNumber,
    correct: Option<JsonNumber>,
    /// `null` if an entry is not finite.
    ulps: Option<u64>,
    abs_error: Option<f64>,
}

#[derive(Serialize)]
struct ComparedBucket {
    min_ulps: u64,
    max_ulps: u64,
    count: u64,
}

impl Compared {
    pub(crate) fn of<T: Stored>(
        report: &Report<T>,
        accepted: bool,
        explained: Option<bool>,
        number: fn(T) -> JsonNumber,
    ) -> Self {
        Self {
            rows: report.seq_len(),
            columns: report.d_model(),
            dtype: T::DTYPE,
            accepted,
            explained,
            identical: report.is_identical(),
            differing: report.differing(),
            not_finite: report.not_finite(),
            max_ulps: report.max_ulps(),
            max_abs_error: finite(report.max_abs_error()),
            mean_abs_error: finite(report.mean_abs_error()),
            max_ulps_at: report.max_ulps_at().map(|mismatch| ComparedEntry::of(mismatch, number)),
            max_error_at: report.max_error_at().map(|mismatch| ComparedEntry::of(mismatch, number)),
            first_not_finite: report.first_not_finite().map(|mismatch| ComparedEntry::of(mismatch, number)),
            histogram: report.histogram().map(|bucket| ComparedBucket::of(&bucket)).collect(),
        }
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

impl ComparedEntry {
    fn of<T: Stored>(mismatch: &Mismatch<T>, number: fn(T) -> JsonNumber) -> Self {
        let abs_error = finite(mismatch.abs_error);
        Self {
            row: mismatch.row,
            column: mismatch.column,
            expected: number(mismatch.expected),
            found: number(mismatch.found),
            correct: mismatch.correct.map(number),
            ulps: abs_error.map(|_| mismatch.ulps),
            abs_error,
        }
    }
}

impl ComparedBucket {
    fn of(bucket: &Bucket) -> Self {
        Self { min_ulps: bucket.min_ulps, max_ulps: bucket.max_ulps, count: bucket.count }
    }
}
