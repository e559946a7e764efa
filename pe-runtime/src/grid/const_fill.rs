//! Computes rows of a grid in a `const fn`, without an allocator.
//!
//! The rows of each axis are written to the first rows of the grid that need them, and copied from there.

use crate::element::Element;
use crate::element::slot::Slot;
use crate::engine::dispatch::{fill_columns, write_zero};
use crate::grid::lower::Places;
use crate::grid::plans::{Axis, Lowered};
use crate::grid::rows::SubGrid;
use crate::plan::Plan;
use crate::plan::placement::Placement;
use crate::plan::positions::Positions;

impl<T: Element> Lowered<'_, T> {
    /// Writes the rows from `first` on, counted with the rows of zeros.
    pub(crate) const fn const_fill(&self, first: usize, mut rows: &mut [T]) {
        let grid = &self.grid;
        let d_model = grid.d_model;
        let (zeros, mut first) = grid.zeros(first, rows.len() / d_model);
        let (before, after) = rows.split_at_mut(zeros * d_model);
        write_zero(self.zero(), Slot::of(before), 0, zeros * d_model);
        rows = after;
        while !rows.is_empty() {
            let sub = grid.sub_grid(first, rows.len() / d_model);
            let (these, after) = rows.split_at_mut(sub.rows * d_model);
            fill_sub_grid(self, &sub, these);
            rows = after;
            first += sub.rows;
        }
    }
}

const fn fill_sub_grid<T: Element>(lowered: &Lowered<T>, sub: &SubGrid, rows: &mut [T]) {
    let grid = &lowered.grid;
    let (mut axis, mut stride) = (grid.axes, 1);
    while axis > 0 {
        axis -= 1;
        let pitch = stride * grid.d_model;
        let Axis { plan, positions, .. } = &lowered.axes()[axis];
        let placement = grid.placement(axis, pitch);
        let (axis_rows, _) = rows.split_at_mut(sub.shape[axis] * pitch);
        // The rows at which the faster axes are at their first points.
        let positions = positions.part(sub.start[axis], sub.shape[axis]);
        write_columns(plan, &positions, &placement, axis_rows);
        copy_axis(grid, &placement, sub.shape[axis], stride, rows);
        stride *= sub.shape[axis];
    }
    let (mut start, filled, rows) = (0, grid.filled(), Slot::of(rows));
    while start < rows.len() && filled < grid.d_model {
        write_zero(lowered.zero(), rows, start + filled, start + grid.d_model);
        start += grid.d_model;
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
        return fill_columns(plan, positions, placement, rows);
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
