//! The memory of a table.

use bytemuck::{Pod, Zeroable};
use pyo3::PyErr;
use pyo3::exceptions::PyMemoryError;

/// Bytes in multiples of the size of a cache line, to which they are aligned. JAX copies what is aligned less.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Memory that is zero at first, is filled, and does not change after that.
///
/// Its start is aligned to 64 bytes.
pub(crate) struct Memory {
    lines: Box<[Line]>,
    len: usize,
}

impl Memory {
    /// Allocates a number of bytes, all of which are zero.
    pub(crate) fn new(bytes: usize) -> Result<Self, OutOfMemory> {
        let lines = bytemuck::allocation::try_zeroed_slice_box(bytes.div_ceil(size_of::<Line>()));
        Ok(Self { lines: lines.map_err(|()| OutOfMemory)?, len: bytes })
    }

    /// Allocates a copy of bytes.
    pub(crate) fn copy_of(bytes: &[u8]) -> Result<Self, OutOfMemory> {
        let mut memory = Self::new(bytes.len())?;
        memory.entries_mut().copy_from_slice(bytes);
        Ok(memory)
    }

    /// Returns the bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }

    /// Returns the bytes as numbers.
    ///
    /// # Panics
    ///
    /// Panics if the number of bytes is not a multiple of the size of a number.
    pub(crate) fn entries<T: Pod>(&self) -> &[T] {
        bytemuck::cast_slice(self.as_bytes())
    }

    /// Returns the bytes as numbers that can be changed.
    ///
    /// # Panics
    ///
    /// Panics if the number of bytes is not a multiple of the size of a number.
    pub(crate) fn entries_mut<T: Pod>(&mut self) -> &mut [T] {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.lines);
        bytemuck::cast_slice_mut(&mut bytes[..self.len])
    }
}

/// The error of an allocation that is too large.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutOfMemory;

impl From<OutOfMemory> for PyErr {
    fn from(_: OutOfMemory) -> Self {
        PyMemoryError::new_err("there is not enough memory for the array")
    }
}
