//! The grids of known models by name, each with its source.

use crate::grid::values;

/// The axes that the shape of a grid may have.
#[derive(Clone, Copy)]
pub(crate) struct Axes {
    /// The names of each number of axes.
    pub(crate) names: &'static [&'static [&'static str]],
    /// The same as text.
    pub(crate) text: &'static str,
}

impl Axes {
    /// Returns the names of so many axes, or `None` if the shape has another number of them.
    pub(crate) const fn of(self, axes: usize) -> Option<&'static [&'static str]> {
        let mut i = 0;
        while i < self.names.len() {
            if self.names[i].len() == axes {
                return Some(self.names[i]);
            }
            i += 1;
        }
        None
    }
}

const H_W: Axes = Axes { names: &[&["h", "w"]], text: "h, w" };
const T_H_W: Axes = Axes { names: &[&["t", "h", "w"]], text: "t, h, w" };
const H_W_OR_T_H_W: Axes = Axes { names: &[&["h", "w"], &["t", "h", "w"]], text: "h, w or t, h, w" };
const H_W_OR_H_W_D: Axes = Axes { names: &[&["h", "w"], &["h", "w", "d"]], text: "h, w or h, w, d" };
const W_H: Axes = Axes { names: &[&["w", "h"]], text: "w, h" };
const X_Y_OR_X_Y_Z: Axes = Axes { names: &[&["x", "y"], &["x", "y", "z"]], text: "x, y or x, y, z" };

presets! {
    /// The table of the grid of a known model, as parameters.
    ///
    /// A preset describes the mathematical table. MAE and `DiT`, and `PixArt` for 64 x 64 patches, compute in `f64` and
    /// round once, so the tables of this crate have the same bits. Other models compute only their positions in `f32`
    /// (`CogVideoX`, other shapes of `PixArt`), or everything (DETR, timm, `big_vision`), which changes a fifth to a
    /// half of the entries, by up to 1e-6. Each preset says which axis fills the first columns and in which order the
    /// rows are.
    ///
    /// The class token and other tokens before the grid are [`zero_rows`](crate::Grid::zero_rows), which only the presets with a
    /// fixed number of them set.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Grid, GridPreset};
    ///
    /// let grid = Grid::preset(GridPreset::DetrNormalized, [28, 40], 256);
    /// assert_eq!(grid.axis(0)?.parameters().unit, (1_000_000, 28_000_001)); // 1 / (28 + 1e-6)
    /// assert_eq!("detr_normalized".parse(), Ok(GridPreset::DetrNormalized));
    /// # Ok::<(), posenc::GridError>(())
    /// ```
    #[allow(clippy::doc_markdown, reason = "the names of the models")]
    GridPreset(axes: Axes) {
        /// Axes `(h, w)`; the width fills the first half, although MAE's code calls it `emb_h`. Add `zero_rows(1)` for
        /// `cls_token=True`. `DiT` adds rows only if `extra_tokens` is also greater than 0.
        Mae = "mae" | "dit" | "vit_mae" | "ijepa" | "audiomae" | "latte" | "aimv2" {
            axes: H_W,
            models: "MAE, DiT, I-JEPA, AudioMAE, Latte, Open-Sora 1, ViTMAE and AIMv2 of transformers"
                from "facebookresearch/mae efb2a80 `util/pos_embed.py`, DiT ed81ce2 `models.py`",
        }
        /// Axes `(h, w)` or `(t, h, w)`; the last axis fills the first columns, and the exponents reach 1 (`freq_shift = 1`).
        /// In three dimensions each axis has `2 (d / 6)` columns, rounded down, and the others are zeros.
        SimpleVit = "simple_vit" | "big_vision" {
            axes: H_W_OR_T_H_W,
            models: "simple ViT of big_vision and vit-pytorch"
                from "google-research/big_vision 0127fb6 `vit.py`, vit-pytorch 1.26.11 `simple_vit.py`, `simple_vit_3d.py`",
        }
        /// Axes `(h, w)`; the height fills the first half. Older code of RT-DETR and `OmDet` walks the columns first,
        /// which is this table if the grid is square. For other grids, use `moco_v3`.
        Hf2d = "hf_2d" | "rt_detr" | "d_fine" {
            axes: H_W,
            models: "RT-DETR and D-FINE in transformers 5, V-JEPA's images"
                from "transformers 5.23 `build_2d_sinusoidal_position_embedding`, facebookresearch/jepa 51c59d5 `pos_embs.py`",
        }
        /// Axes `(w, h)`: the rows go down the columns of the image, because `torch.meshgrid` counts like a matrix. The width
        /// fills the first half. A row of zeros comes first.
        ///
        /// The older RT-DETR and `OmDet` have the same table without the row of zeros.
        MocoV3 = "moco_v3" {
            axes: W_H,
            models: "MoCo v3"
                from "facebookresearch/moco-v3 c349e6e `vits.py`",
            note: "the older RT-DETR and OmDet with --zero-rows 0",
        }
        /// Axes `(h, w)`; the sines of both axes are before their cosines, height first. With
        /// `interleave_sin_cos=True`, which interleaves nothing, the table is `hf_2d`. With `reverse_coord=True`, it is
        /// this table for the shape `(w, h)`.
        Timm = "timm" {
            axes: H_W,
            models: "timm's build_sincos2d_pos_embed"
                from "timm 1.0.31",
        }
        /// Axes `(h, w)`; the columns are in pairs, the height fills the first half, and positions begin at 1. The
        /// model's output is `(d, h, w)`.
        Detr = "detr" {
            axes: H_W,
            models: "DETR with normalize=False"
                from "facebookresearch/detr 29901c5 `position_encoding.py`",
        }
        /// As `detr`, with the positions `(i + 1) / (n + 1e-6)` times 2π. DAB-DETR, DINO and Grounding DINO have base
        /// 20. Padded images have other positions, which depend on the padding.
        DetrNormalized = "detr_normalized" | "mask2former" | "sam2" | "sam3" {
            axes: H_W,
            models: "DETR with normalize=True, Mask2Former, SAM 2 and 3, Table Transformer, DINO"
                from "facebookresearch/detr 29901c5 `position_encoding.py`",
        }
        /// As `detr_normalized`, with the positions `(i + 1/2) / (n + 1e-6)`.
        DeformableDetr = "deformable_detr" {
            axes: H_W,
            models: "Deformable DETR"
                from "fundamentalvision/Deformable-DETR 11169a6 `position_encoding.py`",
        }
        /// Axes `(h, w)`; the width fills the first half. It requires [`extent`](crate::Grid::extent), which is
        /// `base_size / interpolation_scale` of the model. In diffusers `base_size` is 16 if it is not given, so a plain call
        /// is not MAE's table.
        PixArt = "pixart" {
            axes: H_W,
            models: "PixArt, diffusers' get_2d_sincos_pos_embed"
                from "PixArt-alpha/PixArt-alpha cac2fd3 `PixArt.py`, diffusers 0.42.1 `embeddings.py`",
            note: "requires --extent",
            given: &[("extent", "64/2")],
        }
        /// The middle of a grid of 192 x 192, in thirds.
        ///
        /// Axes `(h, w)`; the width fills the first half. Each axis has at most 192 points, unless you set
        /// [`start`](crate::Grid::start). Stable Diffusion 3.5 Medium has the middle of a grid of 384 x 384, in sixths:
        /// `unit = 64/384`, and `start = (384 - n) / 2` for an axis of n points.
        Sd3 = "sd3" | "omnigen" | "sd3_5_large" | "stable_diffusion_3" | "stable_diffusion_3_5_large" {
            axes: H_W,
            models: "Stable Diffusion 3 and 3.5 Large, OmniGen"
                from "diffusers 0.42.1 `PatchEmbed(pos_embed_max_size=192)`",
        }
        /// Axes `(t, h, w)` with 1/4, 3/8 and 3/8 of the columns, in the order `t, w, h`; heights and widths are in
        /// units of 8/15, which is `1 / 1.875`. The text has 226 rows of zeros, which come first.
        CogVideoX = "cogvideox" | "cogvideo" {
            axes: T_H_W,
            models: "CogVideoX 2B"
                from "diffusers 0.42.1 `CogVideoXPatchEmbed`",
        }
        /// Axes `(t, h, w)` in this order, with 1/2, 1/4 and 1/4 of the columns.
        VJepa = "vjepa" {
            axes: T_H_W,
            models: "V-JEPA's videos"
                from "facebookresearch/jepa 51c59d5 `pos_embs.py`",
        }
        /// Axes `(t, h, w)` with the same number of columns, `d / 6` rounded up, times 2. The columns beyond `d_model`
        /// are left out.
        VJepaUniform = "vjepa_uniform" {
            axes: T_H_W,
            models: "V-JEPA with uniform_power=True"
                from "facebookresearch/jepa 51c59d5 `pos_embs.py`",
        }
        /// Axes `(x, y)` or `(x, y, z)` in this order, in pairs. The columns beyond `d_model` are left out.
        Tatp22 = "tatp22" | "positional_encodings" {
            axes: X_Y_OR_X_Y_Z,
            models: "positional-encodings of tatp22, since 6.0"
                from "positional-encodings 6.0.3 `torch_encodings.py`",
        }
        /// Axes `(h, w)` or `(h, w, d)`, in the columns `w, h` or `w, h, d`.
        Monai = "monai" {
            axes: H_W_OR_H_W_D,
            models: "MONAI's build_sincos_position_embedding"
                from "Project-MONAI/MONAI 15bc463",
        }
    }

    elsewhere {
        "omdet" [Hf2d, MocoV3] => "`hf_2d`, or `moco_v3` for the older code";
        "dab_detr" [DetrNormalized; "base" = "20"] => "`detr_normalized` with `base = 20`";
        "grounding_dino" [DetrNormalized; "base" = "20"] => "`detr_normalized` with `base = 20`";
        "sd3_5" [Sd3] => "`sd3` for Large, or for Medium with `unit = 64/384` and `start = (384 - n) / 2` for n points";
        "sd3_5_medium" [Sd3; "unit" = "64/384", "start" = "185"]
            => "`sd3` with `unit = 64/384` and `start = (384 - n) / 2` for n points";
        "stable_diffusion_3_5_medium" [Sd3; "unit" = "64/384", "start" = "185"]
            => "`sd3` with `unit = 64/384` and `start = (384 - n) / 2` for n points";
        "videomae" [] => "`sinusoidal_table!` with `preset = distilbert`";
        "vjepa_2d" [Hf2d] => "`hf_2d`";
    }
}

/// Returns the names of the axes of a grid, in the order of the shape. They depend on the preset, if there is one.
///
/// # Examples
///
/// ```
/// use posenc::GridPreset;
/// use posenc::reflection::axis_names;
///
/// assert_eq!(axis_names(None, 3), ["t", "h", "w"]);
/// assert_eq!(axis_names(Some(GridPreset::MocoV3), 2), ["w", "h"]);
/// ```
#[must_use]
pub const fn axis_names(preset: Option<GridPreset>, axes: usize) -> &'static [&'static str] {
    match preset {
        Some(preset) => match preset.names(axes) {
            Some(names) => names,
            None => values::names(axes),
        },
        None => values::names(axes),
    }
}

impl GridPreset {
    /// Returns the names of the axes, or `None` if the preset has another number of them.
    pub(crate) const fn names(self, axes: usize) -> Option<&'static [&'static str]> {
        self.axes().of(axes)
    }
}
