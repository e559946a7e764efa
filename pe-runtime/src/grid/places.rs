//! The numbers of rows and columns of a grid, and which of them are whose.

use crate::grid::row_order::{MAX_AXES, RowOrder};
use crate::plan::placement::Placement;

/// The numbers of rows and columns of a grid, and which of them are whose.
///
/// It is the same type for any number of axes, so that code for the rows of grids is compiled once. Axes that the grid does
/// not have are of one point and no columns. Identity columns are an axis after the others, of one point at position 0.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    /// The number of axes.
    pub(crate) axes: usize,
    /// The number of columns of each axis.
    pub(crate) widths: [usize; MAX_AXES],
    pub(crate) shape: [usize; MAX_AXES],
    /// The axes with columns, in the order of the columns, and then others.
    pub(crate) first: [usize; MAX_AXES],
    /// The number of axes with columns.
    pub(crate) filled_axes: usize,
    pub(crate) d_model: usize,
    pub(crate) zero_rows: usize,
    /// The numbers of identity rows before and after the points.
    pub(crate) identity_rows: [usize; 2],
    /// The number of rows, with those that are no points.
    pub(crate) rows: usize,
    /// The number of runs of columns into which each axis is divided. In each run, all axes follow each other.
    pub(crate) runs: usize,
    /// Which points the other rows are.
    pub(crate) order: RowOrder,
}

/// How many of some rows in a grid are of each kind, in this order. What is left are identity rows after the points.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    pub(crate) zeros: usize,
    pub(crate) identities_before: usize,
    pub(crate) points: usize,
    /// The point of the first row that is one, counted from 0.
    pub(crate) first_point: usize,
}

impl Places {
    /// Returns of which kinds the `count` rows from `first` on are.
    pub(crate) const fn kinds(&self, first: usize, count: usize) -> Kinds {
        let (zeros, skipped, left) = part(self.zero_rows, first, count);
        let (identities_before, first_point, left) = part(self.identity_rows[0], skipped, left);
        let (points, ..) = part(self.order.points(), first_point, left);
        Kinds { zeros, identities_before, points, first_point }
    }

    /// Returns the number of axes without the axis of identity columns.
    pub(crate) const fn points_axes(&self) -> usize {
        self.order.axes
    }

    /// Returns the number of columns of a run of an axis.
    pub(crate) const fn run(&self, axis: usize) -> usize {
        self.widths[axis] / self.runs
    }

    /// Returns where the columns of an axis that has some are, if its rows are `pitch` entries apart.
    pub(crate) const fn placement(&self, axis: usize, pitch: usize) -> Placement {
        let (mut first, mut stride, mut i, mut before) = (0, 0, 0, true);
        while i < self.filled_axes {
            let run = self.run(self.first[i]);
            before = before && self.first[i] != axis;
            if before {
                first += run;
            }
            stride += run;
            i += 1;
        }
        Placement { pitch, width: self.d_model, first, run: self.run(axis), stride }
    }

    /// Returns the number of columns that the axes fill. The others are zeros.
    pub(crate) const fn filled(&self) -> usize {
        let (mut sum, mut i) = (0, 0);
        while i < self.axes {
            sum += self.widths[i];
            i += 1;
        }
        if sum < self.d_model { sum } else { self.d_model }
    }
}

/// Returns how many of `count` rows are among the first `len`, if `skipped` rows are before them, and the same two numbers for
/// the rows that follow.
const fn part(len: usize, skipped: usize, count: usize) -> (usize, usize, usize) {
    let here = len.saturating_sub(skipped);
    let here = if here < count { here } else { count };
    (here, skipped.saturating_sub(len), count - here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_of_four_kinds_in_order() {
        let order = RowOrder::of([3, 2, 1, 1, 1], 2, 1);
        let places = Places {
            axes: 2,
            widths: [2, 2, 0, 0, 0],
            shape: [3, 2, 1, 1, 1],
            first: [0, 1, 0, 0, 0],
            filled_axes: 2,
            d_model: 4,
            zero_rows: 2,
            identity_rows: [1, 3],
            rows: 12,
            runs: 1,
            order,
        };
        let kinds = |first, count| {
            let Kinds { zeros, identities_before, points, first_point } = places.kinds(first, count);
            ([zeros, identities_before, points], first_point)
        };
        assert_eq!(kinds(0, 12), ([2, 1, 6], 0));
        assert_eq!(kinds(1, 3), ([1, 1, 1], 0));
        assert_eq!(kinds(5, 5), ([0, 0, 4], 2));
        assert_eq!(kinds(10, 2), ([0, 0, 0], 7));
        assert_eq!(kinds(2, 0), ([0, 0, 0], 0));
    }
}
