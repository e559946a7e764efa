//! The error of adding encodings to embeddings or concatenating the two.

use core::fmt::{self, Display, Formatter};

use crate::spec::error::SpecError;

/// An error from adding encodings to embeddings or concatenating the two.
///
/// Its [`Display`] message gives the value, the allowed range and the remedy.
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
///     "the embeddings hold 10 entries, but must hold a multiple of 2 x 4; give whole sequences, of one token for each row",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EmbeddingError {
    /// The range of rows ends before it starts.
    #[non_exhaustive]
    Backwards {
        /// The start of the range.
        start: usize,
        /// The end of the range.
        end: usize,
    },
    /// The table does not have all of the rows.
    #[non_exhaustive]
    Rows {
        /// The first row.
        start: usize,
        /// The row after the last.
        end: usize,
        /// The number of rows in the table.
        seq_len: usize,
    },
    /// A row of the table differs in length from the others, or from the `d_model` of the spec.
    #[non_exhaustive]
    RowLength {
        /// The index of the row, from 0.
        row: usize,
        /// The number of entries in the row.
        len: usize,
        /// The number of entries it should have.
        d_model: usize,
    },
    /// The embeddings are not a whole number of sequences.
    #[non_exhaustive]
    Embeddings {
        /// The number of entries in the embeddings.
        len: usize,
        /// The number of tokens in a sequence, one for each row.
        rows: usize,
        /// The number of entries per token.
        width: usize,
    },
    /// `out` of `concat` or `Spec::concat_rows` has the wrong length.
    #[non_exhaustive]
    Out {
        /// The number of entries in `out`.
        len: usize,
        /// The number of tokens in the embeddings.
        tokens: usize,
        /// The number of entries per token of the embeddings.
        width: usize,
        /// The number of entries per row of the table.
        d_model: usize,
    },
    /// The parameters of a spec are invalid.
    Parameters(SpecError),
}

impl Display for EmbeddingError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Backwards { start, end } => {
                write!(f, "rows {start}..{end} run backwards; give the first row and the one after the last")
            }
            Self::Rows { start, end, seq_len } => {
                write!(
                    f,
                    "rows {start}..{end} are asked for, but the table has {seq_len}; make it longer, or let \
                     `Spec::add_rows` or `Spec::concat_rows` compute those beyond it"
                )
            }
            Self::RowLength { row, len, d_model } => {
                write!(
                    f,
                    "row {row} of the table holds {len} entries, but must hold {d_model}; give rows of that length"
                )
            }
            Self::Embeddings { len, rows: 0, .. } => {
                write!(f, "the embeddings hold {len} entries, but no rows are asked for; ask for one for each token")
            }
            Self::Embeddings { len, width: 0, .. } => {
                write!(
                    f,
                    "the embeddings hold {len} entries, but a token of them would hold 0; give tokens, and rows to add to them, of at \
                     least 1"
                )
            }
            Self::Embeddings { len, rows, width } => {
                write!(
                    f,
                    "the embeddings hold {len} entries, but must hold a multiple of {rows} x {width}; give whole sequences, of one \
                     token for each row"
                )
            }
            Self::Out { len, tokens, width, d_model } => {
                write!(
                    f,
                    "`out` holds {len} entries, but must hold {tokens} x ({width} + {d_model}); give it one token for each of the \
                     embeddings"
                )
            }
            Self::Parameters(ref error) => Display::fmt(error, f),
        }
    }
}

/// Has no source: the message of [`Parameters`](Self::Parameters) is already that of the [`SpecError`].
impl core::error::Error for EmbeddingError {}

impl From<SpecError> for EmbeddingError {
    fn from(error: SpecError) -> Self {
        Self::Parameters(error)
    }
}
