//! Which points the rows of a grid are.

/// The most axes that a grid has, with the one of identity columns.
pub(crate) const MAX_AXES: usize = 5;

/// The most levels of a grid: its axes, and two more if patches are merged.
const MAX_LEVELS: usize = MAX_AXES + 1;

/// The order of the points in the rows, as nested loops over indices of axes, the slowest first.
///
/// Without merged patches each axis is a level. If blocks of `m x m` patches follow each other, the last two axes have two
/// levels each: one goes from block to block, and one through the block.
#[derive(Clone, Copy)]
pub(crate) struct RowOrder {
    levels: [Level; MAX_LEVELS],
    count: usize,
    /// The number of axes.
    pub(crate) axes: usize,
    /// The number of points of a block along each of its axes, or 1.
    pub(crate) merge: usize,
}

#[derive(Clone, Copy)]
struct Level {
    axis: usize,
    /// The increment of the index of the axis.
    step: usize,
    count: usize,
}

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

/// A row of a grid, as the state of the nested loops.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'g> {
    order: &'g RowOrder,
    indices: [usize; MAX_LEVELS],
    pub(crate) point: [usize; MAX_AXES],
}

impl RowOrder {
    /// Returns the order of a grid with so many axes. If `merge` is more than 1, it divides the last two.
    pub(crate) const fn of(shape: [usize; MAX_AXES], axes: usize, merge: usize) -> Self {
        let mut order = Self { levels: [Level { axis: 0, step: 1, count: 1 }; MAX_LEVELS], count: 0, axes, merge };
        let (unmerged, mut i) = (if merge > 1 { axes - 2 } else { axes }, 0);
        while i < unmerged {
            order.add(i, 1, shape[i]);
            i += 1;
        }
        if merge > 1 {
            let (h, w) = (unmerged, unmerged + 1);
            order.add(h, merge, shape[h] / merge);
            order.add(w, merge, shape[w] / merge);
            order.add(h, 1, merge);
            order.add(w, 1, merge);
        }
        order
    }

    const fn add(&mut self, axis: usize, step: usize, count: usize) {
        self.levels[self.count] = Level { axis, step, count };
        self.count += 1;
    }

    /// Returns the number of points.
    pub(crate) const fn points(&self) -> usize {
        self.points_of(0)
    }

    /// Returns the number of rows from one index of a level to the next.
    const fn stride(&self, level: usize) -> usize {
        self.points_of(level + 1)
    }

    /// Returns the number of points of the levels from one on. It stops at the largest `usize`, which is more than any buffer
    /// has.
    const fn points_of(&self, mut level: usize) -> usize {
        let mut points = 1usize;
        while level < self.count {
            points = points.saturating_mul(self.levels[level].count);
            level += 1;
        }
        points
    }

    /// Returns the index of a row on each level.
    const fn indices(&self, row: usize) -> [usize; MAX_LEVELS] {
        let (mut indices, mut rest, mut level) = ([0; MAX_LEVELS], row, self.count);
        while level > 0 {
            level -= 1;
            indices[level] = rest % self.levels[level].count;
            rest /= self.levels[level].count;
        }
        indices
    }

    /// Returns the index of a row on each axis.
    pub(crate) const fn point(&self, row: usize) -> [usize; MAX_AXES] {
        let (indices, mut point, mut level) = (self.indices(row), [0; MAX_AXES], 0);
        while level < self.count {
            point[self.levels[level].axis] += indices[level] * self.levels[level].step;
            level += 1;
        }
        point
    }

    /// Returns the largest smaller grid that begins at row `first` and has at most `count` rows. There is at least one row.
    pub(crate) const fn sub_grid(&self, first: usize, count: usize) -> SubGrid {
        let (start, mut shape) = (self.point(first), [1; MAX_AXES]);
        let mut level = 0;
        // The slowest level of which a whole step fits, from the first point of all faster levels.
        while level < self.count - 1 && (first % self.stride(level) != 0 || count < self.stride(level)) {
            level += 1;
        }
        let stride = self.stride(level);
        let (steps, left) = (count / stride, self.levels[level].count - self.indices(first)[level]);
        let mut steps = if steps < left { steps } else { left };
        let rows = steps * stride;
        while level < self.count {
            let Level { axis, step, .. } = self.levels[level];
            shape[axis] += (steps - 1) * step;
            level += 1;
            steps = if level < self.count { self.levels[level].count } else { 1 };
        }
        SubGrid { start, shape, rows }
    }

    /// Returns the first index and the number of indices of `count` rows on each axis.
    ///
    /// It may be all of them, if the rows belong to several points of a slower axis.
    #[cfg(feature = "alloc")]
    pub(crate) fn spans(&self, first: usize, count: usize) -> [(usize, usize); MAX_AXES] {
        let (from, to) = (self.indices(first), self.indices(first + count - 1));
        let (mut spans, mut slower_are_equal) = ([(0, 1); MAX_AXES], true);
        for (level, &Level { axis, step, count }) in self.levels[..self.count].iter().enumerate() {
            let (least, most) = if slower_are_equal { (from[level], to[level]) } else { (0, count - 1) };
            spans[axis].0 += least * step;
            spans[axis].1 += (most - least) * step;
            slower_are_equal = slower_are_equal && least == most;
        }
        spans
    }

    /// Returns a row.
    #[cfg(feature = "alloc")]
    pub(crate) fn cursor(&self, row: usize) -> Cursor<'_> {
        Cursor { order: self, indices: self.indices(row), point: self.point(row) }
    }

    /// Returns the row of a sub-grid in the order of its axes that is row `i` in the order of blocks.
    ///
    /// The sub-grid has whole blocks of so many points along its last axis.
    pub(crate) const fn unmerged(&self, width: usize, i: usize) -> usize {
        let (block, row) = (i / (self.merge * self.merge), i % (self.merge * self.merge));
        row / self.merge * width + block * self.merge + row % self.merge
    }
}

#[cfg(feature = "alloc")]
impl Cursor<'_> {
    /// Returns the axis of the fastest level, and the number of rows to the end of that level, which differ in the index on
    /// this axis alone: by 1 from row to row.
    pub(crate) fn line(&self) -> (usize, usize) {
        let fastest = self.order.count - 1;
        let Level { axis, count, .. } = self.order.levels[fastest];
        (axis, count - self.indices[fastest])
    }

    /// Goes on by so many rows, at most to the end of the line, and from the last row to the first.
    pub(crate) fn advance(&mut self, mut rows: usize) {
        for level in (0..self.order.count).rev() {
            let Level { axis, step, count } = self.order.levels[level];
            self.indices[level] += rows;
            self.point[axis] += rows * step;
            if self.indices[level] < count {
                return;
            }
            self.indices[level] = 0;
            self.point[axis] -= count * step;
            rows = 1;
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use std::vec::Vec;

    use super::*;

    const SHAPES: [([usize; MAX_AXES], usize, usize); 6] = [
        ([5, 1, 1, 1, 1], 1, 1),
        ([3, 4, 1, 1, 1], 2, 1),
        ([4, 6, 1, 1, 1], 2, 2),
        ([2, 4, 6, 1, 1], 3, 2),
        ([2, 3, 9, 6, 1], 4, 3),
        ([2, 2, 3, 2, 1], 4, 1),
    ];

    fn rows(shape: [usize; MAX_AXES]) -> usize {
        shape.iter().product()
    }

    #[test]
    fn a_cursor_passes_all_points() {
        for (shape, axes, merge) in SHAPES {
            let order = RowOrder::of(shape, axes, merge);
            let mut cursor = order.cursor(0);
            let mut seen = Vec::new();
            for row in 0..rows(shape) {
                assert_eq!((cursor.point, order.cursor(row).point), (order.point(row), order.point(row)));
                seen.push(cursor.point);
                let (axis, left) = cursor.line();
                assert!(left > 0 && order.point(row + left - 1)[axis] == cursor.point[axis] + left - 1);
                cursor.advance(1);
            }
            assert_eq!(cursor.point, [0; MAX_AXES]);
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), rows(shape));
        }
    }

    #[test]
    fn blocks_follow_each_other() {
        let order = RowOrder::of([2, 4, 1, 1, 1], 2, 2);
        let points: Vec<_> = (0..8).map(|row| (order.point(row)[0], order.point(row)[1])).collect();
        assert_eq!(points, [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (0, 3), (1, 2), (1, 3)]);
    }

    #[test]
    fn sub_grids_and_spans_are_of_their_rows() {
        for (shape, axes, merge) in SHAPES {
            let order = RowOrder::of(shape, axes, merge);
            for first in 0..rows(shape) {
                for count in 1..=rows(shape) - first {
                    let sub = order.sub_grid(first, count);
                    assert!(0 < sub.rows && sub.rows <= count);
                    assert_eq!(sub.rows, rows(sub.shape), "{shape:?} {first} {count}");
                    let within = |(point, (start, len)): (usize, (usize, usize))| start <= point && point < start + len;
                    let spans = order.spans(first, count);
                    for row in first..first + count {
                        let point = order.point(row);
                        assert!(point.into_iter().zip(spans).all(within));
                        let of_sub = core::array::from_fn::<_, MAX_AXES, _>(|axis| (sub.start[axis], sub.shape[axis]));
                        assert_eq!(point.into_iter().zip(of_sub).all(within), row - first < sub.rows);
                    }
                }
            }
        }
    }

    #[test]
    fn a_block_takes_rows_of_several_lines() {
        let order = RowOrder::of([4, 6, 1, 1, 1], 2, 2);
        for i in 0..12 {
            let [line, column, ..] = order.point(i);
            assert_eq!(order.unmerged(6, i), 6 * line + column);
        }
    }
}
