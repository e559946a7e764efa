//! The sentence of an error: it names the value, the allowed range and the remedy.

use crate::limits::{MAX_D_MODEL, MAX_FREQ_SHIFT, MAX_POSITION};
use crate::spec::error::SpecError;
use crate::text::message::{Message, Part};

impl SpecError {
    /// Returns the sentence that [`Display`](fmt::Display) shows, as a `const fn` for compile errors.
    #[expect(clippy::too_many_lines, reason = "a list of sentences")]
    pub(crate) const fn message(&self) -> Message {
        use Part::{Float, Integer, Size, Text, Unsigned};
        match *self {
            Self::DModel { value } => Message::new(
                "`d_model` is {}, but must be from 1 to {}; give the width of the embeddings",
                &[Integer(value), Size(MAX_D_MODEL)],
            ),
            Self::Base { value } => Message::new(
                "`base` is {}, but must be finite and greater than 0; the paper's is 10000",
                &[Float(value)],
            ),
            Self::FreqShift { value, max } => Message::new(
                "`freq_shift` is {}, but with these columns must be from -{} to {}, and 0 or at least 2^-42 in size; the paper's is \
                 0, tensor2tensor's 1",
                &[Float(value), Float(MAX_FREQ_SHIFT), Float(max)],
            ),
            Self::Frequency { index, value } => Message::new(
                "`frequencies[{}]` is {}, but must be finite; give radians per position",
                &[Size(index), Float(value)],
            ),
            Self::FrequencyCount { given, needed } => Message::new(
                "`frequencies` has length {}, but these columns need {}; give one for each pair of columns, or for each column if \
                 those have no pairs",
                &[Size(given), Size(needed)],
            ),
            Self::Scale { value } => {
                Message::new("`scale` is {}, but must be finite; 1 leaves the angles as they are", &[Float(value)])
            }
            Self::Amplitude { value, dtype, max } => Message::new(
                "`amplitude` is {}, but for {} entries must be from -{} to {}; 1 leaves them as they are",
                &[Float(value), Text(dtype), Float(max), Float(max)],
            ),
            Self::OddDModel { d_model } => Message::new(
                "`d_model` is {}, but `odd = reject` (set, or by a preset) asks for an even width; give one, or `odd = last_sin` or \
                 `odd = zero`",
                &[Size(d_model)],
            ),
            Self::Conflict { parameters: [first, second], values: [this, that], reason } => Message::new(
                "`{} = {}` and `{} = {}` exclude each other: {}; change one of the two, even if a preset set it",
                &[Text(first), Text(this), Text(second), Text(that), Text(reason)],
            ),
            Self::NoStart => Message::new(
                "`start` is missing, as the rows of this preset descend from a position of yours; give that of row 0, \
                 `start = n - 1` if the positions begin at n - 1",
                &[],
            ),
            Self::ZeroRow { value, seq_len } => Message::new(
                "`zero_row` is {}, but the table has {} rows, counted from 0; give the index of one",
                &[Size(value), Size(seq_len)],
            ),
            Self::PositionNotFinite { index: Some(index), value } => {
                Message::new("`positions[{}]` is {}, but must be finite; give a number", &[Size(index), Float(value)])
            }
            Self::PositionNotFinite { index: None, value } => {
                Message::new("the position is {}, but must be finite; give a number", &[Float(value)])
            }
            Self::Position { value } => Message::new(
                "position {} is out of range; give one from -{} to {}",
                &[Integer(value), Integer(MAX_POSITION as i128), Integer(MAX_POSITION as i128)],
            ),
            Self::RowPosition { value } => Message::new(
                "a row at position {} is out of range; choose `start`, `step` and the number of rows so that all positions are from \
                 -{} to {}",
                &[Integer(value), Integer(MAX_POSITION as i128), Integer(MAX_POSITION as i128)],
            ),
            Self::TableTooLarge { seq_len, d_model, dtype, bytes, max_bytes } => Message::new(
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
            Self::OutOfMemory { bytes } => Message::new("no memory for {} bytes; ask for fewer rows", &[Size(bytes)]),
            Self::RowLength { len, d_model } => Message::new(
                "the row holds {} entries, but must hold {}; give a slice of `d_model` entries",
                &[Size(len), Size(d_model)],
            ),
            Self::BufferLength { len, d_model } => Message::new(
                "the buffer holds {} entries, but must hold a multiple of {}; give it whole rows",
                &[Size(len), Size(d_model)],
            ),
            Self::RowCount { buffer, start, end } => {
                let rows = end.saturating_sub(start);
                Message::new(
                    "the buffer holds {} rows, but rows {}..{} are {}; give a buffer for exactly these",
                    &[Size(buffer), Size(start), Size(end), Size(rows)],
                )
            }
            Self::RowsBackwards { start, end } => Message::new(
                "rows {}..{} run backwards; give the first row and the one after the last",
                &[Size(start), Size(end)],
            ),
            Self::PositionsLength { len, positions, d_model } => Message::new(
                "the buffer holds {} entries, but must hold {} x {}; give it a row for each position",
                &[Size(len), Size(positions), Size(d_model)],
            ),
            Self::NoPartner { parameter, value, remedy } => Message::new(
                "`{}` is {}, but translations and dot products need each sine beside the cosine of its frequency; give {}",
                &[Text(parameter), Text(value), Text(remedy)],
            ),
            Self::PairsLength { given, needed } => Message::new(
                "the pairs number {}, but these columns are {}; give one for each pair of columns",
                &[Size(given), Size(needed)],
            ),
            Self::MatrixLength { len, d_model } => Message::new(
                "the matrix holds {} entries, but must hold {} x {}; give a slice of `d_model` squared",
                &[Size(len), Size(d_model), Size(d_model)],
            ),
            Self::Column { value, d_model } => Message::new(
                "`column` is {}, but must be from 0 to {}; give one of those",
                &[Size(value), Size(d_model.saturating_sub(1))],
            ),
            Self::ArrayColumns { columns, d_model } => Message::new(
                "the array has {} columns, but `d_model` is {}; make them equal",
                &[Size(columns), Size(d_model)],
            ),
        }
    }
}
