//! A sample of the rows of a table, which all searches use. Only an accepted candidate is compared with all rows.

use std::ops::Range;

use crate::element::{Dtype, FloatType};

/// Some rows of a table, as `f64`.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    /// Ranges of rows with their entries, in order and apart.
    windows: Vec<(Range<usize>, Vec<f64>)>,
    pub(crate) d_model: usize,
    /// The number of rows of the table.
    pub(crate) seq_len: usize,
    /// The largest magnitude of an entry in the sample.
    pub(crate) largest: f64,
    /// The type of the entries.
    pub(crate) float: FloatType,
    /// Its relative rounding error.
    pub(crate) rounding: f64,
    /// How far entries may be from those that were computed.
    pub(crate) tolerance: f64,
    /// The row of zeros, which has no position.
    pub(crate) zero_row: Option<usize>,
}

/// The number of rows that are compared for one estimate, enough for rounding errors to average out.
pub(crate) const WINDOW: usize = 64;

/// The number of rows in each part of a sample that candidates are compared with.
pub(crate) const PART: usize = 24;

/// The number of rows up to which a table is read as a whole.
const SHORT: usize = 1024;

/// The number of entries that a sample has at most, if a window then has at least [`LEAST`] rows.
const MOST_ENTRIES: usize = 1 << 23;

const LEAST: usize = 8;

/// Returns the rows of a sample: the first ones, those at distances that are powers of two from them, some in the middle,
/// and the last ones.
pub(crate) fn windows(seq_len: usize, d_model: usize) -> Vec<Range<usize>> {
    if seq_len.min(SHORT).saturating_mul(d_model) <= MOST_ENTRIES && seq_len <= SHORT {
        return std::iter::once(0..seq_len).collect();
    }
    let powers = (0..usize::BITS - 1).map(|power| 1_usize << power).take_while(|&first| first < seq_len);
    let mut firsts: Vec<_> = powers.chain([0, seq_len / 3, seq_len / 2]).collect();
    let rows = (MOST_ENTRIES / d_model / (firsts.len() + 1)).clamp(LEAST, WINDOW);
    // The middle of an even length is between two rows.
    firsts.extend([(seq_len / 2).saturating_sub(rows / 2 + 1), seq_len.saturating_sub(rows)]);
    firsts.sort_unstable();
    let mut windows: Vec<Range<usize>> = Vec::new();
    for first in firsts {
        let end = (first + rows).min(seq_len);
        match windows.last_mut() {
            Some(last) if last.end >= first => last.end = last.end.max(end),
            _ => windows.push(first..end),
        }
    }
    windows
}

impl Numbers {
    pub(crate) fn new(windows: Vec<(Range<usize>, Vec<f64>)>, shape: [usize; 2], float: FloatType) -> Self {
        let [seq_len, d_model] = shape;
        let entries = windows.iter().flat_map(|(_, entries)| entries);
        let largest = entries.fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        Self { windows, d_model, seq_len, largest, float, rounding: float.rounding(), tolerance: 0.0, zero_row: None }
    }

    /// Returns the possible values of `zero_row`. A row of sines at position 0 is zero anyway.
    pub(crate) fn rows_of_zeros(&self) -> Vec<Option<usize>> {
        let mut zeros = self.rows().filter(|&row| self.row(row).iter().all(|&entry| entry == 0.0));
        match (zeros.next(), zeros.next()) {
            (Some(row), None) if self.seq_len > 1 => vec![None, Some(row)],
            _ => vec![None],
        }
    }

    /// Returns the element type of exact tables.
    pub(crate) fn dtype(&self) -> Dtype {
        Dtype::Float(self.float)
    }

    pub(crate) fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    pub(crate) fn with_zero_row(&self, zero_row: Option<usize>) -> Self {
        Self { zero_row, ..self.clone() }
    }

    /// Returns the sample of a table of some of the columns.
    pub(crate) fn with_columns(&self, column: impl Fn(usize) -> usize, count: usize) -> Self {
        let row = |row: &[f64]| (0..count).map(|j| row[column(j)]).collect::<Vec<_>>();
        let of = |entries: &[f64]| entries.chunks(self.d_model).flat_map(row).collect();
        let windows = self.windows.iter().map(|(rows, entries)| (rows.clone(), of(entries))).collect();
        Self::new(windows, [self.seq_len, count], self.float).with_tolerance(self.tolerance)
    }

    /// Returns the ranges of rows in the sample.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.windows.iter().map(|(rows, _)| rows.clone())
    }

    /// Returns the rows of the sample.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> {
        self.ranges().flatten()
    }

    /// Returns the rows of the sample that have positions.
    pub(crate) fn positions(&self) -> impl Iterator<Item = usize> {
        self.rows().filter(|&row| Some(row) != self.zero_row)
    }

    /// Returns whether the sample has a row, and it has a position.
    pub(crate) fn has(&self, row: usize) -> bool {
        Some(row) != self.zero_row && self.find(row).is_some()
    }

    /// Returns a row of the sample. Panics if it is not in it.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        self.find(row).expect("the row is in the sample")
    }

    /// Returns consecutive rows of the sample. Panics if they are not in it.
    pub(crate) fn rows_in(&self, rows: &Range<usize>) -> &[f64] {
        let window = self.windows.iter().find(|(window, _)| window.contains(&rows.start));
        let (window, entries) = window.expect("the rows are in the sample");
        &entries[(rows.start - window.start) * self.d_model..][..rows.len() * self.d_model]
    }

    /// Returns the ranges of some rows in the sample: `part` rows each of the beginning, the middle and the end.
    pub(crate) fn parts(&self, part: usize) -> Vec<Range<usize>> {
        let shortest = self.ranges().map(|rows| rows.len()).min().unwrap_or(0);
        let (n, part) = (self.seq_len, part.min(shortest));
        if n <= 3 * part {
            return std::iter::once(0..n).collect();
        }
        [0, (n - part) / 2, n - part].map(|first| first..first + part).into()
    }

    fn find(&self, row: usize) -> Option<&[f64]> {
        let (rows, entries) = self.windows.get(self.windows.partition_point(|(rows, _)| rows.end <= row))?;
        let place = row.checked_sub(rows.start)? * self.d_model;
        Some(&entries[place..][..self.d_model])
    }

    /// Returns an entry of a row of the sample.
    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.row(row)[column]
    }

    /// Returns whether all rows are equal.
    pub(crate) fn is_constant(&self) -> bool {
        let first = self.row(0);
        self.rows().all(|row| self.row(row) == first)
    }

    /// Returns the error of the largest entries.
    pub(crate) fn relative_error(&self) -> f64 {
        self.rounding + if self.tolerance == 0.0 { 0.0 } else { self.tolerance / self.largest }
    }

    /// Returns whether the entries have so many digits that they tell arithmetic in `f64` from that in `f32`.
    pub(crate) fn is_double(&self) -> bool {
        self.float == FloatType::F64 && self.tolerance == 0.0
    }

    /// Returns whether the entries are so few that parameters of no preset may make them too.
    pub(crate) fn is_small(&self) -> bool {
        self.seq_len < 8 || self.d_model < 8
    }

    /// Returns whether the entries are too few, or all equal, so that many parameters fit.
    pub(crate) fn is_too_small(&self) -> bool {
        /// With fewer entries than this, four free parameters can fit a table by chance. Only presets are then accepted.
        const FEW: usize = 8;
        let first = self.row(0)[0];
        let is_equal = || self.rows().all(|row| self.row(row).iter().all(|&entry| entry == first));
        self.seq_len.saturating_mul(self.d_model) < FEW || is_equal()
    }

    /// Returns the root mean square of the entries.
    pub(crate) fn mean_size(&self) -> f64 {
        let (mut squares, mut count) = (0.0, 0_usize);
        for (_, entries) in &self.windows {
            squares += entries.iter().map(|entry| entry * entry).sum::<f64>();
            count += entries.len();
        }
        (squares / count as f64).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_few_rows_in_order() {
        assert_eq!(windows(1024, 512), std::slice::from_ref(&(0..1024)));
        for (seq_len, d_model) in [(1025, 512), (100_000, 1024), (3, 1 << 24), (1 << 30, 1)] {
            let windows = windows(seq_len, d_model);
            assert!(windows[0].start == 0 && windows.last().unwrap().end == seq_len);
            assert!(windows.is_sorted_by(|a, b| a.end < b.start) && windows.iter().all(|rows| !rows.is_empty()));
            assert!(windows.iter().map(Range::len).sum::<usize>() <= 40 * WINDOW);
        }
    }

    #[test]
    fn parts_are_in_the_sample() {
        for (seq_len, d_model) in [(5000, 1), (1500, 20_000), (1030, 9000), (9, 1)] {
            let windows: Vec<_> = windows(seq_len, d_model).into_iter().map(|rows| (rows, Vec::new())).collect();
            let numbers = Numbers::new(windows, [seq_len, d_model], FloatType::F32);
            for rows in [4, 24].into_iter().flat_map(|part| numbers.parts(part)) {
                let is_within = |window: Range<usize>| window.start <= rows.start && rows.end <= window.end;
                assert!(!rows.is_empty() && numbers.ranges().any(is_within), "{seq_len} x {d_model}: {rows:?}");
            }
        }
    }
}
