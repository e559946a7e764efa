//! What can be wrong with a request for a table, and the sentence that says so.

use core::fmt;

use crate::spec::{MAX_D_MODEL, MAX_POSITION};

/// Why a table cannot be made. Its [`Display`](fmt::Display) sentence names the value, the allowed range and the remedy;
/// the macro's compile errors are the same sentences.
///
/// ```
/// use posenc::Spec;
///
/// let error = Spec::new(64).base(-1.0).encode(0, &mut [0.0f32; 64]).unwrap_err();
/// assert_eq!(error.parameter(), Some("base"));
/// assert_eq!(error.to_string(), "`base` is -1.0, but must be finite and greater than 0; the paper's is 10000");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SpecError {
    /// The number of columns is 0 or above [`MAX_D_MODEL`].
    DModel {
        /// The number given.
        value: i128,
    },
    /// The base is not finite, or not greater than 0.
    Base {
        /// The base given.
        value: f64,
    },
    /// The position given to `encode` lies beyond `±`[`MAX_POSITION`].
    Position {
        /// The position given.
        value: i128,
    },
    /// The position of a row, `start + i`, lies beyond `±`[`MAX_POSITION`].
    RowPosition {
        /// The position of the row.
        value: i128,
    },
    /// The table takes more bytes than it may.
    TableTooLarge {
        /// Rows asked for.
        seq_len: usize,
        /// Columns asked for.
        d_model: usize,
        /// The name of the element type.
        dtype: &'static str,
        /// What the table would take.
        bytes: u128,
        /// What it may take: `isize::MAX` at run time, the `max_bytes` key in the macro.
        max_bytes: usize,
    },
    /// The allocator refused.
    OutOfMemory {
        /// What was asked of it.
        bytes: usize,
    },
    /// The row given to `encode` does not hold `d_model` entries.
    RowLength {
        /// Entries it holds.
        len: usize,
        /// Entries it should hold.
        d_model: usize,
    },
    /// The buffer given to `fill` does not hold whole rows.
    BufferLength {
        /// Entries it holds.
        len: usize,
        /// Entries of a row.
        d_model: usize,
    },
}

impl SpecError {
    /// The parameter to mend, by the name it has in the builder and the macro, if it is one parameter.
    ///
    /// ```
    /// let error = posenc::sinusoidal_table(128, 0).unwrap_err();
    /// assert_eq!(error.parameter(), Some("d_model"));
    /// ```
    #[must_use]
    pub const fn parameter(&self) -> Option<&'static str> {
        match self {
            Self::DModel { .. } => Some("d_model"),
            Self::Base { .. } => Some("base"),
            Self::RowPosition { .. } => Some("start"),
            Self::TableTooLarge { .. } => Some("seq_len"),
            Self::Position { .. } | Self::OutOfMemory { .. } | Self::RowLength { .. } | Self::BufferLength { .. } => {
                None
            }
        }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::DModel { value } => {
                write!(f, "`d_model` is {value}, but must be from 1 to {MAX_D_MODEL}; give the width of the embeddings")
            }
            Self::Base { value } => {
                write!(f, "`base` is {value:?}, but must be finite and greater than 0; the paper's is 10000")
            }
            Self::Position { value } => {
                write!(f, "position {value} is out of range; give one from -{MAX_POSITION} to {MAX_POSITION}")
            }
            Self::RowPosition { value } => {
                write!(
                    f,
                    "a row at position {value} is out of range; choose `start` and the number of rows so that all \
                     positions are from -{MAX_POSITION} to {MAX_POSITION}"
                )
            }
            Self::TableTooLarge { seq_len, d_model, dtype, bytes, max_bytes } => {
                write!(
                    f,
                    "a table of {seq_len} x {d_model} {dtype} entries takes {bytes} bytes, but may take at most \
                     {max_bytes}; lower `seq_len` or `d_model`"
                )?;
                // At run time the limit is the address space.
                if max_bytes < isize::MAX as usize { f.write_str(", or raise `max_bytes`") } else { Ok(()) }
            }
            Self::OutOfMemory { bytes } => {
                write!(f, "no memory for a table of {bytes} bytes; ask for fewer rows at a time")
            }
            Self::RowLength { len, d_model } => {
                write!(f, "the row holds {len} entries, but must hold {d_model}; give a slice of `d_model` entries")
            }
            Self::BufferLength { len, d_model } => {
                write!(f, "the buffer holds {len} entries, but must hold a multiple of {d_model}; give it whole rows")
            }
        }
    }
}

impl core::error::Error for SpecError {}
