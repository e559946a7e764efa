//! Tables at addresses that vector instructions like.

use core::ops::Deref;

/// A table whose address is a multiple of 64: a cache line, and the longest vector of today's processors. Rows begin at such
/// addresses too where their length in bytes is a multiple of 64.
///
/// A plain array of floats is only aligned as one of them.
///
/// ```
/// use posenc::{Aligned, sinusoidal_table};
///
/// static PE: Aligned<[[f32; 16]; 4]> = Aligned(sinusoidal_table!(4, 16));
/// assert_eq!(PE[0][..2], [0.0, 1.0]);
/// assert!(PE.iter().all(|row| row.as_ptr().addr() % 64 == 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Aligned<A>(pub A);

/// The table itself.
impl<A> Deref for Aligned<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.0
    }
}
