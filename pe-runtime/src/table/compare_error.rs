//! The error of comparing tables and of reading a slice as rows.

use crate::spec::error::SpecError;
use crate::text::message::{Message, Part, error_with_message};

/// An error from comparing tables or from reading a slice as rows.
///
/// Its [`Display`](core::fmt::Display) message names the value, the allowed range and, if it helps, a remedy.
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

impl CompareError {
    const fn message(&self) -> Message {
        use Part::{Size, Text};
        match *self {
            Self::Shape { expected: (seq_len, d_model), found: (other_len, other_width) } => Message::new(
                "the shape of the found table is {} x {}, but must be {} x {}, the shape of the expected table",
                &[Size(other_len), Size(other_width), Size(seq_len), Size(d_model)],
            ),
            Self::RowLength { table, row, len, d_model } => Message::new(
                "the length of row {} of the {} table is {}, but must be {}, the length of row 0",
                &[Size(row), Text(table), Size(len), Size(d_model)],
            ),
            Self::DModel => {
                Message::new("`d_model` is 0, but must be at least 1; set it to the number of entries per row", &[])
            }
            Self::Entries { len, d_model } => Message::new(
                "the length of the slice is {}, but must be a multiple of {} (`d_model`)",
                &[Size(len), Size(d_model)],
            ),
            Self::Parameters(error) => error.message(),
        }
    }
}

error_with_message!(CompareError, Parameters(SpecError));
