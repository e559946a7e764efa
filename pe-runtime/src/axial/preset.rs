//! The rotary tables of several axes of known models by name, each with its source.

use crate::grid::preset::Axes;
use crate::grid::values;

const H_W: Axes = Axes { names: &[&["h", "w"]], text: "h, w" };
const T_H_W: Axes = Axes { names: &[&["t", "h", "w"]], text: "t, h, w" };
const T_H_W_L: Axes = Axes { names: &[&["t", "h", "w", "l"]], text: "t, h, w, l" };

presets! {
    /// The rotary table of a known model for images or videos, as parameters.
    ///
    /// A preset describes the mathematical table, with one entry per pair. Models that compute in `f64` and round once
    /// have the same bits (Flux, Wan, Lumina 2 and others). Models that compute in `f32` differ in 20 to 60 % of the
    /// entries, by up to 2.0e-6. The width of a head is an argument, because it differs from checkpoint to checkpoint.
    ///
    /// No preset sets `merge`, for the order of the rows in models that merge patches, or
    /// [`repeat`](crate::AxialRope::repeat), for the layout of the model's own tables, which each preset names.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{AxialPreset, AxialRope};
    ///
    /// let rope = AxialRope::preset(AxialPreset::Cosmos, [5, 44, 80], 128);
    /// assert_eq!(
    ///     rope.to_string(),
    ///     "rotary_table!((5, 44, 80), 128, widths = (44, 42, 42), scaling = (ntk(alpha = 2.0), none, none))",
    /// );
    /// assert_eq!("wan".parse(), Ok(AxialPreset::Wan));
    /// ```
    #[allow(clippy::doc_markdown, reason = "the names of the models")]
    AxialPreset(axes: Axes) {
        /// Axes `(h, w)` in this order. Models that merge patches have their rows in blocks: `merge = 2`. Frames of a video
        /// repeat the rows: a first axis with `widths = (0, 40, 40)`. The model repeats halves.
        Qwen2VlVision = "qwen2_vl_vision" | "qwen2_5_vl_vision" | "qwen3_vl_vision" | "qwen3_5_vision" | "glm4v_vision"
            | "ernie4_5_vl_vision" | "paddleocr_vl_vision" | "prx" {
            axes: H_W,
            models: "vision towers of Qwen2-VL to Qwen4, GLM-4V, Ernie 4.5 VL, dots, Exaone 4.5, Cohere Compass, PaddleOCR-VL, \
                VideoLLaMA 3; GLM-Image, PRX"
                from "transformers 5.23 `Qwen2VLVisionRotaryEmbedding`",
            head_dim: 80,
        }
        /// As `qwen2_vl_vision` with base 1,000,000.
        Lfm3VlVision = "lfm3_vl_vision" {
            axes: H_W, models: "vision tower of LFM3-VL" from "transformers 5.23 `modeling_lfm3_vl.py`",
            head_dim: 64,
        }
        /// Axes `(h, w)`; the width has the first columns, and positions begin at 1. The model repeats halves.
        MuseVision = "muse_vision" {
            axes: H_W, models: "vision towers of Muse Glimmer and Spark" from "transformers 5.23 `modeling_muse_glimmer.py`",
            head_dim: 96,
        }
        /// Axes `(h, w)`; the width has the first columns, although the code calls it `freq_h`. The model repeats the half of
        /// each axis (`repeat = axis_halves`) and rotates the columns of each axis on their own.
        Gemma4Vision = "gemma4_vision" {
            axes: H_W, models: "vision tower of Gemma 4" from "transformers 5.23 `modeling_gemma4.py`",
            head_dim: 64,
        }
        /// Axes `(h, w)`; the width has the first columns, positions begin at 1, and a class token at the origin comes first.
        /// The checkpoints have `merge = 2`. The model repeats pairs.
        Inkling2Vision = "inkling2_vision" {
            axes: H_W, models: "vision tower of Inkling 2" from "transformers 5.23 `modeling_inkling2.py`",
            head_dim: 64,
        }
        /// Axes `(h, w)`; the axes alternate, the width first: `w0 h0 w1 h1`. The model repeats halves.
        KimiK25Vision = "kimi_k25_vision" | "moonvit" {
            axes: H_W, models: "MoonViT of Kimi K2.5" from "transformers 5.23 `modeling_kimi_k25.py`",
            head_dim: 72,
        }
        /// Axes `(t, h, w)` with `2 (d / 6)` columns each, rounded down. The columns after them are not rotated, and not in the
        /// table. The checkpoints have `merge = 2`. The model repeats halves.
        MiniMaxM3Vision = "minimax_m3_vision" {
            axes: T_H_W, models: "vision tower of MiniMax M3 VL" from "transformers 5.23 `modeling_minimax_m3_vl.py`",
            head_dim: 80,
        }
        /// Axes `(h, w)` in this order, which share one progression: the height has its even frequencies, and the width the odd
        /// ones. The model repeats halves.
        Pixtral = "pixtral" | "mistral3_vision" {
            axes: H_W, models: "Pixtral, Mistral 3" from "transformers 5.23 `PixtralRotaryEmbedding`",
            head_dim: 64,
        }
        /// Axes `(h, w)`; the width has the first columns. The model repeats halves.
        StepVision = "step_vision" {
            axes: H_W, models: "vision tower of Step 3.7" from "transformers 5.23 `modeling_step3p7.py`",
            head_dim: 96,
        }
        /// Axes `(h, w)`; the width has the first columns. The model repeats pairs, and each frame has the same table.
        Sam2Memory = "sam2_memory" | "edgetam" | "sam3_window" {
            axes: H_W,
            models: "memory attention of SAM 2 and EdgeTAM, windows of SAM 3" from "transformers 5.23 `modeling_sam2_video.py`",
            head_dim: 256,
        }
        /// As `sam2_memory`, with positions that run from 0 to 24: 72 patches are one third apart.
        Sam3Global = "sam3_global" {
            axes: H_W, models: "global layers of SAM 3" from "transformers 5.23 `Sam3ViTRotaryEmbedding`",
            head_dim: 64,
        }
        /// Axes `(h, w)`; the width has the first columns, and positions begin at 1. The class token comes last. The model keeps
        /// complex numbers.
        Llama4Vision = "llama4_vision" {
            axes: H_W, models: "vision tower of Llama 4" from "transformers 5.23 `Llama4VisionRotaryEmbedding`",
            head_dim: 88,
        }
        /// Axes `(h, w)` in this order; point `i` of `n` is at `(2 i + 1 - n) / n`, times 2π. Prefix tokens have no rows. The
        /// model repeats halves. Some weights hold periods in `bf16`: see `dinov3_bf16`.
        DinoV3 = "dinov3" | "sapiens2" | "eomt_dinov3" {
            axes: H_W,
            models: "DINOv3, EoMT-DINOv3, Sapiens 2"
                from "transformers 5.23 `modeling_dinov3_vit.py`, timm 1.0.31 `RotaryEmbeddingDinoV3`",
            head_dim: 64,
        }
        /// As `dinov3` with the reciprocals of the frequencies in `bf16`, as the published weights hold them. Entries
        /// differ by up to 0.0097 from the entries of exact frequencies.
        DinoV3Bf16 = "dinov3_bf16" {
            axes: H_W,
            models: "published weights of DINOv3"
                from "`rope_embed.periods` in `dinov3/layers/rope_position_encoding.py`, timm 1.0.31 `RotaryEmbeddingDinoV3`",
            head_dim: 64,
        }
        /// Axes `(t, h, w)` with `2 (d / 6)` columns each, rounded down; the columns after them are not rotated, but are in the
        /// table. The model repeats the half of each axis, but applies it to adjacent pairs, which is no rotation: only the
        /// table with `repeat = axis_halves` serves it.
        VJepa2 = "vjepa2" {
            axes: T_H_W, models: "V-JEPA 2" from "transformers 5.23 `modeling_vjepa2.py`",
            head_dim: 64,
        }
        /// Axes `(h, w)`; the axes alternate, the height first, and positions begin at 1. `head_dim` is the width of
        /// all heads together. The model repeats pairs.
        EfficientLoFtr = "efficientloftr" {
            axes: H_W, models: "EfficientLoFTR" from "transformers 5.23 `modeling_efficientloftr.py`",
            head_dim: 256,
        }
        /// Axes `(h, w)` in this order. It requires [`extent`](crate::AxialRope::extent), the number of patches along each side
        /// in training, which is 16 for most weights. The model repeats pairs, with the sines first.
        Eva02 = "eva02" {
            axes: H_W,
            models: "EVA-02"
                from "timm 1.0.31 `RotaryEmbeddingCat(in_pixels=False)`",
            note: "requires --extent",
            given: &[("extent", "16")],
            head_dim: 64,
        }
        /// Axes `(h, w)`; the width has the first columns, and positions begin at 1 (at 0 in the gigantic sizes). The
        /// model repeats pairs, with the sines first. For resolutions other than the one in training, set `unit`.
        PeVision = "pe_vision" {
            axes: H_W, models: "Perception Encoder" from "timm 1.0.31 `vit_pe_*` of `eva.py`",
            head_dim: 64,
        }
        /// Axes `(h, w)`; the width has the first columns, and the base is 100. The model repeats pairs. The
        /// frequencies of its mixed form are learned, so no table has them.
        RopeVit = "rope_vit" {
            axes: H_W, models: "RoPE-ViT, axial" from "timm 1.0.31 `vit_*_patch16_rope_224`",
            head_dim: 64,
        }
        /// Axes `(t, h, w)` with 1/8, 7/16 and 7/16 of the columns. Images have t = 0, and text is at the origin. The
        /// model repeats pairs, and computes in `f64`.
        Flux = "flux" | "chroma" | "bria" | "longcat_image" | "ovis_image" {
            axes: T_H_W,
            models: "Flux.1, Chroma, Bria, Bria Fibo, LongCat-Image, Ovis-Image" from "diffusers 0.42.1 `FluxPosEmbed`",
            head_dim: 128,
        }
        /// Axes `(t, h, w, l)` with equal shares and base 2000. Text is at `(0, 0, 0, j)`. The model repeats pairs, and computes
        /// in `f64`.
        Flux2 = "flux2" {
            axes: T_H_W_L, models: "Flux.2" from "diffusers 0.42.1 `transformer_flux2.py`",
            head_dim: 128,
        }
        /// Axes `(t, h, w, l)` with equal shares; heights and widths have steps of 1/2. The model repeats pairs, and
        /// computes in `f64`.
        Flux3 = "flux3" {
            axes: T_H_W_L, models: "Flux.3" from "diffusers 0.42.1 `transformer_flux3.py`, `flux3/before_denoise.py`",
            head_dim: 128,
        }
        /// Axes `(t, h, w)` with 1/4, 3/8 and 3/8 of the columns, with base 1000. Text is at the origin. The model
        /// repeats pairs, and computes in `f64`.
        Krea2 = "krea2" {
            axes: T_H_W, models: "Krea 2" from "diffusers 0.42.1 `transformer_krea2.py`",
            head_dim: 128,
        }
        /// Axes `(t, h, w)` with 1/4, 3/8 and 3/8 of the columns, with base 256. Text is at `(j, 0, 0)`, with `j` from
        /// 1 (from 0 in Ernie-Image), and the image is at the next t. The model keeps complex numbers.
        ZImage = "z_image" | "ernie_image" | "bria_fibo2" {
            axes: T_H_W, models: "Z-Image, Ernie-Image, Bria Fibo 2" from "diffusers 0.42.1 `transformer_z_image.py`",
            head_dim: 128,
        }
        /// Axes `(t, h, w)` with equal shares. Text is at `(j, 0, 0)`, and the image is at the next t. The model keeps
        /// complex numbers in double precision.
        Lumina2 = "lumina2" {
            axes: T_H_W, models: "Lumina Image 2" from "diffusers 0.42.1 `transformer_lumina2.py`",
            head_dim: 96,
        }
        /// Axes `(t, h, w)`; height and width have `2 (d / 6)` columns each, rounded down, and time the others. The model
        /// repeats pairs, and computes in `f64`.
        Wan = "wan" | "skyreels_v2" | "chronoedit" | "sana_video" | "anyflow" | "helios" {
            axes: T_H_W,
            models: "Wan, SkyReels V2, ChronoEdit, Sana-Video, AnyFlow, Helios" from "diffusers 0.42.1 `WanRotaryPosEmbed`",
            head_dim: 128,
        }
        /// Axes `(t, h, w)` with 1/8, 7/16 and 7/16 of the columns, with base 256. The model repeats pairs.
        HunYuanVideo = "hunyuan_video" | "motif_video" | "framepack" | "joyimage" {
            axes: T_H_W,
            models: "HunyuanVideo and 1.5, Framepack, Motif-Video, JoyImage"
                from "diffusers 0.42.1 `transformer_hunyuan_video.py`",
            head_dim: 128,
        }
        /// Axes `(t, h, w)` with 1/8, 7/16 and 7/16 of the columns; heights and widths are centred, and `n` of them
        /// begin at `-(n - n / 2)`, with `n / 2` rounded down. Text is at `max(h / 2, w / 2) + j` on all axes. The
        /// model keeps complex numbers.
        QwenImage = "qwen_image" | "nucleus_moe_image" {
            axes: T_H_W,
            models: "Qwen-Image, Nucleus" from "diffusers 0.42.1 `QwenEmbedRope(scale_rope=True)`",
            head_dim: 128,
        }
        /// Axes `(t, h, w)` with the widths of `wan`, and the rule `ntk(2)` for the time. For f frames per second, set
        /// `unit = (24/f, 1, 1)`. The model repeats halves.
        Cosmos = "cosmos" {
            axes: T_H_W, models: "Cosmos" from "diffusers 0.42.1 `CosmosRotaryPosEmbed`",
            head_dim: 128,
        }
        /// Axes `(t, h, w)` with 1/4, 3/8 and 3/8 of the columns. Heights run from 0 to below 30, and widths to below
        /// 45, for any number of patches. Images of other proportions are cropped: set `start`, `step` and `unit`.
        /// Version 1.5 counts patches: `unit = 1`. The model repeats pairs.
        CogVideoX5b = "cogvideox_5b" | "consisid" | "easyanimate" {
            axes: T_H_W,
            models: "CogVideoX 5B, ConsisID, EasyAnimate" from "diffusers 0.42.1 `get_3d_rotary_pos_embed`",
            head_dim: 64,
        }
        /// Axes `(t, h, w)` with 1/4, 3/8 and 3/8 of the columns; heights and widths have steps of 1/2, as for videos
        /// of 512 lines. The model keeps 2 x 2 matrices.
        Kandinsky5 = "kandinsky5" {
            axes: T_H_W, models: "Kandinsky 5" from "diffusers 0.42.1 `transformer_kandinsky.py`",
            head_dim: 64,
        }
    }

    elsewhere {
        "sam3" [Sam2Memory, Sam3Global] => "`sam2_memory` for windows, or `sam3_global`";
        "rope_mixed" [] => "no table: the frequencies are learned";
        "mochi" [] => "no table: the frequencies are learned";
        "musicflamingo" [] => "no table: the positions are times";
        "hunyuan_vl" [] => "no table: the axes of the two columns of a pair differ";
    }
}

/// Returns the names of the axes of a rotary table, in the order of the shape. They depend on the preset, if there is one.
///
/// # Examples
///
/// ```
/// use posenc::AxialPreset;
/// use posenc::reflection::axial_axis_names;
///
/// assert_eq!(axial_axis_names(Some(AxialPreset::Flux2), 4), ["t", "h", "w", "l"]);
/// ```
#[must_use]
pub const fn axial_axis_names(preset: Option<AxialPreset>, axes: usize) -> &'static [&'static str] {
    match preset {
        Some(preset) => match preset.names(axes) {
            Some(names) => names,
            None => values::names(axes),
        },
        None => values::names(axes),
    }
}

impl AxialPreset {
    /// Returns the width of a head in the model's own class, for use in examples. Checkpoints may have other widths.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialPreset;
    /// assert_eq!(AxialPreset::Flux.head_dim(), 128);
    /// ```
    #[must_use]
    pub const fn head_dim(self) -> usize {
        self.facts().head_dim
    }

    /// Returns the source from which the parameters were read.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::AxialPreset;
    /// assert_eq!(AxialPreset::Wan.source(), "diffusers 0.42.1 `WanRotaryPosEmbed`");
    /// ```
    #[must_use]
    pub const fn source(self) -> &'static str {
        self.facts().source
    }

    /// Returns the names of the axes, or `None` if the preset has another number of them.
    pub(crate) const fn names(self, axes: usize) -> Option<&'static [&'static str]> {
        self.axes().of(axes)
    }
}
