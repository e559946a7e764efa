//! The models with a sinusoidal table, and how to read their configs.

use std::fmt::Display;

use posenc::Preset;
use posenc::reflection::ModelPositions;
use posenc_text::words::listed;
use serde_json::Value;

use super::grids;
use super::keys::Keys;
use super::told::TableFromConfig;

/// The models with a sinusoidal table by their `model_type` or their class in diffusers, and how to read their configs.
const KNOWN: &[(&[&str], ModelReader)] = &[
    (&["whisper"], |keys| keys.plain(Preset::Whisper, "d_model", "max_source_positions")),
    (&["marian", "pegasus"], |keys| keys.plain(Preset::HfMarian, "d_model", ROWS)),
    (&["distilbert"], |keys| keys.switched("sinusoidal_pos_embds", "dim")),
    (&["flaubert", "xlm"], |keys| keys.switched("sinusoidal_embeddings", "emb_dim")),
    (&["pegasus_x"], |keys| keys.plain(Preset::Tensor2Tensor, "d_model", ROWS)),
    // The checkpoint has the table of Whisper.
    (&["qwen2_audio"], |keys| keys.plain(Preset::Whisper, "audio_config.d_model", "audio_config.max_source_positions")),
    (&["qwen2_audio_encoder"], |keys| keys.plain(Preset::Whisper, "d_model", "max_source_positions")),
    (&["timesfm"], |keys| keys.timesfm()),
    // These models have an offset of 2, whatever the padding.
    (&["m2m_100", "nllb-moe", "xglm"], |keys| keys.padded("d_model", ROWS, |_| 2)),
    (&["seamless_m4t", "seamless_m4t_v2"], |keys| keys.padded("hidden_size", ROWS, |_| 2)),
    // The table of the encoder, which is the longer one.
    (&["speech_to_text"], |keys| keys.padded("d_model", "max_source_positions", |_| 2)),
    // That of the text has `max_text_positions`. The offset of 2 is in addition to the padding.
    (&["speecht5"], |keys| keys.padded("hidden_size", "max_speech_positions", |padding| padding.saturating_add(3))),
    (&["fsmt"], |keys| keys.padded("d_model", ROWS, |padding| padding.saturating_add(1))),
    (&["musicgen", "musicgen_melody"], |keys| {
        keys.plain(Preset::Musicgen, "decoder.hidden_size", "decoder.max_position_embeddings")
    }),
    (&["musicgen_decoder"], |keys| keys.plain(Preset::Musicgen, "hidden_size", ROWS)),
    (&["roformer"], |keys| keys.roformer()),
    // They rotate by the entries of a table.
    (&["codegen", "gptj"], |keys| keys.plain(Preset::HfMarian, "rotary_dim", "n_positions")),
    (&["autoformer", "informer", "time_series_transformer"], |keys| keys.series()),
    (&["videomae"], |keys| keys.videomae()),
    (&["transfo-xl", "xlnet"], |keys| keys.descending()),
    (&["wav2vec2-conformer"], |keys| keys.conformer()),
    (&["UNet2DConditionModel", "UNet2DModel"], |keys| keys.timesteps()),
];

type ModelReader = fn(&Keys) -> Result<TableFromConfig, String>;

const ROWS: &str = "max_position_embeddings";

/// Returns the table of a model by its type or class.
pub(super) fn read(kind: &str, keys: &Keys) -> Result<TableFromConfig, String> {
    reader(kind).map_or_else(|| Err(unknown(kind)), |read| read(keys))
}

/// Returns how to read the configs of a model with a 1-D table.
fn reader(kind: &str) -> Option<ModelReader> {
    let (_, read) = KNOWN.iter().find(|(kinds, _)| kinds.iter().any(|known| is_same(known, kind)))?;
    Some(*read)
}

/// Returns whether the model has a 1-D table.
pub(super) fn has_table(kind: &str) -> bool {
    reader(kind).is_some()
}

/// Returns whether the model is known to have a rotary embedding, and no 1-D table.
pub(super) fn has_rotary(kind: &str) -> bool {
    ModelPositions::of_model(kind) == Some(ModelPositions::Rotary)
}

/// Returns whether two model types differ at most in dashes and underscores.
fn is_same(one: &str, other: &str) -> bool {
    one.replace('-', "_") == other.replace('-', "_")
}

fn unknown(kind: &str) -> String {
    let other = |positions: &dyn Display, remedy: &str| {
        format!("is for the model type `{kind}`, which uses {positions} and has no sinusoidal table{remedy}")
    };
    if let Some(positions) = ModelPositions::of_model(kind) {
        return other(&positions, if has_rotary(kind) { "; use posenc rope --config" } else { "" });
    }
    if grids::is_known(kind) {
        return format!("is for `{kind}`, which has a grid; use posenc grid --config");
    }
    let mut known: Vec<_> = KNOWN.iter().flat_map(|(kinds, _)| *kinds).copied().collect();
    known.sort_unstable();
    let names = listed(&known);
    format!(
        "has the unknown `model_type` `{kind}`; use --preset, --seq-len and --d-model instead of --config; the known types are {names}"
    )
}

impl Keys<'_> {
    fn plain(&self, preset: Preset, width: &str, rows: &str) -> Result<TableFromConfig, String> {
        Ok(TableFromConfig {
            preset,
            seq_len: self.rows(rows)?,
            d_model: self.width(width)?,
            ..TableFromConfig::nothing()
        })
    }

    /// Returns a table as in fairseq, with `more(padding)` rows in addition to the positions.
    fn padded(&self, width: &str, rows: &str, more: impl Fn(usize) -> usize) -> Result<TableFromConfig, String> {
        let padding = self.padding()?;
        let seq_len = self.rows(rows)?.map(|rows| rows.saturating_add(more(padding)));
        let d_model = self.width(width)?;
        Ok(TableFromConfig {
            preset: Preset::Fairseq,
            seq_len,
            d_model,
            zero_row: Some(padding),
            ..TableFromConfig::nothing()
        })
    }

    /// Returns the table of a model that is sinusoidal only if a switch is set.
    fn switched(&self, switch: &str, width: &str) -> Result<TableFromConfig, String> {
        if self.config.get(switch).and_then(Value::as_bool) == Some(true) {
            return self.plain(Preset::Distilbert, width, ROWS);
        }
        Err(format!(
            "does not set `{switch}` to true, so the positions are learned and are in the checkpoint of the model; for the initial \
             table of such a model, use --preset distilbert, --seq-len and --d-model"
        ))
    }

    /// Returns a table whose positions count down from one that depends on the input.
    fn descending(&self) -> Result<TableFromConfig, String> {
        let (Some(rows), Some(start)) = (self.given.seq_len, self.given.start) else {
            return Err(
                "is for a model whose positions count down from one that depends on the input; set --seq-len, and --start to \
                        the position of the first row"
                    .to_owned(),
            );
        };
        let last = i128::from(start) - rows as i128 + 1;
        let farthest = i128::from(start).abs().max(last.abs());
        match self.config.get("clamp_len").and_then(Value::as_i64) {
            Some(clamp @ 1..) if farthest > clamp.into() => {
                return Err(format!(
                    "has {clamp} for `clamp_len`, and clamping positions is not supported; use --seq-len and --start that stay \
                     within -{clamp} to {clamp}"
                ));
            }
            _ => {}
        }
        Ok(TableFromConfig {
            preset: Preset::TransformerXl,
            d_model: self.width("d_model")?,
            ..TableFromConfig::nothing()
        })
    }

    /// Returns a table as wide as a head, by which `RoFormer` rotates queries and keys.
    fn roformer(&self) -> Result<TableFromConfig, String> {
        let mut model = self.plain(Preset::HfMarian, "hidden_size", ROWS)?;
        if let Some(width) = model.d_model {
            let heads = self.number("num_attention_heads", "--d-model")?;
            model.d_model = Some(width.checked_div(heads).ok_or("has 0 for `num_attention_heads`; set --d-model")?);
        }
        Ok(model)
    }

    /// Returns a table with a row per step of the context and the prediction, which by default have the same length.
    fn series(&self) -> Result<TableFromConfig, String> {
        let mut model = self.plain(Preset::HfMarian, "d_model", "prediction_length")?;
        if let Some(foretold) = model.seq_len {
            let seen = match self.config.get("context_length") {
                None | Some(Value::Null) => foretold,
                Some(_) => self.number("context_length", "--seq-len")?,
            };
            model.seq_len = Some(seen.saturating_add(foretold));
        }
        Ok(model)
    }

    /// Returns a table with a row per block of patches.
    fn videomae(&self) -> Result<TableFromConfig, String> {
        let mut model = self.plain(Preset::Distilbert, "hidden_size", "num_frames")?;
        if let Some(frames) = model.seq_len {
            let number = |key| self.number(key, "--seq-len");
            let divided = |a: usize, b: usize| a.checked_div(b).ok_or("has a size of 0; set --seq-len");
            let side = divided(number("image_size")?, number("patch_size")?)?;
            let deep = divided(frames, number("tubelet_size")?)?;
            model.seq_len = Some(side.saturating_mul(side).saturating_mul(deep));
        }
        Ok(model)
    }

    /// Returns the table of relative positions, from the most to the least, which the rows fill from both sides.
    fn conformer(&self) -> Result<TableFromConfig, String> {
        match self.config.get("position_embeddings_type").and_then(Value::as_str) {
            Some("relative") => {}
            Some("rotary") => {
                return Err("has rotary positions; use posenc rope --config, with --seq-len".to_owned());
            }
            _ => {
                return Err(
                    "has no sinusoidal positions, as its `position_embeddings_type` is not `relative`".to_owned()
                );
            }
        }
        let mut model = self.plain(Preset::ConformerRel, "hidden_size", "max_source_positions")?;
        model.seq_len = model.seq_len.map(|positions| positions.saturating_mul(2).saturating_sub(1));
        model.start = match (self.given.start, self.given.seq_len.or(model.seq_len)) {
            (None, Some(rows)) if rows % 2 == 1 => i64::try_from(rows / 2).ok(),
            (None, _) => return Err("is for a table of 2n - 1 rows; set an odd --seq-len, or --start".to_owned()),
            (Some(_), _) => None,
        };
        Ok(model)
    }

    /// Returns a table with a row per patch of the context.
    fn timesfm(&self) -> Result<TableFromConfig, String> {
        const SWITCH: &str = "use_positional_embedding";
        if self.config.get(SWITCH).and_then(Value::as_bool) != Some(true) {
            return Err(format!("does not set `{SWITCH}` to true, so the model has no table of positions"));
        }
        for (key, only) in [("min_timescale", 1.0), ("max_timescale", 10_000.0)] {
            let found = self.config.get(key).and_then(Value::as_f64);
            if found.is_some_and(|found| found != only) {
                return Err(format!(
                    "has a `{key}` that is not {only}; use --preset tensor2tensor with --base, --seq-len and --d-model"
                ));
            }
        }
        let mut model = self.plain(Preset::Tensor2Tensor, "hidden_size", "context_length")?;
        if let Some(context) = model.seq_len {
            let patch = self.number("patch_length", "--seq-len")?;
            model.seq_len = Some(context.checked_div(patch).ok_or("has 0 for `patch_length`; set --seq-len")?);
        }
        Ok(model)
    }

    /// Returns a table of timesteps, with the rows of the scheduler.
    fn timesteps(&self) -> Result<TableFromConfig, String> {
        if let Some(kind) =
            self.config.get("time_embedding_type").and_then(Value::as_str).filter(|kind| *kind != "positional")
        {
            return Err(format!("has the `time_embedding_type` `{kind}`, which is no sinusoidal table"));
        }
        let flipped = self.config.get("flip_sin_to_cos").and_then(Value::as_bool);
        let shift = self.config.get("freq_shift").and_then(Value::as_f64);
        let preset = match (flipped, shift) {
            (Some(true), Some(0.0)) => Preset::Adm,
            (Some(false), Some(1.0)) => Preset::Ddpm,
            _ => {
                return Err(
                    "must have `flip_sin_to_cos` true and `freq_shift` 0, or false and 1; for others, use the options \
                     of the parameters instead of --config"
                        .to_owned(),
                );
            }
        };
        if self.given.seq_len.is_none() {
            return Err("does not say which timesteps; set --seq-len, or --positions".to_owned());
        }
        Ok(TableFromConfig { preset, d_model: self.width("block_out_channels.0")?, ..TableFromConfig::nothing() })
    }
}

#[cfg(test)]
mod tests {
    use posenc::reflection::MODELS;

    use super::*;

    /// The library sends the users of a rotary embedding here.
    #[test]
    fn models_with_a_table_are_read() {
        let sinusoidal = MODELS.iter().filter(|(_, positions)| positions.may_be_sinusoidal());
        for model in sinusoidal.flat_map(|(models, _)| *models) {
            assert!(KNOWN.iter().any(|(kinds, _)| kinds.iter().any(|known| is_same(known, model))), "{model}");
        }
    }
}
