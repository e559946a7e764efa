//! Writes rows of any positions.

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::kernel::{Block, LANES};
use crate::engine::blocks::{self, Blocks};
use crate::engine::columns::Columns;
use crate::engine::floats_serve;
use crate::engine::simd::{self, Job};
use crate::engine::ziv::enclosed;
use crate::error_bounds::DIRECT_PHASE;
use crate::exact::bits::is_zero;
use crate::plan::positions::Positions;
use crate::plan::{Plan, Target};

/// The largest `d_model` for which the columns are prepared. For wider rows they would take too much memory.
const MAX_WIDTH: usize = 1 << 16;

/// Returns whether this tier applies.
pub(crate) fn suits<T: Element>(plan: &Plan<T>) -> bool {
    plan.d_model() <= MAX_WIDTH && floats_serve(plan)
}

/// Writes the rows of `positions` from row `first` on, except the columns without a formula.
pub(crate) fn fill<T: Element>(columns: &Columns<T>, positions: &Positions, first: usize, rows: &mut [T]) {
    simd::run(Fill { columns, positions, first, rows });
}

/// Returns the error bound of a sine at an angle of at most `turns` that does not depend on the sine.
pub(crate) fn error_at(turns: f64) -> f64 {
    turns * DIRECT_PHASE
}

struct Fill<'r, 'a, T: Element> {
    columns: &'r Columns<'a, T>,
    positions: &'r Positions<'r>,
    first: usize,
    rows: &'r mut [T],
}

impl<T: Element> Job for Fill<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { columns, positions, first, rows } = self;
        for (i, row) in rows.chunks_exact_mut(columns.plan.d_model()).enumerate() {
            let (position, entries) = (positions.at(first + i), &mut row[..columns.width()]);
            match DirectRow::new(columns, position) {
                Some(row) => blocks::write::<T, FUSED>(&row, 0..columns.frequencies().len(), entries),
                None => write_exactly(columns, position, entries),
            }
        }
    }
}

/// A row whose entries are evaluated directly.
struct DirectRow<'r, 'a, T: Element> {
    columns: &'r Columns<'a, T>,
    position: f64,
    /// The part of the error that does not depend on the entry.
    error: f64,
}

impl<'r, 'a, T: Element> DirectRow<'r, 'a, T> {
    /// Returns the row at `position`, or `None` if direct evaluation does not serve it.
    #[inline(always)]
    fn new(columns: &'r Columns<'a, T>, position: f64) -> Option<Self> {
        let turns = columns.turns_at(position)?;
        let error = (error_at(turns) * columns.amplitude.0.abs()).max(T::Block::LEAST_ERROR);
        Some(Self { columns, position, error })
    }

    /// Returns the value of a column before rounding, as a number, a rest, and their error.
    #[inline(always)]
    fn value<const FUSED: bool>(&self, block: usize, i: usize) -> (f64, f64, f64) {
        let frequencies = &self.columns.frequencies()[block];
        let sine = T::Block::sine_at::<FUSED>(self.position, frequencies, i, frequencies.offset.0[i]);
        let (high, rest) = T::Block::scaled::<FUSED>(sine, self.columns.amplitude);
        (high, rest, high.abs() * T::Block::DIRECT_ERROR + self.error)
    }
}

impl<T: Element> Blocks<T> for DirectRow<'_, '_, T> {
    #[inline(always)]
    fn round<const FUSED: bool>(&self, block: usize) -> ([T; LANES], bool) {
        let mut values = [(0.0, 0.0, 0.0); LANES];
        let mut i = 0;
        while i < LANES {
            values[i] = self.value::<FUSED>(block, i);
            i += 1;
        }
        blocks::round(values)
    }

    fn settle(&self, block: usize, entries: &mut [T]) {
        settle(self.columns, self.position, block, entries);
    }
}

/// Computes the entries of a block one by one: directly, or by the exact tier if that leaves one undecided.
#[cold]
#[inline(never)]
pub(crate) fn settle<T: Element>(columns: &Columns<T>, position: f64, block: usize, entries: &mut [T]) {
    let row = DirectRow::new(columns, position);
    for (i, entry) in entries.iter_mut().enumerate() {
        let decided = row.as_ref().and_then(|row| {
            let (high, rest, error) = row.value::<false>(block, i);
            enclosed((high, rest), error, T::FORMAT).map(from_bits)
        });
        *entry = decided.unwrap_or_else(|| columns.exact(block * LANES + i, position));
    }
}

/// Writes a row with the exact tier.
#[cold]
#[inline(never)]
fn write_exactly<T: Element>(columns: &Columns<T>, position: f64, entries: &mut [T]) {
    if is_zero(position) {
        for (column, entry) in entries.iter_mut().enumerate() {
            *entry = columns.exact(column, position);
        }
        return;
    }
    let mut sinusoids = columns.plan.sinusoids();
    while let Some(sinusoid) = sinusoids.advance() {
        let enclosed = sinusoid.enclose(position);
        for Target { column, function } in columns.plan.targets(sinusoid.i).into_iter().flatten() {
            entries[column] = from_bits(sinusoid.round(function, &enclosed, T::FORMAT));
        }
    }
}
