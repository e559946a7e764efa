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
use crate::table::rows::expect_row;

/// A table of shape `(seq_len, d_model)`, row by row in one allocation.
///
/// ```
/// let table = posenc::sinusoidal_table(4, 6)?;
/// assert_eq!((table.seq_len(), table.d_model()), (4, 6));
/// assert_eq!(table[2][1], table[(2, 1)]);
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table<T> {
    entries: Vec<T>,
    d_model: usize,
}

impl<T: Element> Table<T> {
    /// A table of zeros, `d_model` not being 0; `None` without the memory for it.
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

    pub(crate) fn entries_mut(&mut self) -> &mut [T] {
        &mut self.entries
    }
}

impl<T> Table<T> {
    /// The number of rows.
    ///
    /// ```
    /// assert_eq!(posenc::sinusoidal_table(128, 64)?.seq_len(), 128);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn seq_len(&self) -> usize {
        self.entries.len() / self.d_model
    }

    /// The number of columns.
    ///
    /// ```
    /// assert_eq!(posenc::sinusoidal_table(128, 64)?.d_model(), 64);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[must_use]
    pub fn d_model(&self) -> usize {
        self.d_model
    }

    /// Row `i`, of position `start + i * step`: `d_model` entries.
    ///
    /// # Panics
    ///
    /// If `i` is not below `seq_len`.
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

    /// All rows in order.
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

    /// All entries, row by row: `seq_len * d_model`.
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

    /// The entries in the vector that held them, row by row.
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

#[cfg(feature = "ndarray")]
impl<T> Table<T> {
    /// The table as an array of the crate `ndarray`, of shape `(seq_len, d_model)`, without a copy.
    ///
    /// A baked table needs no method of ours: `ndarray::aview2(&PE)` is its view. And an array that stands row by row in memory is given
    /// to functions of this crate as [`Flat`](crate::Flat).
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
        let shape = (self.seq_len(), self.d_model);
        ArrayView2::from_shape(shape, &self.entries).expect("as many entries as that")
    }
}

/// The entries in the vector that held them, without a copy.
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
        let shape = (table.seq_len(), table.d_model);
        Self::from_shape_vec(shape, table.entries).expect("as many entries as that")
    }
}

/// Row `i`, as [`Table::row`]. Panics unless `i` is below `seq_len`.
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

/// Entry `(i, j)`: row `i`, column `j`. Panics outside the table.
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
