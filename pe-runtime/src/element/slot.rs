//! Memory to which entries are written, initialised or not.

use core::mem::MaybeUninit;

use crate::element::Element;

/// Memory to which a table is written.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Memory {
    /// It has been allocated just now. The system clears each of its pages when it is first written to, so the page is
    /// in a cache then, and writing past the caches would take longer.
    #[cfg(feature = "alloc")]
    New,
    /// It has been written to before.
    Used,
}

/// Memory for one entry. It can only be overwritten by an entry, so an initialised slot stays initialised.
#[repr(transparent)]
pub(crate) struct Slot<T>(MaybeUninit<T>);

impl<T: Element> Slot<T> {
    #[cfg(feature = "alloc")]
    pub(crate) const fn new(entry: T) -> Self {
        Self(MaybeUninit::new(entry))
    }

    pub(crate) const fn set(&mut self, entry: T) {
        self.0 = MaybeUninit::new(entry);
    }

    /// Returns `entries` as slots.
    #[expect(unsafe_code, reason = "there is no safe way from a slice to a slice of wrapped elements")]
    pub(crate) const fn of(entries: &mut [T]) -> &mut [Self] {
        // SAFETY: a slot has the same layout as an entry. It is only ever overwritten by an entry (`set`), or by another
        // slot that holds one (`new`), so the entries stay initialised.
        unsafe { core::slice::from_raw_parts_mut(entries.as_mut_ptr().cast(), entries.len()) }
    }

    /// Returns `memory` as slots.
    #[cfg(feature = "alloc")]
    #[expect(unsafe_code, reason = "there is no safe way from a slice to a slice of wrapped elements")]
    pub(crate) fn of_memory(memory: &mut [MaybeUninit<T>]) -> &mut [Self] {
        // SAFETY: a slot has the same layout as the memory of an entry, and is allowed to be uninitialised.
        unsafe { core::slice::from_raw_parts_mut(memory.as_mut_ptr().cast(), memory.len()) }
    }

    /// Copies entries to as many slots.
    #[cfg(feature = "alloc")]
    #[expect(unsafe_code, reason = "an unoptimised loop takes a hundred times as long")]
    pub(crate) const fn copy(from: &[T], to: &mut [Self]) {
        assert!(from.len() == to.len());
        // SAFETY: both slices have this length, by the assertion. A slot has the layout of an entry. They do not overlap,
        // because `to` is borrowed exclusively.
        unsafe { core::ptr::copy_nonoverlapping(from.as_ptr(), to.as_mut_ptr().cast(), from.len()) }
    }

    /// Copies `len` slots from one place to another. Both places may overlap.
    #[expect(unsafe_code, reason = "a loop would take the compiler's interpreter a hundred times as long")]
    pub(crate) const fn copy_within(slots: &mut [Self], from: usize, to: usize, len: usize) {
        assert!(len <= slots.len() && from <= slots.len() - len && to <= slots.len() - len);
        let slots = slots.as_mut_ptr();
        // SAFETY: both places are within the slots, by the assertion.
        unsafe { core::ptr::copy(slots.add(from).cast_const(), slots.add(to), len) }
    }
}
