//! Helpers that several test packages share.

#![forbid(unsafe_code)]
#![allow(clippy::missing_panics_doc, clippy::must_use_candidate, reason = "only tests use this crate")]

pub mod any_spec;
mod bits;
pub mod case;
#[path = "../../../pe-runtime/src/effort.rs"]
// Included instead of moved here, because the unit tests of posenc-runtime use it without this crate, and `properties` too.
mod effort;
pub mod formula;
pub mod grid;
#[cfg(feature = "half")]
mod half_bits;
mod lcg;
pub mod number;
mod numbers;
#[path = "../../../pe-runtime/src/properties.rs"]
pub mod properties;
pub mod random_case;
mod random_grid;
mod random_integers;
pub mod random_rule;
pub mod real;

use std::fmt::{Debug, Display};

pub use bits::Bits;
pub use lcg::Lcg;

/// Returns what a function writes to a buffer of `len` entries.
///
/// # Panics
///
/// If the function returns an error.
pub fn written<T: Copy + Default, E: Debug>(len: usize, write: impl FnOnce(&mut [T]) -> Result<(), E>) -> Vec<T> {
    let mut buffer = vec![T::default(); len];
    write(&mut buffer).expect("the arguments are valid");
    buffer
}

/// Asserts that tables have the same bits.
///
/// # Panics
///
/// With `what` and the first entry that differs.
#[track_caller]
pub fn assert_same_bits<T: Bits>(found: &[T], expected: &[T], what: impl Display) {
    assert_eq!(found.len(), expected.len(), "{} {what}: lengths", T::DTYPE);
    if let Some(i) = T::first_difference(found, expected) {
        panic!("{} {what}: entry {i} is {:?}, and should be {:?}", T::DTYPE, found[i], expected[i]);
    }
}

/// Returns the bits of all entries.
pub fn bits_of<T: Bits>(entries: &[T]) -> Vec<u64> {
    entries.iter().map(|entry| entry.bits()).collect()
}

/// Returns the value of `POSENC_TEST_EFFORT`, or 1 if it is not set.
pub fn effort() -> u32 {
    effort::effort()
}

/// Returns the step of a sample of one in `n` cases. It is 1, for all cases, if the effort is at least `n`.
pub fn one_in(n: u32) -> usize {
    n.div_ceil(effort()) as usize
}

/// Returns the default number of random cases times the effort.
pub fn cases(default: u32) -> u32 {
    effort::cases(default)
}
