//! Reads the file of a config.

use std::fmt::Display;
use std::io::Read;
use std::path::Path;

use posenc::reflection::check_unread_keys;
use posenc_text::dtype::{read_float, type_name};
use posenc_text::json::of_python;
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

/// The file of a config, and the keys to ignore that are not understood.
#[derive(Clone, Copy, Debug)]
pub struct ConfigFile<'a> {
    /// Where the file is.
    pub path: &'a Path,
    /// The keys to ignore.
    pub ignored: &'a [String],
}

impl ConfigFile<'_> {
    /// Reads the file.
    pub(crate) fn read(self) -> Result<Value, Failure> {
        // Far more than any config has.
        const MOST: u64 = 16 << 20;
        let mut bytes = Vec::new();
        let read = open(self.path).and_then(|file| file.take(MOST).read_to_end(&mut bytes));
        read.map_err(|error| self.failure(format_args!("cannot be read: {error}")))?;
        let text = str::from_utf8(&bytes).map_err(|error| self.failure(format_args!("is not JSON: {error}")))?;
        let json = serde_json::from_str(&of_python(text));
        json.map_err(|error| self.failure(format_args!("is not JSON: {error}")))
    }

    /// Checks that the config of a 1-D table or a grid has no key that may change it and is not understood.
    pub(crate) fn check_understood(self, config: &Value) -> Result<(), Failure> {
        check_unread_keys(config, &READ, self.ignored).map_err(|error| self.wrong(error))
    }

    /// Returns the failure of the file: what it is or has.
    pub(crate) fn failure(self, sentence: impl Display) -> Failure {
        Failure::new(format_args!("`{}` {sentence}", self.path.display()))
    }

    /// Returns the failure with a sentence about the config.
    pub(crate) fn wrong(self, sentence: impl Display) -> Failure {
        Failure::new(format_args!("`{}`: {sentence}", self.path.display()))
    }
}

/// The keys of models with a 1-D table or a grid that are read, or that do not concern it, although their names are near
/// to keys of rotary tables.
const READ: [&str; 9] = [
    "pos_embed_max_size",
    "position_embeddings_type",
    "rotary_dim",
    "rotary_embedding_base", // of the other kind of positions of conformers
    "scaling",               // of the values of a time series
    "scaling_factor",        // of latents
    "sinusoidal_pos_embds",
    "use_learned_positional_embeddings",
    "use_rotary_positional_embeddings",
];
