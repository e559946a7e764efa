//! The rows of a table of any kind, computed piece by piece.

use std::fmt::Display;

use posenc::{Element, Grid, GridError, Spec, SpecError, TableError};

use crate::calls::{grid_call, macro_call};
use crate::words::counted;

/// The size of a piece in bytes: large enough to make its setup negligible, small enough for any machine.
const PIECE: usize = 8 << 20;

/// The rows of a table that has been checked.
pub struct Rows<'r, T> {
    /// The numbers of rows and columns.
    shape: [usize; 2],
    is_vector: bool,
    /// The size of the entries.
    bytes: usize,
    /// The macro call that makes the same table.
    call: Box<dyn Display + Send + Sync + 'r>,
    /// Writes the rows from a number on.
    fill: Box<Fill<'r, T>>,
}

type Fill<'r, T> = dyn Fn(usize, &mut [T]) -> Result<(), TableError> + Sync + 'r;

impl<'r, T: Element> Rows<'r, T> {
    /// Returns the first rows of a spec.
    ///
    /// # Errors
    ///
    /// Returns an error if the spec has no such table.
    pub fn first(spec: Spec<'r>, seq_len: usize) -> Result<Self, SpecError> {
        Self::of(spec, seq_len, macro_call::<T>(&spec, seq_len))
    }

    /// Returns the first rows of a spec, which this macro call makes too.
    ///
    /// # Errors
    ///
    /// Returns an error if the spec has no such table.
    pub fn of(spec: Spec<'r>, seq_len: usize, call: impl Display + Send + Sync + 'r) -> Result<Self, SpecError> {
        let bytes = spec.check_table::<T>(seq_len, isize::MAX as usize)?;
        let fill = move |first, rows: &mut [T]| Ok(spec.fill(first.., rows)?);
        let shape = [seq_len, spec.d_model()];
        Ok(Self { shape, is_vector: false, bytes, call: Box::new(call), fill: Box::new(fill) })
    }

    /// Returns a vector, described as `call`.
    pub fn vector(entries: Vec<T>, call: impl Display + Send + Sync + 'r) -> Self
    where
        T: 'r,
    {
        let (shape, bytes) = ([1, entries.len()], size_of_val(entries.as_slice()));
        let fill = move |_, row: &mut [T]| {
            row.copy_from_slice(&entries);
            Ok(())
        };
        Self { shape, is_vector: true, bytes, call: Box::new(call), fill: Box::new(fill) }
    }

    /// Returns the rows of a grid.
    ///
    /// # Errors
    ///
    /// Returns an error if the grid has no table.
    pub fn of_grid<const A: usize>(grid: Grid<'r, A>) -> Result<Self, GridError> {
        Self::of_called_grid(grid, grid_call::<T, A>(&grid))
    }

    /// Returns the rows of a grid, which this macro call makes too.
    ///
    /// # Errors
    ///
    /// Returns an error if the grid has no table.
    pub fn of_called_grid<const A: usize>(
        grid: Grid<'r, A>,
        call: impl Display + Send + Sync + 'r,
    ) -> Result<Self, GridError> {
        let (shape, bytes) = ([grid.rows(), grid.d_model()], grid.check_table::<T>(isize::MAX as usize)?);
        let fill = move |first, rows: &mut [T]| Ok(grid.fill(first.., rows)?);
        Ok(Self { shape, is_vector: false, bytes, call: Box::new(call), fill: Box::new(fill) })
    }

    /// Returns the rows of a spec at these positions, which are finite.
    ///
    /// # Errors
    ///
    /// Returns an error if the spec has no such table.
    pub fn at(spec: Spec<'r>, positions: &'r [f64]) -> Result<Self, SpecError> {
        let spec = spec.start(0).step(1);
        Self::called_at(spec, positions, macro_call::<T>(&spec, positions.len()))
    }

    /// Returns the rows of a spec at these positions, which are finite. This macro call makes the first ones.
    ///
    /// The spec must not have a `zero_row`: the rows would ignore it, but the call would not.
    ///
    /// # Errors
    ///
    /// Returns an error if the spec has no such table.
    pub fn called_at(spec: Spec<'r>, positions: &'r [f64], call: impl Display) -> Result<Self, SpecError> {
        // Positions that are given have neither a start nor a step.
        let (seq_len, d_model, spec) = (positions.len(), spec.d_model(), spec.start(0).step(1));
        let bytes = spec.check_table::<T>(seq_len, isize::MAX as usize)?;
        let encoder = spec.prepare::<T>(0)?;
        let call = format!("{call} at {}", counted(seq_len, "given position"));
        let fill = move |first: usize, rows: &mut [T]| {
            Ok(encoder.fill_positions(&positions[first..][..rows.len() / d_model], rows)?)
        };
        let shape = [seq_len, d_model];
        Ok(Self { shape, is_vector: false, bytes, call: Box::new(call), fill: Box::new(fill) })
    }

    /// Returns the numbers of rows and columns.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        self.shape
    }

    /// Returns whether it is a vector, which has one row.
    #[must_use]
    pub fn is_vector(&self) -> bool {
        self.is_vector
    }

    /// Returns the size of the entries in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the macro call that makes the same table.
    #[must_use]
    pub fn call(&self) -> String {
        self.call.to_string()
    }

    /// Returns the number of rows in a piece.
    #[must_use]
    pub fn rows_of_piece(&self) -> usize {
        (PIECE / (self.shape[1] * size_of::<T>())).max(1)
    }

    /// Computes whole rows in pieces, from the first to the last, until one of them fails to be used.
    ///
    /// # Errors
    ///
    /// Returns the error of the first piece that fails to be used.
    pub fn for_each_piece<E>(&self, mut take: impl FnMut(&[T]) -> Result<(), E>) -> Result<(), E> {
        let ([seq_len, d_model], rows) = (self.shape, self.rows_of_piece());
        let mut entries = vec![T::default(); rows.min(seq_len) * d_model];
        for first in (0..seq_len).step_by(rows) {
            let entries = &mut entries[..rows.min(seq_len - first) * d_model];
            self.fill(first, entries);
            take(entries)?;
        }
        Ok(())
    }

    /// Computes the rows from a number on.
    ///
    /// # Panics
    ///
    /// Panics if they are not in the table.
    pub fn fill(&self, first: usize, rows: &mut [T]) {
        (self.fill)(first, rows).expect("the table has been checked");
    }
}
