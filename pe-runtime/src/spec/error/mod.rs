//! What can be wrong with a request for a table, and the sentence that says so.

mod message;

use core::fmt;

/// Why a table cannot be made.
///
/// Its [`Display`](fmt::Display) sentence names the value, the allowed range and the remedy; the macro's compile errors are the same
/// sentences. Variants and fields may be added in any version, so patterns end in `..`.
///
/// # Examples
///
/// ```
/// use posenc::Spec;
///
/// let error = Spec::new(64).base(-1.0).encode(0, &mut [0.0f32; 64]).unwrap_err();
/// assert_eq!(error.parameters(), ["base"]);
/// assert_eq!(error.to_string(), "`base` is -1.0, but must be finite and greater than 0; the paper uses 10000");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SpecError {
    /// The number of columns is 0 or above [`MAX_D_MODEL`](crate::MAX_D_MODEL).
    #[non_exhaustive]
    DModel {
        /// The number given.
        value: i128,
    },
    /// The base is not finite, or not greater than 0.
    #[non_exhaustive]
    Base {
        /// The base given.
        value: f64,
    },
    /// The shift makes exponents above 2, or is too far from zero or too near to it.
    #[non_exhaustive]
    FreqShift {
        /// The shift given.
        value: f64,
        /// The largest that the number of columns allows.
        max: f64,
    },
    /// A frequency of the list is not finite.
    #[non_exhaustive]
    Frequency {
        /// Its place in the list, from 0.
        index: usize,
        /// The frequency given.
        value: f64,
    },
    /// The list of frequencies is too long or too short.
    #[non_exhaustive]
    FrequencyCount {
        /// Frequencies given.
        given: usize,
        /// Frequencies that the columns need.
        needed: usize,
    },
    /// The scale is not finite.
    #[non_exhaustive]
    Scale {
        /// The scale given.
        value: f64,
    },
    /// The amplitude is not finite, or beyond the range of the element type.
    #[non_exhaustive]
    Amplitude {
        /// The amplitude given.
        value: f64,
        /// The name of the element type.
        dtype: &'static str,
        /// The largest number of the element type.
        max: f64,
    },
    /// An odd width where [`Odd::Reject`](crate::Odd::Reject) asks for an even one.
    #[non_exhaustive]
    OddDModel {
        /// The width given.
        d_model: usize,
    },
    /// Two parameters that exclude each other.
    #[non_exhaustive]
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
    #[non_exhaustive]
    ZeroRow {
        /// The row given.
        value: usize,
        /// The number of rows.
        seq_len: usize,
    },
    /// The position given to `encode` is an integer beyond `±`[`MAX_POSITION`](crate::MAX_POSITION).
    #[non_exhaustive]
    Position {
        /// The position given.
        value: i128,
    },
    /// A position given to `encode` or `fill_positions` is not finite.
    #[non_exhaustive]
    PositionNotFinite {
        /// Its place among the positions given to `fill_positions`, from 0.
        index: Option<usize>,
        /// The position given.
        value: f64,
    },
    /// The position of a row, `start + i * step`, lies beyond `±`[`MAX_POSITION`](crate::MAX_POSITION).
    #[non_exhaustive]
    RowPosition {
        /// The position of the row.
        value: i128,
    },
    /// Columns that are no pairs of a sine and the cosine of its frequency, where a translation or dot product is asked for.
    #[non_exhaustive]
    NoPartner {
        /// The name of the parameter that makes them so.
        parameter: &'static str,
        /// Its value, as the macro takes it.
        value: &'static str,
        /// What makes them pairs.
        remedy: &'static str,
    },
    /// The pairs of a translation are too many or too few.
    #[non_exhaustive]
    PairsLength {
        /// Pairs given.
        given: usize,
        /// Pairs that the columns are.
        needed: usize,
    },
    /// The matrix given to `translation_matrix` does not hold `d_model * d_model` entries.
    #[non_exhaustive]
    MatrixLength {
        /// Entries it holds.
        len: usize,
        /// Columns of the encoding.
        d_model: usize,
    },
    /// The column given to `explain` is none of the table's.
    #[non_exhaustive]
    Column {
        /// The column given.
        value: usize,
        /// The number of columns.
        d_model: usize,
    },
    /// The table takes more bytes than it may.
    #[non_exhaustive]
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
    #[non_exhaustive]
    OutOfMemory {
        /// What was asked of it.
        bytes: usize,
    },
    /// The row given to `encode` does not hold `d_model` entries.
    #[non_exhaustive]
    RowLength {
        /// Entries it holds.
        len: usize,
        /// Entries it should hold.
        d_model: usize,
    },
    /// The buffer given to `fill` does not hold whole rows.
    #[non_exhaustive]
    BufferLength {
        /// Entries it holds.
        len: usize,
        /// Entries of a row.
        d_model: usize,
    },
    /// The buffer given to `fill` does not hold as many rows as the range is.
    #[non_exhaustive]
    RowCount {
        /// Rows it holds.
        buffer: usize,
        /// The first of the rows.
        start: usize,
        /// The one after the last.
        end: usize,
    },
    /// The range of rows given to `fill` ends before it begins.
    #[non_exhaustive]
    RowsBackwards {
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
    },
    /// The buffer given to `fill_positions` does not hold a row for each position.
    #[non_exhaustive]
    PositionsLength {
        /// Entries it holds.
        len: usize,
        /// Positions given.
        positions: usize,
        /// Entries of a row.
        d_model: usize,
    },
    /// The array that `const_table` is to make has another width than the spec.
    #[non_exhaustive]
    ArrayColumns {
        /// Columns of the array.
        columns: usize,
        /// Those of the spec.
        d_model: usize,
    },
}

impl SpecError {
    /// Returns the names of the parameters to mend, as the builder and the macro have them: any one of them will do.
    ///
    /// The list is empty if the mistake is not in a parameter but in an argument, such as a buffer.
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
            | Self::RowCount { .. }
            | Self::RowsBackwards { .. }
            | Self::PositionsLength { .. } => &[],
        }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().as_str())
    }
}

impl core::error::Error for SpecError {}
