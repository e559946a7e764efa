//! What files and the macros hold: whole tables.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::axial::error::AxialError;
use crate::axial::packed::AxialTable;
use crate::bake::error::TableError;
use crate::bake::file_format::{VERSION, fingerprint, grid_fingerprint};
use crate::bake::price::Evaluator;
use crate::element::Element;
use crate::element::bits::as_bytes;
use crate::engine::dispatch;
use crate::exact::format::Format;
use crate::grid::Grid;
use crate::grid::plans::{AxisTables, Lowered};
use crate::plan::TablePlan;
use crate::spec::Spec;
use crate::spec::error::SpecError;

/// A whole table: the first rows of a spec, or a grid.
///
/// Its lists of numbers live for `'a`.
pub trait Source<'a>: Identity {
    /// Returns the table without an element type.
    ///
    /// # Errors
    ///
    /// Returns an error if the widths of the axes do not fit the table, or if the preset has other axes.
    fn untyped(&self) -> Result<UntypedTable<'a>, TableError>;
}

/// What identifies a table of any element type.
pub trait Identity {
    /// Returns the macro call that makes the table.
    fn call(&self, dtype: &'static str) -> String;

    /// Returns a hash of everything that the file of the table depends on.
    fn fingerprint(&self, format: Format, big_endian: bool) -> u64;
}

/// A whole table before it has an element type.
///
/// It is the same type for all kinds of tables and any number of axes, so its checks are compiled once for each element
/// type.
pub struct UntypedTable<'a> {
    source: Box<dyn Identity + 'a>,
    rows: UntypedRows<'a>,
}

enum UntypedRows<'a> {
    First(FirstRows<'a>),
    Grid(AxisTables<'a>),
    /// The second field says whether entries are repeated.
    Axial(AxisTables<'a>, bool),
}

impl<'a> UntypedTable<'a> {
    /// Checks everything that can be wrong with the table, and returns it ready to be computed.
    ///
    /// `max_bytes` is the largest size allowed.
    ///
    /// # Errors
    ///
    /// Returns the error that making the table would return.
    pub fn checked<T: Element>(self, max_bytes: usize) -> Result<CheckedTable<'a>, TableError> {
        let rows: Box<dyn LoweredRows + 'a> = match self.rows {
            UntypedRows::First(FirstRows { spec, seq_len }) => {
                Box::new(TablePlan::<T>::new(&spec, seq_len, max_bytes)?)
            }
            UntypedRows::Grid(tables) => Box::new(tables.lower_table::<T>(max_bytes)?),
            UntypedRows::Axial(tables, repeated) => match tables.lower_table::<T>(max_bytes) {
                Ok(rows) => Box::new(rows),
                Err(error) => return Err(AxialError::of_table(error, repeated).into()),
            },
        };
        Ok(CheckedTable { source: self.source, rows, dtype: T::DTYPE, format: T::FORMAT })
    }
}

/// A whole table that has been checked, and lowered to what the tiers take.
///
/// It has no element type, so that code for files and macros is compiled once for all types.
pub struct CheckedTable<'a> {
    source: Box<dyn Identity + 'a>,
    rows: Box<dyn LoweredRows + 'a>,
    dtype: &'static str,
    format: Format,
}

impl CheckedTable<'_> {
    /// Returns the size of the table.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let [rows, d_model] = self.rows.shape();
        rows * d_model * self.format.bytes()
    }

    /// Checks that the macro does not take long to compute the table, or this many tables of the same size.
    ///
    /// # Errors
    ///
    /// Returns [`SpecError::SlowToEvaluate`].
    pub fn check_time(&self, tables: usize) -> Result<(), SpecError> {
        self.rows.check_time(tables)
    }

    /// Returns a hash of everything that the file of the table depends on.
    #[must_use]
    pub fn fingerprint(&self, big_endian: bool) -> u64 {
        self.source.fingerprint(self.format, big_endian)
    }

    /// Returns the macro call that makes the table.
    #[must_use]
    pub fn call(&self) -> String {
        self.source.call(self.dtype)
    }

    /// Passes the bytes of all entries to `write`, in pieces of whole rows.
    ///
    /// # Errors
    ///
    /// Returns the errors of `write`.
    pub fn write<E>(&self, big_endian: bool, mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        /// The size of a piece: large enough for the tiers to reach their full speed.
        const BYTES: usize = 1 << 22;
        let [rows, d_model] = self.rows.shape();
        let most = (BYTES / self.format.bytes() / d_model).max(1);
        let mut row = 0;
        while row < rows {
            let count = most.min(rows - row);
            let mut bytes = self.rows.bytes(row, count);
            if big_endian != cfg!(target_endian = "big") {
                bytes.chunks_exact_mut(self.format.bytes()).for_each(<[u8]>::reverse);
            }
            write(&bytes)?;
            row += count;
        }
        Ok(())
    }

    /// Returns the bytes of all entries, row by row.
    ///
    /// # Errors
    ///
    /// Returns an error if allocation fails.
    pub fn entries(&self, big_endian: bool) -> Result<Vec<u8>, SpecError> {
        let (bytes, mut entries) = (self.bytes(), Vec::new());
        entries.try_reserve_exact(bytes).map_err(|_| SpecError::OutOfMemory { bytes })?;
        let Ok(()) = self.write(big_endian, |piece| {
            entries.extend_from_slice(piece);
            Ok::<(), Infallible>(())
        });
        Ok(entries)
    }
}

/// What a table of any element type is lowered to.
trait LoweredRows {
    /// Returns the numbers of rows and columns.
    fn shape(&self) -> [usize; 2];

    /// Checks that the macro does not take long to compute so many tables of this size.
    fn check_time(&self, tables: usize) -> Result<(), SpecError>;

    /// Returns the bytes of `count` rows from `first` on, which must be in the table.
    fn bytes(&self, first: usize, count: usize) -> Vec<u8>;
}

/// Returns the bytes of rows that `fill` writes.
fn bytes_of<T: Element>([count, d_model]: [usize; 2], fill: impl FnOnce(&mut [T])) -> Vec<u8> {
    let mut rows = vec![T::default(); count * d_model];
    fill(&mut rows);
    as_bytes(&rows).to_vec()
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
    fn untyped(&self) -> Result<UntypedTable<'a>, TableError> {
        Ok(UntypedTable { source: Box::new(*self), rows: UntypedRows::First(*self) })
    }
}

impl Identity for FirstRows<'_> {
    fn call(&self, dtype: &'static str) -> String {
        self.spec.macro_call(self.seq_len).of_dtype(dtype).to_string()
    }

    fn fingerprint(&self, format: Format, big_endian: bool) -> u64 {
        fingerprint(VERSION, &self.spec, self.seq_len, format, big_endian)
    }
}

impl<T: Element> LoweredRows for TablePlan<'_, T> {
    fn shape(&self) -> [usize; 2] {
        [self.rows, self.plan.d_model()]
    }

    fn check_time(&self, tables: usize) -> Result<(), SpecError> {
        Evaluator::MACRO.check_table(self, tables)
    }

    fn bytes(&self, first: usize, count: usize) -> Vec<u8> {
        let positions = self.positions.part(first, count);
        bytes_of([count, self.plan.d_model()], |rows| dispatch::bake(&self.plan, &positions, rows))
    }
}

impl<'a, const A: usize> Source<'a> for Grid<'a, A> {
    fn untyped(&self) -> Result<UntypedTable<'a>, TableError> {
        Ok(UntypedTable { source: Box::new(*self), rows: UntypedRows::Grid(self.axis_tables()?) })
    }
}

impl<const A: usize> Identity for Grid<'_, A> {
    fn call(&self, dtype: &'static str) -> String {
        self.macro_call().of_dtype(dtype).to_string()
    }

    fn fingerprint(&self, format: Format, big_endian: bool) -> u64 {
        grid_fingerprint(VERSION, self, format, big_endian)
    }
}

impl<'a, const A: usize> Source<'a> for AxialTable<'a, A> {
    fn untyped(&self) -> Result<UntypedTable<'a>, TableError> {
        let rows = UntypedRows::Axial(self.axis_tables()?, self.rope.is_repeated());
        Ok(UntypedTable { source: Box::new(*self), rows })
    }
}

impl<const A: usize> Identity for AxialTable<'_, A> {
    fn call(&self, dtype: &'static str) -> String {
        self.rope.macro_call().packing(self.packing).of_dtype(dtype).to_string()
    }

    /// It is the same as for the grid. An invalid table has no file.
    fn fingerprint(&self, format: Format, big_endian: bool) -> u64 {
        self.grid().map_or(0, |grid| grid.fingerprint(format, big_endian))
    }
}

impl<T: Element> LoweredRows for Lowered<'_, T> {
    fn shape(&self) -> [usize; 2] {
        [self.grid.rows, self.grid.d_model]
    }

    fn check_time(&self, tables: usize) -> Result<(), SpecError> {
        Evaluator::MACRO.check_grid(self, tables)
    }

    fn bytes(&self, first: usize, count: usize) -> Vec<u8> {
        bytes_of([count, self.grid.d_model], |rows| self.bake(first, rows))
    }
}
