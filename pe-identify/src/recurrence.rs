//! Skips the tensors of a checkpoint that are obviously not tables, judged by a few of their rows.
//!
//! A sinusoid at equal distances satisfies `x[i-1] + x[i+1] = 2 cos(w) x[i]`, whatever its frequency, amplitude and
//! phase are. So do its differences, in which a zero point does not occur. The columns of 1-D tables and rotary caches
//! are sinusoids, and the columns of grids are sinusoids within a line of at least [`ROWS`] points. Weights are not.

use std::io;
use std::ops::Range;

use crate::element::ElementType;
use crate::rows::Table;

/// The number of rows whose four differences show the recurrence.
const ROWS: usize = 5;

/// The number of rows at the beginning among which these are looked for. A grid may begin with a few rows of zeros, and has
/// a new line at each multiple of its width.
const FIRST: usize = 16;

/// The least number of columns of a table.
const LEAST_COLUMNS: usize = 4;

/// The number of columns that are looked at, in stretches that reach all axes of a grid.
const COLUMNS: usize = 1024;
const STRETCHES: usize = 4;

/// Returns whether a tensor may be a table, or the transpose of one.
///
/// Those of a few rows or columns are none, because many parameters would fit them.
pub(crate) fn may_be_table(found: &Table, tolerance: f64) -> io::Result<bool> {
    let [seq_len, d_model] = found.shape();
    if seq_len < ROWS || d_model < LEAST_COLUMNS {
        return Ok(false);
    }
    let first = columns(found, 0..seq_len.min(FIRST))?;
    let largest = first.iter().flatten().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
    if !largest.is_finite() || largest <= 4.0 * tolerance {
        return Ok(false);
    }
    let rounding = Rounding::of(found.element_type(), tolerance);
    if is_sinusoidal_within(&first, rounding) || is_sinusoidal_within(&transposed(&first), rounding) {
        return Ok(true);
    }
    // Slow sinusoids hardly change in a few rows, so rows further apart are read, after any rows of zeros.
    let strides = (1..usize::BITS).map(|power| 1 << power);
    for stride in strides.take_while(|stride| 3 + (ROWS - 1) * stride < seq_len) {
        let rows = (0..ROWS).map(|i| columns(found, 3 + i * stride..4 + i * stride)).collect::<Result<Vec<_>, _>>()?;
        let columns: Vec<Vec<f64>> =
            (0..first.len()).map(|column| rows.iter().map(|row| row[column][0]).collect()).collect();
        if is_sinusoidal(columns.iter().map(Vec::as_slice), rounding) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The error that rounding adds to an entry.
#[derive(Clone, Copy)]
struct Rounding {
    relative: f64,
    absolute: f64,
}

impl Rounding {
    fn of(element: ElementType, tolerance: f64) -> Self {
        match element.float() {
            Some(float) => Self { relative: float.rounding(), absolute: tolerance },
            None => Self { relative: 0.0, absolute: 0.5 + tolerance },
        }
    }

    /// Returns how far it moves the differences of these entries.
    fn of_differences(self, entries: &[f64]) -> f64 {
        let largest = entries.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        2.0 * (self.relative * largest + self.absolute)
    }
}

/// Reads the entries of some columns in consecutive rows.
fn columns(found: &Table, rows: Range<usize>) -> io::Result<Vec<Vec<f64>>> {
    let [_, d_model] = found.shape();
    let stretches = if d_model <= COLUMNS { 1 } else { STRETCHES };
    let width = d_model.min(COLUMNS) / stretches;
    let mut columns = Vec::new();
    for i in 0..stretches {
        let start = (d_model - width) * i / (stretches - 1).max(1);
        let block = found.block(rows.clone(), start..start + width)?;
        columns.extend((0..width).map(|j| block.iter().skip(j).step_by(width).copied().collect::<Vec<_>>()));
    }
    Ok(columns)
}

/// Returns the first columns as rows.
fn transposed(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..columns[0].len()).map(|row| columns.iter().take(FIRST).map(|column| column[row]).collect()).collect()
}

/// Returns whether the columns are sinusoids in some consecutive rows.
fn is_sinusoidal_within(columns: &[Vec<f64>], rounding: Rounding) -> bool {
    let ends = ROWS..=columns[0].len();
    ends.into_iter().any(|end| is_sinusoidal(columns.iter().map(|column| &column[end - ROWS..end]), rounding))
}

/// Returns whether columns of [`ROWS`] entries are sinusoids, apart from a few.
fn is_sinusoidal<'a>(columns: impl Iterator<Item = &'a [f64]>, rounding: Rounding) -> bool {
    let (mut fit, mut count) = (0, 0);
    for column in columns {
        let error = rounding.of_differences(column);
        let differences = std::array::from_fn(|i| column[i + 1] - column[i]);
        let size = differences.iter().map(|x| x * x).sum::<f64>().sqrt();
        // Much smaller differences may be those of a sinusoid, within the error.
        if size > 32.0 * error {
            fit += usize::from(recurs(differences, size, error));
            count += 1;
        }
    }
    // Chance makes a quarter of random columns fit.
    count >= LEAST_COLUMNS && 4 * fit >= 3 * count
}

/// Returns whether the quotients `(x[i-1] + x[i+1]) / x[i]` of both middle numbers are equal, within the error of each number.
fn recurs(x: [f64; 4], size: f64, error: f64) -> bool {
    /// How much arithmetic in `f32` may add at positions up to about a million, in units of the squared size.
    const SHARE: f64 = 0.1;
    let apart = (x[0] + x[2]) * x[2] - (x[1] + x[3]) * x[1];
    // The derivatives are at most sqrt(20) times the size in all, and the second ones 4.
    apart.abs() <= SHARE * size * size + 4.5 * error * size + 4.0 * error * error
}

#[cfg(test)]
mod tests {
    use posenc::{Grid, GridPreset, Preset};

    use super::*;
    use crate::rank;

    const SINGLE: Rounding = Rounding { relative: 6e-8, absolute: 0.0 };
    const COARSE: Rounding = Rounding { relative: 1.0 / 256.0, absolute: 0.0 };
    const INTEGER: Rounding = Rounding { relative: 0.0, absolute: 0.5 };

    fn by_columns(rows: &[f32], d_model: usize, rounded: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
        let column = |j: usize| rows.iter().skip(j).step_by(d_model).map(|&entry| rounded(entry.into())).collect();
        (0..d_model).map(column).collect()
    }

    /// Returns whether a table with these first rows is kept, in `f32` and as integers with a zero point.
    fn is_kept(entries: &[f32], d_model: usize) -> bool {
        let largest = entries.iter().fold(0.0, |largest: f64, &entry| largest.max(f64::from(entry).abs()));
        let quantised = by_columns(entries, d_model, |entry| (entry / largest * 127.0).round() + 128.0);
        let entries = by_columns(entries, d_model, |entry| entry);
        [&entries, &transposed(&entries)].iter().any(|entries| is_sinusoidal_within(entries, SINGLE))
            && is_sinusoidal_within(&quantised, INTEGER)
    }

    #[test]
    fn tables_are_kept() {
        for &preset in Preset::ALL {
            for start in [0, 1, 100_000] {
                for step in [1, -20] {
                    let spec = rank::own(preset, 64).start(start).step(step);
                    assert!(is_kept(spec.table::<f32>(FIRST).unwrap().as_slice(), 64), "{preset} {start} {step}");
                }
            }
        }
        let mut grids = 0;
        for &preset in GridPreset::ALL {
            for (height, width) in [(14, 14), (40, 7), (4, 30)] {
                let grid = Grid::preset(preset, [height, width], 64).extent(7, 1).zero_rows(2);
                let mut entries = vec![0.0_f32; FIRST * 64];
                // Some presets have another number of axes.
                if grid.fill(0.., &mut entries).is_ok() {
                    assert!(is_kept(&entries, 64), "{preset} {height} {width}");
                    grids += 1;
                }
            }
        }
        assert!(grids > 20, "{grids}");
    }

    #[test]
    fn random_numbers_are_passed_over() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        for d_model in [8, 16, 100, 1024] {
            let columns: Vec<Vec<f64>> = (0..d_model).map(|_| (0..FIRST).map(|_| random()).collect()).collect();
            assert!(!is_sinusoidal_within(&columns, COARSE), "{d_model}");
            assert!(!is_sinusoidal_within(&transposed(&columns), COARSE), "{d_model}");
        }
    }
}
