//! Comparing a table with the exact one.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::bake::error::TableError;
use crate::element::Element;
use crate::grid::Grid;
use crate::grid::error::GridError;
use crate::inspect::compare::report::Report;
use crate::inspect::compare::width;
use crate::spec::Spec;
use crate::spec::error::SpecError;
use crate::table::compare_error::CompareError;
use crate::table::encoder::Encoder;
use crate::table::row_range::check_row_length;
use crate::table::rows::Rows;

impl Spec<'_> {
    /// Compares `found`, as the first rows of the table of this spec, with the exact entries.
    ///
    /// The exact entries are computed row by row, so the memory used grows with the square root of the number of rows,
    /// as for [`prepare`](Self::prepare). The report sets [`Mismatch::correct`](crate::Mismatch::correct) to the
    /// expected entries. A `zero_row` may be beyond the rows given.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check_parameters`](Self::check_parameters) does, if `start` is missing, if the position of
    /// a row is out of range, if a row does not have `d_model` entries, or if allocation fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Spec;
    /// // The recipe of most tutorials, in f32.
    /// let mut recipe = vec![[0.0f32; 64]; 1000];
    /// for (position, row) in recipe.iter_mut().enumerate() {
    ///     for (k, pair) in row.chunks_exact_mut(2).enumerate() {
    ///         let angle = position as f32 / 10_000f32.powf(2.0 * k as f32 / 64.0);
    ///         pair.copy_from_slice(&[angle.sin(), angle.cos()]);
    ///     }
    /// }
    /// let report = Spec::new(64).compare(&recipe)?;
    /// assert!(report.differing() > report.entries() / 2);
    /// assert!(report.max_abs_error() < 1e-3, "{report}");
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    pub fn compare<T: Element>(&self, found: &(impl Rows<T> + ?Sized)) -> Result<Report<T>, CompareError> {
        let (rows, width) = (found.seq_len(), width("found", found)?);
        if rows > 0 && width != self.d_model() {
            return Err(CompareError::Shape { expected: (rows, self.d_model()), found: (rows, width) });
        }
        let encoder = self.prepare(rows)?;
        let mut report = Report::new(self.d_model());
        let mut row = vec![T::default(); self.d_model()];
        for i in 0..rows {
            encoder.encode_row(i, &mut row)?;
            report.add_row(&row, found.row(i));
        }
        Ok(report.of_exact())
    }
}

/// A comparison of a table with the exact one, row by row.
///
/// The table need not be in memory. [`Spec::compare`] compares a table that is.
///
/// # Examples
///
/// ```
/// use posenc::{Comparison, Spec};
///
/// let spec = Spec::new(2);
/// let mut comparison = Comparison::new(&spec, 1000)?;
/// for position in 0..1000 {
///     let angle = position as f32;
///     comparison.add(&[angle.sin(), angle.cos()])?; // a row of a file, for example
/// }
/// let report = comparison.report();
/// assert_eq!((report.seq_len(), report.d_model()), (1000, 2));
/// assert!(report.max_ulps() <= 1, "{report}");
/// # Ok::<(), posenc::TableError>(())
/// ```
#[must_use]
pub struct Comparison<'a, T: Element> {
    exact: ExactRows<'a, T>,
    row: Vec<T>,
    report: Report<T>,
}

/// The rows of the exact table, one after another.
enum ExactRows<'a, T: Element> {
    OfSpec(Box<Encoder<'a, T>>),
    /// A grid computes the rows of its axes once for each piece.
    OfGrid {
        fill: Box<FillRows<'a, T>>,
        rows: usize,
        piece: Vec<T>,
    },
}

/// Writes rows of a grid, from a number on.
type FillRows<'a, T> = dyn Fn(usize, &mut [T]) -> Result<(), GridError> + 'a;

/// The number of entries of a grid that are computed at a time.
const PIECE: usize = 1 << 16;

impl<'a, T: Element> Comparison<'a, T> {
    /// Creates an empty comparison with the first rows of the table of a spec.
    ///
    /// `seq_len` is the expected number of rows, and there may be more or fewer. It determines how much memory is used
    /// to compute them fast, as for [`Spec::prepare`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Spec::prepare`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Comparison, Spec};
    /// let comparison = Comparison::<f32>::new(&Spec::new(64), 1000)?;
    /// assert_eq!(comparison.report().entries(), 0);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn new(spec: &Spec<'a>, seq_len: usize) -> Result<Self, SpecError> {
        Ok(Self::with(ExactRows::OfSpec(Box::new(spec.prepare(seq_len)?)), spec.d_model()))
    }

    /// Creates an empty comparison with the rows of a grid.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Grid::check`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Comparison, Grid};
    /// let grid = Grid::new([2, 3], 8);
    /// let mut comparison = Comparison::of_grid(&grid)?;
    /// for row in grid.table::<f32>()?.rows() {
    ///     comparison.add(row)?;
    /// }
    /// assert!(comparison.report().is_identical());
    /// # Ok::<(), posenc::TableError>(())
    /// ```
    pub fn of_grid<const A: usize>(grid: &Grid<'a, A>) -> Result<Self, GridError> {
        grid.check::<T>()?;
        let (grid, rows, d_model) = (*grid, grid.rows(), grid.d_model());
        let fill = Box::new(move |first: usize, piece: &mut [T]| grid.fill(first.., piece));
        Ok(Self::with(ExactRows::OfGrid { fill, rows, piece: Vec::new() }, d_model))
    }

    fn with(exact: ExactRows<'a, T>, d_model: usize) -> Self {
        Self { exact, row: vec![T::default(); d_model], report: Report::new(d_model) }
    }

    /// Adds the next row of the table that is compared.
    ///
    /// # Errors
    ///
    /// Returns an error if the row does not have `d_model` entries, if its position is out of range, or if a grid has no
    /// further row. The row is then not added.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Comparison, Spec};
    /// let mut comparison = Comparison::new(&Spec::new(2), 1)?;
    /// comparison.add(&[0.0, 1.0f32])?;
    /// assert!(comparison.add(&[0.0]).is_err());
    /// # Ok::<(), posenc::TableError>(())
    /// ```
    pub fn add(&mut self, found: &[T]) -> Result<(), TableError> {
        let (i, d_model) = (self.report.seq_len(), self.row.len());
        check_row_length(found.len(), d_model)?;
        match &mut self.exact {
            ExactRows::OfSpec(encoder) => encoder.encode_row(i, &mut self.row)?,
            ExactRows::OfGrid { fill, rows, piece } => {
                let most = (PIECE / d_model).max(1);
                if i % most == 0 {
                    // A row after the last is an error of the grid.
                    piece.resize(most.min((*rows - i).max(1)) * d_model, T::default());
                    fill(i, piece)?;
                }
                let there = piece.get(i % most * d_model..).and_then(|rows| rows.get(..d_model));
                match there {
                    Some(row) => self.row.copy_from_slice(row),
                    None => fill(i, &mut self.row)?,
                }
            }
        }
        self.report.add_row(&self.row, found);
        Ok(())
    }

    /// Returns the differences in the rows that have been added.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Comparison, Spec};
    /// let mut comparison = Comparison::new(&Spec::new(2), 1)?;
    /// comparison.add(&[0.0f32, 1.0])?;
    /// assert!(comparison.report().is_identical());
    /// # Ok::<(), posenc::TableError>(())
    /// ```
    #[must_use]
    pub fn report(self) -> Report<T> {
        self.report.of_exact()
    }
}

impl<T: Element> Report<T> {
    /// Says that the entries expected are the correct ones.
    fn of_exact(mut self) -> Self {
        for mismatch in self.mismatches() {
            mismatch.correct = Some(mismatch.expected);
        }
        self
    }

    /// Sets [`Mismatch::correct`](crate::Mismatch::correct) to the entries of the table of `spec`.
    ///
    /// The report then shows which of the two tables is right at each entry it lists.
    ///
    /// # Errors
    ///
    /// Returns an error if `spec` cannot make a table of this shape.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Spec, compare};
    ///
    /// let (ours, theirs) = ([[0.841_470_96_f32, 0.540_302_3]], [[0.841_471_f32, 0.540_302_3]]);
    /// let report = compare(&theirs, &ours)?.annotate(&Spec::new(2).start(1))?;
    /// assert_eq!(report.max_ulps_at().and_then(|mismatch| mismatch.correct), Some(0.841_470_96));
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    pub fn annotate(mut self, spec: &Spec) -> Result<Self, CompareError> {
        let (rows, width) = (self.seq_len(), self.d_model());
        if rows > 0 && width != spec.d_model() {
            let (expected, found) = ((rows, spec.d_model()), (rows, width));
            return Err(CompareError::Shape { expected, found });
        }
        spec.check_parameters::<T>()?;
        spec.check_rows(0, rows)?;
        let mut row = vec![T::default(); spec.d_model()];
        for mismatch in self.mismatches() {
            spec.const_fill(mismatch.row.., &mut row)?;
            mismatch.correct = Some(row[mismatch.column]);
        }
        Ok(self)
    }
}
