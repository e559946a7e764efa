//! Reading arrays.

use std::borrow::Cow;
use std::ops::Range;

use pyo3::prelude::*;

use super::argument::Argument;
use super::element::{ElementKind, Entry};
use super::exporter::Exported;
use super::foreign::Foreign;
use super::layout::{Layout, is_contiguous, number_of_bytes};
use super::memory::OutOfMemory;

/// An array of another package, which stays alive until this is dropped.
///
/// It can be read by any thread, whether or not it is attached to the interpreter.
pub(crate) struct Array {
    memory: Foreign,
    pub(super) layout: Layout,
}

impl Array {
    /// Returns the array that an argument is, if its entries have a type of tables.
    pub(crate) fn of(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Self> {
        Self::with_entries(value, argument, &ElementKind::OF_TABLES)
    }

    /// Returns the array that an argument is, if its entries have one of some types.
    pub(crate) fn with_entries(value: &Bound<'_, PyAny>, argument: &str, accepted: &[ElementKind]) -> PyResult<Self> {
        let argument = Argument { value, name: argument, accepted };
        let Exported { memory, layout, .. } =
            argument.exported_or_converted()?.ok_or_else(|| argument.not_an_array())?;
        Ok(Self { memory, layout })
    }

    /// Returns the lengths of the axes.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.layout.shape
    }

    /// Returns the type of the entries.
    pub(crate) fn kind(&self) -> ElementKind {
        self.layout.kind
    }

    /// Returns the numbers of rows and columns, or `None` if the array is not a matrix.
    ///
    /// Further axes before the rows must have the length 1.
    pub(crate) fn rows_and_columns(&self) -> Option<(usize, usize)> {
        match *self.shape() {
            [ref others @ .., rows, columns] => others.iter().all(|&axis| axis == 1).then_some((rows, columns)),
            _ => None,
        }
    }

    /// Returns a block of a matrix, row by row, in little-endian byte order.
    ///
    /// # Panics
    ///
    /// Panics if the array is not a matrix or if the block is not within it.
    pub(crate) fn read(&self, rows: Range<usize>, columns: Range<usize>) -> Result<Vec<u8>, OutOfMemory> {
        let size = self.rows_and_columns().expect("the array should be a matrix");
        let is_within = |range: &Range<usize>, len| range.start <= range.end && range.end <= len;
        assert!(is_within(&rows, size.0) && is_within(&columns, size.1), "the block should be within the matrix");
        let strides = &self.layout.strides[self.layout.strides.len() - 2..];
        let shape = [rows.len(), columns.len()];
        // All offsets within the matrix are numbers of the type `isize`, as `Foreign` ensures.
        let start = |range: Range<usize>, stride| if range.is_empty() { 0 } else { range.start.cast_signed() * stride };
        let offset = start(rows, strides[0]) + start(columns, strides[1]);
        self.copy(offset, &shape, strides, self.layout.swapped != cfg!(target_endian = "big"))
    }

    /// Returns all entries, the last axis first. They are a copy if they are not stored like that.
    ///
    /// # Panics
    ///
    /// Panics if the entries have another type.
    pub(crate) fn contiguous<T: Entry>(&self) -> Result<Cow<'_, [T]>, OutOfMemory> {
        assert_eq!(self.kind(), T::KIND, "the type of the entries");
        let Layout { swapped, shape, strides, .. } = &self.layout;
        if self.layout.is_contiguous() && !swapped && self.memory.is_aligned_to(align_of::<T>()) {
            let bytes = number_of_bytes(size_of::<T>(), shape).expect("an array in memory is not larger than that");
            return Ok(Cow::Borrowed(if bytes == 0 { &[] } else { bytemuck::cast_slice(self.memory.bytes(0, bytes)) }));
        }
        let bytes = self.copy(0, shape, strides, *swapped)?;
        let mut entries = Vec::new();
        entries.try_reserve_exact(bytes.len() / size_of::<T>()).map_err(|_| OutOfMemory)?;
        entries.extend(bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned::<T>));
        Ok(Cow::Owned(entries))
    }

    /// Returns a copy of the entries from an offset, each with its bytes in reverse if `reverse` is true.
    fn copy(&self, offset: isize, shape: &[usize], strides: &[isize], reverse: bool) -> Result<Vec<u8>, OutOfMemory> {
        let size = self.kind().size();
        let mut bytes = Vec::new();
        if shape.contains(&0) {
            return Ok(bytes);
        }
        bytes.try_reserve_exact(number_of_bytes(size, shape).ok_or(OutOfMemory)?).map_err(|_| OutOfMemory)?;
        self.append(&mut bytes, offset, shape, strides);
        if reverse {
            bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        }
        Ok(bytes)
    }

    /// Appends the entries of a part of the array, which are not of the number 0.
    fn append(&self, bytes: &mut Vec<u8>, offset: isize, shape: &[usize], strides: &[isize]) {
        let size = self.kind().size();
        if is_contiguous(size, shape, strides) {
            let len = number_of_bytes(size, shape).expect("a contiguous part is not larger than the array");
            bytes.extend_from_slice(self.memory.bytes(offset, len));
        } else if let ([entries, shape @ ..], [stride, strides @ ..]) = (shape, strides) {
            for index in 0..entries.cast_signed() {
                self.append(bytes, offset + index * stride, shape, strides);
            }
        }
    }
}
