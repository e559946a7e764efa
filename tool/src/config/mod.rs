//! Reads the config.json of a Hugging Face model: which table the model has, and its sizes.
//!
//! The source of these rules is `modeling_*.py` of each model in transformers 5.23, and the class of each in diffusers
//! 0.42.1.

mod grids;
mod keys;
mod models;

use std::io::Read;
use std::path::Path;

use posenc::Preset;
use serde_json::Value;

use crate::entry::{Dtype, type_name};
use crate::failure::Failure;
use crate::open::open;

pub(crate) use grids::{GridFromConfig, read_grid};
use keys::Keys;

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

/// Reads a config. It need not contain the sizes that are given.
///
/// # Errors
///
/// If the file is not a config, if the model has no sinusoidal table, or if a size is missing.
pub fn read(path: &Path, given: Given) -> Result<TableFromConfig, Failure> {
    let named = |error: String| Failure::new(format_args!("`{}` {error}", path.display()));
    let config = read_json(path)?;
    let Some(kind) = kind(&config) else {
        return Err(named(
            "has no `model_type`; use the config.json of a model, or --preset, --seq-len and --d-model".to_owned(),
        ));
    };
    let told = models::read(kind, &Keys { config: &config, given }).map_err(named)?;
    Ok(TableFromConfig { dtype: dtype(&config), ..told })
}

/// Returns the type of a model in transformers, or its class in diffusers.
fn kind(config: &Value) -> Option<&str> {
    ["model_type", "_class_name"].into_iter().find_map(|key| config.get(key)?.as_str())
}

/// Returns the element type of the model's weights, by its name here.
pub(crate) fn dtype(config: &Value) -> Option<String> {
    let written = ["dtype", "torch_dtype"].into_iter().find_map(|key| config.get(key)?.as_str())?;
    Some(type_name(written)).filter(|name| Dtype::read(name).is_ok())
}

/// Reads a file of JSON.
pub(crate) fn read_json(path: &Path) -> Result<Value, Failure> {
    // Far more than any config has.
    const MOST: u64 = 16 << 20;
    let named = |error: String| Failure::new(format_args!("`{}` {error}", path.display()));
    let mut text = Vec::new();
    let read = open(path).and_then(|file| file.take(MOST).read_to_end(&mut text));
    read.map_err(|error| named(format!("cannot be read: {error}")))?;
    serde_json::from_slice(&text).map_err(|error| named(format!("is not JSON: {error}")))
}
