//! Answers as JSON. `docs/json.md` describes them, and `docs/posenc.schema.json` is their schema.

mod checkpoint;
mod compared;
mod explained;
mod identified;
pub(crate) mod progress;

use posenc_files::element::{Integer, Stored};
use posenc_files::format::Format;
use serde::Serialize;

use crate::text::failure::{self, Failure};

pub(crate) use checkpoint::{Checkpoint, InCheckpoint};
pub(crate) use compared::Compared;
pub(crate) use explained::Explained;
pub(crate) use identified::{Identified, status};

/// Prints an answer.
pub(crate) fn print(answer: &impl Serialize) -> Result<(), Failure> {
    failure::print(&serde_json::to_string_pretty(answer).map_err(Failure::new)?)
}

/// The file of a table.
#[derive(Serialize)]
pub(crate) struct Written {
    pub(crate) file: String,
    pub(crate) format: Format,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) dtype: &'static str,
    pub(crate) model_dtype: Option<String>,
    pub(crate) bytes: usize,
    pub(crate) call: String,
}

/// The picture of a table.
#[derive(Serialize)]
pub(crate) struct Drawn {
    pub(crate) file: String,
    pub(crate) format: &'static str,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) bytes: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) dtype: &'static str,
    pub(crate) rows_per_pixel: usize,
    pub(crate) columns_per_pixel: usize,
    pub(crate) sampled_rows_per_pixel: usize,
    pub(crate) call: Option<String>,
}

/// An entry of a table. Its bits are there because JSON has no numbers that are not finite.
#[derive(Serialize)]
pub(crate) struct JsonNumber {
    /// The value, or `null` if it is not finite.
    value: Option<f64>,
    bits: String,
}

impl JsonNumber {
    pub(crate) fn of<T: Stored + Into<f64>>(entry: T) -> Self {
        Self::new(entry, entry.into())
    }

    /// Returns the integer, without its scale.
    pub(crate) fn of_integer<T: Integer>(entry: T) -> Self {
        Self::new(entry, entry.number().into())
    }

    fn new(entry: impl Stored, value: f64) -> Self {
        let mut bytes = Vec::new();
        entry.append(&mut bytes);
        let bits = bytes.iter().rev().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        let width = "0x".len() + 2 * bytes.len();
        Self { value: value.is_finite().then_some(value), bits: format!("{bits:#0width$x}") }
    }
}
