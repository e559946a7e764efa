//! The presets of `posenc grid`.

use posenc::reflection::{Named, axis_names};
use posenc::{Grid, GridPreset};

use super::{Described, Kind, named_elsewhere};

pub(super) fn described(preset: GridPreset) -> Described {
    let name = preset.name();
    let images = example(preset, [14, 14], 768);
    let videos = example(preset, [13, 30, 45], 1920);
    let axes: Vec<_> = [&images, &videos].into_iter().flatten().map(|example| example.axes.as_str()).collect();
    let table = format!("axes {}", axes.join(" or "));
    let Example { call, command, .. } = images.or(videos).expect("a preset has two or three axes");
    Described {
        kind: Kind::Grid,
        name,
        table,
        models: models(preset).to_owned(),
        parameters: call,
        same: Vec::new(),
        see_also: named_elsewhere(GridPreset::NAMES, name),
        source: None,
        command,
    }
}

/// A grid of a preset.
struct Example {
    axes: String,
    call: String,
    command: String,
}

/// Returns an example, or `None` if the preset has another number of axes.
fn example<const A: usize>(preset: GridPreset, shape: [usize; A], d_model: usize) -> Option<Example> {
    let grid = Grid::preset(preset, shape, d_model);
    let (grid, further) = match preset {
        GridPreset::PixArt => (grid.extent(64, 2), " --extent 64/2"),
        _ => (grid, ""),
    };
    grid.check::<f32>().ok()?;
    let shape = shape.map(|points| points.to_string()).join("x");
    Some(Example {
        axes: axis_names(Some(preset), A).join(", "),
        call: grid.to_string(),
        command: format!("posenc grid --preset {preset} --shape {shape} --d-model {d_model}{further} -o grid.npy"),
    })
}

fn models(preset: GridPreset) -> &'static str {
    match preset {
        GridPreset::Mae => "MAE, DiT, I-JEPA, AudioMAE, Latte, Open-Sora 1, ViTMAE and AIMv2 of transformers",
        GridPreset::SimpleVit => "simple ViT of big_vision and vit-pytorch",
        GridPreset::Hf2d => "RT-DETR and D-FINE in transformers 5, V-JEPA's images",
        GridPreset::MocoV3 => "MoCo v3; the older RT-DETR and OmDet with --zero-rows 0",
        GridPreset::Timm => "timm's build_sincos2d_pos_embed",
        GridPreset::Detr => "DETR with normalize=False",
        GridPreset::DetrNormalized => "DETR with normalize=True, Mask2Former, SAM 2 and 3, Table Transformer, DINO",
        GridPreset::DeformableDetr => "Deformable DETR",
        GridPreset::PixArt => "PixArt, diffusers' get_2d_sincos_pos_embed; requires --extent",
        GridPreset::Sd3 => "Stable Diffusion 3 and 3.5, OmniGen",
        GridPreset::CogVideoX => "CogVideoX 2B",
        GridPreset::VJepa => "V-JEPA's videos",
        GridPreset::VJepaUniform => "V-JEPA with uniform_power=True",
        GridPreset::Tatp22 => "positional-encodings of tatp22, since 6.0",
        GridPreset::Monai => "MONAI's build_sincos_position_embedding",
    }
}
