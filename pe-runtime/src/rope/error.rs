//! The errors of a rotary cache, and their sentences.

use crate::limits::MAX_D_MODEL;
use crate::spec::error::SpecError;
use crate::spec::error::embeddings::EmbeddingError;
use crate::spec::error::message::too_large;
use crate::text::message::{Message, Part, error_with_message};

/// An error from making or applying a rotary cache, in terms of the parameters of [`Rope`](crate::Rope).
///
/// The [`Display`](core::fmt::Display) text says what is wrong and what to do, as it does for [`SpecError`]. Any version may
/// add variants and fields, so patterns must end in `..`.
///
/// # Examples
///
/// ```
/// use posenc::{Rope, RopeError, SpecError};
///
/// let error = Rope::new(4).attention_factor(f64::NAN).check::<f32>().unwrap_err();
/// assert!(matches!(error, RopeError::AttentionFactor { .. }));
/// let error = Rope::new(4).base(0.0).check::<f32>().unwrap_err();
/// assert!(matches!(error, RopeError::Spec(SpecError::Base { .. })));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RopeError {
    /// A parameter that is also a parameter of [`Spec`](crate::Spec), a position, or a range of rows is wrong.
    Spec(SpecError),
    /// The rows to rotate do not fit the cache.
    Embeddings(EmbeddingError),
    /// The number of rotated columns is odd, 0, or larger than `head_dim`.
    #[non_exhaustive]
    RotaryDim {
        /// The number given.
        value: usize,
        /// The number of columns of a head.
        head_dim: usize,
    },
    /// The rows of the cache do not have one entry per pair of rotated columns.
    #[non_exhaustive]
    Pairs {
        /// The number of entries in a row, one per pair.
        pairs: usize,
        /// The number of columns of a head.
        head_dim: usize,
        /// The number of columns that are rotated.
        rotary_dim: usize,
    },
    /// A token needs a row that the cache does not have.
    #[non_exhaustive]
    TokenRow {
        /// The index of the token, from 0.
        token: usize,
        /// The axis of the position, from 0, if a position has axes.
        axis: Option<usize>,
        /// The row.
        row: usize,
        /// The number of rows in the cache.
        seq_len: usize,
    },
    /// The map of axes does not have an axis for each pair.
    #[non_exhaustive]
    AxisOfPair {
        /// The number of axes in the map.
        len: usize,
        /// The number of pairs, which is the number of entries in a row of the cache.
        pairs: usize,
    },
    /// A pair belongs to an axis that the positions do not have.
    #[non_exhaustive]
    Axis {
        /// The index of the pair, from 0.
        pair: usize,
        /// Its axis, from 0.
        axis: usize,
        /// The number of axes of a position.
        axes: usize,
    },
    /// The attention factor is not finite, or is outside the range of the element type.
    #[non_exhaustive]
    AttentionFactor {
        /// The factor given.
        value: f64,
        /// The name of the element type.
        dtype: &'static str,
        /// The largest number of the element type.
        max: f64,
    },
    /// A table takes more bytes than the limit.
    #[non_exhaustive]
    TooLarge {
        /// The number of rows requested.
        seq_len: usize,
        /// The number of columns of the table.
        columns: usize,
        /// The name of the element type.
        dtype: &'static str,
        /// The size of the table.
        bytes: u128,
        /// The limit: `isize::MAX` at run time, or the `max_bytes` key in the macro.
        max_bytes: usize,
    },
    /// Repeated or packed columns make the table wider than the limit.
    #[non_exhaustive]
    Columns {
        /// The number of columns of the table.
        value: usize,
    },
    /// The buffers for the cosines and for the sines differ in length.
    #[non_exhaustive]
    SinLength {
        /// The length of the buffer for the cosines.
        cos: usize,
        /// The length of the buffer for the sines.
        sin: usize,
    },
    /// The buffers given to `encode` do not have the length of a row.
    #[non_exhaustive]
    RowLength {
        /// The length of the buffer for the cosines.
        len: usize,
        /// The length of a row.
        columns: usize,
        /// Whether entries are repeated.
        repeated: bool,
    },
    /// The length of the buffers given to `fill` is not a multiple of the length of a row.
    #[non_exhaustive]
    BufferLength {
        /// The length of the buffer for the cosines.
        len: usize,
        /// The length of a row.
        columns: usize,
        /// Whether entries are repeated.
        repeated: bool,
    },
}

impl RopeError {
    pub(crate) const fn message(&self) -> Message {
        use Part::{Float, Size, Text};
        const fn per_pair(repeated: bool) -> Part<'static> {
            Text(if repeated { "two entries" } else { "one entry" })
        }
        match *self {
            Self::Spec(error) => error.message(),
            Self::Embeddings(error) => error.message(),
            Self::RotaryDim { value, head_dim } if value == head_dim => Message::new(
                "`head_dim` is {}, but must be even and from 2 to {}{}",
                &[
                    Size(value),
                    Size(MAX_D_MODEL),
                    Text(if value > 2 { "; set an even `rotary_dim` to rotate only a part of it" } else { "" }),
                ],
            ),
            Self::RotaryDim { value, head_dim } => Message::new(
                "the rotary width is {}, but must be even and from 2 to {}{}; set another `rotary_dim` or `partial_rotary_factor`",
                &[
                    Size(value),
                    Size(if head_dim < MAX_D_MODEL { head_dim } else { MAX_D_MODEL }),
                    Text(if head_dim <= MAX_D_MODEL { " (`head_dim`)" } else { "" }),
                ],
            ),
            Self::Pairs { pairs, head_dim, rotary_dim } => {
                let (head, rotated) =
                    if head_dim == rotary_dim { (Text("a head"), "") } else { (Size(head_dim), " that are rotated") };
                let remedy = if pairs == 0 || pairs > rotary_dim / 2 {
                    Message::new("make the cache without `repeat` and without a packing", &[])
                } else {
                    Message::new(
                        "to rotate only {} columns write `Head { head_dim: {}, rotary_dim: {} }`; if the columns of the cache \
                         are repeated, make it without `repeat`",
                        &[Size(2 * pairs), Size(head_dim), Size(2 * pairs)],
                    )
                };
                Message::new(
                    "the rows of the cache have {} entries, but must have {}, one per pair of the {} columns of {}{}; change \
                     the width, or {}",
                    &[Size(pairs), Size(rotary_dim / 2), Size(rotary_dim), head, Text(rotated), Text(remedy.as_str())],
                )
            }
            Self::TokenRow { token, axis, row, seq_len } => {
                let position = match axis {
                    Some(axis) => Message::new("the position of token {} on axis {}", &[Size(token), Size(axis)]),
                    None => Message::new("the position of token {}", &[Size(token)]),
                };
                Message::new(
                    "{} is {}, but must be less than {}, the number of rows in the cache; use a longer cache",
                    &[Text(position.as_str()), Size(row), Size(seq_len)],
                )
            }
            Self::AxisOfPair { len, pairs } => Message::new(
                "the length of `axis_of_pair` is {}, but must be {}: one axis per pair of the cache",
                &[Size(len), Size(pairs)],
            ),
            Self::Axis { pair, axis, axes } => Message::new(
                "the axis of pair {} is {}, but must be less than {}, the number of axes of a position",
                &[Size(pair), Size(axis), Size(axes)],
            ),
            Self::AttentionFactor { value, dtype, max } => Message::new(
                "`attention_factor` is {}, but must be from -{} to {} for {} entries; 1 leaves the entries unchanged",
                &[Float(value), Float(max), Float(max), Text(dtype)],
            ),
            Self::TooLarge { seq_len, columns, dtype, bytes, max_bytes } => {
                too_large("table", [seq_len, columns], dtype, bytes, max_bytes, "`seq_len` or `head_dim`")
            }
            Self::Columns { value } => Message::new(
                "the rows of the table have {} entries, but must have from 1 to {}; set a smaller `head_dim`, or leave out \
                 `repeat` or `packing`",
                &[Size(value), Size(MAX_D_MODEL)],
            ),
            Self::SinLength { cos, sin } => Message::new(
                "the length of the sines is {}, but must be {}, the length of the cosines",
                &[Size(sin), Size(cos)],
            ),
            Self::RowLength { len, columns, repeated } => Message::new(
                "the length of the cosines is {}, but must be {}: {} per pair",
                &[Size(len), Size(columns), per_pair(repeated)],
            ),
            Self::BufferLength { len, columns, repeated } => Message::new(
                "the length of the cosines is {}, but must be a multiple of {}: {} per pair in each row",
                &[Size(len), Size(columns), per_pair(repeated)],
            ),
        }
    }

    /// Returns the names of the parameters to correct, as [`SpecError::parameters`] does.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = posenc::Rope::new(7).check::<f32>().unwrap_err();
    /// assert_eq!(error.parameters(), ["rotary_dim", "partial_rotary_factor", "head_dim"]);
    /// ```
    #[must_use]
    pub const fn parameters(&self) -> &[&'static str] {
        match self {
            Self::Spec(error) => error.parameters(),
            Self::RotaryDim { .. } => &["rotary_dim", "partial_rotary_factor", "head_dim"],
            Self::AttentionFactor { .. } => &["attention_factor"],
            Self::TooLarge { .. } => &["seq_len", "head_dim"],
            Self::Columns { .. } => &["head_dim", "repeat", "packing"],
            Self::Embeddings(_)
            | Self::Pairs { .. }
            | Self::TokenRow { .. }
            | Self::AxisOfPair { .. }
            | Self::Axis { .. }
            | Self::SinLength { .. }
            | Self::RowLength { .. }
            | Self::BufferLength { .. } => &[],
        }
    }

    /// Returns the error of a table of a cache, whose entries may be repeated, in the terms of the cache.
    pub(crate) const fn of_table(error: SpecError, repeated: bool) -> Self {
        match error {
            SpecError::Amplitude { value, dtype, max } => Self::AttentionFactor { value, dtype, max },
            SpecError::TableTooLarge { seq_len, d_model: columns, dtype, bytes, max_bytes } => {
                Self::TooLarge { seq_len, columns, dtype, bytes, max_bytes }
            }
            // The head has a valid width, so the number is one of columns.
            SpecError::DModel { value } => Self::Columns { value: value.unsigned_abs() as usize },
            SpecError::RowLength { len, d_model: columns } => Self::RowLength { len, columns, repeated },
            SpecError::BufferLength { len, d_model: columns } => Self::BufferLength { len, columns, repeated },
            other => Self::Spec(other),
        }
    }
}

error_with_message!(RopeError, Spec(SpecError), Embeddings(EmbeddingError));
