//! The vision towers of transformers, by their `model_type`.

use alloc::string::String;

use serde_json::Value;

use crate::axial::config::keys::{Keys, text};
use crate::axial::config::parts::Parts;
use crate::axial::config::refused::{refused, unknown};
use crate::axial::preset::AxialPreset;
use crate::rope::config::not_rotary::OF_IMAGES;

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

/// The keys of a tower that are read, or are its kind of positions.
#[rustfmt::skip]
pub(super) const OF_TOWER: [&str; 12] = [
    "position_embedding_type", "rope_parameters", "rope_theta",
    // Learned positions beside the rotary ones.
    "init_pos_emb_height", "init_pos_emb_time", "init_pos_emb_width", "pos_emb_height", "pos_emb_time", "pos_emb_width",
    // How positions vary while the model is trained.
    "pos_embed_jitter", "pos_embed_rescale", "pos_embed_shift",
];

/// Returns the config of the vision tower.
pub(super) fn tower(config: &Value) -> &Value {
    part(config).unwrap_or(config)
}

fn part(config: &Value) -> Option<&Value> {
    let parts = ["/vision_config", "/thinker_config/vision_config"];
    parts.iter().find_map(|path| config.pointer(path)).filter(|part| part.is_object())
}

/// Reads a vision tower.
pub(super) fn of_tower(config: &Value) -> Result<Parts, String> {
    let part = part(config);
    let kind = part.and_then(|part| text(part, "model_type")).or_else(|| text(config, "model_type"));
    let kind = kind.ok_or("the config has neither a `model_type` nor a `_class_name`")?;
    let ends = ["_vision_encoder", "_vision_model", "_vision"];
    let plain = ends.iter().find_map(|end| kind.strip_suffix(end)).unwrap_or(kind);
    let is_tower = part.is_some() || plain != kind || OF_IMAGES.contains(&plain);
    let known = TOWERS.iter().find(|(names, ..)| is_tower && names.contains(&plain) && refused(kind).is_none());
    let &(_, preset, merges) = known.ok_or_else(|| unknown(kind))?;
    let keys = Keys(part.unwrap_or(config));
    // All classes have this default.
    let merge = if merges { keys.whole(&["spatial_merge_size", "merge_size"])?.unwrap_or(2) } else { 1 };
    let parameters = Keys(keys.0.get("rope_parameters").unwrap_or(&Value::Null));
    let base = parameters.number(&["rope_theta"])?.or(keys.number(&["rope_theta"])?);
    // The `hidden_size` of this class is the width of the language model.
    let widths = if plain == "qwen2_vl" { &["embed_dim"][..] } else { &["embed_dim", "hidden_size"] };
    let head_dim = keys.width_of_head(widths, &["num_heads", "num_attention_heads"])?;
    Ok(Parts { preset, head_dim, base, widths: None, merge, alphas: None, counts_points: false })
}
