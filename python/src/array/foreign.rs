//! The memory of another package.

use std::ops::Range;

use pyo3::buffer::PyUntypedBuffer;

use super::layout::Layout;
use super::managed::Owned;

/// What keeps memory alive. Dropping it tells the exporter that it may free the memory.
pub(super) enum Keeper {
    Buffer(#[expect(dead_code, reason = "it is only dropped")] PyUntypedBuffer),
    Tensor(#[expect(dead_code, reason = "it is only dropped")] Owned),
}

/// A range of bytes of another package, and what keeps it alive.
pub(super) struct Foreign {
    /// The first entry, which is not the first byte if a stride is negative.
    base: *mut u8,
    /// The bytes of all entries, relative to the first.
    span: Range<isize>,
    _keeper: Keeper,
}

// SAFETY: The memory does not belong to a thread, and `Keeper` can be sent. The module's docs say who may write.
unsafe impl Send for Foreign {}

// SAFETY: As above. Shared references only read.
unsafe impl Sync for Foreign {}

impl Foreign {
    /// Makes the memory of an array, or returns `None` if no memory can have its layout.
    ///
    /// # Safety
    ///
    /// The pointer must be that of the first entry of an array with this layout. It must be valid for reads as long as the
    /// keeper exists.
    pub(super) unsafe fn new(base: *mut u8, layout: &Layout, keeper: Keeper) -> Option<Self> {
        let span = layout.span()?;
        let exists = span.is_empty()
            || !base.is_null()
                && base.addr().checked_add_signed(span.start).is_some()
                && base.addr().checked_add_signed(span.end).is_some();
        exists.then_some(Self { base, span, _keeper: keeper })
    }

    /// Returns bytes at an offset from the first entry.
    ///
    /// # Panics
    ///
    /// Panics if they are not within the array.
    pub(super) fn bytes(&self, offset: isize, len: usize) -> &[u8] {
        if len == 0 {
            return &[];
        }
        let end = isize::try_from(len).ok().and_then(|len| offset.checked_add(len));
        assert!(self.span.start <= offset && end.is_some_and(|end| end <= self.span.end), "an entry outside the array");
        // SAFETY: The bytes are within the array, which `new` requires to be readable, and the keeper lives at least as long
        // as the reference. For writers, see the module's docs.
        unsafe { std::slice::from_raw_parts(self.base.offset(offset), len) }
    }

    /// Returns all bytes, if the first entry is their start.
    ///
    /// # Safety
    ///
    /// The memory must also be valid for writes.
    ///
    /// # Panics
    ///
    /// Panics if a stride is negative.
    pub(super) unsafe fn bytes_mut(&mut self) -> &mut [u8] {
        assert_eq!(self.span.start, 0, "the start of an array should be its first entry");
        if self.span.is_empty() {
            return &mut [];
        }
        // SAFETY: As in `bytes`. The caller allows writes, and the reference to `self` is exclusive. The conversion is exact,
        // as the end is positive.
        unsafe { std::slice::from_raw_parts_mut(self.base, self.span.end.unsigned_abs()) }
    }

    /// Returns the addresses of all bytes.
    pub(super) fn addresses(&self) -> Range<usize> {
        let address = |offset| self.base.addr().wrapping_add_signed(offset);
        address(self.span.start)..address(self.span.end)
    }

    /// Returns whether the first entry is at an address that is a multiple of a power of two.
    pub(super) fn is_aligned_to(&self, alignment: usize) -> bool {
        self.span.is_empty() || self.base.addr().is_multiple_of(alignment)
    }
}
