//! The errors of a rotary cache whose tables have other names for them, and their sentences.

use core::fmt;

use crate::spec::error::SpecError;
use crate::text::message::{Message, Part};

/// Why a rotary cache cannot be made: the errors of its two tables, in the terms of [`Rope`](crate::Rope).
///
/// The [`Display`](fmt::Display) sentence is that of [`SpecError::Rope`](crate::SpecError::Rope). Any version may add variants
/// and fields, so end patterns in `..`.
///
/// # Examples
///
/// ```
/// use posenc::{Rope, RopeError, SpecError};
///
/// let error = Rope::new(4).attention_factor(f64::NAN).check::<f32>().unwrap_err();
/// assert!(matches!(error, SpecError::Rope(RopeError::AttentionFactor { .. })));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RopeError {
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
        /// The limit: `isize::MAX` at run time, the `max_bytes` key in the macro.
        max_bytes: usize,
    },
    /// The length of the buffers given to `encode` is not that of a row.
    #[non_exhaustive]
    RowLength {
        /// The length of the buffer for the cosines.
        len: usize,
        /// The length of a row.
        columns: usize,
        /// Whether entries are repeated.
        repeated: bool,
    },
    /// The length of the buffers given to `fill` is not a multiple of that of a row.
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
        use Part::{Float, Size, Text, Unsigned};
        const fn per_pair(repeated: bool) -> Part<'static> {
            Text(if repeated { "two entries" } else { "one entry" })
        }
        match *self {
            Self::AttentionFactor { value, dtype, max } => Message::new(
                "`attention_factor` is {}, but must be from -{} to {} for {} entries; 1 leaves the entries unchanged",
                &[Float(value), Float(max), Float(max), Text(dtype)],
            ),
            Self::TooLarge { seq_len, columns, dtype, bytes, max_bytes } => Message::new(
                "a table of {} x {} {} entries takes {} bytes, but the limit is {}; reduce `seq_len` or `head_dim`{}",
                &[
                    Size(seq_len),
                    Size(columns),
                    Text(dtype),
                    Unsigned(bytes),
                    Size(max_bytes),
                    // At run time the limit is the address space.
                    Text(if max_bytes < isize::MAX as usize { ", or raise `max_bytes`" } else { "" }),
                ],
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

    pub(crate) const fn parameters(&self) -> &'static [&'static str] {
        match self {
            Self::AttentionFactor { .. } => &["attention_factor"],
            Self::TooLarge { .. } => &["seq_len", "head_dim"],
            Self::RowLength { .. } | Self::BufferLength { .. } => &[],
        }
    }
}

impl fmt::Display for RopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().as_str())
    }
}

/// Returns the error of a table of a rotary cache in the terms of the cache.
#[must_use]
pub const fn of_rope(error: SpecError, repeated: bool) -> SpecError {
    SpecError::Rope(match error {
        SpecError::Amplitude { value, dtype, max } => RopeError::AttentionFactor { value, dtype, max },
        SpecError::TableTooLarge { seq_len, d_model: columns, dtype, bytes, max_bytes } => {
            RopeError::TooLarge { seq_len, columns, dtype, bytes, max_bytes }
        }
        SpecError::RowLength { len, d_model: columns } => RopeError::RowLength { len, columns, repeated },
        SpecError::BufferLength { len, d_model: columns } => RopeError::BufferLength { len, columns, repeated },
        other => return other,
    })
}
