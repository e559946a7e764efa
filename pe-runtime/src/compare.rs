//! Tables held against each other, or against the exact one: what can be compared, and how the entries are walked.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::fmt::{self, Display, Formatter};

use crate::aligned::Aligned;
use crate::element::Element;
use crate::error::{SpecError, expect_row};
use crate::report::Report;
#[cfg(feature = "alloc")]
use crate::spec::Spec;
#[cfg(feature = "alloc")]
use crate::table::Table;

/// Rows of equal length, which [`compare`], [`Spec::compare`], [`add`](crate::add) and others take: a [`Table`](crate::Table), an array, a slice or a `Vec` of
/// rows, entries in one slice as [`Flat`], or a type of your own.
///
/// A row is whatever is a slice by `AsRef`: an array, a slice, a `Vec`.
///
/// ```
/// use posenc::{Rows, compare, sinusoidal_table};
///
/// /// A table as another program keeps it.
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
    /// The number of rows.
    ///
    /// ```
    /// use posenc::Rows;
    ///
    /// assert_eq!([[0.0f32; 4]; 3].seq_len(), 3);
    /// ```
    fn seq_len(&self) -> usize;

    /// Row `i`, from 0 to below [`seq_len`](Self::seq_len). It has to be the same whenever it is asked for.
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

#[cfg(feature = "alloc")]
impl<T> Rows<T> for Table<T> {
    fn seq_len(&self) -> usize {
        Self::seq_len(self)
    }

    fn row(&self, i: usize) -> &[T] {
        Self::row(self, i)
    }
}

/// The table in its wrapper.
impl<T, A: Rows<T>> Rows<T> for Aligned<A> {
    fn seq_len(&self) -> usize {
        self.0.seq_len()
    }

    fn row(&self, i: usize) -> &[T] {
        self.0.row(i)
    }
}

/// Entries row by row in one slice, as most libraries store a table.
///
/// ```
/// use posenc::{Flat, Spec};
///
/// let entries: &[f64] = &[0.0, 1.0, 0.841_470_984_807_896_5, 0.540_302_305_868_139_8];
/// assert!(Spec::new(2).compare(&Flat::new(entries, 2)?)?.is_identical());
/// # Ok::<(), posenc::CompareError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Flat<'a, T> {
    entries: &'a [T],
    d_model: usize,
}

impl<'a, T> Flat<'a, T> {
    /// The rows of `d_model` entries each that stand in `entries`.
    ///
    /// # Errors
    ///
    /// If `d_model` is 0, and if the number of entries is not a multiple of it.
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
}

impl<T> Rows<T> for Flat<'_, T> {
    fn seq_len(&self) -> usize {
        self.entries.len() / self.d_model
    }

    #[track_caller]
    fn row(&self, i: usize) -> &[T] {
        // Before the product, which may be too large for a `usize`.
        expect_row(i, self.seq_len());
        &self.entries[i * self.d_model..][..self.d_model]
    }
}

/// Compares two tables of the same shape, entry by entry: how many differ in a bit, by how much, and where.
///
/// [`Spec::compare`] compares one with the exact table, without making that.
///
/// # Errors
///
/// If the shapes differ, or the rows of one table are of unequal length.
///
/// ```
/// use posenc::{compare, sinusoidal_table};
///
/// static BAKED: [[f32; 64]; 128] = sinusoidal_table!(128, 64);
/// let report = compare(&BAKED, &sinusoidal_table(128, 64)?)?;
/// assert!(report.is_identical(), "{report}");
///
/// let narrowed = BAKED.map(|row| row.map(|entry| (entry * 256.0).round() / 256.0));
/// let report = compare(&BAKED, &narrowed)?;
/// assert!(report.max_abs_error() <= 1.0 / 512.0, "{report}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("allclose", "diff", "max_abs_diff", "assert_close"))]
pub fn compare<T: Element>(
    expected: &(impl Rows<T> + ?Sized),
    found: &(impl Rows<T> + ?Sized),
) -> Result<Report<T>, CompareError> {
    let (d_model, other) = (width("expected", expected)?, width("found", found)?);
    let seq_len = expected.seq_len();
    let (expected_shape, found_shape) = ((seq_len, d_model), (found.seq_len(), other));
    if expected_shape != found_shape {
        return Err(CompareError::Shape { expected: expected_shape, found: found_shape });
    }
    let mut report = Report::new(seq_len, d_model);
    for i in 0..seq_len {
        report.add_row(i, expected.row(i), found.row(i));
    }
    Ok(report)
}

/// The length of all rows, or 0 without any. The table's `name` is for the error.
pub(crate) fn width<T>(name: &'static str, table: &(impl Rows<T> + ?Sized)) -> Result<usize, CompareError> {
    let rows = table.seq_len();
    let d_model = if rows > 0 { table.row(0).len() } else { 0 };
    match (0..rows).map(|row| (row, table.row(row).len())).find(|&(_, len)| len != d_model) {
        Some((row, len)) => Err(CompareError::RowLength { table: name, row, len, d_model }),
        None => Ok(d_model),
    }
}

#[cfg(feature = "alloc")]
impl Spec<'_> {
    /// Compares `found`, taken as the first rows of the table of this spec, with the exact entries. These are made row by row, so
    /// the memory it takes grows with the root of the number of rows, as that of [`prepare`](Self::prepare) does.
    ///
    /// The report's [`Worst::correct`](crate::Worst::correct) are set, and are what was expected.
    ///
    /// # Errors
    ///
    /// For parameters that [`check_parameters`](Self::check_parameters) refuses, for a `start` that is missing or a row's
    /// position out of range, if the rows are not all of `d_model` entries, and if the allocator refuses. (A `zero_row` may lie beyond
    /// these rows.)
    ///
    /// ```
    /// # use posenc::Spec;
    /// // The recipe of most tutorials, run in f32.
    /// let mut usual = vec![[0.0f32; 64]; 1000];
    /// for (position, row) in usual.iter_mut().enumerate() {
    ///     for (k, pair) in row.chunks_exact_mut(2).enumerate() {
    ///         let angle = position as f32 / 10_000f32.powf(2.0 * k as f32 / 64.0);
    ///         pair.copy_from_slice(&[angle.sin(), angle.cos()]);
    ///     }
    /// }
    /// let report = Spec::new(64).compare(&usual)?;
    /// assert!(report.differing() > report.entries() / 2);
    /// assert!(report.max_abs_error() < 1e-3, "{report}");
    /// # Ok::<(), posenc::CompareError>(())
    /// ```
    pub fn compare<T: Element>(&self, found: &(impl Rows<T> + ?Sized)) -> Result<Report<T>, CompareError> {
        let (rows, width) = (found.seq_len(), width("found", found)?);
        if rows > 0 && width != self.d_model() {
            return Err(CompareError::Shape { expected: (rows, self.d_model()), found: (rows, width) });
        }
        let encoder = self.prepare::<T>(rows)?;
        let mut report = Report::new(rows, self.d_model());
        let mut exact = vec![T::default(); self.d_model()];
        for i in 0..rows {
            encoder.row(i, &mut exact)?;
            report.add_row(i, &exact, found.row(i));
        }
        Ok(report.with_expected_correct())
    }
}

/// Why tables cannot be compared. Its [`Display`] sentence names the value, the allowed range and the remedy.
///
/// ```
/// use posenc::{CompareError, compare};
///
/// let error = compare(&[[0.0f32; 4]; 3], &[[0.0; 4]; 2]).unwrap_err();
/// assert_eq!(error, CompareError::Shape { expected: (3, 4), found: (2, 4) });
/// assert_eq!(
///     error.to_string(),
///     "the table found is 2 x 4, but must be 3 x 4 as the one expected is; give as many rows of as many entries",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CompareError {
    /// The tables have different shapes, each `(seq_len, d_model)`. Without rows `d_model` is not known, and is 0.
    Shape {
        /// The shape of the one expected.
        expected: (usize, usize),
        /// The shape of the one found.
        found: (usize, usize),
    },
    /// A row of a table is not as long as its first.
    RowLength {
        /// Which table, `"expected"`, `"found"` or `"given"`.
        table: &'static str,
        /// The row, from 0.
        row: usize,
        /// Entries it holds.
        len: usize,
        /// Entries row 0 holds.
        d_model: usize,
    },
    /// The `d_model` given to [`Flat::new`] is 0.
    DModel,
    /// The entries given to [`Flat::new`] are not whole rows.
    Entries {
        /// Entries given.
        len: usize,
        /// Entries of a row.
        d_model: usize,
    },
    /// The tolerance given to `first_alike` is negative or no number.
    Tolerance {
        /// The tolerance given.
        value: f64,
    },
    /// The parameters of a spec are wrong.
    Parameters(SpecError),
}

impl Display for CompareError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Shape { expected: (seq_len, d_model), found: (other_len, other_width) } => {
                write!(
                    f,
                    "the table found is {other_len} x {other_width}, but must be {seq_len} x {d_model} as the one expected \
                     is; give as many rows of as many entries"
                )
            }
            Self::RowLength { table, row, len, d_model } => {
                write!(
                    f,
                    "row {row} of the table {table} holds {len} entries, but must hold {d_model} as row 0 does; give rows of \
                     equal length"
                )
            }
            Self::DModel => f.write_str("`d_model` is 0, but must be at least 1; give the number of entries of a row"),
            Self::Entries { len, d_model } => {
                write!(f, "the slice holds {len} entries, but must hold a multiple of {d_model}; give it whole rows")
            }
            Self::Tolerance { value } => {
                write!(f, "`tolerance` is {value:?}, but must be 0 or more; 0 asks for rows that are equal")
            }
            Self::Parameters(ref error) => Display::fmt(error, f),
        }
    }
}

/// Its sentence is that of the [`SpecError`], which is therefore no source beside it.
impl core::error::Error for CompareError {}

impl From<SpecError> for CompareError {
    fn from(error: SpecError) -> Self {
        Self::Parameters(error)
    }
}
