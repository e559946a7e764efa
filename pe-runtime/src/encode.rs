//! The rows of a table, by the tier that serves their positions.

use crate::arrangement::Targets;
use crate::check::in_range;
use crate::element::{Element, from_bits};
use crate::fixed::is_zero;
use crate::frequency::Progression;
use crate::lean;
#[cfg(feature = "alloc")]
use crate::run::Run;
use crate::spec::Spec;
use crate::wave::{Function, PreparedAmplitude, Wave};

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

    /// Start and step, if the positions are at least two equally spaced integers.
    fn as_run(&self) -> Option<(i64, i64)> {
        let list = match *self {
            Self::Run { start, step } => return Some((start, step)),
            Self::List(list) => list,
        };
        let is = |position: f64, integer: i64| position.to_bits() == (integer as f64).to_bits() || is_zero(position);
        let integer = |position: f64| in_range(position as i128).filter(|&integer| is(position, integer));
        let start = integer(*list.first()?)?;
        let step = integer(*list.get(1)?)? - start;
        // Nothing wraps, then.
        in_range(i128::from(start) + i128::from(step) * (list.len() as i128 - 1))?;
        let is_next = |(i, &position): (usize, &f64)| integer(position) == Some(start + step * i as i64);
        list.iter().enumerate().all(is_next).then_some((start, step))
    }
}

/// As `fill`, with the fast tier where it is one for these positions.
pub(crate) fn fill_fast<T: Element>(spec: &Spec, positions: &Positions, rows: &mut [T]) {
    #[cfg(feature = "alloc")]
    if run(spec, positions, rows).is_some_and(|run| run.fill(0, rows).is_some()) {
        zero_columns(spec, rows);
        return;
    }
    match positions.as_run() {
        Some((start, step)) => fill(spec, &Positions::Run { start, step }, rows),
        None => fill(spec, positions, rows),
    }
}

/// As `fill_fast`, on all threads.
#[cfg(feature = "rayon")]
pub(crate) fn par_fill<T: Element>(spec: &Spec, positions: &Positions, rows: &mut [T]) {
    use rayon::prelude::*;

    /// Enough for the work to outweigh its distribution.
    const BYTES: usize = 1 << 20;
    let filled = run(spec, positions, rows).and_then(|run| {
        let piece = (BYTES / size_of::<T>() / spec.d_model()).next_multiple_of(run.fine_rows()).max(run.fine_rows());
        let pieces = rows.par_chunks_mut(piece * spec.d_model()).enumerate();
        pieces.map(|(i, rows)| run.fill(i * (piece / run.fine_rows()), rows)).collect()
    });
    match filled {
        Some(()) => zero_columns(spec, rows),
        None => fill(spec, positions, rows),
    }
}

/// What the fast tier needs, if it is one for these positions, and pays.
#[cfg(feature = "alloc")]
fn run<'a, T: Element>(spec: &Spec<'a>, positions: &Positions, rows: &[T]) -> Option<Run<'a, T>> {
    let count = rows.len() / spec.d_model();
    if !Run::<T>::suits(spec, count) {
        return None;
    }
    let (start, step) = positions.as_run()?;
    Run::new(*spec, start, step, count)
}

/// Writes the rows of `positions` to `rows`, `d_model` entries each.
///
/// Column by column, since a frequency serves a whole column; for a run with the lean tier. The `spec` and the positions have been
/// checked.
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
    let run = match *positions {
        Positions::Run { start, step } if lean::suits(spec, rows.len() / spec.d_model()) => Some((start, step)),
        _ => None,
    };
    let mut i = 0;
    while i < arrangement.frequencies() {
        let wave = Wave { frequencies, i, turns: progression.advance(), amplitude: &amplitude };
        let done = match run {
            Some(run) => lean::fill(&wave, run, arrangement.targets(i), spec.d_model(), rows),
            None => false,
        };
        if !done {
            fill_exactly(&wave, positions, arrangement.targets(i), spec.d_model(), rows);
        }
        i += 1;
    }
}

/// Writes the columns of one frequency by the exact tier.
const fn fill_exactly<T: Element>(
    wave: &Wave,
    positions: &Positions,
    targets: Targets,
    d_model: usize,
    rows: &mut [T],
) {
    let (mut row, mut start) = (0, 0);
    while start < rows.len() {
        let enclosed = wave.enclose(positions.at(row));
        if let Some(column) = targets.sin {
            rows[start + column] = from_bits(wave.round(Function::Sine, &enclosed, T::FORMAT));
        }
        if let Some(column) = targets.cos {
            rows[start + column] = from_bits(wave.round(Function::Cosine, &enclosed, T::FORMAT));
        }
        row += 1;
        start += d_model;
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
