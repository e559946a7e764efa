//! A checked grid, lowered to the plans and the positions of its axes.

use crate::element::Element;
use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::grid::places::Places;
use crate::grid::row_order::MAX_AXES;
use crate::grid::values;
use crate::plan::Plan;
use crate::plan::positions::Positions;
use crate::spec::Spec;

/// A grid that has been checked: all that computing its rows takes.
#[derive(Clone, Copy)]
pub(crate) struct Lowered<'a, T> {
    pub(crate) grid: Places,
    /// The axes. One without columns is a copy of one that has some.
    axes: [Axis<'a, T>; MAX_AXES],
}

/// The table of an axis.
#[derive(Clone, Copy)]
pub(crate) struct Axis<'a, T> {
    /// The spec, by which axes with the same table are found.
    #[cfg(feature = "alloc")]
    pub(crate) spec: Spec<'a>,
    #[cfg(feature = "alloc")]
    pub(crate) list: &'a [f64],
    pub(crate) plan: Plan<'a, T>,
    /// The positions of all points.
    pub(crate) positions: Positions<'a>,
}

/// A grid of which all that does not depend on the element type has been checked, except the tables of its axes.
///
/// It is the same type for any number of axes, so that lowering it is compiled once for each element type.
#[derive(Clone, Copy)]
pub(crate) struct AxisTables<'a> {
    grid: Places,
    tables: [AxisTable<'a>; MAX_AXES],
    /// The error that counts if the tables have none.
    arrangement: Result<(), GridError>,
}

/// The table of an axis before it has been checked.
#[derive(Clone, Copy)]
struct AxisTable<'a> {
    spec: Spec<'a>,
    /// The positions, unless they are equally spaced.
    list: &'a [f64],
    points: usize,
}

impl<'a, T: Element> Axis<'a, T> {
    /// Checks the table of `points` rows and lowers it. The positions may be a list.
    const fn new(AxisTable { spec, list, points }: AxisTable<'a>) -> Result<Self, GridError> {
        let plan = try_const!(Plan::new(&spec), GridError::Spec);
        let positions = if list.is_empty() {
            try_const!(Positions::of_rows(&spec, 0, points), GridError::Spec)
        } else {
            try_const!(Positions::of_list(list), GridError::Spec)
        };
        Ok(Self {
            #[cfg(feature = "alloc")]
            spec,
            #[cfg(feature = "alloc")]
            list,
            plan,
            positions,
        })
    }
}

impl<'a> AxisTables<'a> {
    /// Checks the tables of the axes for entries of `T`, and lowers the grid.
    pub(crate) const fn lower<T: Element>(&self) -> Result<Lowered<'a, T>, GridError> {
        let Self { grid, tables, arrangement } = self;
        let mut some = 0;
        while grid.widths[some] == 0 {
            some += 1;
        }
        // An axis fills the array, because a `const fn` cannot make one from a function.
        let (mut axes, mut i) = ([try_const!(Axis::new(tables[some])); MAX_AXES], some + 1);
        while i < grid.axes {
            if grid.widths[i] > 0 {
                axes[i] = try_const!(Axis::new(tables[i]));
            }
            i += 1;
        }
        try_const!(*arrangement);
        Ok(Lowered { grid: *grid, axes })
    }

    /// Does the same, and checks that the table has at most so many bytes.
    pub(crate) const fn lower_table<T: Element>(&self, max_bytes: usize) -> Result<Lowered<'a, T>, GridError> {
        let lowered = try_const!(self.lower::<T>());
        let Places { rows, d_model, .. } = self.grid;
        let bytes = rows as u128 * d_model as u128 * size_of::<T>() as u128;
        let address_space = isize::MAX as usize;
        let max_bytes = if max_bytes < address_space { max_bytes } else { address_space };
        if bytes <= max_bytes as u128 {
            return Ok(lowered);
        }
        Err(GridError::TooLarge { rows, d_model, dtype: T::DTYPE, bytes, max_bytes })
    }
}

impl<'a, T: Element> Lowered<'a, T> {
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
        try_const!(self.axis_tables()).lower_table(max_bytes)
    }

    /// Checks the parameters for tables of `T`, and lowers the grid.
    pub(crate) const fn lower<T: Element>(&self) -> Result<Lowered<'a, T>, GridError> {
        try_const!(self.axis_tables()).lower()
    }

    /// Checks what does not depend on the element type, except the tables of the axes.
    pub(crate) const fn axis_tables(&self) -> Result<AxisTables<'a>, GridError> {
        let grid = self.places(try_const!(self.resolved_widths()));
        Ok(AxisTables { grid, tables: self.tables(&grid), arrangement: self.check_arrangement() })
    }

    /// Checks what is left once the axes have been checked.
    const fn check_arrangement(&self) -> Result<(), GridError> {
        try_const!(self.check_middle());
        try_const!(self.check_first());
        try_const!(self.check_merge());
        let (names, mut i) = (self.axis_names(), 0);
        while i < A {
            let (given, points) = (self.positions[i].len(), self.shape[i]);
            if given > 0 && given != points {
                return Err(GridError::PositionCount { axis: names[i], given, points });
            }
            if self.axes[i].parameters.scaling.has_attention_factor() {
                return Err(GridError::AttentionFactor {
                    axis: names[i],
                    rule: self.axes[i].parameters.scaling.name(),
                });
            }
            i += 1;
        }
        Ok(())
    }

    /// Returns the tables of the axes, and then the table of the identity columns, if there are any.
    const fn tables(&self, grid: &Places) -> [AxisTable<'a>; MAX_AXES] {
        let identity = AxisTable { spec: self.identity_of_width(grid.widths[grid.axes - 1]), list: &[], points: 1 };
        let (mut tables, mut i) = ([identity; MAX_AXES], 0);
        while i < A {
            let (spec, list) = (self.axis_of_width(i, grid.widths[i]), self.positions[i]);
            tables[i] = AxisTable { spec, list, points: self.shape[i] };
            i += 1;
        }
        tables
    }

    /// Checks that the blocks of merged patches divide the last two axes.
    const fn check_merge(&self) -> Result<(), GridError> {
        let value = self.merge;
        if value == 1 || self.merges() {
            return Ok(());
        }
        if value == 0 || A < 2 {
            return Err(GridError::Merge { value, axes: A });
        }
        let axis = if self.shape[A - 2] % value == 0 { A - 1 } else { A - 2 };
        Err(GridError::MergeOfAxis { value, axis: self.axis_names()[axis], points: self.shape[axis] })
    }

    /// Returns the names of the axes, or the default names if it has another number of axes.
    const fn axis_names(&self) -> &'static [&'static str] {
        match self.names {
            Some(names) => names,
            None => values::names(A),
        }
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
