//! The parameters that an error is about.

use crate::spec::error::SpecError;

impl SpecError {
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
            Self::RotaryDim { .. } => &["rotary_dim", "partial_rotary_factor", "head_dim"],
            Self::Grid(error) => error.parameters(),
            Self::Rope(error) => error.parameters(),
            Self::ScalingFeature { .. }
            | Self::Scaling { .. }
            | Self::ScalingLength { .. }
            | Self::FactorCount { .. } => &["scaling"],
            Self::Scale { .. } => &["scale"],
            Self::Unit { .. } => &["unit", "extent"],
            Self::Amplitude { .. } => &["amplitude"],
            Self::Dtype { .. } | Self::QuantiserScale { .. } => &["dtype", "quantiser"],
            Self::ZeroPoint { .. } => &["zero_point", "dtype", "quantiser"],
            Self::Clipped { .. } => &["amplitude", "dtype", "quantiser"],
            Self::OddDModel { .. } => &["d_model", "odd"],
            Self::NotAMultiple { parameters, .. } | Self::Conflict { parameters, .. } => parameters,
            Self::NoPartner { parameter, .. } => core::slice::from_ref(parameter),
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
            | Self::PositionsLength { .. } => &[],
        }
    }
}
