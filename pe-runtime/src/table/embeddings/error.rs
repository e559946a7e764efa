//! Why an encoding cannot be put to embeddings.

use core::fmt::{self, Display, Formatter};

use crate::spec::error::SpecError;

/// Why an encoding cannot be put to embeddings.
///
/// Its [`Display`] sentence names the value, the allowed range and the remedy.
///
/// # Examples
///
/// ```
/// use posenc::embeddings::{EmbeddingError, add};
///
/// let error = add(&mut [0.0f32; 10], &[[0.0; 4]; 3], 0..2).unwrap_err();
/// assert!(matches!(error, EmbeddingError::Embeddings { len: 10, rows: 2, width: 4, .. }));
/// assert_eq!(
///     error.to_string(),
///     "the length of the embeddings is 10, but must be a multiple of 2 x 4: one token per row in each sequence",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EmbeddingError {
    /// The range of rows ends before it begins.
    #[non_exhaustive]
    Backwards {
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
    },
    /// The table does not have all of the rows.
    #[non_exhaustive]
    Rows {
        /// The first of the rows.
        start: usize,
        /// The one after the last.
        end: usize,
        /// Rows that the table has.
        seq_len: usize,
    },
    /// A row of the table is not as long as the others, or as the spec says.
    #[non_exhaustive]
    RowLength {
        /// The row, from 0.
        row: usize,
        /// Entries it holds.
        len: usize,
        /// Entries it should hold.
        d_model: usize,
    },
    /// The embeddings are not whole sequences.
    #[non_exhaustive]
    Embeddings {
        /// Entries they hold.
        len: usize,
        /// Tokens of a sequence, a row for each.
        rows: usize,
        /// Entries of a token.
        width: usize,
    },
    /// `out` of `concat` or `Spec::concat_rows` is too long or too short.
    #[non_exhaustive]
    Out {
        /// Entries it holds.
        len: usize,
        /// Tokens of the embeddings.
        tokens: usize,
        /// Entries of a token.
        width: usize,
        /// Entries of a row of the table.
        d_model: usize,
    },
    /// The parameters of a spec are wrong.
    Parameters(SpecError),
}

impl Display for EmbeddingError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Backwards { start, end } => Display::fmt(&SpecError::RowsBackwards { start, end }, f),
            Self::Rows { start, end, seq_len } => {
                write!(
                    f,
                    "rows {start}..{end} are out of bounds: the number of rows in the table is {seq_len}; use a longer table, or \
                     compute the missing rows with `Spec::add_rows` or `Spec::concat_rows`"
                )
            }
            Self::RowLength { row, len, d_model } => {
                write!(f, "the length of row {row} of the table is {len}, but must be {d_model}")
            }
            Self::Embeddings { len, rows: 0, .. } => {
                write!(
                    f,
                    "the length of the embeddings is {len}, but the range of rows is empty; use one row per token"
                )
            }
            Self::Embeddings { len, width: 0, .. } => {
                write!(
                    f,
                    "the length of the embeddings is {len}, but the width of a token is 0; tokens and rows need at least 1 entry"
                )
            }
            Self::Embeddings { len, rows, width } => {
                write!(
                    f,
                    "the length of the embeddings is {len}, but must be a multiple of {rows} x {width}: one token per row in each \
                     sequence"
                )
            }
            Self::Out { len, tokens, width, d_model } => {
                write!(
                    f,
                    "the length of `out` is {len}, but must be {tokens} x ({width} + {d_model}): for each token, its embedding and a \
                     row of the table"
                )
            }
            Self::Parameters(ref error) => Display::fmt(error, f),
        }
    }
}

/// Its sentence is that of the [`SpecError`], which is therefore no source beside it.
impl core::error::Error for EmbeddingError {}

impl From<SpecError> for EmbeddingError {
    fn from(error: SpecError) -> Self {
        Self::Parameters(error)
    }
}
