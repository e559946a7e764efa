//! The rotary table of images or videos as the `config.json` of a model describes it.

mod classes;
mod keys;
mod parts;
mod refused;
#[cfg(test)]
mod tests;
mod towers;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::axial::AxialRope;
use crate::axial::config::classes::{cropped, of_class, read_keys};
use crate::axial::config::keys::text;
use crate::axial::config::parts::{Parts, by_axis};
use crate::axial::config::towers::{OF_TOWER, of_tower, tower};
use crate::axial::preset::AxialPreset;
use crate::rope::config::ConfigError;
use crate::rope::config::unread::{self, Unread, not_understood};
use crate::spec::scaling::Scaling;

/// The rotary table of a model for images or videos, deserialized from its `config.json`.
///
/// `AxialConfig` recognises the vision towers of transformers by the `model_type` in their `vision_config`, and the
/// models of diffusers by the `_class_name` in `transformer/config.json`. The name determines the order of the axes and
/// the positions, because no key specifies them (`rope_type` is `axial` for all vision towers). The width of a head,
/// the widths of the axes, the base and the size of merged blocks come from the keys. The shape of the image or the
/// video is an argument.
///
/// For a model whose table is not supported, the methods return an error that says why. A key of the model or its tower
/// that is not understood is an error if its name contains a word such as `rope` or `theta`.
///
/// Source: the classes of transformers 5.24 and diffusers 0.42.1 that the presets name.
///
/// # Examples
///
/// ```
/// use posenc::{AxialConfig, AxialPreset};
///
/// let json = r#"{
///     "model_type": "qwen2_vl", "hidden_size": 1536,
///     "vision_config": { "model_type": "qwen2_vl", "embed_dim": 1280, "num_heads": 16, "spatial_merge_size": 2 }
/// }"#;
/// let config: AxialConfig = serde_json::from_str(json)?;
/// assert_eq!(config.preset()?, AxialPreset::Qwen2VlVision);
/// assert_eq!(config.rope([24, 36])?.to_string(), "rotary_table!((24, 36), 80, merge = 2)");
///
/// let json = r#"{ "_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56], "attention_head_dim": 128 }"#;
/// let config: AxialConfig = serde_json::from_str(json)?;
/// let flux = config.rope([1, 32, 48])?;
/// assert_eq!(flux.to_string(), "rotary_table!((1, 32, 48), 128, widths = (16, 56, 56))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("vision_config", "axes_dims_rope", "config.json", "_class_name"))]
#[derive(Clone, Debug, PartialEq)]
pub struct AxialConfig {
    parts: Result<Parts, String>,
    /// The keys that may change the table and are not understood.
    unread: Vec<Unread>,
    ignored: Vec<String>,
}

impl AxialConfig {
    /// Returns the preset of the model.
    ///
    /// # Errors
    ///
    /// Returns an error if the model is not a known one, or if a key has a wrong value.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialConfig;
    /// let config: AxialConfig = serde_json::from_str(r#"{"_class_name": "MochiTransformer3DModel"}"#)?;
    /// assert_eq!(
    ///     config.preset().unwrap_err().to_string(),
    ///     "the config is for `MochiTransformer3DModel`, which has no such table: its frequencies are learned",
    /// );
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn preset(&self) -> Result<AxialPreset, ConfigError> {
        Ok(self.parts()?.preset)
    }

    /// Sets the number of columns of a head, if the config lacks it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialConfig;
    /// let config: AxialConfig = serde_json::from_str(r#"{"_class_name": "WanTransformer3DModel"}"#)?;
    /// assert!(config.rope([1, 2, 3]).is_err());
    /// assert_eq!(config.with_head_dim(128).rope([1, 2, 3])?.head_dim(), 128);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_head_dim(mut self, head_dim: usize) -> Self {
        if let Ok(parts) = &mut self.parts {
            parts.head_dim = parts.head_dim.or(Some(head_dim));
        }
        self
    }

    /// Ignores a key of the config that may change the table and is not understood, by its path: `a` or `part.a`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialConfig;
    /// let json = r#"{ "_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56], "rope_scaling": 2 }"#;
    /// let config: AxialConfig = serde_json::from_str(json)?;
    /// assert!(config.rope([1, 32, 48]).unwrap_err().to_string().starts_with("the config has `rope_scaling` 2, which"));
    /// assert!(config.ignore_key("rope_scaling").rope([1, 32, 48]).is_ok());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn ignore_key(mut self, key: impl Into<String>) -> Self {
        self.ignored.push(key.into());
        self
    }

    /// Returns the table for an image or a video of this shape.
    ///
    /// # Errors
    ///
    /// Returns an error if the model is not a known one, if the config lacks the width of a head, if a key has a wrong
    /// value, or if the config has widths for another number of axes. Ranges are checked when a table is made.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialConfig;
    /// let json = r#"{ "_class_name": "CosmosTransformer3DModel", "attention_head_dim": 128, "rope_scale": [2.0, 1.0, 1.0] }"#;
    /// let config: AxialConfig = serde_json::from_str(json)?;
    /// let cosmos = config.rope([5, 44, 80])?;
    /// # assert!(cosmos.check::<f32>().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rope<const A: usize>(&self, shape: [usize; A]) -> Result<AxialRope<'static, A>, ConfigError> {
        let parts = self.parts()?;
        if let Some(sentence) = not_understood(&self.unread, &self.ignored) {
            return Err(ConfigError::new(sentence));
        }
        if let Some(sentence) = cropped(parts, &shape) {
            return Err(ConfigError::new(sentence));
        }
        let lacks = || "the config has no `head_dim`; set it with `with_head_dim` or --head-dim".to_owned();
        let head_dim = parts.head_dim.ok_or_else(lacks).map_err(ConfigError::new)?;
        let mut rope = AxialRope::preset(parts.preset, shape, head_dim).merge(parts.merge);
        if let Some(widths) = &parts.widths {
            rope = rope.widths(by_axis(widths)?);
        }
        if let Some(base) = parts.base {
            rope = rope.base([base; A]);
        }
        if let Some(alphas) = &parts.alphas {
            let alphas = by_axis(alphas)?;
            rope = rope.scaling(alphas.map(|alpha| if alpha == 1.0 { Scaling::None } else { Scaling::ntk(alpha) }));
        }
        Ok(if parts.counts_points { rope.unit([(1, 1); A]) } else { rope })
    }

    fn parts(&self) -> Result<&Parts, ConfigError> {
        self.parts.as_ref().map_err(|sentence| ConfigError::new(sentence.clone()))
    }
}

impl<'de> Deserialize<'de> for AxialConfig {
    /// Fails if the input is not a JSON object.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let config = Value::Object(serde_json::Map::deserialize(deserializer)?);
        let (parts, unread) = match text(&config, "_class_name") {
            Some(class) => (of_class(class, &config), unread::of_part(&config, &read_keys(class, &config))),
            None => (of_tower(&config), unread::of_part(tower(&config), &OF_TOWER)),
        };
        Ok(Self { parts, unread, ignored: Vec::new() })
    }
}
