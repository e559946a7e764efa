//! A checked grid, lowered to the plans and the positions of its axes.

use crate::element::Element;
use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::grid::lower::{MAX_AXES, Places};
use crate::plan::Plan;
use crate::plan::positions::Positions;
use crate::spec::Spec;

/// A grid that has been checked: all that computing its rows takes.
#[derive(Clone, Copy)]
pub(crate) struct Lowered<'a, T> {
    pub(crate) grid: Places,
    /// The axes, and then copies of the first.
    axes: [Axis<'a, T>; MAX_AXES],
}

/// The table of an axis.
#[derive(Clone, Copy)]
pub(crate) struct Axis<'a, T> {
    /// By which axes with the same table are found.
    #[cfg(feature = "alloc")]
    pub(crate) spec: Spec<'a>,
    pub(crate) plan: Plan<'a, T>,
    /// The positions of all points.
    pub(crate) positions: Positions<'static>,
}

impl<'a, T: Element> Axis<'a, T> {
    /// Checks the table of `points` rows and lowers it.
    const fn new(spec: Spec<'a>, points: usize) -> Result<Self, GridError> {
        let plan = try_const!(Plan::new(&spec), GridError::Spec);
        let positions = try_const!(Positions::of_rows(&spec, 0, points), GridError::Spec);
        Ok(Self {
            #[cfg(feature = "alloc")]
            spec,
            plan,
            positions,
        })
    }
}

impl<'a, T: Element> Lowered<'a, T> {
    /// Checks the tables of the axes and lowers them.
    const fn new(grid: Places, tables: &[Spec<'a>; MAX_AXES]) -> Result<Self, GridError> {
        // The first axis fills the array, because a `const fn` cannot make one from a function.
        let (mut axes, mut i) = ([try_const!(Axis::new(tables[0], grid.shape[0])); MAX_AXES], 1);
        while i < grid.axes {
            axes[i] = try_const!(Axis::new(tables[i], grid.shape[i]));
            i += 1;
        }
        Ok(Self { grid, axes })
    }

    /// Checks that the table has at most so many bytes.
    const fn with_at_most(self, max_bytes: usize) -> Result<Self, GridError> {
        let Places { rows, d_model, .. } = self.grid;
        let bytes = rows as u128 * d_model as u128 * size_of::<T>() as u128;
        let address_space = isize::MAX as usize;
        let max_bytes = if max_bytes < address_space { max_bytes } else { address_space };
        if bytes <= max_bytes as u128 {
            return Ok(self);
        }
        Err(GridError::TooLarge { rows, d_model, dtype: T::DTYPE, bytes, max_bytes })
    }

    /// Returns the axes that the grid has.
    pub(crate) const fn axes(&self) -> &[Axis<'a, T>] {
        self.axes.split_at(self.grid.axes).0
    }

    /// Returns the entry for the real number 0.
    pub(crate) const fn zero(&self) -> T {
        self.axes[0].plan.zero()
    }

    /// Returns the size of the table, if it has been checked.
    pub(crate) const fn bytes(&self) -> usize {
        self.grid.rows * self.grid.d_model * size_of::<T>()
    }
}

impl<'a, const A: usize> Grid<'a, A> {
    /// Checks the parameters for tables of `T`.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter is out of range, if two parameters exclude each other, or if the positions of an axis
    /// are out of range.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, GridPreset};
    /// assert!(Grid::new([14, 14], 768).check::<f32>().is_ok());
    /// assert_eq!(
    ///     Grid::preset(GridPreset::CogVideoX, [30, 45], 1920).check::<f32>().unwrap_err().to_string(),
    ///     "the axes of `preset = cogvideox` are t, h, w, but the length of `shape` is 2; write one size for each axis",
    /// );
    /// ```
    pub const fn check<T: Element>(&self) -> Result<(), GridError> {
        try_const!(self.lower::<T>());
        Ok(())
    }

    /// Checks everything that can be wrong with the table, and returns its size in bytes.
    ///
    /// `max_bytes` is the largest size allowed.
    ///
    /// # Errors
    ///
    /// Returns the error that making the table would return.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// assert_eq!(Grid::new([14, 14], 768).check_table::<f32>(1 << 20), Ok(14 * 14 * 768 * 4));
    /// ```
    pub const fn check_table<T: Element>(&self, max_bytes: usize) -> Result<usize, GridError> {
        Ok(try_const!(self.lower_table::<T>(max_bytes)).bytes())
    }

    /// Does the same, and returns what computing the table takes.
    pub(crate) const fn lower_table<T: Element>(&self, max_bytes: usize) -> Result<Lowered<'a, T>, GridError> {
        try_const!(self.lower::<T>()).with_at_most(max_bytes)
    }

    /// Checks the parameters for tables of `T`, and lowers the grid.
    pub(crate) const fn lower<T: Element>(&self) -> Result<Lowered<'a, T>, GridError> {
        let grid = self.places(try_const!(self.resolved_widths()));
        let lowered = try_const!(Lowered::new(grid, &self.tables(&grid)));
        try_const!(self.check_arrangement());
        Ok(lowered)
    }

    /// Checks what is left once the axes have been checked.
    const fn check_arrangement(&self) -> Result<(), GridError> {
        try_const!(self.check_middle());
        self.check_first()
    }

    /// Returns the tables of the axes, and then copies of the first.
    const fn tables(&self, grid: &Places) -> [Spec<'a>; MAX_AXES] {
        let (mut tables, mut i) = ([self.axis_of_width(0, grid.widths[0]); MAX_AXES], 1);
        while i < A {
            tables[i] = self.axis_of_width(i, grid.widths[i]);
            i += 1;
        }
        tables
    }

    /// Checks that `first` has each axis once.
    const fn check_first(&self) -> Result<(), GridError> {
        let (mut seen, mut i) = ([false; A], 0);
        while i < A {
            let axis = self.first[i];
            if axis >= A || seen[axis] {
                return Err(GridError::First { axis, axes: A });
            }
            seen[axis] = true;
            i += 1;
        }
        Ok(())
    }
}
