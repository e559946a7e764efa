//! The error of comparing tables and of reading a slice as rows.

use core::fmt::{self, Display, Formatter};

use crate::spec::error::SpecError;

/// An error from comparing tables or from reading a slice as rows.
///
/// Its [`Display`] message names the value and the allowed range, and a remedy if it adds something.
///
/// # Examples
///
/// ```
/// use posenc::{CompareError, compare};
///
/// let error = compare(&[[0.0f32; 4]; 3], &[[0.0; 4]; 2]).unwrap_err();
/// assert_eq!(error, CompareError::Shape { expected: (3, 4), found: (2, 4) });
/// assert_eq!(
///     error.to_string(),
///     "the shape of the found table is 2 x 4, but must be 3 x 4, the shape of the expected table",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CompareError {
    /// The tables have different shapes, given as `(seq_len, d_model)`.
    ///
    /// A table without rows has no known `d_model`; it is given as 0.
    Shape {
        /// The shape of the expected table.
        expected: (usize, usize),
        /// The shape of the table found.
        found: (usize, usize),
    },
    /// A row of a table differs in length from row 0.
    RowLength {
        /// Which table: `"expected"` or `"found"`.
        table: &'static str,
        /// The index of the row, from 0.
        row: usize,
        /// The number of entries in the row.
        len: usize,
        /// The number of entries in row 0.
        d_model: usize,
    },
    /// The `d_model` passed to [`Flat::new`](crate::Flat::new) is 0.
    DModel,
    /// The slice passed to [`Flat::new`](crate::Flat::new) is not a whole number of rows.
    Entries {
        /// The number of entries in the slice.
        len: usize,
        /// The number of entries per row.
        d_model: usize,
    },
    /// The parameters of a spec are invalid.
    Parameters(SpecError),
}

impl Display for CompareError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Shape { expected: (seq_len, d_model), found: (other_len, other_width) } => {
                write!(
                    f,
                    "the shape of the found table is {other_len} x {other_width}, but must be {seq_len} x {d_model}, the shape \
                     of the expected table"
                )
            }
            Self::RowLength { table, row, len, d_model } => {
                write!(
                    f,
                    "the length of row {row} of the {table} table is {len}, but must be {d_model}, the length of row 0"
                )
            }
            Self::DModel => {
                f.write_str("`d_model` is 0, but must be at least 1; set it to the number of entries per row")
            }
            Self::Entries { len, d_model } => {
                write!(f, "the length of the slice is {len}, but must be a multiple of {d_model} (`d_model`)")
            }
            Self::Parameters(ref error) => Display::fmt(error, f),
        }
    }
}

/// Has no source: the message of [`Parameters`](Self::Parameters) is already that of the [`SpecError`].
impl core::error::Error for CompareError {}

impl From<SpecError> for CompareError {
    fn from(error: SpecError) -> Self {
        Self::Parameters(error)
    }
}
