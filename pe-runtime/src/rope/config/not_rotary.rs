//! Why a model has no rotary cache.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use serde_json::Value;

use crate::rope::config::parts::text;
use crate::spec::models::ModelPositions;

/// Keys that only models with a rotary embedding set.
pub(super) const OF_ROTARY: [&str; 13] = [
    "global_rope_theta",
    "local_rope_theta",
    "partial_rotary_factor",
    "qk_rope_head_dim",
    "rope_local_base_freq",
    "rope_parameters",
    "rope_ratio",
    "rope_scaling",
    "rope_theta",
    "rotary_dim",
    "rotary_emb_base",
    "rotary_embedding_base",
    "rotary_pct",
];

/// The types of models that are vision models alone, whose positions have several axes.
pub(crate) const OF_IMAGES: [&str; 6] =
    ["dinov3_vit", "eomt_dinov3", "llama4_vision_model", "pixtral", "sapiens2", "vjepa2"];

/// Keys for the widths of several axes.
const WIDTHS_OF_AXES: [&str; 5] = ["axes_dim", "axes_dim_rope", "axes_dims", "axes_dims_rope", "rope_axes_dim"];

/// The keys for the kind of positions, as models of text and of speech spell it.
const KINDS_OF_POSITIONS: [&str; 2] = ["position_embedding_type", "position_embeddings_type"];

/// The classes that have a rotary embedding only if a key has a value: their types, the key and the value in JSON.
const SWITCHES: [(&[&str], &str, &str); 4] = [
    (&["granitemoehybrid"], "position_embedding_type", "\"rope\""),
    (&["esm"], "position_embedding_type", "\"rotary\""),
    (
        &["seamless_m4t", "seamless_m4t_v2", "wav2vec2-bert", "wav2vec2-conformer"],
        "position_embeddings_type",
        "\"rotary\"",
    ),
    (&["zamba2"], "use_mem_rope", "true"),
];

/// Returns the error sentence for the config of a model that has no rotary embedding of positions with one axis.
pub(super) fn refusal(config: &Value) -> Option<String> {
    if has_several_axes(config) {
        return Some("the config is for a rotary table of several axes; use `AxialConfig` or --shape".to_owned());
    }
    let kind = text(config, "position_embedding_type");
    if config.get("alibi") == Some(&Value::Bool(true)) || kind == Some("alibi") {
        return Some(format!(
            "the config is for a model that uses {} and has no rotary embedding",
            ModelPositions::Alibi
        ));
    }
    let model = text(config, "model_type").unwrap_or_default();
    let positions = ModelPositions::of_model(model);
    switched_off(model, config).or_else(|| {
        let positions = positions.filter(|positions| match positions {
            ModelPositions::Rotary => false,
            ModelPositions::Absent => true,
            _ => !has_rotary_key(config),
        })?;
        let remedy = if positions.may_be_sinusoidal() {
            "; use `sinusoidal_table!`, `Spec` or `posenc table --config`"
        } else {
            ""
        };
        Some(format!(
            "the config is for the model type `{model}`, which uses {positions} and has no rotary embedding{remedy}"
        ))
    })
}

/// Returns the error sentence for a config that says nothing of a rotary embedding, and whose model is not known to have
/// one.
pub(super) fn unknown(config: &Value) -> Option<String> {
    let model = unknown_model(config).filter(|_| !has_rotary_key(config))?;
    Some(format!(
        "the config has no key of a rotary embedding, and the model type `{model}` is not known to have one; if it has \
         one, give the parameters themselves in place of the config"
    ))
}

/// Returns the type of a model that is not known to have a rotary embedding.
pub(super) fn unknown_model(config: &Value) -> Option<&str> {
    text(config, "model_type").filter(|model| ModelPositions::of_model(model).is_none())
}

fn has_several_axes(config: &Value) -> bool {
    let is_of_images = text(config, "model_type").is_some_and(|model| OF_IMAGES.contains(&model));
    let rule = config.get("rope_parameters").and_then(|rule| text(rule, "rope_type"));
    is_of_images || rule == Some("axial") || WIDTHS_OF_AXES.iter().any(|key| config.get(*key).is_some())
}

pub(super) fn has_rotary_key(config: &Value) -> bool {
    KINDS_OF_POSITIONS.iter().any(|key| matches!(text(config, key), Some("rotary" | "rope")))
        || config.pointer("/attn_config/rope") == Some(&Value::Bool(true))
        || OF_ROTARY.iter().any(|key| config.get(*key).is_some_and(|value| !value.is_null()))
}

/// Returns the error sentence for a config with a key that says that there is no rotary embedding, or without the one
/// that says that there is.
fn switched_off(model: &str, config: &Value) -> Option<String> {
    if let Some((_, key, needed)) = SWITCHES.iter().find(|(models, ..)| models.contains(&model)) {
        let found = config.get(*key).unwrap_or(&Value::Null);
        let off = format!(
            "the config has `{key}` {found}, but the model type `{model}` has a rotary embedding only with {needed}"
        );
        return (format!("{found}") != *needed).then_some(off);
    }
    let is_known = ModelPositions::of_model(model) == Some(ModelPositions::Rotary);
    let says_none = |key: &str, value: &Value| match value {
        Value::Bool(is_without) => key == "mla_use_nope" && *is_without,
        // Many configs have "absolute" from BERT.
        Value::String(kind) => !(matches!(&kind[..], "rope" | "rotary") || is_known && kind == "absolute"),
        _ => false,
    };
    let keys = KINDS_OF_POSITIONS.into_iter().chain(["mla_use_nope"]);
    let mut found = keys.filter_map(|key| Some((key, config.get(key)?)));
    let (key, value) = found.find(|(key, value)| says_none(key, value))?;
    Some(format!("the config has `{key}` {value}, so the model has no rotary embedding"))
}
