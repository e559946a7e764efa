//! The sentence of an error, which names the value and the allowed range, and a remedy if it adds something; and the
//! parameters that it is about.

use crate::limits::{INTEGERS, MAX_D_MODEL, MAX_FREQ_OFFSET_DENOMINATOR, MAX_FREQ_SHIFT, MAX_POSITION, MAX_SECONDS};
use crate::spec::error::SpecError;
use crate::spec::error::embeddings::EmbeddingError;
use crate::text::message::{Message, Part, error_with_message};

error_with_message!(SpecError, Embeddings(EmbeddingError));

impl SpecError {
    /// Returns the sentence that [`Display`](core::fmt::Display) shows, as a `const fn` for compile errors.
    #[expect(clippy::too_many_lines, reason = "a list of sentences")]
    pub(crate) const fn message(&self) -> Message {
        use Part::{Float, Integer, Size, Text, Unsigned};
        match *self {
            Self::DModel { value } => Message::new(
                "`d_model` is {}, but must be from 1 to {}; set it to the width of the embeddings",
                &[Integer(value), Size(MAX_D_MODEL)],
            ),
            Self::Base { value } => Message::new(
                "`base` is {}, but must be finite and greater than 0; the paper uses 10000",
                &[Float(value)],
            ),
            Self::FreqShift { value, max } => Message::new(
                "`freq_shift` is {}, but must be from -{} to {} for these columns, and either 0 or at least 2^-42 in magnitude; \
                 the paper uses 0, tensor2tensor uses 1",
                &[Float(value), Float(MAX_FREQ_SHIFT), Float(max)],
            ),
            Self::Frequency { index, value } => Message::new(
                "`frequencies[{}]` is {}, but must be finite; frequencies are in radians per position",
                &[Size(index), Float(value)],
            ),
            Self::FrequencyCount { given, needed } => Message::new(
                "the length of `frequencies` is {}, but must be {}: one frequency per pair of columns, or per column if the \
                 columns are not paired",
                &[Size(given), Size(needed)],
            ),
            Self::ScalingFeature { parameter, value } => Message::new(
                "`{} = {}` needs the feature `scaling` of posenc; enable it",
                &[Text(parameter), Text(value)],
            ),
            Self::Scaling { rule, parameter, index: None, value, expected } => Message::new(
                "`{}` for `scaling = {}` is {}, but must be {}",
                &[Text(parameter), Text(rule), Float(value), Text(expected)],
            ),
            Self::Scaling { rule, parameter, index: Some(index), value, expected } => Message::new(
                "`{}[{}]` for `scaling = {}` is {}, but must be {}",
                &[Text(parameter), Size(index), Text(rule), Float(value), Text(expected)],
            ),
            Self::ScalingLength { rule, parameter, value, least } => Message::new(
                "`{}` for `scaling = {}` is {}, but must be from {} to {}",
                &[Text(parameter), Text(rule), Integer(value), Size(least), Text(LONGEST)],
            ),
            Self::NotAMultiple { d_model, of, parameters: [_, parameter], value } => Message::new(
                "`d_model` is {}, but must be a multiple of {} for `{} = {}`",
                &[Size(d_model), Size(of), Text(parameter), Text(value)],
            ),
            Self::FactorCount { given, needed } => Message::new(
                "the length of `factors` is {}, but must be {}: one divisor per pair of columns",
                &[Size(given), Size(needed)],
            ),
            Self::Unit { numerator, denominator } => Message::new(
                "`unit` is {}/{}, but both numbers must be integers from 1 to {}; 1 leaves the positions unchanged",
                &[Integer(numerator as i128), Integer(denominator as i128), Integer(MAX_POSITION as i128)],
            ),
            Self::FrequencyDtype { index, frequency_dtype, max } => Message::new(
                "`frequency_dtype` is `{}`, but frequency {} is above the largest one that it has, {}; use another type or \
                 smaller frequencies",
                &[Text(frequency_dtype), Size(index), Float(max)],
            ),
            Self::FreqOffset { numerator, denominator } => Message::new(
                "`freq_offset` is {}/{}, but must be from 0 to below 1, with a denominator from 1 to {}; 0 leaves the \
                 frequencies unchanged",
                &[
                    Integer(numerator as i128),
                    Integer(denominator as i128),
                    Integer(MAX_FREQ_OFFSET_DENOMINATOR as i128),
                ],
            ),
            Self::Scale { value } => {
                Message::new("`scale` is {}, but must be finite; 1 leaves the angles unchanged", &[Float(value)])
            }
            Self::Amplitude { value, dtype, max } => Message::new(
                "`amplitude` is {}, but must be from -{} to {} for {} entries; 1 leaves the entries unchanged",
                &[Float(value), Float(max), Float(max), Text(dtype)],
            ),
            Self::Dtype { dtype, reason } => Message::new("`dtype = {}` {}", &[Text(dtype), Text(reason)]),
            Self::QuantiserScale { value, quotient: None } => Message::new(
                "the scale of the quantiser is {}, but must be finite and greater than 0; 1/127 fits -1 to 1 into `i8`",
                &[Float(value)],
            ),
            Self::QuantiserScale { quotient: Some((numerator, denominator)), .. } => Message::new(
                "the scale of the quantiser is {}/{}, but both numbers must be integers from 1 to {}; 1/127 fits -1 to 1 into \
                 `i8`",
                &[Integer(numerator as i128), Integer(denominator as i128), Integer(MAX_POSITION as i128)],
            ),
            Self::ZeroPoint { value, dtype, range: [0, 0] } => Message::new(
                "the zero point is {}, but must be 0 for {} entries, which are symmetric; leave it out",
                &[Integer(value as i128), Text(dtype)],
            ),
            Self::ZeroPoint { value, dtype, range: [least, greatest] } => Message::new(
                "the zero point is {}, but must be from {} to {} for {} entries",
                &[Integer(value as i128), Integer(least as i128), Integer(greatest as i128), Text(dtype)],
            ),
            Self::NoSteps { dtype, zero_point } => Message::new(
                "all {} entries would be {} (the zero point), because the amplitude is at most half of the scale, which is the \
                 step from one integer to the next; use a smaller scale: 1/127 fits -1 to 1 into `i8`",
                &[Text(dtype), Integer(zero_point as i128)],
            ),
            Self::Clipped { steps, dtype, zero_point, range: [least, greatest] } => Message::new(
                "the entries would be {} {} steps from {} (the zero point), but {} has {} to {}, and only one step more is \
                 clamped; reduce the amplitude or use a larger scale",
                &[
                    Text(if steps < INTEGERS { "up to" } else { "more than" }),
                    Integer(if steps < INTEGERS { steps as i128 } else { INTEGERS as i128 - 1 }),
                    Integer(zero_point as i128),
                    Text(dtype),
                    Integer(least as i128),
                    Integer(greatest as i128),
                ],
            ),
            Self::OddDModel { d_model } => Message::new(
                "`d_model` is {}, but `odd = reject` (which a preset may have set) requires an even width; use an even `d_model`, \
                 `odd = last_sin` or `odd = zero`",
                &[Size(d_model)],
            ),
            Self::Conflict { parameters: [first, second], values: [this, that], reason } => Message::new(
                "`{} = {}` conflicts with `{} = {}`: {}; change one of them, even if it is a default or set by a preset",
                &[Text(first), Text(this), Text(second), Text(that), Text(reason)],
            ),
            Self::NoStart => Message::new(
                "`start` is missing: the positions of this preset count down from it; set it to the position of row 0, such as \
                 n - 1 for a sequence of length n",
                &[],
            ),
            Self::ZeroRow { value, seq_len } => Message::new(
                "`zero_row` is {}, but must be less than the number of rows ({})",
                &[Size(value), Size(seq_len)],
            ),
            Self::PositionNotFinite { index: Some(index), value } => {
                Message::new("`positions[{}]` is {}, but must be finite", &[Size(index), Float(value)])
            }
            Self::PositionNotFinite { index: None, value } => {
                Message::new("the position is {}, but must be finite", &[Float(value)])
            }
            Self::Position { value } => Message::new(
                "the position is {}, but must be from -{} to {}",
                &[Integer(value), Integer(MAX_POSITION as i128), Integer(MAX_POSITION as i128)],
            ),
            Self::RowPosition { value } => Message::new(
                "the position of a row is {}, but must be from -{} to {}; change `start`, `step` or the number of rows",
                &[Integer(value), Integer(MAX_POSITION as i128), Integer(MAX_POSITION as i128)],
            ),
            Self::TableTooLarge { seq_len, d_model, dtype, bytes, max_bytes } => {
                too_large("table", [seq_len, d_model], dtype, bytes, max_bytes, "`seq_len` or `d_model`")
            }
            Self::SlowToEvaluate { seq_len, d_model, seconds, named } => Message::new(
                "a table of {} x {} takes about {} s to compute{}, but the limit is {} s; use {}a build script, or set \
                 `max_bytes` to compute it all the same",
                &[
                    Size(seq_len),
                    Size(d_model),
                    Unsigned(seconds as u128),
                    Text(if named { " because the call contains names, which the compiler evaluates" } else { "" }),
                    Unsigned(MAX_SECONDS as u128),
                    Text(if named { "literals instead of names or " } else { "" }),
                ],
            ),
            Self::OutOfMemory { bytes } => Message::new("failed to allocate {} bytes; use fewer rows", &[Size(bytes)]),
            Self::RowLength { len, d_model } => {
                Message::new("the length of the row is {}, but must be {} (`d_model`)", &[Size(len), Size(d_model)])
            }
            Self::BufferLength { len, d_model } => Message::new(
                "the length of the buffer is {}, but must be a multiple of {} (`d_model`)",
                &[Size(len), Size(d_model)],
            ),
            Self::RowCount { buffer, start, end } => {
                let rows = end.saturating_sub(start);
                Message::new(
                    "the number of rows in the buffer is {}, but must be {} for rows {}..{}",
                    &[Size(buffer), Size(rows), Size(start), Size(end)],
                )
            }
            Self::RowsBackwards { start, end } => EmbeddingError::Backwards { start, end }.message(),
            Self::Embeddings(error) => error.message(),
            Self::PositionsLength { len, positions, d_model } => Message::new(
                "the length of the buffer is {}, but must be {} x {}: `d_model` entries per position",
                &[Size(len), Size(positions), Size(d_model)],
            ),
            Self::NoPartner { parameter, value, remedy } => Message::new(
                "`{} = {}` does not pair each sine with one cosine, but translations and dot products need that; use {}",
                &[Text(parameter), Text(value), Text(remedy)],
            ),
            Self::PairsLength { given, needed } => Message::new(
                "the number of pairs is {}, but must be {}: one per pair of columns",
                &[Size(given), Size(needed)],
            ),
            Self::Column { value, d_model } => Message::new(
                "`column` is {}, but must be from 0 to {}",
                &[Size(value), Size(d_model.saturating_sub(1))],
            ),
            Self::ArrayColumns { columns, d_model } => Message::new(
                "the number of columns of the array is {}, but must be {} (`d_model`)",
                &[Size(columns), Size(d_model)],
            ),
        }
    }

    /// Returns the names of the parameters to correct, as in the builder and the macro.
    ///
    /// Changing any one of them is enough. The list is empty if the error is not in a parameter but in an argument,
    /// such as a buffer.
    ///
    /// # Examples
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
            Self::Scaling { .. } | Self::ScalingLength { .. } | Self::FactorCount { .. } => &["scaling"],
            Self::Scale { .. } => &["scale"],
            Self::Unit { .. } => &["unit"],
            Self::FreqOffset { .. } => &["freq_offset"],
            Self::FrequencyDtype { .. } => &["frequency_dtype"],
            Self::Amplitude { .. } => &["amplitude"],
            Self::Dtype { .. } | Self::QuantiserScale { .. } => &["dtype", "quantiser"],
            Self::ZeroPoint { .. } => &["zero_point", "dtype", "quantiser"],
            Self::NoSteps { .. } => &["dtype", "quantiser", "amplitude"],
            Self::Clipped { .. } => &["amplitude", "dtype", "quantiser"],
            Self::OddDModel { .. } => &["d_model", "odd"],
            Self::NotAMultiple { parameters, .. } | Self::Conflict { parameters, .. } => parameters,
            Self::NoPartner { parameter, .. } | Self::ScalingFeature { parameter, .. } => {
                core::slice::from_ref(parameter)
            }
            Self::NoStart => &["start"],
            Self::ZeroRow { .. } => &["zero_row"],
            Self::RowPosition { .. } => &["start", "step", "seq_len"],
            Self::TableTooLarge { .. } | Self::SlowToEvaluate { .. } => &["seq_len", "d_model"],
            Self::Position { .. }
            | Self::PositionNotFinite { .. }
            | Self::Column { .. }
            | Self::OutOfMemory { .. }
            | Self::RowLength { .. }
            | Self::PairsLength { .. }
            | Self::BufferLength { .. }
            | Self::RowCount { .. }
            | Self::RowsBackwards { .. }
            | Self::Embeddings(_)
            | Self::PositionsLength { .. } => &[],
        }
    }
}

/// Returns the sentence that a table takes more bytes than the limit, with the parameters to reduce.
pub(crate) const fn too_large(
    table: &str,
    [rows, columns]: [usize; 2],
    dtype: &str,
    bytes: u128,
    max_bytes: usize,
    parameters: &str,
) -> Message {
    use Part::{Size, Text, Unsigned};
    // At run time the limit is the address space.
    let or = if max_bytes < isize::MAX as usize { ", or raise `max_bytes`" } else { "" };
    Message::new(
        "a {} of {} x {} {} entries takes {} bytes, but the limit is {}; reduce {}{}",
        &[
            Text(table),
            Size(rows),
            Size(columns),
            Text(dtype),
            Unsigned(bytes),
            Size(max_bytes),
            Text(parameters),
            Text(or),
        ],
    )
}

/// The longest sequence of a scaling rule, which is a `usize`.
const LONGEST: &str = if usize::BITS < 64 { "2^32 - 1" } else { "2^40" };
