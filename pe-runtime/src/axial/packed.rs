//! One of the tables of an axial rotary embedding: what macros and files hold.

use crate::axial::AxialRope;
use crate::axial::error::AxialError;
use crate::element::Element;
use crate::grid::Grid;
#[cfg(feature = "alloc")]
use crate::grid::plans::AxisTables;
use crate::grid::plans::Lowered;
use crate::spec::choices::Packing;

/// A table with cosines, sines or both.
#[derive(Clone, Copy)]
#[allow(clippy::exhaustive_structs, reason = "macros make it")]
pub struct AxialTable<'a, const A: usize> {
    /// The parameters.
    pub rope: AxialRope<'a, A>,
    /// The columns.
    pub packing: Packing,
}

impl<'a, const A: usize> AxialTable<'a, A> {
    /// Returns the number of columns, whether or not the parameters are valid.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.rope.columns(self.packing)
    }

    /// Returns the grid that has these entries.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`AxialRope::packed`].
    pub const fn grid(&self) -> Result<Grid<'a, A>, AxialError> {
        self.rope.packed(self.packing)
    }

    /// Checks the table, and returns what computing it takes.
    pub(crate) const fn lower<T: Element>(&self, max_bytes: usize) -> Result<Lowered<'a, T>, AxialError> {
        match try_const!(self.grid()).lower_table::<T>(max_bytes) {
            Ok(lowered) => Ok(lowered),
            Err(error) => Err(self.rope.error(error)),
        }
    }

    /// Returns the tables of the axes, checked as [`Grid::axis_tables`] does.
    #[cfg(feature = "alloc")]
    pub(crate) fn axis_tables(&self) -> Result<AxisTables<'a>, AxialError> {
        self.grid()?.axis_tables().map_err(|error| self.rope.error(error))
    }
}
