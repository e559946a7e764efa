//! What files and the macros hold: whole tables.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::bake::error::TableError;
use crate::bake::file_format::{VERSION, fingerprint, grid_fingerprint};
use crate::bake::price::Evaluator;
use crate::element::Element;
use crate::engine::dispatch::{self, Threads};
use crate::grid::Grid;
use crate::grid::plans::Lowered;
use crate::plan::TablePlan;
use crate::spec::Spec;
use crate::spec::error::SpecError;

/// A whole table: the first rows of a spec, or a grid.
///
/// Its lists of numbers live for `'a`.
pub trait Source<'a> {
    /// Checks everything that can be wrong with the table, and returns it ready to be computed.
    ///
    /// `max_bytes` is the largest size allowed.
    ///
    /// # Errors
    ///
    /// Returns the error that making the table would return.
    fn checked<T: Element>(&self, max_bytes: usize) -> Result<Box<dyn CheckedTable<T> + 'a>, TableError>;

    /// Returns the macro call that makes the table.
    fn call<T: Element>(&self) -> String;
}

/// A whole table that has been checked, and lowered to what the tiers take.
pub trait CheckedTable<T> {
    /// Returns the numbers of rows and columns.
    fn shape(&self) -> [usize; 2];

    /// Checks that the macro does not take long to compute the table, or this many tables of the same size.
    ///
    /// # Errors
    ///
    /// Returns [`SpecError::SlowToEvaluate`].
    fn check_time(&self, tables: usize) -> Result<(), SpecError>;

    /// Writes the rows from `first` on, which must be in the table, to `buffer`.
    fn fill(&self, first: usize, buffer: &mut [T]);

    /// Returns a hash of everything that the file of the table depends on.
    fn fingerprint(&self, big_endian: bool) -> u64;

    /// Returns the macro call that makes the table.
    fn call(&self) -> String;
}

impl<T: Element> dyn CheckedTable<T> + '_ {
    /// Returns the size of the table.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let [rows, d_model] = self.shape();
        rows * d_model * size_of::<T>()
    }

    /// Returns all entries, row by row.
    ///
    /// # Errors
    ///
    /// Returns an error if allocation fails.
    pub fn entries(&self) -> Result<Vec<T>, SpecError> {
        let (bytes, mut entries) = (self.bytes(), Vec::new());
        let len = bytes / size_of::<T>();
        entries.try_reserve_exact(len).map_err(|_| SpecError::OutOfMemory { bytes })?;
        entries.resize(len, T::default());
        self.fill(0, &mut entries);
        Ok(entries)
    }
}

/// A table and what it is lowered to.
struct Checked<S, L> {
    source: S,
    lowered: L,
}

/// The first rows of a spec.
#[derive(Clone, Copy)]
pub struct FirstRows<'f> {
    /// The parameters of the table.
    pub spec: Spec<'f>,
    /// The number of rows.
    pub seq_len: usize,
}

impl<'a> Source<'a> for FirstRows<'a> {
    fn checked<T: Element>(&self, max_bytes: usize) -> Result<Box<dyn CheckedTable<T> + 'a>, TableError> {
        let lowered = TablePlan::<T>::new(&self.spec, self.seq_len, max_bytes)?;
        Ok(Box::new(Checked { source: *self, lowered }))
    }

    fn call<T: Element>(&self) -> String {
        format!("{}", self.spec.macro_call(self.seq_len).dtype::<T>())
    }
}

impl<T: Element> CheckedTable<T> for Checked<FirstRows<'_>, TablePlan<'_, T>> {
    fn shape(&self) -> [usize; 2] {
        [self.source.seq_len, self.source.spec.d_model()]
    }

    fn check_time(&self, tables: usize) -> Result<(), SpecError> {
        Evaluator::MACRO.check_table(&self.lowered, tables)
    }

    fn fill(&self, first: usize, buffer: &mut [T]) {
        let TablePlan { plan, positions, .. } = &self.lowered;
        let positions = positions.part(first, buffer.len() / plan.d_model());
        dispatch::fill(plan, &positions, buffer, Threads::One);
    }

    fn fingerprint(&self, big_endian: bool) -> u64 {
        fingerprint::<T>(VERSION, &self.source.spec, self.source.seq_len, big_endian)
    }

    fn call(&self) -> String {
        self.source.call::<T>()
    }
}

impl<'a, const A: usize> Source<'a> for Grid<'a, A> {
    fn checked<T: Element>(&self, max_bytes: usize) -> Result<Box<dyn CheckedTable<T> + 'a>, TableError> {
        let lowered = self.lower_table::<T>(max_bytes)?;
        Ok(Box::new(Checked { source: *self, lowered }))
    }

    fn call<T: Element>(&self) -> String {
        format!("{}", self.macro_call().dtype::<T>())
    }
}

impl<T: Element, const A: usize> CheckedTable<T> for Checked<Grid<'_, A>, Lowered<'_, T>> {
    fn shape(&self) -> [usize; 2] {
        [self.lowered.grid.rows, self.lowered.grid.d_model]
    }

    fn check_time(&self, tables: usize) -> Result<(), SpecError> {
        Evaluator::MACRO.check_grid(&self.lowered, tables)
    }

    fn fill(&self, first: usize, buffer: &mut [T]) {
        self.lowered.fill(first, buffer, Threads::One);
    }

    fn fingerprint(&self, big_endian: bool) -> u64 {
        grid_fingerprint::<T, A>(VERSION, &self.source, big_endian)
    }

    fn call(&self) -> String {
        self.source.call::<T>()
    }
}
