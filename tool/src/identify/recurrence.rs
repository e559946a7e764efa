//! Passes over the tensors of a checkpoint that are obviously no tables, by their first rows.
//!
//! A sinusoid at equal distances satisfies `x[i-1] + x[i+1] = 2 cos(w) x[i]`, whatever its frequency, amplitude and phase
//! are. So do the columns of all tables that can be identified: 1-D ones, rotary caches, and grids within a line of
//! points. Weights do not.

use posenc::{MAX_D_MODEL, Q31};

use super::integers;
use crate::entry::{Entry, with_entry};
use crate::failure::Failure;
use crate::input::{FileType, IntegerType, Table};
use crate::stored::Integer;

/// The number of consecutive rows, or of their differences, that show the recurrence.
const WINDOW: usize = 4;

/// The number of rows that are looked at. A grid may begin with a few rows of zeros and has a new line at each multiple of
/// its width, so not all of them are at equal distances.
const MOST_ROWS: usize = 16;

/// The least number of rows of a table, so that they have [`WINDOW`] differences.
const LEAST_ROWS: usize = WINDOW + 1;

/// The number of columns that are looked at, far more than chance needs to rule out a matrix of random numbers.
const COLUMNS: usize = 1024;

/// The number of entries that are read at most, if there are then enough rows.
const MOST_ENTRIES: usize = 1 << 22;

/// Returns whether a tensor may be a table. Those of a few rows are none, because many parameters would fit them.
pub(super) fn may_be_table(found: &Table, tolerance: f64) -> Result<bool, Failure> {
    let [seq_len, d_model] = found.shape();
    if d_model > MAX_D_MODEL || seq_len < LEAST_ROWS {
        return Ok(false);
    }
    let rows = (MOST_ENTRIES / d_model).clamp(LEAST_ROWS, MOST_ROWS).min(seq_len);
    let First { entries, error } = First::read(found, rows)?;
    if entries.iter().any(|entry| !entry.is_finite()) {
        return Ok(false);
    }
    Ok(begin_as_sinusoids(&entries, d_model, error + tolerance))
}

/// Returns whether the columns are sinusoids in some of these rows.
fn begin_as_sinusoids(entries: &[f64], d_model: usize, error: f64) -> bool {
    let rows: Vec<&[f64]> = entries.chunks_exact(d_model).collect();
    rows.windows(WINDOW).any(|rows| are_sinusoids(rows, error))
}

/// The first rows of a tensor.
struct First {
    entries: Vec<f64>,
    /// How far rounding moves an entry.
    error: f64,
}

impl First {
    fn read(found: &Table, rows: usize) -> Result<Self, Failure> {
        match found.dtype() {
            FileType::Float(dtype) => with_entry!(dtype, T => Self::floats::<T>(found, rows)),
            FileType::Integer(IntegerType::I8) => Self::integers::<i8>(found, rows),
            FileType::Integer(IntegerType::U8) => Self::integers::<u8>(found, rows),
            FileType::Integer(IntegerType::I16) => Self::integers::<i16>(found, rows),
            FileType::Integer(IntegerType::I32) => Self::integers::<Q31>(found, rows),
        }
    }

    fn floats<T: Entry>(found: &Table, rows: usize) -> Result<Self, Failure> {
        let entries: Vec<f64> = found.rows::<T>(0..rows)?.into_iter().map(Into::into).collect();
        let largest = entries.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        Ok(Self { entries, error: largest * T::ROUNDING })
    }

    /// Returns the differences of consecutive rows, in which the zero point does not occur.
    fn integers<T: Integer>(found: &Table, rows: usize) -> Result<Self, Failure> {
        let [_, d_model] = found.shape();
        let entries: Vec<f64> = integers::read::<T>(found, 0..rows)?.into_iter().map(f64::from).collect();
        let differences = entries.iter().zip(&entries[d_model..]).map(|(entry, next)| next - entry).collect();
        Ok(Self { entries: differences, error: 1.0 })
    }
}

/// Returns whether the columns of four rows are sinusoids, apart from a few.
fn are_sinusoids(rows: &[&[f64]], error: f64) -> bool {
    let d_model = rows[0].len();
    let columns = (0..d_model).step_by(d_model.div_ceil(COLUMNS));
    let count = columns.len();
    let fits = |&column: &usize| recurs([0, 1, 2, 3].map(|row| rows[row][column]), error);
    // Chance makes a tenth of the columns of random numbers fit.
    4 * columns.filter(fits).count() >= 3 * count
}

/// Returns whether the quotients `(x[i-1] + x[i+1]) / x[i]` of both middle entries are equal, given how far the entries may be off.
fn recurs(x: [f64; 4], error: f64) -> bool {
    /// The share of the entries that arithmetic in `f32` may change at positions up to about a million.
    const SHARE: f64 = 0.05;
    let size = x.iter().map(|x| x * x).sum::<f64>();
    let apart = (x[0] + x[2]) * x[2] - (x[1] + x[3]) * x[1];
    // The derivatives are at most sqrt(20) times the root of the size in all, and the second ones 4.
    apart.abs() <= SHARE * size + 4.5 * error * size.sqrt() + 4.0 * error * error
}

#[cfg(test)]
mod tests {
    use posenc::{Grid, GridPreset, Preset};

    use super::*;
    use crate::identify::rank;

    /// Returns whether a table with these first rows is kept, in `f32` and rounded to steps of 1/128.
    fn is_kept(entries: &[f32], d_model: usize) -> bool {
        let entries: Vec<f64> = entries.iter().copied().map(f64::from).collect();
        let coarse: Vec<f64> = entries.iter().map(|entry| (entry * 128.0).round() / 128.0).collect();
        begin_as_sinusoids(&entries, d_model, 1e-7) && begin_as_sinusoids(&coarse, d_model, 1.0 / 256.0)
    }

    #[test]
    fn tables_are_kept() {
        for &preset in Preset::ALL {
            for start in [0, 1, 100_000] {
                for step in [1, -20] {
                    let spec = rank::own(preset, 64).start(start).step(step);
                    assert!(is_kept(spec.table::<f32>(MOST_ROWS).unwrap().as_slice(), 64), "{preset} {start} {step}");
                }
            }
        }
        let mut grids = 0;
        for &preset in GridPreset::ALL {
            for (height, width) in [(14, 14), (40, 7), (4, 30)] {
                let grid = Grid::preset(preset, [height, width], 64).extent(7, 1).zero_rows(2);
                let mut entries = vec![0.0_f32; MOST_ROWS * 64];
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
        for d_model in [8, 16, 100, 4096] {
            let entries: Vec<f64> = (0..MOST_ROWS * d_model).map(|_| random()).collect();
            assert!(!begin_as_sinusoids(&entries, d_model, 1.0 / 256.0), "{d_model}");
        }
    }
}
