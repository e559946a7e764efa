//! Tables aligned for vector instructions.

use core::ops::{Deref, DerefMut};

/// A table aligned to 64 bytes.
///
/// 64 bytes is the size of a cache line, and of the longest vectors of current processors. If the length of a row is a
/// multiple of 64 bytes, each row also starts at a multiple of 64 bytes. A plain array of floats has only the alignment
/// of a single float.
///
/// # Examples
///
/// ```
/// use posenc::{Aligned, sinusoidal_table};
///
/// static PE: Aligned<[[f32; 16]; 4]> = Aligned(sinusoidal_table!(4, 16));
/// assert_eq!(PE[0][..2], [0.0, 1.0]);
/// assert!(PE.iter().all(|row| row.as_ptr().addr() % 64 == 0));
///
/// let mut buffer = Aligned::from([[0.0f32; 16]; 4]);
/// posenc::Spec::new(16).fill(0.., buffer.as_flattened_mut())?;
/// assert_eq!(buffer, PE);
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Aligned<A>(pub A);

/// Dereferences to the table.
impl<A> Deref for Aligned<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.0
    }
}

impl<A> DerefMut for Aligned<A> {
    fn deref_mut(&mut self) -> &mut A {
        &mut self.0
    }
}

impl<A> From<A> for Aligned<A> {
    fn from(table: A) -> Self {
        Self(table)
    }
}

/// Delegates to the table, so an array of individually aligned rows also implements [`Rows`](crate::Rows).
impl<U: ?Sized, A: AsRef<U>> AsRef<U> for Aligned<A> {
    fn as_ref(&self) -> &U {
        self.0.as_ref()
    }
}

impl<U: ?Sized, A: AsMut<U>> AsMut<U> for Aligned<A> {
    fn as_mut(&mut self) -> &mut U {
        self.0.as_mut()
    }
}
