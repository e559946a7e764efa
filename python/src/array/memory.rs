//! The memory of a table.

use bytemuck::{Pod, Zeroable};
use pyo3::PyErr;
use pyo3::exceptions::PyMemoryError;

/// The size of a cache line, to which the entries are aligned.
const LINE: usize = 64;

/// Bytes with the largest alignment for which the system has memory that is zero already.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(16))]
struct Block([u8; 16]);

/// Memory that is zero at first, is filled, and does not change after that.
///
/// Its start is aligned to 64 bytes.
pub(crate) struct Memory {
    blocks: Box<[Block]>,
    /// The bytes before the first aligned one.
    start: usize,
    len: usize,
}

impl Memory {
    /// Allocates a number of bytes, all of which are zero.
    pub(crate) fn new(bytes: usize) -> Result<Self, OutOfMemory> {
        let blocks = bytes.checked_add(LINE).ok_or(OutOfMemory)?.div_ceil(size_of::<Block>());
        let blocks = bytemuck::allocation::try_zeroed_slice_box::<Block>(blocks).map_err(|()| OutOfMemory)?;
        let address = blocks.as_ptr().addr();
        Ok(Self { blocks, start: address.next_multiple_of(LINE) - address, len: bytes })
    }

    /// Allocates a copy of bytes.
    pub(crate) fn copy_of(bytes: &[u8]) -> Result<Self, OutOfMemory> {
        let mut memory = Self::new(bytes.len())?;
        memory.entries_mut().copy_from_slice(bytes);
        Ok(memory)
    }

    /// Returns the bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.blocks)[self.start..][..self.len]
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
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.blocks);
        bytemuck::cast_slice_mut(&mut bytes[self.start..][..self.len])
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
