//! Computes the rows of a grid: whole tables, rows in a buffer, points.

use core::ops::RangeFrom;

use crate::element::Element;
#[cfg(feature = "alloc")]
use crate::element::slot::Slot;
#[cfg(feature = "alloc")]
use crate::engine::allocation::reserve;
use crate::engine::dispatch::Threads;
use crate::grid::Grid;
use crate::grid::const_fill::write_columns;
use crate::grid::error::GridError;
use crate::grid::plans::Lowered;
#[cfg(feature = "alloc")]
use crate::grid::tables::{AxisRows, write};
use crate::plan::positions::Points;
use crate::spec::error::SpecError;
use crate::spec::position::Position;
#[cfg(feature = "alloc")]
use crate::table::Table;
use crate::table::row_range::{RowRange, check_positions_length, rows_of_buffer};

impl<const A: usize> Grid<'_, A> {
    /// Returns the table of all points, of shape `(rows, d_model)`, with the rows of zeros and the identity rows.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) rejects the parameters, if the table is larger than the address space, or
    /// if allocation fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Grid, GridPreset};
    /// let table = Grid::preset(GridPreset::SimpleVit, [8, 12], 64).table::<f32>()?;
    /// assert_eq!(table.shape(), (96, 64));
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn table<T: Element>(&self) -> Result<Table<T>, GridError> {
        self.table_by(Threads::One)
    }

    /// Returns the same table as [`table`](Self::table), assembled on all threads of rayon's pool.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`table`](Self::table).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// assert_eq!(Grid::new([30, 45], 64).par_table::<f64>()?, Grid::new([30, 45], 64).table()?);
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_table<T: Element>(&self) -> Result<Table<T>, GridError> {
        self.table_by(Threads::All)
    }

    #[cfg(feature = "alloc")]
    #[expect(unsafe_code, reason = "there is no safe way to write to new memory as fast")]
    fn table_by<T: Element>(&self, threads: Threads) -> Result<Table<T>, GridError> {
        let lowered = self.lower_table::<T>(usize::MAX)?;
        let len = lowered.grid.rows * self.d_model();
        let no_memory = GridError::Spec(SpecError::OutOfMemory { bytes: lowered.bytes() });
        let mut rows = reserve(len).ok_or(no_memory)?;
        let memory = Slot::of_memory(&mut rows.spare_capacity_mut()[..len]);
        write(&lowered, 0, memory, threads).ok_or(no_memory)?;
        // SAFETY: the capacity is at least `len`, and `write` has written all these entries.
        unsafe { rows.set_len(len) };
        Ok(Table::new(rows, self.d_model()))
    }

    /// Writes the given rows of the table to `buffer`, of shape `(rows, d_model)`.
    ///
    /// Rows are counted from 0, including rows of zeros and identity rows. `first..` writes as many rows as the buffer
    /// holds. `first..end` must be exactly as many rows as the buffer holds.
    ///
    /// The method computes only the rows that it needs of the tables of the axes, and copies their entries, so
    /// computing a grid takes little longer than copying it. If memory for these tables cannot be allocated, or without
    /// the feature `alloc`, the rows are computed as by [`const_fill`](Self::const_fill), with the same bits.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) rejects the parameters, if the length of `buffer` is not a multiple of
    /// `d_model`, if the grid does not have all of the rows, or if `rows` has an end and is not exactly as many rows as the
    /// buffer holds. On error the buffer is left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let grid = Grid::new([8, 12], 64);
    /// let mut second_line = [0.0f32; 12 * 64];
    /// grid.fill(12..24, &mut second_line)?;
    /// assert_eq!(second_line[..64], grid.table::<f32>()?[12]);
    ///
    /// let error = grid.fill(90.., &mut second_line).unwrap_err();
    /// assert_eq!(error.to_string(), "rows 90..102 are out of bounds: the number of rows in the table is 96");
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub fn fill<T: Element>(&self, rows: impl RowRange, buffer: &mut [T]) -> Result<(), GridError> {
        self.fill_by(rows, buffer, Threads::One)
    }

    /// Writes rows of the table to `buffer` on all threads of rayon's pool, with the same bits as [`fill`](Self::fill).
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`fill`](Self::fill).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let grid = Grid::new([30, 45], 64);
    /// let mut rows = vec![0.0f32; grid.rows() * 64];
    /// grid.par_fill(0.., &mut rows)?;
    /// assert_eq!(rows, grid.table::<f32>()?.into_vec());
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_fill<T: Element>(&self, rows: impl RowRange, buffer: &mut [T]) -> Result<(), GridError> {
        self.fill_by(rows, buffer, Threads::All)
    }

    fn fill_by<T: Element>(&self, rows: impl RowRange, buffer: &mut [T], threads: Threads) -> Result<(), GridError> {
        let bounds = rows.bounds();
        // It is large, so it stays where it is.
        let lowered = &self.lower::<T>();
        let lowered = lowered.as_ref().map_err(|error| *error)?;
        self.check_rows(bounds, buffer.len())?;
        lowered.fill(bounds.0, buffer, threads);
        Ok(())
    }

    /// Writes rows of the table to `buffer` in a `const fn`, with the same bits as [`fill`](Self::fill).
    ///
    /// It uses neither an allocator nor vector instructions. The compiler takes as long for the tables of the axes as
    /// [`Spec::const_fill`](crate::Spec::const_fill) says, and much less for the copies. `const_grid` returns an array
    /// directly.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`fill`](Self::fill).
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// const GRID: Grid<2> = Grid::new([4, 6], 8);
    /// const ROWS: [f32; 24 * 8] = {
    ///     let mut rows = [0.0; 24 * 8];
    ///     assert!(GRID.const_fill(0.., &mut rows).is_ok());
    ///     rows
    /// };
    /// assert_eq!(ROWS[..], *GRID.table::<f32>()?.as_slice());
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub const fn const_fill<T: Element>(&self, rows: RangeFrom<usize>, buffer: &mut [T]) -> Result<(), GridError> {
        match &self.lower::<T>() {
            Ok(lowered) => {
                try_const!(self.check_rows((rows.start, None), buffer.len()));
                lowered.const_fill(rows.start, buffer);
                Ok(())
            }
            Err(error) => Err(*error),
        }
    }

    /// Checks the rows that a buffer of `len` entries holds, with these bounds.
    const fn check_rows(&self, bounds: (usize, Option<usize>), len: usize) -> Result<(), GridError> {
        let (first, rows) = (bounds.0, self.rows());
        let buffer = try_const!(rows_of_buffer(bounds, len, self.d_model()), GridError::Spec);
        if first > rows || buffer > rows - first {
            let end = first.saturating_add(buffer);
            return Err(GridError::Rows { start: first, end, rows });
        }
        Ok(())
    }

    /// Writes the encoding of one point to `row`, of `d_model` entries.
    ///
    /// Its coordinates are any integers within `±2^53` or finite floats, in the order of the shape, and are used
    /// exactly. [`start`](Self::start), [`step`](Self::step) and [`positions`](Self::positions) are ignored, because
    /// they apply to the points of the grid. Rows of zeros and identity rows are ignored too. [`unit`](Self::unit) and
    /// [`scale`](Self::scale) still multiply the angles.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) rejects the parameters, if a coordinate is out of range, or if `row` does
    /// not have `d_model` entries. On error `row` is left unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let mut row = [0.0f32; 64];
    /// Grid::new([14, 14], 64).encode([3.5, 0.25], &mut row)?;
    /// assert_eq!(row[32], 0.247_403_96); // sin(0.25)
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub fn encode<T: Element>(&self, point: [impl Position; A], row: &mut [T]) -> Result<(), GridError> {
        let mut exact = [0.0; A];
        for (exact, coordinate) in exact.iter_mut().zip(point) {
            *exact = coordinate.exact()?;
        }
        let (len, d_model) = (row.len(), self.d_model());
        if len != d_model {
            self.check::<T>()?;
            return Err(SpecError::RowLength { len, d_model }.into());
        }
        self.fill_points(&[exact], row)
    }

    /// Writes the encodings of `points` to `buffer`, of shape `(points.len(), d_model)`.
    ///
    /// The shape of the grid is ignored. With the coordinates of boxes, the encodings are what DETR's decoders call
    /// queries; with the coordinates of samples, they are the input of `NeRF`.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) rejects the parameters, if a coordinate is not finite, or if `buffer` does
    /// not have `points.len() * d_model` entries. On error the buffer is left unchanged.
    ///
    /// # Examples
    ///
    /// The sine embedding of boxes `(x, y, w, h)` in DAB-DETR, with the columns of `y` first:
    ///
    /// ```
    /// # use posenc::{Grid, Nest};
    /// let queries = Grid::new([0; 4], 512).first([1, 0, 2, 3]).nest(Nest::Pairs).scale(std::f64::consts::TAU);
    /// let boxes = [[0.5, 0.25, 0.1, 0.2], [0.75, 0.5, 0.3, 0.3]];
    /// let mut embeddings = vec![0.0f32; 2 * 512];
    /// queries.fill_points(&boxes, &mut embeddings)?;
    /// assert_eq!(embeddings[0], 1.0); // the sine of a quarter turn, for y
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    pub fn fill_points<T: Element>(&self, points: &[[f64; A]], buffer: &mut [T]) -> Result<(), GridError> {
        // It is large, so it stays where it is.
        let lowered = &self.lower::<T>();
        let lowered = lowered.as_ref().map_err(|error| *error)?;
        let d_model = self.d_model();
        check_positions_length(buffer.len(), points.len(), d_model)?;
        let points = Points::new(points)?;
        #[cfg(feature = "alloc")]
        if let Some(rows) = AxisRows::of_points(lowered, points) {
            rows.write_each(Slot::of(buffer));
            return Ok(());
        }
        for (i, row) in buffer.chunks_exact_mut(d_model).enumerate() {
            write_point(lowered, points, i, row);
        }
        Ok(())
    }
}

impl<T: Element> Lowered<'_, T> {
    /// Writes the rows from `first` on, which must be in the grid. Those that are no points count.
    #[cfg(feature = "alloc")]
    pub(crate) fn fill(&self, first: usize, buffer: &mut [T], threads: Threads) {
        if write(self, first, Slot::of(buffer), threads).is_none() {
            self.const_fill(first, buffer);
        }
    }

    /// Does the same on one thread, for a file or a macro, as [`dispatch::bake`](crate::engine::dispatch::bake) does.
    #[cfg(feature = "alloc")]
    pub(crate) fn bake(&self, first: usize, buffer: &mut [T]) {
        #[cfg(unoptimised)]
        self.const_fill(first, buffer);
        #[cfg(not(unoptimised))]
        self.fill(first, buffer, Threads::One);
    }

    /// Does the same on one thread, without an allocator.
    #[cfg(not(feature = "alloc"))]
    fn fill(&self, first: usize, buffer: &mut [T], _: Threads) {
        self.const_fill(first, buffer);
    }
}

/// Writes the row of one of the points, without an allocator.
fn write_point<T: Element>(lowered: &Lowered<T>, points: Points, i: usize, row: &mut [T]) {
    row.fill(lowered.zero());
    for &axis in &lowered.grid.first[..lowered.grid.filled_axes] {
        let placement = lowered.grid.placement(axis, row.len());
        write_columns(&lowered.axes()[axis].plan, &points.of_point(i, axis), &placement, row);
    }
}
