//! A table computed at run time.

use alloc::vec::Vec;
use core::ops::Index;
use core::slice::ChunksExact;

#[cfg(feature = "ndarray")]
use ndarray::{Array2, ArrayView2};

use crate::table::rows::{Rows, expect_row};

/// A table of shape `(seq_len, d_model)`, stored row by row in one allocation.
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

impl<T> Table<T> {
    /// Returns the table of these entries, row by row. `d_model` must not be 0.
    pub(crate) fn new(entries: Vec<T>, d_model: usize) -> Self {
        Self { entries, d_model }
    }

    /// Returns the numbers of rows and columns, `(seq_len, d_model)`.
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

    /// Returns the `d_model` entries of row `i`, the encoding of position `start + i * step`.
    ///
    /// # Panics
    ///
    /// Panics if `i` is not less than `seq_len`.
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

    /// Returns entry `j` of row `i`, or `None` if it is outside the table.
    ///
    /// `table[(i, j)]` returns the entry itself and panics if it is outside the table.
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
        // Check both before multiplying, because the product may be too large for a `usize`.
        (i < self.seq_len() && j < self.d_model).then(|| &self.entries[i * self.d_model + j])
    }

    /// Returns an iterator over all rows in order, each of `d_model` entries.
    ///
    /// `for row in &table` iterates over the same rows.
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

    /// Returns all `seq_len * d_model` entries, row by row, as a mutable slice.
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

    /// Converts the table into its vector of `seq_len * d_model` entries, row by row, without copying.
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
    /// Returns an `ndarray` view of the table, of shape `(seq_len, d_model)`, without copying.
    ///
    /// A table `PE` made by the macro needs no such method, because `ndarray::aview2(&PE)` is its view. To pass an
    /// array that is stored row by row to functions of this crate, wrap it in [`Flat`](crate::Flat).
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
    #[expect(clippy::missing_panics_doc, reason = "the length always matches the shape")]
    #[must_use]
    pub fn view(&self) -> ArrayView2<'_, T> {
        ArrayView2::from_shape(self.shape(), &self.entries).expect("as many entries as that")
    }
}

/// Converts the table into an array of shape `(seq_len, d_model)`, which reuses its memory.
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

/// Returns the entries, row by row, as [`Table::into_vec`] does.
impl<T> From<Table<T>> for Vec<T> {
    fn from(table: Table<T>) -> Self {
        table.entries
    }
}

/// Returns the entries, row by row, as [`Table::as_slice`] does.
impl<T> AsRef<[T]> for Table<T> {
    fn as_ref(&self) -> &[T] {
        &self.entries
    }
}

/// Returns the entries, row by row, as [`Table::as_mut_slice`] does.
impl<T> AsMut<[T]> for Table<T> {
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.entries
    }
}

/// Iterates over the rows, as [`Table::rows`] does.
#[expect(clippy::into_iter_without_iter, reason = "called `rows`, because iterating over entries is possible too")]
impl<'a, T> IntoIterator for &'a Table<T> {
    type Item = &'a [T];
    type IntoIter = ChunksExact<'a, T>;

    fn into_iter(self) -> ChunksExact<'a, T> {
        self.rows()
    }
}

/// Returns row `i`, as [`Table::row`] does.
///
/// # Panics
///
/// Panics if `i` is not less than `seq_len`.
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

/// Returns the entry in row `i` and column `j`.
///
/// # Panics
///
/// Panics if `i` is not less than `seq_len`, or `j` not less than `d_model`. [`Table::get`] returns `None` instead.
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
