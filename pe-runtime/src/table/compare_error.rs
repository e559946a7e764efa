//! The error of comparing tables and of reading a slice as rows.

use core::fmt::{self, Display, Formatter};

use crate::spec::error::SpecError;

/// An error from comparing tables or from reading a slice as rows.
///
/// Its [`Display`] message gives the value, the allowed range and the remedy.
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
///     "the table found is 2 x 4, but must be 3 x 4 as the one expected is; give as many rows of as many entries",
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
        /// Which table: `"expected"`, `"found"` or `"given"`.
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
    /// The tolerance passed to `first_duplicate_rows` is negative or NaN.
    Tolerance {
        /// The tolerance.
        value: f64,
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

/// Has no source: the message of [`Parameters`](Self::Parameters) is already that of the [`SpecError`].
impl core::error::Error for CompareError {}

impl From<SpecError> for CompareError {
    fn from(error: SpecError) -> Self {
        Self::Parameters(error)
    }
}
