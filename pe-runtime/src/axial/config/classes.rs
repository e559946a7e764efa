//! The image and video models of diffusers, by their `_class_name`.

use alloc::format;
use alloc::string::String;

use serde_json::Value;

use crate::axial::config::keys::Keys;
use crate::axial::config::parts::Parts;
use crate::axial::config::refused::unknown;
use crate::axial::preset::AxialPreset;
use crate::rope::config::json::{number, whole};

/// The models by their class, each with the key of the widths of its axes. Without one the preset has them.
const CLASSES: &[(&[&str], AxialPreset, Option<&'static str>)] = &[
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
        Some("axes_dims_rope"),
    ),
    (&["Flux2Transformer2DModel"], AxialPreset::Flux2, Some("axes_dims_rope")),
    (&["Krea2Transformer2DModel"], AxialPreset::Krea2, Some("axes_dims_rope")),
    (&["ZImageTransformer2DModel"], AxialPreset::ZImage, Some("axes_dims")),
    (&["ErnieImageTransformer2DModel"], AxialPreset::ZImage, Some("rope_axes_dim")),
    (&["Lumina2Transformer2DModel"], AxialPreset::Lumina2, Some("axes_dim_rope")),
    (
        &["QwenImageTransformer2DModel", "NucleusMoEImageTransformer2DModel"],
        AxialPreset::QwenImage,
        Some("axes_dims_rope"),
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
        None,
    ),
    (
        &["HunyuanVideoTransformer3DModel", "HunyuanVideo15Transformer3DModel", "MotifVideoTransformer3DModel"],
        AxialPreset::HunYuanVideo,
        Some("rope_axes_dim"),
    ),
    (&["CosmosTransformer3DModel"], AxialPreset::Cosmos, None),
    (&["CogVideoXTransformer3DModel", "ConsisIDTransformer3DModel"], AxialPreset::CogVideoX5b, None),
    (&["Kandinsky5Transformer3DModel"], AxialPreset::Kandinsky5, Some("axes_dims")),
    (&["PRXTransformer2DModel"], AxialPreset::Qwen2VlVision, Some("axes_dim")),
];

/// Reads a model of diffusers.
pub(super) fn of_class(class: &str, config: &Value) -> Result<Parts, String> {
    let known = CLASSES.iter().find(|(names, ..)| names.contains(&class));
    let &(_, preset, key) = known.ok_or_else(|| unknown(class))?;
    let keys = Keys(config);
    let is_rotary = config.get("use_rotary_positional_embeddings") != Some(&Value::Bool(false));
    if preset == AxialPreset::CogVideoX5b && !is_rotary {
        return Err(format!("the config is for a `{class}` without a rotary embedding; its table is a `Grid`"));
    }
    let widths = key.map(|key| keys.list(key, whole)).transpose()?.flatten();
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
