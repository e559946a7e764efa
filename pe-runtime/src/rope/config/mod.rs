//! Rotary embeddings as the `config.json` of a model describes them.

mod cache;
mod classes;
pub(crate) mod json;
pub(crate) mod not_rotary;
mod parts;
pub(crate) mod unread;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Display, Formatter};

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::rope::Rope;
use crate::rope::config::cache::Cache;
use crate::rope::config::parts::Model;
use crate::rope::config::unread::{Unread, not_understood};

/// The rotary embedding of a model, deserialized from its `config.json`.
///
/// `RopeConfig` reads both spellings of transformers, `rope_parameters` (version 5) and `rope_scaling` with
/// `rope_theta` (earlier versions), and the keys of older models, such as `rotary_pct`. For a model with several parts,
/// it reads the keys of the language model. It ignores keys that do not concern positions, so `#[serde(flatten)]` can put
/// a `RopeConfig` into your own configuration. A key that it does not understand is an error if its name contains a word
/// such as `rope`, `rotary`, `theta` or `yarn`, because the key may change the table; [`ignore_key`](Self::ignore_key)
/// ignores it.
///
/// A config may lack keys for which the class of its model has a default. `RopeConfig` knows these defaults for some
/// classes, by their `model_type`: Llama, Gemma, Gemma 2, 3 and 3n, Falcon, GPT-J, `CodeGen`, GPT-`NeoX`, `StableLM`,
/// Phi, Persimmon, Nemotron, Bamba, `RecurrentGemma`, GLM, `ChatGLM`, Qwen3-Next, Qwen3.5, `OLMo` 3 and `ModernBERT`, and
/// the widths of heads for about 80 classes. If a class is known to have a default of its own for a missing key, but not
/// which one, the missing key is an error when the [cache](Self::rope) is made. For other classes, a missing base is such
/// an error, and a missing share of rotated columns means that all are rotated.
///
/// The rope types `default`, `mrope`, `linear`, `dynamic`, `yarn`, `llama3`, `longrope` (also `su`) and `proportional`
/// are read. Other types, such as `FoPE`, cause an error, and so do the models that are known to have no rotary
/// embedding, such as GPT-2 (learned positions), Bloom (`ALiBi`), T5 (relative positions), Whisper (sinusoidal
/// positions) and Nemotron-H (none). So does a `model_type` that is not known, if no key is of a rotary embedding. For
/// vision and video models, use [`AxialConfig`](crate::AxialConfig). For `mrope`, the cache is the one that all axes share:
/// see [`axis_of_pair`](crate::axis_of_pair).
///
/// Source: `modeling_rope_utils.py` of transformers 5.24, and the configurations of its models.
///
/// # Examples
///
/// ```
/// use posenc::{Rope, RopeConfig, RopePreset};
///
/// let json = r#"{
///     "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 131072, "rope_theta": 500000.0,
///     "rope_scaling": {
///         "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
///         "original_max_position_embeddings": 8192
///     }
/// }"#;
/// let config: RopeConfig = serde_json::from_str(json)?;
/// assert_eq!(config.max_position_embeddings(), Some(131_072));
/// let rope = config.rope(4096)?;
/// assert_eq!(rope, Rope::preset(RopePreset::Llama3_1));
/// let tables = rope.table::<f32>(4096)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("rope_scaling", "rope_parameters", "config.json"))]
#[derive(Clone, Debug, PartialEq)]
pub struct RopeConfig {
    max_position_embeddings: Option<usize>,
    /// The caches by the type of their layers, which has no name if there is one. A cache may be wrong.
    caches: Vec<(String, Result<Cache, String>)>,
    /// The keys that may change a table and are not understood.
    unread: Vec<Unread>,
    ignored: Vec<String>,
    /// Whether the model is known to have no rotary embedding, which no key changes.
    is_refused: bool,
}

impl RopeConfig {
    /// Reads an object.
    fn of(config: &Value) -> Self {
        let model = Model::of_text(config);
        Self {
            max_position_embeddings: json::max_position_embeddings(model.config),
            caches: json::caches(model),
            unread: unread::of_text(config),
            ignored: Vec::new(),
            is_refused: not_rotary::refusal(model.config).is_some(),
        }
    }

    /// Returns the number of positions that the model is made for, if the config has it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::RopeConfig;
    /// let config: RopeConfig = serde_json::from_str(r#"{"head_dim": 64}"#)?;
    /// assert_eq!(config.max_position_embeddings(), None);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub const fn max_position_embeddings(&self) -> Option<usize> {
        self.max_position_embeddings
    }

    /// Returns the types of layers that have caches of their own, sorted, or one empty name if all layers share a cache.
    ///
    /// # Examples
    ///
    /// The older spelling of Gemma 3:
    ///
    /// ```
    /// # use posenc::RopeConfig;
    /// let json = r#"{"head_dim": 256, "rope_theta": 1e6, "rope_local_base_freq": 1e4}"#;
    /// let config: RopeConfig = serde_json::from_str(json)?;
    /// assert!(config.layer_types().eq(["full_attention", "sliding_attention"]));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn layer_types(&self) -> impl Iterator<Item = &str> {
        self.caches.iter().map(|(layer_type, _)| layer_type.as_str())
    }

    /// Sets the number of columns of a head, if the config lacks it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::RopeConfig;
    /// let config: RopeConfig = serde_json::from_str(r#"{"rope_theta": 10000.0}"#)?;
    /// let sentence = "the config has no `head_dim`; set it with `with_head_dim` or --head-dim";
    /// assert_eq!(config.rope(512).unwrap_err().to_string(), sentence);
    /// assert_eq!(config.with_head_dim(64).rope(512)?.pairs(), 32);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_head_dim(mut self, head_dim: usize) -> Self {
        for cache in self.caches.iter_mut().filter_map(|(_, cache)| cache.as_mut().ok()) {
            cache.head_dim = cache.head_dim.or(Some(head_dim));
        }
        self
    }

    /// Sets the base, if the config lacks it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::RopeConfig;
    /// let config: RopeConfig = serde_json::from_str(r#"{"head_dim": 64}"#)?;
    /// let sentence = "the config has no `rope_theta`; set it with `with_base` or --base";
    /// assert_eq!(config.rope(512).unwrap_err().to_string(), sentence);
    /// assert_eq!(config.with_base(1e6).rope(512)?.to_string(), "rotary_table!(seq_len, 64, base = 1000000.0)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_base(mut self, base: f64) -> Self {
        for cache in self.caches.iter_mut().filter_map(|(_, cache)| cache.as_mut().ok()) {
            cache.base = cache.base.or(Some(base));
        }
        self
    }

    /// Ignores a key of the config that may change the table and is not understood, by its path: `a` or `part.a`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::RopeConfig;
    /// let config: RopeConfig = serde_json::from_str(r#"{"head_dim": 64, "rope_theta": 1e4, "use_scaled_rope": true}"#)?;
    /// let error = config.rope(512).unwrap_err().to_string();
    /// assert!(error.starts_with("the config has `use_scaled_rope` true, which may change the table"));
    /// assert_eq!(config.ignore_key("use_scaled_rope").rope(512)?.to_string(), "rotary_table!(seq_len, 64)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ignore_key(mut self, key: impl Into<String>) -> Self {
        self.ignored.push(key.into());
        self
    }

    fn check_understood(&self) -> Result<(), ConfigError> {
        let sentence = (!self.is_refused).then(|| not_understood(&self.unread, &self.ignored)).flatten();
        sentence.map_or(Ok(()), |sentence| Err(ConfigError(sentence)))
    }

    /// Returns the cache for sequences of up to `seq_len` positions.
    ///
    /// Two rules depend on `seq_len`: the base of `dynamic` grows with it, and `longrope` uses its long list if it exceeds
    /// the original context. For positions that are not the first ones, it is the largest position plus 1.
    ///
    /// # Errors
    ///
    /// Returns an error if the config lacks a key, if a value is wrong, if the rule is not one of
    /// [`Scaling`](crate::Scaling), or if several [types of layers](Self::layer_types) have caches of their own. Ranges
    /// are checked when a table is made.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{RopeConfig, Scaling};
    /// let json = r#"{
    ///     "head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 2048,
    ///     "rope_scaling": {"type": "dynamic", "factor": 2}
    /// }"#;
    /// let config: RopeConfig = serde_json::from_str(json)?;
    /// assert!(config.rope(8192)?.to_string().ends_with(
    ///     "scaling = dynamic(factor = 2.0, max_position_embeddings = 2048, seq_len = 8192))"
    /// ));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rope(&self, seq_len: usize) -> Result<Rope<'_>, ConfigError> {
        self.check_understood()?;
        let [(_, cache)] = &self.caches[..] else {
            let types = self.layer_types().map(|layer_type| format!("`{layer_type}`")).collect::<Vec<_>>();
            let types = types.join(", ");
            return Err(ConfigError(format!(
                "the config has caches for layers of several types; choose one of {types}"
            )));
        };
        of_cache(cache, seq_len)
    }

    /// Returns the cache of one type of layers, for sequences of up to `seq_len` positions.
    ///
    /// # Errors
    ///
    /// Returns an error if no layers of this type have a cache of their own, and the errors of [`rope`](Self::rope)
    /// that concern one cache.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::RopeConfig;
    /// let json = r#"{"head_dim": 256, "rope_theta": 1e6, "rope_local_base_freq": 1e4}"#;
    /// let config: RopeConfig = serde_json::from_str(json)?;
    /// let local = config.rope_of_layers("sliding_attention", 4096)?;
    /// assert_eq!(local.to_string(), "rotary_table!(seq_len, 256)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rope_of_layers(&self, layer_type: &str, seq_len: usize) -> Result<Rope<'_>, ConfigError> {
        self.check_understood()?;
        match self.caches.iter().find(|(name, _)| name == layer_type) {
            Some((_, cache)) => of_cache(cache, seq_len),
            None => Err(ConfigError(format!("the config has no cache of its own for layers of type `{layer_type}`"))),
        }
    }
}

fn of_cache(cache: &Result<Cache, String>, seq_len: usize) -> Result<Rope<'_>, ConfigError> {
    let cache = cache.as_ref().map_err(|sentence| ConfigError(sentence.clone()))?;
    let lacks = |key, set| ConfigError(format!("the config has no `{key}`; set it with {set}"));
    let head_dim = cache.head_dim.ok_or_else(|| lacks("head_dim", "`with_head_dim` or --head-dim"))?;
    let base = cache.base.ok_or_else(|| match &cache.unknown_model {
        Some(model) => ConfigError(format!(
            "the config has no `rope_theta`, and the base of the model type `{model}` is not known; give the parameters \
             themselves in place of the config"
        )),
        None => lacks("rope_theta", "`with_base` or --base"),
    })?;
    Ok(cache.rope(head_dim, base, seq_len))
}

impl<'de> Deserialize<'de> for RopeConfig {
    /// Fails if the input is not a JSON object.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let config = serde_json::Map::deserialize(deserializer)?;
        Ok(Self::of(&Value::Object(config)))
    }
}

/// The error of a `config.json` that does not describe a rotary table. Its text says what is wrong.
///
/// # Examples
///
/// ```
/// # use posenc::RopeConfig;
/// let config: RopeConfig = serde_json::from_str(r#"{"head_dim": 64, "rope_scaling": {"type": "linear"}}"#)?;
/// assert_eq!(config.rope(512).unwrap_err().to_string(), "the config has no `factor` in its `linear` parameters");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(String);

impl ConfigError {
    pub(crate) const fn new(sentence: String) -> Self {
        Self(sentence)
    }
}

impl Display for ConfigError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ConfigError {}

#[cfg(test)]
mod tests;
