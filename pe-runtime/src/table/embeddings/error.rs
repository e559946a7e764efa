//! The error of adding encodings to embeddings or concatenating the two.

use core::fmt::{self, Display, Formatter};

use crate::spec::error::SpecError;

/// An error from adding encodings to embeddings or concatenating the two.
///
/// Its [`Display`] message names the value and the allowed range, and a remedy if it adds something.
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
    /// The rows of a rotary cache are not half as wide as the columns that are rotated.
    #[non_exhaustive]
    Pairs {
        /// The number of entries in a row, one per pair.
        pairs: usize,
        /// The columns of a head.
        head_dim: usize,
        /// Those that are rotated.
        rotary_dim: usize,
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
            Self::Backwards { start, end } => Display::fmt(&SpecError::RowsBackwards { start, end }, f),
            Self::Rows { start, end, seq_len } => {
                write!(
                    f,
                    "rows {start}..{end} are out of bounds: the number of rows in the table is {seq_len}; use a longer table, or \
                     compute the missing rows with `Spec::add_rows`, `Spec::concat_rows` or `Rope::fill`"
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
            Self::Pairs { pairs, head_dim, rotary_dim } => {
                write!(
                    f,
                    "the rows of the cache have {pairs} entries, but must have {}, one per pair of ",
                    rotary_dim / 2
                )?;
                if head_dim == rotary_dim {
                    write!(f, "the {head_dim} columns of a head; ")?;
                } else {
                    write!(f, "the {rotary_dim} columns of {head_dim} that are rotated; ")?;
                }
                if pairs == 0 || pairs > rotary_dim / 2 {
                    return f.write_str("change the width, or make the cache without `repeat` and without a packing");
                }
                let rotary_dim = 2 * pairs;
                write!(
                    f,
                    "change the width, or to rotate only {rotary_dim} columns write `Head {{ head_dim: {head_dim}, rotary_dim: \
                     {rotary_dim} }}`; if the columns of the cache are repeated, make it without `repeat`"
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

/// Has no source: the message of [`Parameters`](Self::Parameters) is already that of the [`SpecError`].
impl core::error::Error for EmbeddingError {}

impl From<SpecError> for EmbeddingError {
    fn from(error: SpecError) -> Self {
        Self::Parameters(error)
    }
}
