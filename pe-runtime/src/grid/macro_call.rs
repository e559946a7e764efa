//! The macro call that makes the table of a grid.

use core::fmt::{self, Debug, Display, Formatter};

use crate::element::Element;
use crate::grid::Grid;

/// The macro call that makes the table of a grid, returned by [`Grid::macro_call`].
///
/// Its [`Display`] output can be pasted into source code.
///
/// # Examples
///
/// ```
/// use posenc::{Grid, GridPreset};
///
/// let call = Grid::preset(GridPreset::Mae, [14, 14], 768).macro_call();
/// assert_eq!(call.to_string(), "grid_table!((14, 14), 768, first = (w, h))");
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct GridMacroCall<'a, const A: usize> {
    grid: Grid<'a, A>,
    /// `None` if the key is left out.
    dtype: Option<&'static str>,
}

impl<'a, const A: usize> Grid<'a, A> {
    /// Returns the macro call that makes the table.
    ///
    /// The `Display` output of the `Grid` itself is the same call. Nothing is checked. The type of a grid with a
    /// [`quantiser`](Self::quantiser) is shown as an underscore, which the macro rejects, unless
    /// [`dtype`](GridMacroCall::dtype) adds it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let grid = Grid::new([2, 3], 8).zero_rows(1);
    /// assert_eq!(grid.macro_call().to_string(), "grid_table!((2, 3), 8, zero_rows = 1)");
    /// ```
    pub const fn macro_call(&self) -> GridMacroCall<'a, A> {
        GridMacroCall { grid: *self, dtype: None }
    }
}

impl<const A: usize> GridMacroCall<'_, A> {
    /// Adds the key `dtype`, which is optional if the type is `f32`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let call = Grid::new([2, 3], 8).macro_call().dtype::<f64>();
    /// assert_eq!(call.to_string(), "grid_table!((2, 3), 8, dtype = f64)");
    /// ```
    pub const fn dtype<T: Element>(mut self) -> Self {
        self.dtype = Some(T::DTYPE);
        self
    }
}

impl<const A: usize> Display for GridMacroCall<'_, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.grid.write_call(self.dtype, f)
    }
}

/// Shows the same text as [`Display`].
impl<const A: usize> Debug for GridMacroCall<'_, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
