//! What can be wrong with a request for a table, and the sentence that says so.

use core::fmt;

use crate::limits::{MAX_D_MODEL, MAX_FREQ_SHIFT, MAX_POSITION};
use crate::text::message::{Part, Sentence};

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
    /// Columns that are no pairs of a sine and the cosine of its frequency, where a translation or dot product is asked for.
    NoPartner {
        /// The name of the parameter that makes them so.
        parameter: &'static str,
        /// Its value, as the macro takes it.
        value: &'static str,
        /// What makes them pairs.
        remedy: &'static str,
    },
    /// The pairs of a translation are too many or too few.
    PairsLength {
        /// Pairs given.
        given: usize,
        /// Pairs that the columns are.
        needed: usize,
    },
    /// The matrix given to `translation_matrix` does not hold `d_model * d_model` entries.
    MatrixLength {
        /// Entries it holds.
        len: usize,
        /// Columns of the encoding.
        d_model: usize,
    },
    /// The column given to `explain` is none of the table's.
    Column {
        /// The column given.
        value: usize,
        /// The number of columns.
        d_model: usize,
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
    /// The array that `const_table` is to make has another width than the spec.
    ArrayColumns {
        /// Columns of the array.
        columns: usize,
        /// Those of the spec.
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
            Self::DModel { .. } | Self::ArrayColumns { .. } => &["d_model"],
            Self::Base { .. } => &["base"],
            Self::FreqShift { .. } => &["freq_shift"],
            Self::Frequency { .. } | Self::FrequencyCount { .. } => &["frequencies"],
            Self::Scale { .. } => &["scale"],
            Self::Amplitude { .. } => &["amplitude"],
            Self::OddDModel { .. } => &["d_model", "odd"],
            Self::Conflict { parameters, .. } => parameters,
            Self::NoPartner { parameter, .. } => core::slice::from_ref(parameter),
            Self::NoStart => &["start"],
            Self::ZeroRow { .. } => &["zero_row"],
            Self::RowPosition { .. } => &["start", "step", "seq_len"],
            Self::TableTooLarge { .. } => &["seq_len", "d_model"],
            Self::Position { .. }
            | Self::PositionNotFinite { .. }
            | Self::Column { .. }
            | Self::OutOfMemory { .. }
            | Self::RowLength { .. }
            | Self::PairsLength { .. }
            | Self::MatrixLength { .. }
            | Self::BufferLength { .. }
            | Self::PositionsLength { .. } => &[],
        }
    }
}

impl SpecError {
    /// The sentence that [`Display`](fmt::Display) shows, for the compiler too.
    #[expect(clippy::too_many_lines, reason = "a list of sentences")]
    pub(crate) const fn sentence(&self) -> Sentence {
        use Part::{Float, Integer, Size, Text, Unsigned};
        match *self {
            Self::DModel { value } => Sentence::new(
                "`d_model` is {}, but must be from 1 to {}; give the width of the embeddings",
                &[Integer(value), Size(MAX_D_MODEL)],
            ),
            Self::Base { value } => Sentence::new(
                "`base` is {}, but must be finite and greater than 0; the paper's is 10000",
                &[Float(value)],
            ),
            Self::FreqShift { value, max } => Sentence::new(
                "`freq_shift` is {}, but with these columns must be from -{} to {}, and 0 or at least 2^-42 in size; the paper's is \
                 0, tensor2tensor's 1",
                &[Float(value), Float(MAX_FREQ_SHIFT), Float(max)],
            ),
            Self::Frequency { index, value } => Sentence::new(
                "`frequencies[{}]` is {}, but must be finite; give radians per position",
                &[Size(index), Float(value)],
            ),
            Self::FrequencyCount { given, needed } => Sentence::new(
                "`frequencies` has length {}, but these columns need {}; give one for each pair of columns, or for each column if \
                 those have no pairs",
                &[Size(given), Size(needed)],
            ),
            Self::Scale { value } => {
                Sentence::new("`scale` is {}, but must be finite; 1 leaves the angles as they are", &[Float(value)])
            }
            Self::Amplitude { value, dtype, max } => Sentence::new(
                "`amplitude` is {}, but for {} entries must be from -{} to {}; 1 leaves them as they are",
                &[Float(value), Text(dtype), Float(max), Float(max)],
            ),
            Self::OddDModel { d_model } => Sentence::new(
                "`d_model` is {}, but `odd = reject` (set, or by a preset) asks for an even width; give one, or `odd = last_sin` or \
                 `odd = zero`",
                &[Size(d_model)],
            ),
            Self::Conflict { parameters: [first, second], values: [this, that], reason } => Sentence::new(
                "`{} = {}` and `{} = {}` exclude each other: {}; change one of the two, even if a preset set it",
                &[Text(first), Text(this), Text(second), Text(that), Text(reason)],
            ),
            Self::NoStart => Sentence::new(
                "`start` is missing, as the rows of this preset descend from a position of yours; give that of row 0, \
                 `start = n - 1` if the positions begin at n - 1",
                &[],
            ),
            Self::ZeroRow { value, seq_len } => Sentence::new(
                "`zero_row` is {}, but the table has {} rows, counted from 0; give the index of one",
                &[Size(value), Size(seq_len)],
            ),
            Self::PositionNotFinite { index: Some(index), value } => {
                Sentence::new("`positions[{}]` is {}, but must be finite; give a number", &[Size(index), Float(value)])
            }
            Self::PositionNotFinite { index: None, value } => {
                Sentence::new("the position is {}, but must be finite; give a number", &[Float(value)])
            }
            Self::Position { value } => Sentence::new(
                "position {} is out of range; give one from -{} to {}",
                &[Integer(value), Integer(MAX_POSITION as i128), Integer(MAX_POSITION as i128)],
            ),
            Self::RowPosition { value } => Sentence::new(
                "a row at position {} is out of range; choose `start`, `step` and the number of rows so that all positions are from \
                 -{} to {}",
                &[Integer(value), Integer(MAX_POSITION as i128), Integer(MAX_POSITION as i128)],
            ),
            Self::TableTooLarge { seq_len, d_model, dtype, bytes, max_bytes } => Sentence::new(
                "a table of {} x {} {} entries takes {} bytes, but may take at most {}; lower `seq_len` or `d_model`{}",
                &[
                    Size(seq_len),
                    Size(d_model),
                    Text(dtype),
                    Unsigned(bytes),
                    Size(max_bytes),
                    // At run time the limit is the address space.
                    Text(if max_bytes < isize::MAX as usize { ", or raise `max_bytes`" } else { "" }),
                ],
            ),
            Self::OutOfMemory { bytes } => Sentence::new("no memory for {} bytes; ask for fewer rows", &[Size(bytes)]),
            Self::RowLength { len, d_model } => Sentence::new(
                "the row holds {} entries, but must hold {}; give a slice of `d_model` entries",
                &[Size(len), Size(d_model)],
            ),
            Self::BufferLength { len, d_model } => Sentence::new(
                "the buffer holds {} entries, but must hold a multiple of {}; give it whole rows",
                &[Size(len), Size(d_model)],
            ),
            Self::PositionsLength { len, positions, d_model } => Sentence::new(
                "the buffer holds {} entries, but must hold {} x {}; give it a row for each position",
                &[Size(len), Size(positions), Size(d_model)],
            ),
            Self::NoPartner { parameter, value, remedy } => Sentence::new(
                "`{}` is {}, but translations and dot products need each sine beside the cosine of its frequency; give {}",
                &[Text(parameter), Text(value), Text(remedy)],
            ),
            Self::PairsLength { given, needed } => Sentence::new(
                "the pairs number {}, but these columns are {}; give one for each pair of columns",
                &[Size(given), Size(needed)],
            ),
            Self::MatrixLength { len, d_model } => Sentence::new(
                "the matrix holds {} entries, but must hold {} x {}; give a slice of `d_model` squared",
                &[Size(len), Size(d_model), Size(d_model)],
            ),
            Self::Column { value, d_model } => Sentence::new(
                "`column` is {}, but must be from 0 to {}; give one of those",
                &[Size(value), Size(d_model.saturating_sub(1))],
            ),
            Self::ArrayColumns { columns, d_model } => Sentence::new(
                "the array has {} columns, but `d_model` is {}; make them equal",
                &[Size(columns), Size(d_model)],
            ),
        }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence().as_str())
    }
}

impl core::error::Error for SpecError {}
