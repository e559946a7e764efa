//! What files and the macros hold: whole tables.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::bake::file_format::{VERSION, fingerprint, grid_fingerprint};
use crate::bake::price::Evaluator;
use crate::element::Element;
use crate::grid::Grid;
use crate::spec::Spec;
use crate::spec::error::SpecError;

/// A whole table: the first rows of a spec, or a grid.
pub trait Source {
    /// Returns the number of columns.
    fn d_model(&self) -> usize;

    /// Returns the number of rows.
    fn rows(&self) -> usize;

    /// Checks everything that can be wrong with the table, and returns its size in bytes.
    ///
    /// # Errors
    ///
    /// Returns the error that making the table would return.
    fn check<T: Element>(&self, max_bytes: usize) -> Result<usize, SpecError>;

    /// Checks that the macro does not take long to compute the table, which must have been checked.
    ///
    /// # Errors
    ///
    /// Returns [`SpecError::SlowToEvaluate`].
    fn check_time<T: Element>(&self) -> Result<(), SpecError>;

    /// Writes the rows from `first` on to `buffer`.
    ///
    /// # Errors
    ///
    /// Returns the errors of `fill`.
    fn fill<T: Element>(&self, first: usize, buffer: &mut [T]) -> Result<(), SpecError>;

    /// Returns all entries, row by row.
    ///
    /// # Errors
    ///
    /// Returns the errors of `check` and `fill`, and an error if allocation fails.
    fn entries<T: Element>(&self) -> Result<Vec<T>, SpecError> {
        let bytes = self.check::<T>(usize::MAX)?;
        let (len, mut entries) = (bytes / size_of::<T>(), Vec::new());
        entries.try_reserve_exact(len).map_err(|_| SpecError::OutOfMemory { bytes })?;
        entries.resize(len, T::default());
        self.fill(0, &mut entries)?;
        Ok(entries)
    }

    /// Returns a hash of everything that the file of the table depends on.
    fn fingerprint<T: Element>(&self, big_endian: bool) -> u64;

    /// Returns the macro call that makes the table.
    fn call<T: Element>(&self) -> String;
}

/// The first rows of a spec.
#[derive(Clone, Copy)]
pub struct FirstRows<'f> {
    /// The parameters of the table.
    pub spec: Spec<'f>,
    /// The number of rows.
    pub seq_len: usize,
}

impl Source for FirstRows<'_> {
    fn d_model(&self) -> usize {
        self.spec.d_model()
    }

    fn rows(&self) -> usize {
        self.seq_len
    }

    fn check<T: Element>(&self, max_bytes: usize) -> Result<usize, SpecError> {
        self.spec.check_table::<T>(self.seq_len, max_bytes)
    }

    fn check_time<T: Element>(&self) -> Result<(), SpecError> {
        Evaluator::MACRO.check_table::<T>(&self.spec, self.seq_len)
    }

    fn fill<T: Element>(&self, first: usize, buffer: &mut [T]) -> Result<(), SpecError> {
        self.spec.fill(first.., buffer)
    }

    fn fingerprint<T: Element>(&self, big_endian: bool) -> u64 {
        fingerprint::<T>(VERSION, &self.spec, self.seq_len, big_endian)
    }

    fn call<T: Element>(&self) -> String {
        format!("{}", self.spec.macro_call(self.seq_len).dtype::<T>())
    }
}

impl<const A: usize> Source for Grid<'_, A> {
    fn d_model(&self) -> usize {
        self.d_model()
    }

    fn rows(&self) -> usize {
        self.rows()
    }

    fn check<T: Element>(&self, max_bytes: usize) -> Result<usize, SpecError> {
        self.check_table::<T>(max_bytes)
    }

    fn check_time<T: Element>(&self) -> Result<(), SpecError> {
        Evaluator::MACRO.check_grid::<T, A>(self)
    }

    fn fill<T: Element>(&self, first: usize, buffer: &mut [T]) -> Result<(), SpecError> {
        self.fill(first.., buffer)
    }

    fn fingerprint<T: Element>(&self, big_endian: bool) -> u64 {
        grid_fingerprint::<T, A>(VERSION, self, big_endian)
    }

    fn call<T: Element>(&self) -> String {
        format!("{}", self.macro_call().dtype::<T>())
    }
}
