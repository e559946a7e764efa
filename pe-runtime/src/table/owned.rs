//! A table made at run time.

use alloc::alloc::{Layout, alloc_zeroed};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Index;
use core::ptr::slice_from_raw_parts_mut;
use core::slice::ChunksExact;

#[cfg(feature = "ndarray")]
use ndarray::{Array2, ArrayView2};

use crate::element::Element;
use crate::table::rows::{Rows, expect_row};

/// A table of shape `(seq_len, d_model)`, row by row in one allocation.
///
/// # Examples
///
/// ```
/// let table = posenc::sinusoidal_table(4, 6)?;
/// assert_eq!(table.shape(), (4, 6));
/// assert_eq!(table[2][1], table[(2, 1)]);
/// for row in &table {
///     assert_eq!(row.len(), 6);
/// }
/// let entries: Vec<f32> = table.into();
/// assert_eq!(entries.len(), 4 * 6);
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table<T> {
    entries: Vec<T>,
    d_model: usize,
}

impl<T: Element> Table<T> {
    /// Returns a table of zeros, `d_model` not being 0; `None` if there is no memory for it.
    ///
    /// The allocator often has zeros without writing them.
    #[expect(unsafe_code, reason = "a `Vec` of zeros that may fail to be allocated is not to be had otherwise")]
    pub(crate) fn zeroed(seq_len: usize, d_model: usize) -> Option<Self> {
        let layout = Layout::array::<T>(seq_len * d_model).ok()?;
        if layout.size() == 0 {
            return Some(Self { entries: Vec::new(), d_model });
        }
        // SAFETY: the layout's size is not zero.
        let entries = unsafe { alloc_zeroed(layout) }.cast::<T>();
        if entries.is_null() {
            return None;
        }
        // SAFETY: allocated above with the layout of so many elements, which zeros are, as `Element` is sealed to types for which
        // every bit pattern is valid.
        let entries = unsafe { Box::from_raw(slice_from_raw_parts_mut(entries, seq_len * d_model)) }.into_vec();
        Some(Self { entries, d_model })
    }
}

impl<T> Table<T> {
    /// Returns the number of rows and that of columns, `(seq_len, d_model)`.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc::sinusoidal_table(128, 64)?.shape(), (128, 64));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.seq_len(), self.d_model)
    }

    /// Returns the number of rows.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc::sinusoidal_table(128, 64)?.seq_len(), 128);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn seq_len(&self) -> usize {
        self.entries.len() / self.d_model
    }

    /// Returns the number of columns.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(posenc::sinusoidal_table(128, 64)?.d_model(), 64);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn d_model(&self) -> usize {
        self.d_model
    }

    /// Returns row `i`, that of position `start + i * step`: `d_model` entries.
    ///
    /// # Panics
    ///
    /// If `i` is not below `seq_len`.
    ///
    /// # Examples
    ///
    /// ```
    /// let table = posenc::sinusoidal_table(4, 2)?;
    /// assert_eq!(*table.row(0), [0.0, 1.0]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn row(&self, i: usize) -> &[T] {
        expect_row(i, self.seq_len());
        &self.entries[i * self.d_model..][..self.d_model]
    }

    /// Returns entry `j` of row `i`, or `None` outside the table.
    ///
    /// `table[(i, j)]` is the entry itself, and panics there.
    ///
    /// # Examples
    ///
    /// ```
    /// let table = posenc::sinusoidal_table(4, 2)?;
    /// assert_eq!(table.get(0, 1), Some(&1.0));
    /// assert_eq!(table.get(0, 2), None);
    /// assert_eq!(table.get(4, 0), None);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn get(&self, i: usize, j: usize) -> Option<&T> {
        // Both before the product, which may be too large for a `usize`.
        (i < self.seq_len() && j < self.d_model).then(|| &self.entries[i * self.d_model + j])
    }

    /// Returns an iterator over all rows in order, each of `d_model` entries.
    ///
    /// `for row in &table` goes through the same.
    ///
    /// # Examples
    ///
    /// ```
    /// let table = posenc::sinusoidal_table(100, 8)?;
    /// let cosines: Vec<f32> = table.rows().map(|row| row[1]).collect();
    /// assert_eq!((cosines.len(), cosines[0], cosines[1]), (100, 1.0, 0.540_302_3));
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub fn rows(&self) -> ChunksExact<'_, T> {
        self.entries.chunks_exact(self.d_model)
    }

    /// Returns all `seq_len * d_model` entries, row by row.
    ///
    /// # Examples
    ///
    /// ```
    /// let table = posenc::sinusoidal_table(2, 2)?;
    /// assert_eq!(table.as_slice(), [0.0, 1.0, 0.841_470_96, 0.540_302_3]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }

    /// Returns all `seq_len * d_model` entries, row by row, to be changed.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut table = posenc::sinusoidal_table(2, 2)?;
    /// table.as_mut_slice().iter_mut().for_each(|entry| *entry *= 0.5);
    /// assert_eq!(table[0], [0.0, 0.5]);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.entries
    }

    /// Returns the vector that held the `seq_len * d_model` entries, row by row, without a copy.
    ///
    /// # Examples
    ///
    /// ```
    /// let entries: Vec<f32> = posenc::sinusoidal_table(128, 64)?.into_vec();
    /// assert_eq!(entries.len(), 128 * 64);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.entries
    }
}

impl<T> Rows<T> for Table<T> {
    fn seq_len(&self) -> usize {
        Self::seq_len(self)
    }

    fn row(&self, i: usize) -> &[T] {
        Self::row(self, i)
    }
}

#[cfg(feature = "ndarray")]
impl<T> Table<T> {
    /// Returns the table as an array of the crate `ndarray`, of shape `(seq_len, d_model)`, without a copy.
    ///
    /// A baked table needs no such method: `ndarray::aview2(&PE)` is its view. An array that is stored row by row is given to functions of
    /// this crate as [`Flat`](crate::Flat).
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::ndarray::{Axis, aview2};
    /// use posenc::{Flat, compare, sinusoidal_table};
    ///
    /// static PE: [[f32; 6]; 10] = sinusoidal_table!(10, 6);
    ///
    /// let table = sinusoidal_table(10, 6)?;
    /// assert_eq!(table.view(), aview2(&PE));
    /// assert_eq!(table.view().index_axis(Axis(0), 4), aview2(&PE).row(4));
    ///
    /// let array = table.view().to_owned();
    /// let rows = Flat::new(array.as_slice().ok_or("not row by row")?, array.ncols())?;
    /// assert!(compare(&PE, &rows)?.is_identical());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(clippy::missing_panics_doc, reason = "the length is that of the shape")]
    #[must_use]
    pub fn view(&self) -> ArrayView2<'_, T> {
        ArrayView2::from_shape(self.shape(), &self.entries).expect("as many entries as that")
    }
}

/// An array of shape `(seq_len, d_model)`, in the vector that held the entries, without a copy.
///
/// # Examples
///
/// ```
/// use posenc::ndarray::Array2;
///
/// let array: Array2<f32> = posenc::sinusoidal_table(128, 64)?.into();
/// assert_eq!((array.dim(), array[(0, 1)]), ((128, 64), 1.0));
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[cfg(feature = "ndarray")]
impl<T> From<Table<T>> for Array2<T> {
    fn from(table: Table<T>) -> Self {
        Self::from_shape_vec(table.shape(), table.entries).expect("as many entries as that")
    }
}

/// The entries, row by row, as [`Table::into_vec`].
impl<T> From<Table<T>> for Vec<T> {
    fn from(table: Table<T>) -> Self {
        table.entries
    }
}

/// The entries, row by row, as [`Table::as_slice`].
impl<T> AsRef<[T]> for Table<T> {
    fn as_ref(&self) -> &[T] {
        &self.entries
    }
}

/// The entries, row by row, as [`Table::as_mut_slice`].
impl<T> AsMut<[T]> for Table<T> {
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.entries
    }
}

/// The rows, as [`Table::rows`].
#[expect(clippy::into_iter_without_iter, reason = "it is called `rows`, as there could be one over entries")]
impl<'a, T> IntoIterator for &'a Table<T> {
    type Item = &'a [T];
    type IntoIter = ChunksExact<'a, T>;

    fn into_iter(self) -> ChunksExact<'a, T> {
        self.rows()
    }
}

/// Row `i`, as [`Table::row`].
///
/// # Panics
///
/// If `i` is not below `seq_len`.
///
/// # Examples
///
/// ```
/// let table = posenc::sinusoidal_table(4, 2)?;
/// assert_eq!(table[0], [0.0, 1.0]);
/// # Ok::<(), posenc::SpecError>(())
/// ```
impl<T> Index<usize> for Table<T> {
    type Output = [T];

    #[track_caller]
    fn index(&self, i: usize) -> &[T] {
        self.row(i)
    }
}

/// Entry `(i, j)`: row `i`, column `j`.
///
/// # Panics
///
/// If `i` is not below `seq_len`, or `j` not below `d_model`. [`Table::get`] returns `None` then.
///
/// # Examples
///
/// ```
/// let table = posenc::sinusoidal_table(4, 2)?;
/// assert_eq!(table[(0, 1)], 1.0);
/// # Ok::<(), posenc::SpecError>(())
/// ```
impl<T> Index<(usize, usize)> for Table<T> {
    type Output = T;

    #[track_caller]
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.row(i)[j]
    }
}
