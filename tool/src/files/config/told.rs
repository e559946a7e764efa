//! What a config and the command line say about a table.

use posenc::Preset;

/// The options of the command line that override a config.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// The number of rows.
    pub seq_len: Option<usize>,
    /// The number of columns.
    pub d_model: Option<usize>,
    /// The position of row 0.
    pub start: Option<i64>,
    /// The row of zeros.
    pub zero_row: Option<usize>,
}

/// The table of a config.
pub struct TableFromConfig {
    /// The preset of the model.
    pub preset: Preset,
    /// The number of rows, unless it is given on the command line.
    pub seq_len: Option<usize>,
    /// The number of columns, unless it is given on the command line.
    pub d_model: Option<usize>,
    /// The row of the padding token, if the model has one.
    pub zero_row: Option<usize>,
    /// The position of row 0, if it depends on the number of rows and is not given on the command line.
    pub start: Option<i64>,
    /// The element type of the model's weights, if the config says it.
    pub dtype: Option<String>,
}

impl TableFromConfig {
    /// Returns the table without a config.
    pub(crate) fn nothing() -> Self {
        Self { preset: Preset::Paper, seq_len: None, d_model: None, zero_row: None, start: None, dtype: None }
    }
}
