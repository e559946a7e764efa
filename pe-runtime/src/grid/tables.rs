//! The tables of the axes, from which the rows of a grid are copied.

use alloc::vec::Vec;

use crate::element::Element;
use crate::element::slot::Slot;
use crate::engine::dispatch::{self, Threads, write_zero};
use crate::grid::places::{Kinds, Places};
use crate::grid::plans::{Axis, Lowered};
use crate::grid::row_order::{Cursor, MAX_AXES};
use crate::plan::placement::Placement;
use crate::plan::positions::Points;
use crate::spec::scaling::Scaling;
use crate::spec::values::Frequencies;

/// Rows of the table of each axis.
pub(crate) struct AxisRows<'g, T> {
    grid: &'g Places,
    /// The first index of each axis that its rows have.
    first: [usize; MAX_AXES],
    /// The rows of each axis, by the axis whose rows they are. Axes with the same table share it.
    of: [usize; MAX_AXES],
    rows: [Vec<T>; MAX_AXES],
    /// The number of columns of a run of each axis.
    run: [usize; MAX_AXES],
    /// The entry for the real number 0.
    pub(crate) zero: T,
}

impl<'g, T: Element> AxisRows<'g, T> {
    /// Computes the rows of each axis for some indices, or returns `None` if they cannot be allocated.
    pub(crate) fn new(lowered: &'g Lowered<T>, spans: [(usize, usize); MAX_AXES]) -> Option<Self> {
        let (axes, mut rows, mut of) = (lowered.axes(), [const { Vec::new() }; MAX_AXES], [0; MAX_AXES]);
        let filled = |axis: &usize| lowered.grid.widths[*axis] > 0;
        for axis in (0..axes.len()).filter(filled) {
            let same = |&before: &usize| spans[before] == spans[axis] && is_same_table(&axes[before], &axes[axis]);
            of[axis] = (0..axis).filter(filled).find(same).unwrap_or(axis);
            if of[axis] == axis {
                let (first, count) = spans[axis];
                let positions = axes[axis].positions.part(first, count);
                rows[axis] = dispatch::rows(&axes[axis].plan, &positions, count, Threads::One)?;
            }
        }
        Some(Self { first: spans.map(|(first, _)| first), of, ..Self::of_rows(lowered, rows) })
    }

    /// Computes a row of each axis for each of some points, or returns `None` if they cannot be allocated.
    pub(crate) fn of_points(lowered: &'g Lowered<T>, points: Points) -> Option<Self> {
        let (mut rows, mut coordinates) = ([const { Vec::new() }; MAX_AXES], Vec::new());
        for (axis, Axis { plan, .. }) in lowered.axes().iter().enumerate() {
            if lowered.grid.widths[axis] > 0 {
                let positions = points.of_axis(axis, &mut coordinates)?;
                rows[axis] = dispatch::rows(plan, &positions, points.len(), Threads::One)?;
            }
        }
        Some(Self::of_rows(lowered, rows))
    }

    /// Returns rows that begin at index 0, with a table for each axis.
    fn of_rows(lowered: &'g Lowered<T>, rows: [Vec<T>; MAX_AXES]) -> Self {
        let grid = &lowered.grid;
        let run = core::array::from_fn(|axis| grid.run(axis));
        Self { grid, first: [0; MAX_AXES], of: core::array::from_fn(|axis| axis), rows, run, zero: lowered.zero() }
    }

    /// Returns the row of an axis at an index.
    fn row(&self, axis: usize, index: usize) -> &[T] {
        let width = self.grid.widths[axis];
        &self.rows[self.of[axis]][(index - self.first[axis]) * width..][..width]
    }

    /// Calls `part` with the entries of a point, from left to right, in pieces.
    pub(crate) fn for_each_part<'t>(&'t self, point: [usize; MAX_AXES], part: impl FnMut(&'t [T])) {
        self.for_each_part_of(&self.rows_of(point), part);
    }

    /// Does the same for a row of each axis.
    #[inline]
    fn for_each_part_of<'t>(&self, rows: &[&'t [T]; MAX_AXES], mut part: impl FnMut(&'t [T])) {
        let grid = self.grid;
        let mut left = grid.d_model;
        for run in 0..grid.runs {
            for &axis in &grid.first[..grid.filled_axes] {
                let len = self.run[axis];
                let entries = &rows[axis][run * len..][..len.min(left)];
                left -= entries.len();
                part(entries);
            }
        }
    }

    /// Returns the rows of the axes, which are empty for those that the grid does not have.
    fn rows_of(&self, point: [usize; MAX_AXES]) -> [&[T]; MAX_AXES] {
        let mut rows: [&[T]; MAX_AXES] = [&[]; MAX_AXES];
        for axis in 0..self.grid.axes {
            rows[axis] = self.row(axis, point[axis]);
        }
        rows
    }

    /// Writes the rows of a point and of those that follow it.
    pub(crate) fn write(&self, mut cursor: Cursor, mut rows: &mut [Slot<T>]) {
        let (d_model, by_column) = (self.grid.d_model, self.is_by_column());
        let repeats = !by_column && self.has_short_runs();
        while !rows.is_empty() {
            // Along a line, only the row of one axis changes.
            let (axis, left) = cursor.line();
            let count = left.min(rows.len() / d_model);
            let (line, after) = rows.split_at_mut(count * d_model);
            let mut parts = self.rows_of(cursor.point);
            let first = cursor.point[axis];
            let whole = if repeats { 1 } else { count };
            for (i, row) in line.chunks_exact_mut(d_model).take(whole).enumerate() {
                parts[axis] = self.row(axis, first + i);
                self.write_parts(&parts, by_column, row);
            }
            for i in whole..count {
                // Not from the row before, whose last stores may not have reached the cache.
                Slot::copy_within(line, 0, i * d_model, d_model);
                self.write_axis(axis, self.row(axis, first + i), &mut line[i * d_model..][..d_model]);
            }
            cursor.advance(count);
            rows = after;
        }
    }

    /// Returns whether runs are so short that copying a whole row, and then overwriting one axis, takes less time than copying
    /// each run.
    fn has_short_runs(&self) -> bool {
        /// The largest mean size of a run in bytes. With runs of 85 and 128 bytes it takes about 0.8 of the time, and with
        /// longer ones as long or longer (measured once, AMD EPYC, 2026-11-28).
        const SHORT: usize = 128;
        let Places { runs, filled_axes, d_model, .. } = *self.grid;
        let pieces = runs * filled_axes;
        pieces > runs + 1 && d_model * size_of::<T>() <= SHORT * pieces
    }

    /// Writes the entries of one axis to a row.
    fn write_axis(&self, axis: usize, entries: &[T], row: &mut [Slot<T>]) {
        let Placement { mut first, run, stride, .. } = self.grid.placement(axis, row.len());
        for entries in entries.chunks(run.max(1)) {
            // With `Rest::Cut` the last run may be shorter, or not there.
            let end = row.len().min(first + run);
            let Some(to) = row.get_mut(first..end) else { break };
            Slot::copy(&entries[..to.len()], to);
            first += stride;
        }
    }

    /// Writes a row for each of the points that these are the rows of.
    pub(crate) fn write_each(&self, rows: &mut [Slot<T>]) {
        let by_column = self.is_by_column();
        for (i, row) in rows.chunks_exact_mut(self.grid.d_model).enumerate() {
            self.write_parts(&self.rows_of([i; MAX_AXES]), by_column, row);
        }
    }

    /// Writes the entries of a point, and zeros after them.
    pub(crate) fn write_row(&self, point: [usize; MAX_AXES], row: &mut [Slot<T>]) {
        self.write_parts(&self.rows_of(point), self.is_by_column(), row);
    }

    /// Returns whether each run is one column of each axis, for which calls would take thirty times as long as a copy.
    fn is_by_column(&self) -> bool {
        let filled = &self.grid.first[..self.grid.filled_axes];
        filled.iter().all(|&axis| self.grid.widths[axis] == self.grid.runs)
    }

    /// Writes a row from a row of each axis, and zeros after the entries.
    #[inline]
    fn write_parts(&self, parts: &[&[T]; MAX_AXES], by_column: bool, row: &mut [Slot<T>]) {
        if by_column {
            return match self.grid.filled_axes {
                1 => self.write_columns::<1>(parts, row),
                2 => self.write_columns::<2>(parts, row),
                3 => self.write_columns::<3>(parts, row),
                4 => self.write_columns::<4>(parts, row),
                _ => self.write_columns::<MAX_AXES>(parts, row),
            };
        }
        let mut at = 0;
        self.for_each_part_of(parts, |entries| {
            Slot::copy(entries, &mut row[at..at + entries.len()]);
            at += entries.len();
        });
        let end = row.len();
        write_zero(self.zero, row, at, end);
    }

    /// Does the same if each run is one column of each axis.
    fn write_columns<const A: usize>(&self, parts: &[&[T]; MAX_AXES], row: &mut [Slot<T>]) {
        // That all have the same length lets the compiler use vectors.
        let columns: [_; A] = core::array::from_fn(|place| &parts[self.grid.first[place]][..self.grid.runs]);
        let (filled, zeros) = row.split_at_mut(self.grid.filled());
        let whole = filled.len() / A;
        let mut groups = filled.chunks_exact_mut(A);
        for (j, group) in groups.by_ref().take(self.grid.runs).enumerate() {
            for (slot, column) in group.iter_mut().zip(columns) {
                slot.set(column[j]);
            }
        }
        // With `Rest::Cut` the last group may have fewer columns.
        for (slot, column) in groups.into_remainder().iter_mut().zip(columns) {
            slot.set(column[whole]);
        }
        let end = zeros.len();
        write_zero(self.zero, zeros, 0, end);
    }
}

/// Writes whole rows. Those that are no points count. Returns `None` if allocation fails.
pub(crate) fn write<T: Element>(
    lowered: &Lowered<T>,
    first: usize,
    rows: &mut [Slot<T>],
    threads: Threads,
) -> Option<()> {
    let grid = &lowered.grid;
    let d_model = grid.d_model;
    let Kinds { zeros, identities_before, points, first_point, .. } = grid.kinds(first, rows.len() / d_model);
    let (before, rows) = rows.split_at_mut(zeros * d_model);
    write_zero(lowered.zero(), before, 0, zeros * d_model);
    let (before, rows) = rows.split_at_mut(identities_before * d_model);
    write_identities(lowered, before)?;
    let (rows, after) = rows.split_at_mut(points * d_model);
    write_identities(lowered, after)?;
    if rows.is_empty() {
        return Some(());
    }
    let spans = grid.order.spans(first_point, points);
    if spans.iter().any(|&(_, count)| count > points) {
        return write_in_parts(lowered, first_point, rows);
    }
    let axes = AxisRows::new(lowered, spans)?;
    match threads {
        Threads::One => axes.write(grid.order.cursor(first_point), rows),
        #[cfg(feature = "rayon")]
        Threads::All => {
            use rayon::prelude::*;

            /// The size in bytes of the piece that a thread copies at a time.
            const BYTES: usize = 1 << 20;
            let piece = (BYTES / size_of::<T>() / d_model).max(1);
            let pieces = rows.par_chunks_mut(piece * d_model).enumerate();
            pieces.for_each(|(i, rows)| axes.write(grid.order.cursor(first_point + i * piece), rows));
        }
    }
    Some(())
}

/// Writes rows in which all angles are 0.
fn write_identities<T: Element>(lowered: &Lowered<T>, rows: &mut [Slot<T>]) -> Option<()> {
    if !rows.is_empty() {
        let origin = AxisRows::of_points(lowered, Points::ORIGIN)?;
        rows.chunks_exact_mut(lowered.grid.d_model).for_each(|row| origin.write_row([0; MAX_AXES], row));
    }
    Some(())
}

/// Writes a few rows that cross the end of a long axis, so that not all of its rows are computed.
fn write_in_parts<T: Element>(lowered: &Lowered<T>, mut first: usize, mut rows: &mut [Slot<T>]) -> Option<()> {
    let grid = &lowered.grid;
    while !rows.is_empty() {
        let sub = grid.order.sub_grid(first, rows.len() / grid.d_model);
        let (these, after) = rows.split_at_mut(sub.rows * grid.d_model);
        let spans = core::array::from_fn(|axis| (sub.start[axis], sub.shape[axis]));
        AxisRows::new(lowered, spans)?.write(grid.order.cursor(first), these);
        (rows, first) = (after, first + sub.rows);
    }
    Some(())
}

/// Returns whether two axes certainly have the same table.
///
/// Equality alone would not do: a processor that treats subnormal numbers as zeros finds different ones equal.
fn is_same_table<T>(one: &Axis<T>, other: &Axis<T>) -> bool {
    let are_same = |one: &[f64], other: &[f64]| {
        one.iter().map(|number| number.to_bits()).eq(other.iter().map(|number| number.to_bits()))
    };
    let is_unscaled = |axis: &Axis<T>| matches!(axis.spec.parameters.scaling, Scaling::None);
    // The other parameters that are not integers are the same for all axes.
    one.spec == other.spec
        && are_same(one.list, other.list)
        && is_unscaled(one)
        && match (one.spec.parameters.frequencies, other.spec.parameters.frequencies) {
            (Frequencies::Given(one), Frequencies::Given(other)) => are_same(one, other),
            (one, other) => are_same(&[one.base(), one.freq_shift()], &[other.base(), other.freq_shift()]),
        }
}
