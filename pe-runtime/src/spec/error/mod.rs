//! The errors of a request for a table, and their sentences.

pub(crate) mod embeddings;
pub(crate) mod message;

use embeddings::EmbeddingError;

/// An error from making a table.
///
/// The [`Display`](core::fmt::Display) sentence names the value, the allowed range and, if it helps, a remedy. The
/// macro's compile errors are the same sentences. Any version may add variants and fields, so patterns must end in
/// `..`.
///
/// # Examples
///
/// ```
/// use posenc::Spec;
///
/// let error = Spec::new(64).base(-1.0).encode(0, &mut [0.0f32; 64]).unwrap_err();
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
    /// The base is not finite or not greater than 0.
    #[non_exhaustive]
    Base {
        /// The base given.
        value: f64,
    },
    /// The shift gives exponents above 2, or its magnitude is out of range.
    #[non_exhaustive]
    FreqShift {
        /// The shift given.
        value: f64,
        /// The largest shift that the number of columns allows.
        max: f64,
    },
    /// A frequency of the list is not finite.
    #[non_exhaustive]
    Frequency {
        /// Its index in the list.
        index: usize,
        /// The frequency given.
        value: f64,
    },
    /// The list of frequencies is too long or too short.
    #[non_exhaustive]
    FrequencyCount {
        /// The length of the list.
        given: usize,
        /// The number of frequencies that the columns need.
        needed: usize,
    },
    /// There is a scaling rule, an offset or a type of the frequencies, but the feature `scaling` is not enabled.
    #[non_exhaustive]
    ScalingFeature {
        /// The parameter.
        parameter: &'static str,
        /// The name of the rule, or `...` for the other parameters.
        value: &'static str,
    },
    /// A number of the scaling rule is out of range.
    #[non_exhaustive]
    Scaling {
        /// The name of the rule.
        rule: &'static str,
        /// The parameter of the rule, or `base`.
        parameter: &'static str,
        /// The index of the number, if the parameter is a list.
        index: Option<usize>,
        /// The number given.
        value: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// A length of the scaling rule is out of range.
    #[non_exhaustive]
    ScalingLength {
        /// The name of the rule.
        rule: &'static str,
        /// The parameter of the rule.
        parameter: &'static str,
        /// The length given.
        value: i128,
        /// The least length.
        least: usize,
    },
    /// The number of columns is not a multiple of what another parameter needs.
    #[non_exhaustive]
    NotAMultiple {
        /// The number of columns.
        d_model: usize,
        /// What it must be a multiple of.
        of: usize,
        /// `d_model`, and the other parameter.
        parameters: [&'static str; 2],
        /// The value of the other parameter.
        value: &'static str,
    },
    /// The list of divisors is too long or too short.
    #[non_exhaustive]
    FactorCount {
        /// The length of the list.
        given: usize,
        /// The number of pairs of columns.
        needed: usize,
    },
    /// A number of the unit is out of range.
    #[non_exhaustive]
    Unit {
        /// The numerator given.
        numerator: i64,
        /// The denominator given.
        denominator: i64,
    },
    /// The offset of the frequencies is out of range.
    #[non_exhaustive]
    FreqOffset {
        /// The numerator given.
        numerator: i64,
        /// The denominator given.
        denominator: i64,
    },
    /// A frequency is too large for the type that frequencies are rounded to.
    #[non_exhaustive]
    FrequencyDtype {
        /// The index of the frequency.
        index: usize,
        /// The type, as the macro accepts it.
        frequency_dtype: &'static str,
        /// The largest frequency that it allows.
        max: f64,
    },
    /// The scale is not finite.
    #[non_exhaustive]
    Scale {
        /// The scale given.
        value: f64,
    },
    /// The amplitude is not finite, or is outside the range of the element type.
    #[non_exhaustive]
    Amplitude {
        /// The amplitude given.
        value: f64,
        /// The name of the element type.
        dtype: &'static str,
        /// The largest number of the element type.
        max: f64,
    },
    /// The element type does not fit the request, such as integers without a quantiser.
    #[non_exhaustive]
    Dtype {
        /// The name of the type.
        dtype: &'static str,
        /// What it needs, or does not allow.
        reason: &'static str,
    },
    /// The scale of the quantiser is not finite or not greater than 0, or not a quotient of numbers in range.
    #[non_exhaustive]
    QuantiserScale {
        /// The scale given, or the numerator of a quotient as an `f64`.
        value: f64,
        /// The numerator and the denominator, if a quotient is given.
        quotient: Option<(i64, i64)>,
    },
    /// The zero point is not an integer of the type, or the type has none.
    #[non_exhaustive]
    ZeroPoint {
        /// The zero point given.
        value: i32,
        /// The name of the type.
        dtype: &'static str,
        /// The least and the greatest that are allowed.
        range: [i64; 2],
    },
    /// The amplitude is at most half of a step of the type, so all entries would be the zero point.
    #[non_exhaustive]
    NoSteps {
        /// The name of the type.
        dtype: &'static str,
        /// The zero point.
        zero_point: i64,
    },
    /// The amplitude exceeds the integers of the type by more than one step.
    #[non_exhaustive]
    Clipped {
        /// The amplitude in steps, or `2^36` if it is more.
        steps: i64,
        /// The name of the type.
        dtype: &'static str,
        /// The zero point.
        zero_point: i64,
        /// The least and the greatest integer of the type.
        range: [i64; 2],
    },
    /// The width is odd, but [`Odd::Reject`](crate::Odd::Reject) requires an even one.
    #[non_exhaustive]
    OddDModel {
        /// The width given.
        d_model: usize,
    },
    /// Two parameters exclude each other.
    #[non_exhaustive]
    Conflict {
        /// Their names.
        parameters: [&'static str; 2],
        /// Their values, as the macro accepts them, or an ellipsis.
        values: [&'static str; 2],
        /// Why they exclude each other.
        reason: &'static str,
    },
    /// The preset requires a `start`, the position of row 0.
    NoStart,
    /// The row to set to zeros is not in the table.
    #[non_exhaustive]
    ZeroRow {
        /// The row given.
        value: usize,
        /// The number of rows.
        seq_len: usize,
    },
    /// An integer position, such as the one given to `encode`, is outside `±`[`MAX_POSITION`](crate::MAX_POSITION).
    #[non_exhaustive]
    Position {
        /// The position given.
        value: i128,
    },
    /// A position or a distance is not finite.
    #[non_exhaustive]
    PositionNotFinite {
        /// Its index among the positions given to `fill_positions`.
        index: Option<usize>,
        /// The position given.
        value: f64,
    },
    /// The position of a row, `start + i * step`, is outside `±`[`MAX_POSITION`](crate::MAX_POSITION).
    #[non_exhaustive]
    RowPosition {
        /// The position of the row.
        value: i128,
    },
    /// The columns are not sine/cosine pairs of one frequency, which a translation or dot product needs.
    #[non_exhaustive]
    NoPartner {
        /// The name of the parameter that prevents pairs.
        parameter: &'static str,
        /// Its value, as the macro accepts it.
        value: &'static str,
        /// What makes the columns pairs.
        remedy: &'static str,
    },
    /// A translation has too many or too few pairs.
    #[non_exhaustive]
    PairsLength {
        /// The number of pairs given.
        given: usize,
        /// The number of pairs that the columns need.
        needed: usize,
    },
    /// The column given to `explain` is not in the table.
    #[non_exhaustive]
    Column {
        /// The column given.
        value: usize,
        /// The number of columns.
        d_model: usize,
    },
    /// The table takes more bytes than the limit.
    #[non_exhaustive]
    TableTooLarge {
        /// The number of rows requested.
        seq_len: usize,
        /// The number of columns requested.
        d_model: usize,
        /// The name of the element type.
        dtype: &'static str,
        /// The size of the table.
        bytes: u128,
        /// The limit: `isize::MAX` at run time, the `max_bytes` key in the macro, 1 GiB in a build script.
        max_bytes: usize,
    },
    /// The table of a macro call would take longer to evaluate than the limit.
    #[non_exhaustive]
    SlowToEvaluate {
        /// The number of rows requested.
        seq_len: usize,
        /// The number of columns requested.
        d_model: usize,
        /// About how many seconds it takes on a slow machine.
        seconds: u64,
        /// Whether the call has names, so that the compiler evaluates it.
        named: bool,
    },
    /// The allocation failed.
    #[non_exhaustive]
    OutOfMemory {
        /// The number of bytes requested.
        bytes: usize,
    },
    /// The length of a row, such as that given to `encode`, is not `d_model`.
    #[non_exhaustive]
    RowLength {
        /// The length of the row.
        len: usize,
        /// The length required.
        d_model: usize,
    },
    /// The length of the buffer given to `fill` is not a multiple of `d_model`.
    #[non_exhaustive]
    BufferLength {
        /// The length of the buffer.
        len: usize,
        /// The length of a row.
        d_model: usize,
    },
    /// The buffer given to `fill` does not have as many rows as the range.
    #[non_exhaustive]
    RowCount {
        /// The number of rows in the buffer.
        buffer: usize,
        /// The first row of the range.
        start: usize,
        /// The end of the range, exclusive.
        end: usize,
    },
    /// The range of rows given to `fill` ends before it starts.
    #[non_exhaustive]
    RowsBackwards {
        /// The start of the range.
        start: usize,
        /// The end of the range.
        end: usize,
    },
    /// The buffer given to `fill_positions` does not have one row per position.
    #[non_exhaustive]
    PositionsLength {
        /// The length of the buffer.
        len: usize,
        /// The number of positions given.
        positions: usize,
        /// The length of a row.
        d_model: usize,
    },
    /// The embeddings given to [`add_rows`](crate::Spec::add_rows) or [`concat_rows`](crate::Spec::concat_rows) do not fit the rows.
    Embeddings(EmbeddingError),
    /// The array of `const_table` and the spec have different widths.
    #[non_exhaustive]
    ArrayColumns {
        /// The number of columns of the array.
        columns: usize,
        /// The number of columns of the spec.
        d_model: usize,
    },
}
