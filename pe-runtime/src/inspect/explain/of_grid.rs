//! How an entry of a grid is computed.

use crate::element::Element;
use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::grid::places::Places;
use crate::inspect::explain::{Entry, Explanation, check_dtype, source};
use crate::spec::error::SpecError;
use crate::spec::position::Position;

impl<const A: usize> Grid<'_, A> {
    /// Explains the entry of `column`, counted from 0, at a point.
    ///
    /// As for [`encode`](Self::encode), the coordinates of the point are any integers within `±2^53` or finite floats,
    /// in the order of the shape. One of them is the position of the entry: [`Explanation::axis`] says which. The rows
    /// of zeros, [`start`](Self::start) and [`step`](Self::step) are ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the element type is a type of integers, if [`check`](Self::check) rejects the parameters, if
    /// a coordinate is out of range, or if the column is not below `d_model`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let entry = Grid::new([14, 14], 64).explain::<f32>([3.5, 0.25], 32)?;
    /// assert_eq!((entry.axis, entry.position, entry.result), (Some(1), 0.25, 0.247_403_96));
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub fn explain<T: Element>(&self, point: [impl Position; A], column: usize) -> Result<Explanation<T>, GridError> {
        check_dtype::<T>()?;
        let lowered = self.lower::<T>()?;
        let mut exact = [0.0; A];
        for (exact, coordinate) in exact.iter_mut().zip(point) {
            *exact = coordinate.exact()?;
        }
        let d_model = self.d_model();
        if column >= d_model {
            return Err(SpecError::Column { value: column, d_model }.into());
        }
        let of_axis = lowered.grid.source(column);
        let (axis, own_column) = of_axis.unwrap_or_default();
        let (table, position) = (&lowered.axes()[axis], exact.get(axis).copied().unwrap_or(0.0));
        let source = of_axis.and_then(|_| source(&table.plan, own_column));
        let entry = Entry { spec: &table.spec, plan: table.plan, position, source };
        Ok(Explanation {
            axis: of_axis.map(|(axis, _)| axis).filter(|axis| *axis < A),
            ..entry.explained(column, d_model)
        })
    }
}

impl Places {
    /// Returns the axis that fills a column, and the number of this column among its own. `None` fills a column of zeros.
    fn source(&self, column: usize) -> Option<(usize, usize)> {
        (0..self.axes).find_map(|axis| {
            let placement = self.placement(axis, self.d_model);
            let own = (0..self.widths[axis]).find(|own| placement.column(*own) == Some(column))?;
            Some((axis, own))
        })
    }
}
