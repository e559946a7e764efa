//! The models with a grid, and how to read their configs.

use posenc::GridPreset;
use posenc::reflection;
use posenc_text::words::listed;
use serde_json::Value;

use super::json::{ConfigFile, dtype, kind};
use super::keys::Keys;
use super::told::Given;
use crate::text::failure::Failure;

/// The grid of a config, or of the sizes alone.
pub(crate) struct GridFromConfig {
    pub(crate) preset: Option<GridPreset>,
    /// The number of points along each axis.
    pub(crate) shape: Vec<usize>,
    pub(crate) d_model: usize,
    /// The parameters that differ from the preset.
    pub(crate) parameters: Vec<ModelParameter>,
    /// The element type of the model's weights, if the config says it.
    pub(crate) dtype: Option<String>,
}

impl GridFromConfig {
    /// Returns a grid of this size, without parameters of its own.
    pub(crate) fn new(preset: Option<GridPreset>, shape: Vec<usize>, d_model: usize) -> Self {
        Self { preset, shape, d_model, parameters: Vec::new(), dtype: None }
    }
}

/// A parameter that a model sets, with one value for all axes or one for each.
pub(crate) type ModelParameter = (&'static str, Vec<reflection::Value<'static>>);

/// The models with a grid by their `model_type` or their class in diffusers.
const KNOWN: &[(&str, GridReader)] = &[
    // As in the checkpoints. A model that transformers 5 initialises itself has `hf_2d`.
    ("vit_mae", |keys, shape| keys.vit_mae(shape)),
    ("CogVideoXTransformer3DModel", |keys, shape| keys.cogvideox(shape)),
    ("DiTTransformer2DModel", |keys, shape| keys.patches(shape, (1, 1))),
    // The table of the images. That of the frames is `posenc table`.
    ("LatteTransformer3DModel", |keys, shape| keys.patches(shape, keys.scale_of_size()?)),
    ("PixArtTransformer2DModel", |keys, shape| keys.pixart(shape)),
    ("SD3Transformer2DModel", |keys, shape| keys.sd3(shape)),
    ("SanaTransformer2DModel", |keys, shape| keys.sana(shape)),
];

type GridReader = fn(&Keys, Option<&[usize]>) -> Result<GridFromConfig, String>;

/// Returns whether the model has a grid.
pub(super) fn is_known(kind: &str) -> bool {
    KNOWN.iter().any(|(known, _)| *known == kind)
}

/// Reads a config. It need not contain the sizes that are given.
pub(crate) fn read_grid(
    file: ConfigFile,
    shape: Option<&[usize]>,
    d_model: Option<usize>,
) -> Result<GridFromConfig, Failure> {
    let config = file.read()?;
    let Some(kind) = kind(&config) else {
        return Err(file.failure("has neither a `model_type` nor a `_class_name`; use --preset, --shape and --d-model"));
    };
    let Some((_, reader)) = KNOWN.iter().find(|(known, _)| *known == kind) else {
        let known: Vec<_> = KNOWN.iter().map(|(known, _)| *known).collect();
        return Err(file.failure(format_args!(
            "is for `{kind}`, which is not among the known models with a grid, {}; use --preset, --shape and --d-model, or \
             posenc table or rope --config",
            listed(&known)
        )));
    };
    let keys = Keys { config: &config, given: Given { d_model, ..Given::default() } };
    let told = reader(&keys, shape).map_err(|error| file.failure(error))?;
    file.check_understood(&config)?;
    Ok(GridFromConfig { dtype: dtype(&config), ..told })
}

const SHAPE: &str = "--shape";

impl Keys<'_> {
    fn grid(&self, preset: GridPreset, shape: Vec<usize>, d_model: usize) -> GridFromConfig {
        let d_model = self.given.d_model.unwrap_or(d_model);
        GridFromConfig::new(Some(preset), shape, d_model)
    }

    /// Returns the quotient of two numbers, the second of which is not 0.
    fn divided(&self, key: &str, by: &str) -> Result<usize, String> {
        let (number, divisor) = (self.number(key, SHAPE)?, self.number(by, SHAPE)?);
        number.checked_div(divisor).ok_or_else(|| format!("has 0 for `{by}`; set {SHAPE}"))
    }

    /// Returns the number of columns of all heads together.
    fn of_heads(&self) -> Result<usize, String> {
        const WIDTH: &str = "--d-model";
        if let Some(d_model) = self.given.d_model {
            return Ok(d_model);
        }
        let heads = self.number("num_attention_heads", WIDTH)?;
        Ok(heads.saturating_mul(self.number("attention_head_dim", WIDTH)?))
    }

    /// `build_2d_sinusoidal_position_embedding` with a row for the class token. A size may be a height and a width.
    fn vit_mae(&self, shape: Option<&[usize]>) -> Result<GridFromConfig, String> {
        let at = |key: &str, i: usize| match self.value(key) {
            Some(Value::Array(_)) => format!("{key}.{i}"),
            _ => key.to_owned(),
        };
        let side = |i| self.divided(&at("image_size", i), &at("patch_size", i));
        let shape = shape.map_or_else(|| Ok::<_, String>(vec![side(0)?, side(1)?]), |shape| Ok(shape.to_vec()))?;
        let d_model = self.given.d_model.map_or_else(|| self.number("hidden_size", "--d-model"), Ok)?;
        let parameters = vec![("zero_rows", vec![reflection::Value::Size(1)])];
        Ok(GridFromConfig { parameters, ..self.grid(GridPreset::Mae, shape, d_model) })
    }

    /// `PatchEmbed`: any shape has the positions of `sample_size`, divided by a scale.
    fn patches(&self, shape: Option<&[usize]>, scale: (i64, i64)) -> Result<GridFromConfig, String> {
        let base = self.divided("sample_size", "patch_size")?;
        let shape = shape.map_or_else(|| vec![base; 2], <[usize]>::to_vec);
        let length = i64::try_from(base).ok().and_then(|base| base.checked_mul(scale.1));
        let length = length.ok_or("has too large a `sample_size`; use --preset pixart")?;
        let parameters = vec![("extent", vec![reflection::Value::Quotient(length, scale.0)])];
        Ok(GridFromConfig { parameters, ..self.grid(GridPreset::PixArt, shape, self.of_heads()?) })
    }

    /// The scale of the classes that have no `interpolation_scale`, or `null` for it.
    fn scale_of_size(&self) -> Result<(i64, i64), String> {
        let scale = (self.number("sample_size", SHAPE)? / 64).max(1);
        Ok((i64::try_from(scale).unwrap_or(i64::MAX), 1))
    }

    fn pixart(&self, shape: Option<&[usize]>) -> Result<GridFromConfig, String> {
        match self.value("interpolation_scale") {
            None | Some(Value::Null) => self.patches(shape, self.scale_of_size()?),
            Some(scale) => self.patches(shape, exact(scale)?),
        }
    }

    fn sana(&self, shape: Option<&[usize]>) -> Result<GridFromConfig, String> {
        match self.value("interpolation_scale") {
            None | Some(Value::Null) => {
                Err("has no `interpolation_scale`, so the model has no table of positions".to_owned())
            }
            Some(scale) => self.patches(shape, exact(scale)?),
        }
    }

    /// The middle of a larger grid, as `cropped_pos_embed` returns it.
    fn sd3(&self, shape: Option<&[usize]>) -> Result<GridFromConfig, String> {
        let base = self.divided("sample_size", "patch_size")?;
        let most = self.number("pos_embed_max_size", SHAPE)?;
        let shape = shape.map_or_else(|| vec![base; 2], <[usize]>::to_vec);
        if let Some(points) = shape.iter().find(|points| **points > most) {
            return Err(format!("has {most} for `pos_embed_max_size`, but an axis has {points} points; set {SHAPE}"));
        }
        let integer = |size: usize| i64::try_from(size).map_err(|_| "has too large a size".to_owned());
        let start = |points: &usize| integer((most - points) / 2).map(reflection::Value::Integer);
        let start = shape.iter().map(start).collect::<Result<_, _>>()?;
        let unit = reflection::Value::Quotient(integer(base)?, integer(most)?);
        let parameters = vec![("start", start), ("unit", vec![unit])];
        Ok(GridFromConfig { parameters, ..self.grid(GridPreset::Mae, shape, self.of_heads()?) })
    }

    /// `CogVideoXPatchEmbed`, with rows of zeros for the text.
    fn cogvideox(&self, shape: Option<&[usize]>) -> Result<GridFromConfig, String> {
        for (key, remedy) in [
            ("use_rotary_positional_embeddings", "; use posenc rope --config and --shape"),
            ("use_learned_positional_embeddings", ""),
        ] {
            if self.value(key).and_then(Value::as_bool) == Some(true) {
                return Err(format!("sets `{key}`, so the model has no sinusoidal table{remedy}"));
            }
        }
        for (key, only) in [("spatial_interpolation_scale", 1.875), ("temporal_interpolation_scale", 1.0)] {
            if self.value(key).and_then(Value::as_f64) != Some(only) {
                return Err(format!("must have {only} for `{key}`; use --preset cogvideox with --unit"));
            }
        }
        let shape = shape.map_or_else(|| self.shape_of_video(), |shape| Ok(shape.to_vec()))?;
        let zero_rows = reflection::Value::Size(self.number("max_text_seq_length", "--zero-rows")?);
        let parameters = vec![("zero_rows", vec![zero_rows])];
        Ok(GridFromConfig { parameters, ..self.grid(GridPreset::CogVideoX, shape, self.of_heads()?) })
    }

    fn shape_of_video(&self) -> Result<Vec<usize>, String> {
        let last = self.number("sample_frames", SHAPE)?.saturating_sub(1);
        let ratio = self.number("temporal_compression_ratio", SHAPE)?;
        let last = last.checked_div(ratio).ok_or("has 0 for `temporal_compression_ratio`; set --shape")?;
        let [height, width] = ["sample_height", "sample_width"].map(|size| self.divided(size, "patch_size"));
        Ok(vec![last.saturating_add(1), height?, width?])
    }
}

/// Returns a positive number as an exact quotient of integers.
#[allow(clippy::cast_possible_truncation, reason = "the product is an integer of at most 32 bits")]
fn exact(number: &Value) -> Result<(i64, i64), String> {
    let refused = || {
        format!(
            "has {number} for `interpolation_scale`, which must be a positive number; use --preset pixart with --extent"
        )
    };
    let scale = number.as_f64().filter(|scale| *scale > 0.0).ok_or_else(refused)?;
    // Some power of two makes an integer of it.
    const MOST_BITS: u32 = 30;
    let times = (0..MOST_BITS).map(|bits| 1_i64 << bits).find(|times| (scale * *times as f64).fract() == 0.0);
    match times {
        Some(times) if scale * times as f64 <= f64::from(u32::MAX) => Ok(((scale * times as f64) as i64, times)),
        _ => Err(refused()),
    }
}
