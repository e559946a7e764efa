//! Memory that entries are written to, whether or not it is initialised.

use core::mem::MaybeUninit;

use crate::element::Element;

/// The place of one entry. It can only be set to an entry, so that it stays initialised if it is.
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

    /// Returns the places of `entries`.
    #[expect(unsafe_code, reason = "there is no safe way from a slice to a slice of wrapped elements")]
    pub(crate) const fn of(entries: &mut [T]) -> &mut [Self] {
        // SAFETY: a slot has the layout of an entry. The only functions that change one set it to an entry, so the
        // entries remain initialised.
        unsafe { core::slice::from_raw_parts_mut(entries.as_mut_ptr().cast(), entries.len()) }
    }

    /// Returns the places of entries in `memory`.
    #[cfg(feature = "alloc")]
    #[expect(unsafe_code, reason = "there is no safe way from a slice to a slice of wrapped elements")]
    pub(crate) fn of_memory(memory: &mut [MaybeUninit<T>]) -> &mut [Self] {
        // SAFETY: a slot has the layout of the memory of an entry, which may be in any state.
        unsafe { core::slice::from_raw_parts_mut(memory.as_mut_ptr().cast(), memory.len()) }
    }
}
