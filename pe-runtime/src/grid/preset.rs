//! The grids of known models by name, each with its source.

use core::fmt::{self, Display, Formatter};
use core::str::FromStr;

use crate::grid::values;
use crate::spec::names::{NameError, Named, Names, Of, named};

choice! {
    /// The grid table of known models, as parameters.
    ///
    /// A preset describes the mathematical table. Those of MAE and `DiT`, and of `PixArt` for 64 x 64 patches, are computed in
    /// `f64` and rounded once, so baked ones have the same bits. Others compute their positions in `f32` (`CogVideoX`, other
    /// shapes of `PixArt`) or everything (DETR, timm, `big_vision`), which changes a fifth to a half of the entries, by up to
    /// 1e-6. Each preset says which axis fills the first columns and in which order the rows are.
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
    GridPreset {
        /// MAE, `DiT`, I-JEPA, `AudioMAE`, Latte, Open-Sora 1, `ViTMAE` and `AIMv2` of transformers.
        ///
        /// Axes `(h, w)`; the width fills the first half, although MAE's code calls it `emb_h`. Add `zero_rows(1)` for
        /// `cls_token=True`. (`DiT` adds rows only if `extra_tokens` is greater than 0 as well.) Source: facebookresearch/mae
        /// efb2a80 `util/pos_embed.py`, DiT ed81ce2 `models.py`.
        Mae = "mae",
        /// The simple `ViT` of `big_vision` and vit-pytorch, in two dimensions or three.
        ///
        /// Axes `(h, w)` or `(t, h, w)`; the last axis fills the first columns, and the exponents reach 1 (`freq_shift = 1`).
        /// In three dimensions each axis has `2 (d / 6)` columns, rounded down, and the others are zeros. Source:
        /// google-research/big_vision 0127fb6 `vit.py`, vit-pytorch 1.26.11 `simple_vit.py`, `simple_vit_3d.py`.
        SimpleVit = "simple_vit",
        /// RT-DETR, D-FINE and others in transformers 5, and V-JEPA's table of images.
        ///
        /// Axes `(h, w)`; the height fills the first half. Older code of RT-DETR and `OmDet` walks the columns first, which is
        /// this table if the grid is square: use `moco_v3` for others. Source: transformers 5.23
        /// `build_2d_sinusoidal_position_embedding`, facebookresearch/jepa 51c59d5 `pos_embs.py`.
        Hf2d = "hf_2d",
        /// `MoCo` v3, and the older RT-DETR and `OmDet` without the row of zeros.
        ///
        /// Axes `(w, h)`: the rows go down the columns of the image, because `torch.meshgrid` counts like a matrix. The width
        /// fills the first half. A row of zeros comes first. Source: facebookresearch/moco-v3 c349e6e `vits.py`.
        MocoV3 = "moco_v3",
        /// timm's `build_sincos2d_pos_embed`.
        ///
        /// Axes `(h, w)`; the sines of both axes are before their cosines, height first. `interleave_sin_cos=True` is `hf_2d`:
        /// it interleaves nothing. `reverse_coord=True` is this table for the shape `(w, h)`. Source: timm 1.0.31.
        Timm = "timm",
        /// DETR with `normalize=False`.
        ///
        /// Axes `(h, w)`; pairs, the height in the first half, positions from 1. The model's output is `(d, h, w)`. Source:
        /// facebookresearch/detr 29901c5 `position_encoding.py`.
        Detr = "detr",
        /// DETR with `normalize=True`: `Mask2Former`, SAM 2 and 3, Table Transformer, DINO.
        ///
        /// As `detr`, with the positions `(i + 1) / (n + 1e-6)` times 2π. DAB-DETR, DINO and Grounding DINO have base 20.
        /// Padded images have other positions, which no table has. Source: the same.
        DetrNormalized = "detr_normalized",
        /// Deformable DETR.
        ///
        /// As `detr_normalized`, with the positions `(i + 1/2) / (n + 1e-6)`. Source: fundamentalvision/Deformable-DETR 11169a6
        /// `position_encoding.py`.
        DeformableDetr = "deformable_detr",
        /// `PixArt`, and `get_2d_sincos_pos_embed` of diffusers.
        ///
        /// Axes `(h, w)`; the width fills the first half. It requires [`extent`](crate::Grid::extent), which is
        /// `base_size / interpolation_scale` of the model. In diffusers `base_size` is 16 if it is not given, so a plain call
        /// is not MAE's table. Source: PixArt-alpha/PixArt-alpha cac2fd3 `PixArt.py`, diffusers 0.42.1 `embeddings.py`.
        PixArt = "pixart",
        /// Stable Diffusion 3 and 3.5, `OmniGen`: the middle of a grid of 192 x 192, in thirds.
        ///
        /// Axes `(h, w)`; the width fills the first half. Each axis has at most 192 points, unless you set
        /// [`start`](crate::Grid::start). Source: diffusers 0.42.1
        /// `PatchEmbed(pos_embed_max_size=192)`.
        Sd3 = "sd3",
        /// `CogVideoX` 2B.
        ///
        /// Axes `(t, h, w)`, in the columns `t, w, h`, of a quarter and twice three eighths; heights and widths in units of
        /// 8/15, which is `1 / 1.875`. 226 rows of zeros for the text come first. Source: diffusers 0.42.1
        /// `CogVideoXPatchEmbed`.
        CogVideoX = "cogvideox",
        /// V-JEPA's table of videos.
        ///
        /// Axes `(t, h, w)` in this order, of a half and twice a quarter of the columns. Source: facebookresearch/jepa 51c59d5
        /// `pos_embs.py`.
        VJepa = "vjepa",
        /// V-JEPA with `uniform_power=True`.
        ///
        /// Axes `(t, h, w)` with the same number of columns, `d / 6` rounded up, times 2. Those beyond `d_model` are left out.
        /// Source: the same.
        VJepaUniform = "vjepa_uniform",
        /// The library positional-encodings of tatp22, since 6.0.
        ///
        /// Axes `(x, y)` or `(x, y, z)` in this order, in pairs. The columns beyond `d_model` are left out. Source:
        /// positional-encodings 6.0.3 `torch_encodings.py`.
        Tatp22 = "tatp22",
        /// MONAI's `build_sincos_position_embedding`, in two dimensions or three.
        ///
        /// Axes `(h, w)` or `(h, w, d)`, in the columns `w, h` or `w, h, d`. Source: Project-MONAI/MONAI 15bc463.
        Monai = "monai",
    }
}

impl GridPreset {
    /// Returns the names of the axes, or `None` if the preset has another number of them.
    pub(crate) const fn names(self, axes: usize) -> Option<&'static [&'static str]> {
        Some(match (self, axes) {
            (Self::MocoV3, 2) => &["w", "h"],
            (Self::Tatp22, 2) => &["x", "y"],
            (Self::Tatp22, 3) => &["x", "y", "z"],
            (Self::Monai, 3) => &["h", "w", "d"],
            (Self::SimpleVit | Self::CogVideoX | Self::VJepa | Self::VJepaUniform, 3) => &["t", "h", "w"],
            (Self::CogVideoX | Self::VJepa | Self::VJepaUniform, _) => return None,
            (_, 2) => &["h", "w"],
            _ => return None,
        })
    }

    /// Returns the axes that a shape may have, as text.
    pub(crate) const fn axes(self) -> &'static str {
        match self {
            Self::MocoV3 => "w, h",
            Self::Tatp22 => "x, y or x, y, z",
            Self::Monai => "h, w or h, w, d",
            Self::SimpleVit => "h, w or t, h, w",
            Self::CogVideoX | Self::VJepa | Self::VJepaUniform => "t, h, w",
            _ => "h, w",
        }
    }
}

/// Returns the names of the axes of a shape, for the macro.
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

named! {
    GridPreset: Of::Things("preset"), &[
        ("dit", "`mae`"),
        ("vit_mae", "`mae`"),
        ("ijepa", "`mae`"),
        ("audiomae", "`mae`"),
        ("latte", "`mae`"),
        ("big_vision", "`simple_vit`"),
        ("rt_detr", "`hf_2d`"),
        ("d_fine", "`hf_2d`"),
        ("aimv2", "`mae`"),
        ("omdet", "`hf_2d`, or `moco_v3` for the older code"),
        ("mask2former", "`detr_normalized`"),
        ("sam2", "`detr_normalized`"),
        ("sam3", "`detr_normalized`"),
        ("dab_detr", "`detr_normalized` with `base = 20`"),
        ("grounding_dino", "`detr_normalized` with `base = 20`"),
        ("sd3_5", "`sd3`"),
        ("omnigen", "`sd3`"),
        ("videomae", "`sinusoidal_table!` with `preset = distilbert`"),
        ("vjepa_2d", "`hf_2d`"),
        ("cogvideo", "`cogvideox`"),
        ("positional_encodings", "`tatp22`"),
    ];
}
