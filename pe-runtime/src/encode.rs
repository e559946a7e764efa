//! The whole pipeline: frequency, phase, sincos, amplitude, one rounding, for the rows of a table.

use crate::arrangement::Targets;
use crate::element::{Element, from_bits};
use crate::frequency::Progression;
#[cfg(feature = "alloc")]
use crate::run::Run;
use crate::spec::Spec;
use crate::wave::{PreparedAmplitude, Wave};

/// The positions of rows, each an exact `f64`.
#[derive(Clone, Copy)]
pub(crate) enum Positions<'a> {
    /// Row `i` is at `start + i step`, within `±2^53`.
    Run { start: i64, step: i64 },
    /// Finite numbers.
    List(&'a [f64]),
}

impl Positions<'_> {
    const fn at(&self, row: usize) -> f64 {
        match self {
            Self::Run { start, step } => start.wrapping_add(step.wrapping_mul(row as i64)) as f64,
            Self::List(positions) => positions[row],
        }
    }

    /// Start and step, if the positions are equally spaced, and integers.
    #[cfg(feature = "alloc")]
    fn as_run(&self) -> Option<(i64, i64)> {
        match *self {
            Self::Run { start, step } => Some((start, step)),
            Self::List(_) => None,
        }
    }
}

/// As `fill`, with the fast tier where the positions and the machine allow it.
pub(crate) fn fill_fast<T: Element>(spec: &Spec, positions: &Positions, rows: &mut [T]) {
    #[cfg(feature = "alloc")]
    if fill_run(spec, positions, rows).is_some() {
        return;
    }
    fill(spec, positions, rows);
}

/// `None` where the fast tier cannot, or does not pay.
#[cfg(feature = "alloc")]
fn fill_run<T: Element>(spec: &Spec, positions: &Positions, rows: &mut [T]) -> Option<()> {
    let count = rows.len() / spec.d_model();
    let (start, step) = positions.as_run()?;
    if count < FEW_ROWS {
        return None;
    }
    let levels = usize::BITS - (count - 1).leading_zeros();
    let run = Run::new(*spec, start, step, count, levels.div_ceil(2).min(FINE_LEVELS))?;
    run.fill(0, rows)?;
    zero_columns(spec, rows);
    Some(())
}

/// Fewer rows are computed one entry at a time.
#[cfg(feature = "alloc")]
const FEW_ROWS: usize = 4;

/// At most so many fine rows, as a power of two, that they stay in the cache.
#[cfg(feature = "alloc")]
const FINE_LEVELS: u32 = 5;

/// Writes the rows of `positions` to `rows`, `d_model` entries each.
///
/// Column by column, since a frequency serves a whole column. The `spec` and the positions have been checked.
pub(crate) const fn fill<T: Element>(spec: &Spec, positions: &Positions, rows: &mut [T]) {
    if rows.is_empty() {
        return;
    }
    zero_columns(spec, rows);
    if spec.amplitude_sign() == 0 {
        return;
    }
    let arrangement = spec.arrangement();
    let frequencies = spec.frequency_family();
    let amplitude = PreparedAmplitude::new(spec, T::FORMAT);
    let mut progression = Progression::new(frequencies);
    let mut i = 0;
    while i < arrangement.frequencies() {
        let Targets { sin: sin_column, cos: cos_column } = arrangement.targets(i);
        let wave = Wave { frequencies, i, turns: progression.advance(), amplitude: &amplitude };
        let (mut row, mut start) = (0, 0);
        while start < rows.len() {
            let (sin, cos) = wave.round_at(positions.at(row), T::FORMAT);
            if let Some(column) = sin_column {
                rows[start + column] = from_bits(sin);
            }
            if let Some(column) = cos_column {
                rows[start + column] = from_bits(cos);
            }
            row += 1;
            start += spec.d_model();
        }
        i += 1;
    }
}

/// Zeros where the formula does not reach: beyond the width of the arrangement, and everywhere for an amplitude of zero.
const fn zero_columns<T: Element>(spec: &Spec, rows: &mut [T]) {
    let width = if spec.amplitude_sign() == 0 { 0 } else { spec.arrangement().width };
    let (mut row, mut column) = (0, width);
    while row < rows.len() && width < spec.d_model() {
        rows[row + column] = from_bits(0);
        column += 1;
        if column == spec.d_model() {
            (row, column) = (row + column, width);
        }
    }
}
