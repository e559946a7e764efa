//! Rows of equal length, in any kind of storage.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::table::aligned::Aligned;
use crate::table::compare_error::CompareError;

/// Rows of equal length: a table of shape `(seq_len, d_model)`, however it is stored.
///
/// [`compare`](fn@crate::compare), [`embeddings::add`](crate::embeddings::add) and other functions accept any type that
/// implements this trait: a [`Table`](crate::Table), an array, a slice or a `Vec` of rows, a slice of entries as
/// [`Flat`], or a type of your own. A row of an array, a slice or a `Vec` can be anything that implements `AsRef` of a
/// slice: an array, a slice, a `Vec`, or one of these in [`Aligned`].
///
/// # Examples
///
/// ```
/// use posenc::{Rows, compare, sinusoidal_table};
///
/// /// A table as another program stores it.
/// struct Loaded {
///     rows: Vec<Box<[f32]>>,
/// }
///
/// impl Rows<f32> for Loaded {
///     fn seq_len(&self) -> usize {
///         self.rows.len()
///     }
///
///     fn row(&self, i: usize) -> &[f32] {
///         &self.rows[i]
///     }
/// }
///
/// let loaded = Loaded { rows: vec![Box::new([0.0, 1.0]), Box::new([0.841_470_96, 0.540_302_3])] };
/// assert!(compare(&sinusoidal_table(2, 2)?, &loaded)?.is_identical());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Rows<T> {
    /// Returns the number of rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::Rows;
    ///
    /// assert_eq!([[0.0f32; 4]; 3].seq_len(), 3);
    /// ```
    fn seq_len(&self) -> usize;

    /// Returns the `d_model` entries of row `i`, which must be less than [`seq_len`](Self::seq_len).
    ///
    /// An implementation must return the same row every time.
    ///
    /// # Panics
    ///
    /// All implementations in this crate panic if `i` is not less than `seq_len`.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::Rows;
    ///
    /// assert_eq!([[0.0f32, 1.0], [2.0, 3.0]].row(1), [2.0, 3.0]);
    /// ```
    fn row(&self, i: usize) -> &[T];
}

impl<T, R: AsRef<[T]>> Rows<T> for [R] {
    fn seq_len(&self) -> usize {
        self.len()
    }

    fn row(&self, i: usize) -> &[T] {
        self[i].as_ref()
    }
}

impl<T, R: AsRef<[T]>, const N: usize> Rows<T> for [R; N] {
    fn seq_len(&self) -> usize {
        N
    }

    fn row(&self, i: usize) -> &[T] {
        self[i].as_ref()
    }
}

#[cfg(feature = "alloc")]
impl<T, R: AsRef<[T]>> Rows<T> for Vec<R> {
    fn seq_len(&self) -> usize {
        self.len()
    }

    fn row(&self, i: usize) -> &[T] {
        self[i].as_ref()
    }
}

/// Delegates to the table.
impl<T, A: Rows<T>> Rows<T> for Aligned<A> {
    fn seq_len(&self) -> usize {
        self.0.seq_len()
    }

    fn row(&self, i: usize) -> &[T] {
        self.0.row(i)
    }
}

/// Entries stored row by row in one slice, as in most libraries.
///
/// # Examples
///
/// ```
/// use posenc::{Flat, Spec};
///
/// let entries: &[f64] = &[0.0, 1.0, 0.841_470_984_807_896_5, 0.540_302_305_868_139_8];
/// assert!(Spec::new(2).compare(&Flat::new(entries, 2)?)?.is_identical());
/// # Ok::<(), posenc::CompareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flat<'a, T> {
    entries: &'a [T],
    d_model: usize,
}

impl<'a, T> Flat<'a, T> {
    /// Returns `entries` as rows of `d_model` entries each.
    ///
    /// # Errors
    ///
    /// Returns an error if `d_model` is 0, or if the number of entries is not a multiple of `d_model`.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Flat, Rows};
    ///
    /// assert_eq!(Flat::new(&[0.0f32; 12], 4)?.seq_len(), 3);
    /// assert_eq!(
    ///     Flat::new(&[0.0f32; 12], 5).unwrap_err().to_string(),
    ///     "the slice holds 12 entries, but must hold a multiple of 5; give it whole rows",
    /// );
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    pub const fn new(entries: &'a [T], d_model: usize) -> Result<Self, CompareError> {
        let len = entries.len();
        match len.checked_rem(d_model) {
            None => Err(CompareError::DModel),
            Some(0) => Ok(Self { entries, d_model }),
            Some(_) => Err(CompareError::Entries { len, d_model }),
        }
    }

    /// Returns the number of entries per row.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::Flat;
    ///
    /// assert_eq!(Flat::new(&[0.0f32; 12], 4)?.d_model(), 4);
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    #[must_use]
    pub const fn d_model(&self) -> usize {
        self.d_model
    }
}

impl<T> Rows<T> for Flat<'_, T> {
    fn seq_len(&self) -> usize {
        self.entries.len() / self.d_model
    }

    #[track_caller]
    fn row(&self, i: usize) -> &[T] {
        // Check before multiplying, because the product may be too large for a `usize`.
        expect_row(i, self.seq_len());
        &self.entries[i * self.d_model..][..self.d_model]
    }
}

/// Panics if `i` is not less than the number of rows.
#[track_caller]
pub(crate) fn expect_row(i: usize, rows: usize) {
    assert!(i < rows, "row {i} is asked for, but there are {rows} rows, counted from 0; ask for one of them");
}
