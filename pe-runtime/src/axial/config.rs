//! The rotary table of images or videos as the `config.json` of a model describes it.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::axial::AxialRope;
use crate::axial::preset::AxialPreset;
use crate::rope::config::ConfigError;
use crate::rope::config::json::{number, whole, width_of_head, wrong};
use crate::rope::config::not_rotary::OF_IMAGES;
use crate::spec::scaling::Scaling;

/// The rotary table of the images or videos of a model, deserialized from its `config.json`.
///
/// The vision towers of transformers are read by the `model_type` in their `vision_config`, and the models of diffusers by the
/// `_class_name` in `transformer/config.json`. The name decides the order of the axes and the positions, because no key says
/// them (`rope_type` is `axial` for all vision towers). The width of a head, the widths of the axes, the base and the size of
/// merged blocks are read from the keys. The shape is that of the image or the video, so it is an argument.
///
/// Models whose tables posenc does not have are an error that says why.
///
/// Source: the classes of transformers 5.23 and diffusers 0.42.1 that the presets name.
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
pub struct AxialConfig(Result<Parts, String>);

/// What a config says.
#[derive(Clone, Debug, PartialEq)]
struct Parts {
    preset: AxialPreset,
    head_dim: Option<usize>,
    base: Option<f64>,
    widths: Option<ByAxis<usize>>,
    merge: usize,
    /// The factors of `ntk`.
    alphas: Option<ByAxis<f64>>,
    /// Whether the positions count points, whatever the preset says.
    counts_points: bool,
}

/// A key with a value for each axis.
#[derive(Clone, Debug, PartialEq)]
struct ByAxis<V> {
    key: &'static str,
    values: Vec<V>,
}

/// Returns the values of the axes, of which there are as many as in the shape.
fn by_axis<V: Copy, const A: usize>(ByAxis { key, values }: &ByAxis<V>) -> Result<[V; A], ConfigError> {
    values.as_slice().try_into().map_err(|_| {
        let count = values.len();
        ConfigError::new(format!("`{key}` of the config has {count} axes, but the length of the shape is {A}"))
    })
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
        if let Ok(parts) = &mut self.0 {
            parts.head_dim = parts.head_dim.or(Some(head_dim));
        }
        self
    }

    /// Returns the table for an image or a video of this shape.
    ///
    /// # Errors
    ///
    /// Returns an error if the model is not a known one, if the config lacks the width of a head, if a key has a wrong value,
    /// or if the widths are of another number of axes. Ranges are checked when a table is made.
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
        self.0.as_ref().map_err(|sentence| ConfigError::new(sentence.clone()))
    }
}

impl<'de> Deserialize<'de> for AxialConfig {
    /// Fails if the input is not a JSON object.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let config = Value::Object(serde_json::Map::deserialize(deserializer)?);
        Ok(Self(match text(&config, "_class_name") {
            Some(class) => of_class(class, &config),
            None => of_tower(&config),
        }))
    }
}

/// A vision tower of transformers: the names of its type, its preset, and whether its rows are merged in blocks.
type Tower = (&'static [&'static str], AxialPreset, bool);

/// By the `model_type` in the `vision_config`, without `_vision` and the like at its end.
const TOWERS: &[Tower] = &[
    (
        &[
            "qwen2_vl",
            "qwen2_5_vl",
            "qwen2_5_omni",
            "qwen3_vl",
            "qwen3_vl_moe",
            "qwen3_5",
            "qwen3_5_moe",
            "qwen3_omni_moe",
            "qwen4_exp",
            "glm4v",
            "glm4v_moe",
            "glm5_next",
            "glm_ocr",
            "cohere_compass",
            "ernie4_5_vl_moe",
            "exaone4_5",
            "dots3_note",
        ],
        AxialPreset::Qwen2VlVision,
        true,
    ),
    // These merge later, so their rows are in the order of the image.
    (&["paddleocr_vl", "video_llama_3"], AxialPreset::Qwen2VlVision, false),
    (&["lfm3_vl"], AxialPreset::Lfm3VlVision, true),
    (&["muse_glimmer", "muse_spark"], AxialPreset::MuseVision, false),
    (&["gemma4"], AxialPreset::Gemma4Vision, false),
    (&["inkling2"], AxialPreset::Inkling2Vision, true),
    (&["kimi_k25"], AxialPreset::KimiK25Vision, false),
    (&["minimax_m3_vl"], AxialPreset::MiniMaxM3Vision, true),
    (&["pixtral"], AxialPreset::Pixtral, false),
    (&["step3p5", "step3p7"], AxialPreset::StepVision, false),
    (&["llama4"], AxialPreset::Llama4Vision, false),
    (&["dinov3_vit", "sapiens2", "eomt_dinov3"], AxialPreset::DinoV3, false),
    (&["vjepa2"], AxialPreset::VJepa2, false),
];

/// Models without such a table, by type or class, each with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("mlcd_vision_model", "one of its rows has learned angles"),
    ("sam3_vision_model", "it has two, `sam2_memory` for windows and `sam3_global` for the other layers"),
    ("sam3_vit_model", "it has two, `sam2_memory` for windows and `sam3_global` for the other layers"),
    ("hunyuan_vl", "the axes of the two columns of a pair differ"),
    ("musicflamingo", "its positions are times"),
    ("MochiTransformer3DModel", "its frequencies are learned"),
    ("LTXVideoTransformer3DModel", "its frequencies grow with their index"),
    ("LTX2VideoTransformer3DModel", "its frequencies grow with their index"),
    ("LuminaNextDiT2DModel", "its frequencies depend on the time step"),
    ("CogView4Transformer2DModel", "its positions are rounded down, so they are a list; set `positions`"),
    ("ChronoEditTransformer3DModel", "its frames are not consecutive; set `positions` beside the preset `wan`"),
    ("HeliosTransformer3DModel", "its frames are not consecutive; set `positions` beside the preset `wan`"),
    (
        "HunyuanVideoFramepackTransformer3DModel",
        "its frames are not consecutive; set `positions` beside the preset `hunyuan_video`",
    ),
];

fn text<'c>(config: &'c Value, key: &str) -> Option<&'c str> {
    config.get(key).and_then(Value::as_str)
}

fn refused(name: &str) -> Option<String> {
    let (_, reason) = REFUSED.iter().find(|(refused, _)| *refused == name)?;
    Some(format!("the config is for `{name}`, which has no such table: {reason}"))
}

fn unknown(name: &str) -> String {
    refused(name).unwrap_or_else(|| {
        format!("the config is for `{name}`, whose table of several axes is not known; set a preset, or the parameters")
    })
}

/// Reads a vision tower.
fn of_tower(config: &Value) -> Result<Parts, String> {
    let parts = ["/vision_config", "/thinker_config/vision_config"];
    let part = parts.iter().find_map(|path| config.pointer(path)).filter(|part| part.is_object());
    let kind = part.and_then(|part| text(part, "model_type")).or_else(|| text(config, "model_type"));
    let kind = kind.ok_or("the config has neither a `model_type` nor a `_class_name`")?;
    let ends = ["_vision_encoder", "_vision_model", "_vision"];
    let plain = ends.iter().find_map(|end| kind.strip_suffix(end)).unwrap_or(kind);
    let is_tower = part.is_some() || plain != kind || OF_IMAGES.contains(&plain);
    let known = TOWERS.iter().find(|(names, ..)| is_tower && names.contains(&plain) && refused(kind).is_none());
    let &(_, preset, merges) = known.ok_or_else(|| unknown(kind))?;
    let keys = Keys(part.unwrap_or(config));
    let merge = if merges { keys.whole(&["spatial_merge_size", "merge_size"])?.unwrap_or(1) } else { 1 };
    let parameters = Keys(keys.0.get("rope_parameters").unwrap_or(&Value::Null));
    let base = parameters.number(&["rope_theta"])?.or(keys.number(&["rope_theta"])?);
    let head_dim = keys.width_of_head(&["embed_dim", "hidden_size"], &["num_heads", "num_attention_heads"])?;
    Ok(Parts { preset, head_dim, base, widths: None, merge, alphas: None, counts_points: false })
}

/// Where the widths of a model of diffusers are.
#[derive(Clone, Copy)]
enum Dims {
    /// In a list, one for each axis.
    Of(&'static str),
    /// The preset has them.
    OfPreset,
}

/// By their class.
const CLASSES: &[(&[&str], AxialPreset, Dims)] = &[
    (
        &[
            "FluxTransformer2DModel",
            "ChromaTransformer2DModel",
            "BriaTransformer2DModel",
            "BriaFiboTransformer2DModel",
            "LongCatImageTransformer2DModel",
            "OvisImageTransformer2DModel",
        ],
        AxialPreset::Flux,
        Dims::Of("axes_dims_rope"),
    ),
    (&["Flux2Transformer2DModel"], AxialPreset::Flux2, Dims::Of("axes_dims_rope")),
    (&["Krea2Transformer2DModel"], AxialPreset::Krea2, Dims::Of("axes_dims_rope")),
    (&["ZImageTransformer2DModel"], AxialPreset::ZImage, Dims::Of("axes_dims")),
    (&["ErnieImageTransformer2DModel"], AxialPreset::ZImage, Dims::Of("rope_axes_dim")),
    (&["Lumina2Transformer2DModel"], AxialPreset::Lumina2, Dims::Of("axes_dim_rope")),
    (
        &["QwenImageTransformer2DModel", "NucleusMoEImageTransformer2DModel"],
        AxialPreset::QwenImage,
        Dims::Of("axes_dims_rope"),
    ),
    (
        &[
            "WanTransformer3DModel",
            "WanVACETransformer3DModel",
            "WanAnimateTransformer3DModel",
            "SkyReelsV2Transformer3DModel",
            "SanaVideoTransformer3DModel",
        ],
        AxialPreset::Wan,
        Dims::OfPreset,
    ),
    (
        &["HunyuanVideoTransformer3DModel", "HunyuanVideo15Transformer3DModel", "MotifVideoTransformer3DModel"],
        AxialPreset::HunYuanVideo,
        Dims::Of("rope_axes_dim"),
    ),
    (&["CosmosTransformer3DModel"], AxialPreset::Cosmos, Dims::OfPreset),
    (&["CogVideoXTransformer3DModel", "ConsisIDTransformer3DModel"], AxialPreset::CogVideoX5b, Dims::OfPreset),
    (&["Kandinsky5Transformer3DModel"], AxialPreset::Kandinsky5, Dims::Of("axes_dims")),
    (&["PRXTransformer2DModel"], AxialPreset::Qwen2VlVision, Dims::Of("axes_dim")),
];

/// Reads a model of diffusers.
fn of_class(class: &str, config: &Value) -> Result<Parts, String> {
    let known = CLASSES.iter().find(|(names, ..)| names.contains(&class));
    let &(_, preset, dims) = known.ok_or_else(|| unknown(class))?;
    let keys = Keys(config);
    let is_rotary = config.get("use_rotary_positional_embeddings") != Some(&Value::Bool(false));
    if preset == AxialPreset::CogVideoX5b && !is_rotary {
        return Err(format!("the config is for a `{class}` without a rotary embedding; its table is a `Grid`"));
    }
    let widths = match dims {
        Dims::Of(key) => keys.list(key, whole)?,
        Dims::OfPreset => None,
    };
    let sum =
        widths.as_ref().map(|widths| widths.values.iter().fold(0, |sum: usize, width| sum.saturating_add(*width)));
    let head_dim = sum.map_or_else(|| keys.whole(&["attention_head_dim"]), |sum| Ok(Some(sum)))?;
    Ok(Parts {
        preset,
        head_dim,
        base: keys.number(&["rope_theta", "theta"])?,
        widths,
        merge: 1,
        alphas: if preset == AxialPreset::Cosmos { keys.list("rope_scale", number)? } else { None },
        // CogVideoX 1.5 has patches in time, and takes a part of its table.
        counts_points: preset == AxialPreset::CogVideoX5b && keys.find("patch_size_t").is_some(),
    })
}

/// The keys of a config, of which `null` is none.
#[derive(Clone, Copy)]
struct Keys<'c>(&'c Value);

impl<'c> Keys<'c> {
    fn find(self, key: &str) -> Option<&'c Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// Returns the value of the first of these keys that there is.
    fn first<V>(self, keys: &[&str], read: fn(&str, &Value) -> Result<V, String>) -> Result<Option<V>, String> {
        keys.iter().find_map(|key| Some(read(key, self.find(key)?))).transpose()
    }

    fn whole(self, keys: &[&str]) -> Result<Option<usize>, String> {
        self.first(keys, whole)
    }

    fn number(self, keys: &[&str]) -> Result<Option<f64>, String> {
        self.first(keys, number)
    }

    fn list<V>(
        self,
        key: &'static str,
        read: fn(&str, &Value) -> Result<V, String>,
    ) -> Result<Option<ByAxis<V>>, String> {
        let Some(value) = self.find(key) else { return Ok(None) };
        let list = value.as_array().ok_or_else(|| wrong(key, value, "a list"))?;
        let values = list.iter().map(|value| read(key, value)).collect::<Result<_, _>>()?;
        Ok(Some(ByAxis { key, values }))
    }

    /// Returns the width of a head: given, or from the width of all heads and their number.
    fn width_of_head(self, widths: &[&str], heads: &[&str]) -> Result<Option<usize>, String> {
        if let Some(head_dim) = self.whole(&["head_dim"])? {
            return Ok(Some(head_dim));
        }
        width_of_head(self.whole(widths)?, self.whole(heads)?)
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    fn read(json: &str) -> AxialConfig {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn towers_are_known_by_their_types() {
        let call = |json: &str, shape: [usize; 2]| read(json).rope(shape).map(|rope| rope.to_string());
        let is = |json: &str, expected: &str| assert_eq!(call(json, [4, 6]).unwrap(), expected, "{json}");
        is(
            r#"{"vision_config": {"model_type": "qwen3_vl_vision", "hidden_size": 1152, "num_heads": 16, "spatial_merge_size": 2}}"#,
            "rotary_table!((4, 6), 72, merge = 2)",
        );
        is(
            r#"{"model_type": "paddleocr_vl_vision", "hidden_size": 1152, "num_attention_heads": 16, "spatial_merge_size": 2}"#,
            "rotary_table!((4, 6), 72)",
        );
        is(
            r#"{"vision_config": {"model_type": "gemma4_vision", "head_dim": 64, "rope_parameters": {"rope_type": "axial", "rope_theta": 50.0}}}"#,
            "rotary_table!((4, 6), 64, first = (w, h), base = 50.0)",
        );
        is(
            r#"{"model_type": "qwen2_5_omni", "thinker_config": {"vision_config": {"model_type": "qwen2_5_omni_vision_encoder",
                "hidden_size": 1280, "num_heads": 16, "spatial_merge_size": 2}}}"#,
            "rotary_table!((4, 6), 80, merge = 2)",
        );
        is(
            r#"{"model_type": "pixtral", "hidden_size": 1024, "num_attention_heads": 16, "rope_theta": 10000.0}"#,
            "rotary_table!((4, 6), 64, freq_offset = (0, 1/2))",
        );
        is(
            r#"{"vision_config": {"hidden_size": 1408, "num_attention_heads": 16}, "model_type": "llama4"}"#,
            "rotary_table!((4, 6), 88, first = (w, h), identity_rows_after = 1, start = 1)",
        );
    }

    #[test]
    fn models_of_diffusers_are_known_by_their_classes() {
        let is = |json: &str, expected: &str| {
            assert_eq!(read(json).rope([2, 4, 6]).unwrap().to_string(), expected, "{json}");
        };
        is(
            r#"{"_class_name": "HunyuanVideoTransformer3DModel", "rope_axes_dim": [16, 56, 56], "rope_theta": 256.0}"#,
            "rotary_table!((2, 4, 6), 128, widths = (16, 56, 56), base = 256.0)",
        );
        is(
            r#"{"_class_name": "CogVideoXTransformer3DModel", "attention_head_dim": 64, "patch_size_t": 2,
                "use_rotary_positional_embeddings": true}"#,
            "rotary_table!((2, 4, 6), 64, widths = (16, 24, 24))",
        );
        is(
            r#"{"_class_name": "CosmosTransformer3DModel", "attention_head_dim": 128, "rope_scale": [1.0, 3.0, 3.0]}"#,
            "rotary_table!((2, 4, 6), 128, widths = (44, 42, 42), scaling = (none, ntk(alpha = 3.0), ntk(alpha = 3.0)))",
        );
        is(
            r#"{"_class_name": "WanTransformer3DModel", "attention_head_dim": 128}"#,
            "rotary_table!((2, 4, 6), 128, widths = (44, 42, 42))",
        );
    }

    #[test]
    fn what_is_missing_or_wrong_is_said() {
        let refused = |json: &str| read(json).rope([2, 4, 6]).unwrap_err().to_string();
        let is = |json: &str, expected: &str| assert_eq!(refused(json), expected);
        is("{}", "the config has neither a `model_type` nor a `_class_name`");
        // The text model has no axes.
        is(
            r#"{"model_type": "llama4"}"#,
            "the config is for `llama4`, whose table of several axes is not known; set a preset, or the parameters",
        );
        is(
            r#"{"_class_name": "LTXVideoTransformer3DModel"}"#,
            "the config is for `LTXVideoTransformer3DModel`, which has no such table: its frequencies grow with their index",
        );
        is(
            r#"{"vision_config": {"model_type": "mlcd_vision_model"}}"#,
            "the config is for `mlcd_vision_model`, which has no such table: one of its rows has learned angles",
        );
        is(
            r#"{"_class_name": "CogVideoXTransformer3DModel", "use_rotary_positional_embeddings": false}"#,
            "the config is for a `CogVideoXTransformer3DModel` without a rotary embedding; its table is a `Grid`",
        );
        is(
            r#"{"vision_config": {"model_type": "qwen2_vl"}}"#,
            "the config has no `head_dim`; set it with `with_head_dim` or --head-dim",
        );
        is(
            r#"{"vision_config": {"model_type": "qwen2_vl", "embed_dim": 10, "num_heads": 0}}"#,
            "the config has 0 heads; set `num_attention_heads` to at least 1, or `head_dim`",
        );
        is(
            r#"{"_class_name": "PRXTransformer2DModel", "axes_dim": [32, 32]}"#,
            "`axes_dim` of the config has 2 axes, but the length of the shape is 3",
        );
        is(
            r#"{"_class_name": "CosmosTransformer3DModel", "attention_head_dim": 128, "rope_scale": [2.0, 1.0]}"#,
            "`rope_scale` of the config has 2 axes, but the length of the shape is 3",
        );
        is(
            r#"{"_class_name": "Flux2Transformer2DModel", "axes_dims_rope": 32}"#,
            "the config has `axes_dims_rope` 32, which is not a list",
        );
    }
}
