//! What can be wrong with a request for a table, and the sentence that says so.

use core::fmt;

use crate::check::MAX_FREQ_SHIFT;
use crate::spec::{MAX_D_MODEL, MAX_POSITION};

/// Why a table cannot be made. Its [`Display`](fmt::Display) sentence names the value, the allowed range and the remedy;
/// the macro's compile errors are the same sentences.
///
/// ```
/// use posenc::Spec;
///
/// let error = Spec::new(64).base(-1.0).encode(0, &mut [0.0f32; 64]).unwrap_err();
/// assert_eq!(error.parameters(), ["base"]);
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
    /// The shift makes exponents above 2, or is too far from zero or too near to it.
    FreqShift {
        /// The shift given.
        value: f64,
        /// The largest that the number of columns allows.
        max: f64,
    },
    /// A frequency of the list is not finite.
    Frequency {
        /// Its place in the list, from 0.
        index: usize,
        /// The frequency given.
        value: f64,
    },
    /// The list of frequencies is too long or too short.
    FrequencyCount {
        /// Frequencies given.
        given: usize,
        /// Frequencies that the columns need.
        needed: usize,
    },
    /// The scale is not finite.
    Scale {
        /// The scale given.
        value: f64,
    },
    /// The amplitude is not finite, or beyond the range of the element type.
    Amplitude {
        /// The amplitude given.
        value: f64,
        /// The name of the element type.
        dtype: &'static str,
        /// The largest number of the element type.
        max: f64,
    },
    /// An odd width where [`Odd::Reject`](crate::Odd::Reject) asks for an even one.
    OddDModel {
        /// The width given.
        d_model: usize,
    },
    /// Two parameters that exclude each other.
    Conflict {
        /// Their names.
        parameters: [&'static str; 2],
        /// Their values, as the macro takes them, or an ellipsis.
        values: [&'static str; 2],
        /// Why they do.
        reason: &'static str,
    },
    /// The preset leaves the position of row 0 to be given.
    NoStart,
    /// The row to be zeros is not one of the table's.
    ZeroRow {
        /// The row given.
        value: usize,
        /// The number of rows.
        seq_len: usize,
    },
    /// The position given to `encode` is an integer beyond `±`[`MAX_POSITION`].
    Position {
        /// The position given.
        value: i128,
    },
    /// A position given to `encode` or `fill_positions` is not finite.
    PositionNotFinite {
        /// Its place among the positions given to `fill_positions`, from 0.
        index: Option<usize>,
        /// The position given.
        value: f64,
    },
    /// The position of a row, `start + i * step`, lies beyond `±`[`MAX_POSITION`].
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
    /// The buffer given to `fill_positions` does not hold a row for each position.
    PositionsLength {
        /// Entries it holds.
        len: usize,
        /// Positions given.
        positions: usize,
        /// Entries of a row.
        d_model: usize,
    },
}

impl SpecError {
    /// The parameters to mend, by the names they have in the builder and the macro: any one of them will do.
    ///
    /// ```
    /// let error = posenc::sinusoidal_table(128, 0).unwrap_err();
    /// assert_eq!(error.parameters(), ["d_model"]);
    /// ```
    #[must_use]
    pub const fn parameters(&self) -> &[&'static str] {
        match self {
            Self::DModel { .. } => &["d_model"],
            Self::Base { .. } => &["base"],
            Self::FreqShift { .. } => &["freq_shift"],
            Self::Frequency { .. } | Self::FrequencyCount { .. } => &["frequencies"],
            Self::Scale { .. } => &["scale"],
            Self::Amplitude { .. } => &["amplitude"],
            Self::OddDModel { .. } => &["d_model", "odd"],
            Self::Conflict { parameters, .. } => parameters,
            Self::NoStart => &["start"],
            Self::ZeroRow { .. } => &["zero_row"],
            Self::RowPosition { .. } => &["start", "step", "seq_len"],
            Self::TableTooLarge { .. } => &["seq_len", "d_model"],
            Self::Position { .. }
            | Self::PositionNotFinite { .. }
            | Self::OutOfMemory { .. }
            | Self::RowLength { .. }
            | Self::BufferLength { .. }
            | Self::PositionsLength { .. } => &[],
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
            Self::FreqShift { value, max } => {
                write!(
                    f,
                    "`freq_shift` is {value:?}, but with these columns must be from -{MAX_FREQ_SHIFT:?} to {max:?}, and 0 or at \
                     least 2^-42 in size; the paper's is 0, tensor2tensor's 1"
                )
            }
            Self::Frequency { index, value } => {
                write!(f, "`frequencies[{index}]` is {value:?}, but must be finite; give radians per position")
            }
            Self::FrequencyCount { given, needed } => {
                write!(
                    f,
                    "`frequencies` has length {given}, but these columns need {needed}; give one for each pair of columns, \
                     or for each column if those have no pairs"
                )
            }
            Self::Scale { value } => {
                write!(f, "`scale` is {value:?}, but must be finite; 1 leaves the angles as they are")
            }
            Self::Amplitude { value, dtype, max } => {
                write!(
                    f,
                    "`amplitude` is {value:?}, but for {dtype} entries must be from -{max:?} to {max:?}; 1 leaves them as they are"
                )
            }
            Self::OddDModel { d_model } => {
                write!(
                    f,
                    "`d_model` is {d_model}, but `odd = reject` (set, or by a preset) asks for an even width; give one, or \
                     `odd = last_sin` or `odd = zero`"
                )
            }
            Self::Conflict { parameters: [first, second], values: [this, that], reason } => {
                write!(
                    f,
                    "`{first} = {this}` and `{second} = {that}` exclude each other: {reason}; change one of the two, even if a preset set it"
                )
            }
            Self::NoStart => f.write_str(
                "`start` is missing, as the rows of this preset descend from a position of yours; give that of row 0, \
                     `start = n - 1` if the positions begin at n - 1",
            ),
            Self::ZeroRow { value, seq_len } => {
                write!(
                    f,
                    "`zero_row` is {value}, but the table has {seq_len} rows, counted from 0; give the index of one"
                )
            }
            Self::PositionNotFinite { index, value } => {
                match index {
                    Some(index) => write!(f, "`positions[{index}]` is {value:?}")?,
                    None => write!(f, "the position is {value:?}")?,
                }
                f.write_str(", but must be finite; give a number")
            }
            Self::Position { value } => {
                write!(f, "position {value} is out of range; give one from -{MAX_POSITION} to {MAX_POSITION}")
            }
            Self::RowPosition { value } => {
                write!(
                    f,
                    "a row at position {value} is out of range; choose `start`, `step` and the number of rows so that all \
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
                write!(f, "no memory for {bytes} bytes; ask for fewer rows")
            }
            Self::RowLength { len, d_model } => {
                write!(f, "the row holds {len} entries, but must hold {d_model}; give a slice of `d_model` entries")
            }
            Self::BufferLength { len, d_model } => {
                write!(f, "the buffer holds {len} entries, but must hold a multiple of {d_model}; give it whole rows")
            }
            Self::PositionsLength { len, positions, d_model } => {
                write!(
                    f,
                    "the buffer holds {len} entries, but must hold {positions} x {d_model}; give it a row for each position"
                )
            }
        }
    }
}

impl core::error::Error for SpecError {}
