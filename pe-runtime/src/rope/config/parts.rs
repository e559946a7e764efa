//! The parts of a config.

use serde_json::Value;

/// The config of a language model, and the type of the model that it is a part of.
#[derive(Clone, Copy)]
pub(super) struct Model<'a> {
    pub(super) config: &'a Value,
    pub(super) whole: Option<&'a str>,
}

impl<'a> Model<'a> {
    /// Returns the language model of a config, which may have several parts.
    pub(super) fn of_text(config: &'a Value) -> Self {
        let model = part(config).map_or(Self { config, whole: None }, |(_, part)| Self::of_text(part));
        Self { whole: text(config, "model_type").or(model.whole), ..model }
    }
}

/// Returns the part of a config that is the language model, or contains it, with its key.
pub(super) fn part(config: &Value) -> Option<(&'static str, &Value)> {
    const PARTS: [&str; 4] = ["text_config", "llm_config", "language_config", "thinker_config"];
    PARTS.into_iter().find_map(|key| Some((key, config.get(key).filter(|part| part.is_object())?)))
}

/// Returns the text of a key.
pub(super) fn text<'a>(config: &'a Value, key: &str) -> Option<&'a str> {
    config.get(key).and_then(Value::as_str)
}
