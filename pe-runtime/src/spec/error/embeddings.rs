//! The error of adding encodings to embeddings or concatenating the two.

use crate::text::message::{Message, Part, error_with_message};

/// An error from adding encodings to embeddings or concatenating the two.
///
/// Its [`Display`](core::fmt::Display) message names the value, the allowed range and, if it helps, a remedy.
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
}

impl EmbeddingError {
    /// Returns the sentence that [`Display`](core::fmt::Display) shows.
    pub(crate) const fn message(&self) -> Message {
        use Part::Size;
        match *self {
            Self::Backwards { start, end } => {
                Message::new("the range of rows starts at {} but ends at {}", &[Size(start), Size(end)])
            }
            Self::Rows { start, end, seq_len } => Message::new(
                "rows {}..{} are out of bounds: the number of rows in the table is {}; use a longer table, or compute the \
                 missing rows with `Spec::add_rows`, `Spec::concat_rows` or `Rope::fill`",
                &[Size(start), Size(end), Size(seq_len)],
            ),
            Self::RowLength { row, len, d_model } => Message::new(
                "the length of row {} of the table is {}, but must be {}",
                &[Size(row), Size(len), Size(d_model)],
            ),
            Self::Embeddings { len, rows: 0, .. } => Message::new(
                "the length of the embeddings is {}, but the number of rows is 0; use one row per token",
                &[Size(len)],
            ),
            Self::Embeddings { len, width: 0, .. } => Message::new(
                "the length of the embeddings is {}, but the width of a token is 0; tokens and rows need at least 1 entry",
                &[Size(len)],
            ),
            Self::Embeddings { len, rows, width } => Message::new(
                "the length of the embeddings is {}, but must be a multiple of {} x {}: one token per row in each sequence",
                &[Size(len), Size(rows), Size(width)],
            ),
            Self::Out { len, tokens, width, d_model } => Message::new(
                "the length of `out` is {}, but must be {} x ({} + {}): for each token, its embedding and a row of the table",
                &[Size(len), Size(tokens), Size(width), Size(d_model)],
            ),
        }
    }
}

error_with_message!(EmbeddingError);
