//! Reads the file of a config.

use std::io::Read;
use std::path::Path;

use posenc_text::dtype::{read_float, type_name};
use serde_json::Value;

use crate::files::open::open;
use crate::text::failure::Failure;

/// Returns the type of a model in transformers, or its class in diffusers.
pub(super) fn kind(config: &Value) -> Option<&str> {
    ["model_type", "_class_name"].into_iter().find_map(|key| config.get(key)?.as_str())
}

/// Returns the element type of the model's weights, by its name here.
pub(crate) fn dtype(config: &Value) -> Option<String> {
    let written = ["dtype", "torch_dtype"].into_iter().find_map(|key| config.get(key)?.as_str())?;
    Some(type_name(written)).filter(|name| read_float(name).is_ok())
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
