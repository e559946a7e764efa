//! Which points the rows of a grid are.

use crate::grid::lower::{MAX_AXES, Places};

/// Rows of a grid that are all points of a smaller grid.
///
/// They have one index on each of the slower axes, some on one axis, and all on the faster axes.
#[derive(Clone, Copy)]
pub(crate) struct SubGrid {
    /// The first index on each axis.
    pub(crate) start: [usize; MAX_AXES],
    /// The number of indices on each axis.
    pub(crate) shape: [usize; MAX_AXES],
    pub(crate) rows: usize,
}

impl Places {
    /// Returns the largest smaller grid that begins at row `first` and has at most `count` rows. Neither counts the rows of
    /// zeros, and there is at least one row.
    pub(crate) const fn sub_grid(&self, first: usize, count: usize) -> SubGrid {
        let (start, mut shape) = (self.point(first), [1; MAX_AXES]);
        let mut axis = 0;
        // The slowest axis of which a whole step fits, from the first point of all faster axes.
        while axis < self.axes - 1 && (first % self.stride(axis) != 0 || count < self.stride(axis)) {
            axis += 1;
        }
        let stride = self.stride(axis);
        let (steps, left) = (count / stride, self.shape[axis] - start[axis]);
        shape[axis] = if steps < left { steps } else { left };
        let mut faster = axis + 1;
        while faster < self.axes {
            shape[faster] = self.shape[faster];
            faster += 1;
        }
        SubGrid { start, shape, rows: shape[axis] * stride }
    }

    /// Returns the index of a row on each axis. It does not count the rows of zeros.
    pub(crate) const fn point(&self, row: usize) -> [usize; MAX_AXES] {
        let (mut point, mut rest, mut axis) = ([0; MAX_AXES], row, self.axes);
        while axis > 0 {
            axis -= 1;
            point[axis] = rest % self.shape[axis];
            rest /= self.shape[axis];
        }
        point
    }

    /// Returns the first index and the number of indices of `count` rows on each axis.
    ///
    /// It may be all of them, if the rows are those of more than one point of a slower axis.
    #[cfg(feature = "alloc")]
    pub(crate) fn spans(&self, first: usize, count: usize) -> [(usize, usize); MAX_AXES] {
        let (from, to) = (self.point(first), self.point(first + count - 1));
        let mut slower_are_equal = true;
        core::array::from_fn(|axis| {
            let span = if slower_are_equal { (from[axis], to[axis] - from[axis] + 1) } else { (0, self.shape[axis]) };
            slower_are_equal = slower_are_equal && span.1 == 1;
            span
        })
    }
}
