//! Setting the parameters of a grid by their rows in the list.

use crate::grid::Grid;
use crate::grid::values::Extent;
use crate::spec::parameters::{Access, OfGrid, Parameter, Value};

impl<'a, const A: usize> Grid<'a, A> {
    /// Returns the grid with other values of one of its [`PARAMETERS`](crate::reflection::PARAMETERS).
    ///
    /// There is one value for all axes, or one for each in the order of the shape.
    ///
    /// # Panics
    ///
    /// Panics if a grid has no such parameter, if there is another number of values, or if they are of another kind.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// use posenc::reflection::{PARAMETERS, Value};
    ///
    /// let start = PARAMETERS.iter().find(|parameter| parameter.key == "start").unwrap();
    /// let grid = Grid::new([4, 6], 8).with_values(start, &[Value::Integer(1), Value::Integer(2)]);
    /// assert_eq!(grid, Grid::new([4, 6], 8).start([1, 2]));
    /// ```
    pub fn with_values(mut self, parameter: &Parameter, values: &[Value<'a>]) -> Self {
        let each: [Value; A] = core::array::from_fn(|axis| values[if values.len() == 1 { 0 } else { axis }]);
        match parameter.access {
            Access::Spec { set, .. } => {
                for (spec, value) in self.axes.iter_mut().zip(each) {
                    *spec = set(*spec, value);
                }
                // The units replace an extent, as in `Grid::unit`.
                if parameter.key == "unit" {
                    self.extent = Extent::Unset;
                }
                self
            }
            Access::Grid(OfGrid::First) => self.first(each.map(Value::size)),
            Access::Grid(OfGrid::Nest) => self.nest(each[0].choice()),
            Access::Grid(OfGrid::Widths) => self.widths(each.map(Value::size)),
            Access::Grid(OfGrid::Rest) => self.rest(each[0].choice()),
            Access::Grid(OfGrid::ZeroRows) => self.zero_rows(each[0].size()),
            Access::Grid(OfGrid::Extent) => {
                let (numerator, denominator) = each[0].quotient();
                self.extent(numerator, denominator)
            }
            Access::Rope(_) | Access::Output => panic!("a grid has no parameter `{}`", parameter.key),
        }
    }
}
