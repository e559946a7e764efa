//! Setting the parameters of a grid by their rows in the list.

use crate::grid::Grid;
use crate::grid::values::Extent;
use crate::spec::parameters::{Access, OfGrid, Parameter, Value};

impl<'a, const A: usize> Grid<'a, A> {
    /// Returns the grid with another value of a parameter, for the macro and the tool: one for all axes, or one for each.
    ///
    /// # Panics
    ///
    /// Panics if a grid has no such parameter, if there is another number of values, or if they are of another kind.
    #[doc(hidden)]
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
            Access::Rope(_) | Access::Output => unreachable!("a grid has no parameter `{}`", parameter.key),
        }
    }
}
