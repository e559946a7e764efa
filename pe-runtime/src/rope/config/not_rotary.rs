//! Why a model has no rotary cache.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use serde_json::Value;

use crate::spec::models::ModelPositions;

/// Keys that only models with a rotary embedding set.
const OF_ROTARY: [&str; 7] = [
    "rope_theta",
    "rope_scaling",
    "rope_parameters",
    "rotary_dim",
    "rotary_pct",
    "rotary_emb_base",
    "partial_rotary_factor",
];

/// The types of models that are vision models alone, whose positions have several axes.
pub(crate) const OF_IMAGES: [&str; 5] = ["dinov3_vit", "eomt_dinov3", "pixtral", "sapiens2", "vjepa2"];

/// Keys for the widths of several axes.
const WIDTHS_OF_AXES: [&str; 5] = ["axes_dim", "axes_dim_rope", "axes_dims", "axes_dims_rope", "rope_axes_dim"];

/// Returns the error sentence for the config of a model that has no rotary embedding of positions with one axis.
pub(super) fn refusal(config: &Value) -> Option<String> {
    let text = |key: &str| config.get(key).and_then(Value::as_str);
    let is_of_images = text("model_type").is_some_and(|model| OF_IMAGES.contains(&model));
    if is_of_images || WIDTHS_OF_AXES.iter().any(|key| config.get(*key).is_some()) {
        return Some("the config is for a rotary table of several axes; use `AxialConfig` or --shape".to_owned());
    }
    let kind = text("position_embedding_type");
    if config.get("alibi") == Some(&Value::Bool(true)) || kind == Some("alibi") {
        return Some(format!(
            "the config is for a model that uses {} and has no rotary embedding",
            ModelPositions::Alibi
        ));
    }
    let is_rotary = matches!(kind, Some("rotary" | "rope"))
        || config.pointer("/attn_config/rope") == Some(&Value::Bool(true))
        || OF_ROTARY.iter().any(|key| config.get(*key).is_some_and(|value| !value.is_null()));
    let model = text("model_type").filter(|_| !is_rotary)?;
    let positions = ModelPositions::of_model(model)?;
    let remedy =
        if positions.may_be_sinusoidal() { "; use `sinusoidal_table!`, `Spec` or `posenc table --config`" } else { "" };
    Some(format!(
        "the config is for the model type `{model}`, which uses {positions} and has no rotary embedding{remedy}"
    ))
}
