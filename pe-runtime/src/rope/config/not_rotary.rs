//! Why a model has no rotary embedding.

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

/// Returns the error sentence for the config of a model that has no rotary embedding.
pub(super) fn refusal(config: &Value) -> Option<String> {
    let text = |key: &str| config.get(key).and_then(Value::as_str);
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
