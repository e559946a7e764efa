//! Where the entries of rows are in memory.

use crate::plan::{Target, Targets};

/// Where the entries of a plan's rows are in memory: next to each other, or in some of the columns of wider rows.
///
/// Column `j` of a row is `first + j / run * stride + j % run` of the wider one.
#[derive(Clone, Copy)]
pub(crate) struct Placement {
    /// The distance of two rows, in entries.
    pub(crate) pitch: usize,
    /// The width of the wider rows. Columns beyond it are left out.
    pub(crate) width: usize,
    pub(crate) first: usize,
    /// The number of columns that stay side by side.
    pub(crate) run: usize,
    /// The distance of these runs.
    pub(crate) stride: usize,
}

impl Placement {
    /// Rows of `d_model` columns, one after the other.
    pub(crate) const fn of_table(d_model: usize) -> Self {
        Self { pitch: d_model, width: d_model, first: 0, run: d_model, stride: d_model }
    }

    /// Returns the column of the wider rows for column `j`, unless it is left out.
    pub(crate) const fn column(&self, j: usize) -> Option<usize> {
        let column = self.first + j / self.run * self.stride + j % self.run;
        if column < self.width { Some(column) } else { None }
    }

    /// Returns the targets in the wider rows.
    pub(crate) const fn targets(&self, [sin, cos]: Targets) -> Targets {
        [self.target(sin), self.target(cos)]
    }

    const fn target(&self, target: Option<Target>) -> Option<Target> {
        match target {
            Some(Target { column, function }) => match self.column(column) {
                Some(column) => Some(Target { column, function }),
                None => None,
            },
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_in_their_runs() {
        fn placed<const N: usize>(placement: Placement) -> [Option<usize>; N] {
            core::array::from_fn(|j| placement.column(j))
        }
        assert_eq!(placed(Placement::of_table(4)), [0, 1, 2, 3].map(Some));
        let halves = Placement { pitch: 24, width: 12, first: 3, run: 3, stride: 6 };
        assert_eq!(placed(halves), [3, 4, 5, 9].map(Some));
        let cut = Placement { pitch: 10, width: 6, first: 1, run: 1, stride: 2 };
        assert_eq!(placed(cut), [Some(1), Some(3), Some(5), None]);
    }
}
