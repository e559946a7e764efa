//! Reads the config.json of a Hugging Face model: which table the model has, and its sizes.
//!
//! The source of these rules is `modeling_*.py` of each model in transformers 5.24, and the class of each in diffusers
//! 0.42.1.

mod grids;
mod json;
mod keys;
mod models;
mod told;

use crate::text::failure::Failure;

pub(crate) use grids::{GridFromConfig, read_grid};
pub use json::ConfigFile;
pub(crate) use json::dtype;
use json::kind;
use keys::Keys;
pub use told::{Given, TableFromConfig};

/// The kind of the table of a model.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum TableOfModel {
    Table,
    Rotary,
    Grid,
}

/// Returns the kind of the table of a config's model, if the model is a known one.
pub(crate) fn table_of_model(config: &serde_json::Value) -> Option<TableOfModel> {
    let kind = kind(config)?;
    if grids::is_known(kind) {
        Some(TableOfModel::Grid)
    } else if models::has_table(kind) {
        Some(TableOfModel::Table)
    } else {
        models::has_rotary(kind).then_some(TableOfModel::Rotary)
    }
}

/// Reads a config. It need not contain the sizes that are given.
///
/// # Errors
///
/// If the file is not a config, if the model has no sinusoidal table, or if a size is missing.
pub fn read(file: ConfigFile, given: Given) -> Result<TableFromConfig, Failure> {
    let config = file.read()?;
    let Some(kind) = kind(&config) else {
        return Err(
            file.failure("has no `model_type`; use the config.json of a model, or --preset, --seq-len and --d-model")
        );
    };
    let told = models::read(kind, &Keys { config: &config, given }).map_err(|error| file.failure(error))?;
    file.check_understood(&config)?;
    Ok(TableFromConfig { dtype: dtype(&config), ..told })
}
