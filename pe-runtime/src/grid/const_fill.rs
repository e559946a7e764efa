//! Computes rows of a grid in a `const fn`, without an allocator.
//!
//! The rows of each axis are written to the first rows of the grid that need them, and copied from there.

use crate::element::Element;
use crate::element::slot::Slot;
use crate::engine::dispatch::{fill_columns, repeat_columns, write_zero};
use crate::grid::places::{Kinds, Places};
use crate::grid::plans::{Axis, Lowered};
use crate::grid::row_order::SubGrid;
use crate::plan::Plan;
use crate::plan::placement::Placement;
use crate::plan::positions::Positions;

impl<T: Element> Lowered<'_, T> {
    /// Writes the rows from `first` on, counted with those that are no points.
    pub(crate) const fn const_fill(&self, first: usize, rows: &mut [T]) {
        let grid = &self.grid;
        let d_model = grid.d_model;
        let Kinds { zeros, identities_before, points, mut first_point, .. } = grid.kinds(first, rows.len() / d_model);
        let (before, rows) = rows.split_at_mut(zeros * d_model);
        write_zero(self.zero(), Slot::of(before), 0, zeros * d_model);
        let (before, rows) = rows.split_at_mut(identities_before * d_model);
        self.const_fill_identities(before);
        let (mut rows, after) = rows.split_at_mut(points * d_model);
        self.const_fill_identities(after);
        while !rows.is_empty() {
            let sub = grid.order.sub_grid(first_point, rows.len() / d_model);
            let (these, after) = rows.split_at_mut(sub.rows * d_model);
            fill_sub_grid(self, &sub, these);
            rows = after;
            first_point += sub.rows;
        }
    }

    /// Writes rows in which all angles are 0.
    const fn const_fill_identities(&self, rows: &mut [T]) {
        let (grid, mut i) = (&self.grid, 0);
        while i < grid.filled_axes && !rows.is_empty() {
            let axis = grid.first[i];
            write_columns(&self.axes()[axis].plan, &Positions::ZEROS, &grid.placement(axis, grid.d_model), rows);
            i += 1;
        }
        self.write_rest(rows);
    }

    /// Writes zeros to the columns that no axis fills.
    const fn write_rest(&self, rows: &mut [T]) {
        let (d_model, filled, mut start, rows) = (self.grid.d_model, self.grid.filled(), 0, Slot::of(rows));
        while start < rows.len() && filled < d_model {
            write_zero(self.zero(), rows, start + filled, start + d_model);
            start += d_model;
        }
    }
}

const fn fill_sub_grid<T: Element>(lowered: &Lowered<T>, sub: &SubGrid, rows: &mut [T]) {
    let grid = &lowered.grid;
    let (mut axis, mut stride) = (grid.axes, 1);
    while axis > 0 {
        axis -= 1;
        if grid.widths[axis] > 0 {
            let pitch = stride * grid.d_model;
            let Axis { plan, positions, .. } = &lowered.axes()[axis];
            let placement = grid.placement(axis, pitch);
            let (axis_rows, _) = rows.split_at_mut(sub.shape[axis] * pitch);
            // The rows at which the faster axes are at their first points.
            let positions = positions.part(sub.start[axis], sub.shape[axis]);
            write_columns(plan, &positions, &placement, axis_rows);
            copy_axis(grid, &placement, sub.shape[axis], stride, rows);
        }
        stride *= sub.shape[axis];
    }
    lowered.write_rest(rows);
    merge_rows(grid, sub, rows);
}

/// Brings rows in the order of the axes into the order of merged blocks.
///
/// Row `i` is exchanged with the one that is to be there, which may have been exchanged with a later row before.
const fn merge_rows<T: Element>(grid: &Places, sub: &SubGrid, rows: &mut [T]) {
    // The rows of a single block have both orders.
    let (merge, width) = (grid.order.merge, if grid.order.merge > 1 { sub.shape[grid.points_axes() - 1] } else { 0 });
    if width <= merge {
        return;
    }
    let (lines, mut start) = (merge * width, 0);
    while start < sub.rows {
        let mut i = 0;
        while i < lines {
            let mut from = grid.order.unmerged(width, i);
            while from < i {
                from = grid.order.unmerged(width, from);
            }
            exchange(rows, start + i, start + from, grid.d_model);
            i += 1;
        }
        start += lines;
    }
}

/// Exchanges two rows.
const fn exchange<T: Element>(rows: &mut [T], one: usize, other: usize, d_model: usize) {
    let (one, other, mut column) = (one * d_model, other * d_model, 0);
    while column < d_model && one != other {
        (rows[one + column], rows[other + column]) = (rows[other + column], rows[one + column]);
        column += 1;
    }
}

/// Writes the columns of a plan to their places in rows that are `placement.pitch` apart.
pub(crate) const fn write_columns<T: Element>(
    plan: &Plan<T>,
    positions: &Positions,
    placement: &Placement,
    rows: &mut [T],
) {
    if plan.width() > 0 {
        fill_columns(plan, positions, placement, rows);
        if plan.repeats() {
            repeat_columns(plan, placement, rows);
        }
        return;
    }
    // The amplitude is zero.
    let (mut start, rows) = (0, Slot::of(rows));
    while start < rows.len() {
        let mut j = 0;
        while j < plan.d_model() {
            if let Some(column) = placement.column(j) {
                write_zero(plan.zero(), rows, start + column, start + column + 1);
            }
            j += 1;
        }
        start += placement.pitch;
    }
}

/// Copies the columns of an axis, of `count` points `stride` rows apart, to all other rows.
const fn copy_axis<T: Element>(grid: &Places, placement: &Placement, count: usize, stride: usize, rows: &mut [T]) {
    let rows = Slot::of(rows);
    let mut run = 0;
    while run < grid.runs {
        if let Some(column) = placement.column(run * placement.run) {
            let beyond = grid.d_model - column;
            let len = if placement.run < beyond { placement.run } else { beyond };
            let (mut row, mut start) = (0, column);
            while start < rows.len() {
                let from = row / stride % count * stride;
                if from != row {
                    Slot::copy_within(rows, from * grid.d_model + column, start, len);
                }
                row += 1;
                start += grid.d_model;
            }
        }
        run += 1;
    }
}
