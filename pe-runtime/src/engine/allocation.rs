//! Vectors whose allocation may fail.

use alloc::vec::Vec;

/// Returns an empty vector with space for `len` elements, or `None` if allocation fails.
pub(crate) fn reserve<T>(len: usize) -> Option<Vec<T>> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(len).ok()?;
    Some(vec)
}

/// Returns a vector of `len` copies of a value, or `None` if allocation fails.
pub(crate) fn repeated<T: Clone>(value: T, len: usize) -> Option<Vec<T>> {
    let mut vec = reserve(len)?;
    vec.resize(len, value);
    Some(vec)
}
