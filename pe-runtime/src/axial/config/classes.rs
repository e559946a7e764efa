//! The image and video models of diffusers, by their `_class_name`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

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

/// The keys that are read for all classes, or that no known class uses for its rotary table.
const OF_ALL: [&str; 8] = [
    "extra_pos_embed_type", // learned positions beside the rotary ones
    "position_embedding_type",
    "rope_max_seq_len", // the positions for which a table is computed
    "rope_theta",
    "scaling_factor",                    // of latents
    "time_theta",                        // of timesteps
    "use_learned_positional_embeddings", // of the other kind of positions of CogVideoX
    "use_rotary_positional_embeddings",
];

/// Returns the keys that are read for a class, or that have no effect on its table.
pub(super) fn read_keys(class: &str, config: &Value) -> Vec<&'static str> {
    let mut read = OF_ALL.to_vec();
    if let Some((_, preset, widths)) = CLASSES.iter().find(|(names, ..)| names.contains(&class)) {
        read.extend(widths);
        read.extend((*preset == AxialPreset::Cosmos).then_some("rope_scale"));
    }
    // Of two bases, the first is read.
    let base = config.get("rope_theta").filter(|base| !base.is_null());
    read.extend(base.is_none_or(|base| config.get("theta") == Some(base)).then_some("theta"));
    read
}

/// Reads a model of diffusers.
pub(super) fn of_class(class: &str, config: &Value) -> Result<Parts, String> {
    let known = CLASSES.iter().find(|(names, ..)| names.contains(&class));
    let &(_, preset, key) = known.ok_or_else(|| unknown(class))?;
    let keys = Keys(config);
    let is_rotary = config.get("use_rotary_positional_embeddings") != Some(&Value::Bool(false));
    if preset == AxialPreset::CogVideoX5b && !is_rotary {
        return Err(format!("the config is for a `{class}` without a rotary embedding; its table is a `Grid`"));
    }
    let counts_points = preset == AxialPreset::CogVideoX5b && keys.find("patch_size_t").is_some();
    if preset == AxialPreset::CogVideoX5b && !counts_points {
        check_trained_size(keys)?;
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
        counts_points,
    })
}

/// The points along the height and the width with which `CogVideoX` was trained.
const TRAINED: [usize; 2] = [30, 45];

/// Checks that a `CogVideoX` was trained with the numbers of points that its preset has.
fn check_trained_size(keys: Keys) -> Result<(), String> {
    let patch = keys.whole(&["patch_size"])?.unwrap_or(2).max(1);
    let points = |key, default: usize| Ok::<_, String>(keys.whole(&[key])?.map_or(default, |size| size / patch));
    let [height, width] = [points("sample_height", TRAINED[0])?, points("sample_width", TRAINED[1])?];
    if [height, width] == TRAINED {
        return Ok(());
    }
    Err(format!(
        "the config has {height} x {width} patches (`sample_height` and `sample_width` by `patch_size`), but must have 30 x 45; \
         set the preset `cogvideox_5b` and `unit` in place of the config"
    ))
}

/// Returns the error sentence for a shape that the pipeline of `CogVideoX` does not stretch, but places in the middle of
/// the shape with which the model was trained.
///
/// Source: `get_resize_crop_region_for_grid` of diffusers 0.42.1. Shapes that it stretches by less than rounding are the
/// same.
pub(super) fn cropped(parts: &Parts, shape: &[usize]) -> Option<String> {
    let (true, &[_, height, width]) = (parts.preset == AxialPreset::CogVideoX5b && !parts.counts_points, shape) else {
        return None;
    };
    let (height, width) = (height as u128, width as u128);
    let [rows, columns] = TRAINED.map(|points| points as u128);
    let (one, other) = (height * columns, width * rows);
    // The shorter side would have `rows * other / one` points, rounded, or `columns * one / other`.
    let most = if one > other { height } else { width };
    (2 * one.abs_diff(other) >= most && most > 0).then(|| {
        format!(
            "the model crops {height} x {width} patches, as their proportions are not 30:45; use the preset `cogvideox_5b` \
             with `unit` 1 and with `positions` as `get_resize_crop_region_for_grid` of diffusers computes them"
        )
    })
}
