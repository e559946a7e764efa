//! Reads the config.json of a Hugging Face model: which table the model has, and its sizes.
//!
//! The source of these rules is `modeling_*.py` of each model in transformers.

use std::io::Read;
use std::path::Path;

use posenc::__private::names::Listed;
use posenc::Preset;
use serde_json::Value;

use crate::failure::Failure;
use crate::open::open;

/// The options of the command line that override a config.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// The number of rows.
    pub seq_len: Option<usize>,
    /// The number of columns.
    pub d_model: Option<usize>,
    /// The position of row 0.
    pub start: Option<i64>,
    /// The row of zeros.
    pub zero_row: Option<usize>,
}

/// The table of a config.
pub struct Told {
    /// The preset of the model.
    pub preset: Preset,
    /// The number of rows, unless it is given on the command line.
    pub seq_len: Option<usize>,
    /// The number of columns, unless it is given on the command line.
    pub d_model: Option<usize>,
    /// The row of the padding token, if the model has one.
    pub zero_row: Option<usize>,
}

/// The models with a sinusoidal table by their `model_type`, and how to read their configs.
const KNOWN: [(&[&str], Reader); 15] = [
    (&["whisper"], |keys| keys.plain(Preset::Whisper, "d_model", "max_source_positions")),
    (&["marian", "pegasus"], |keys| keys.plain(Preset::HfMarian, "d_model", ROWS)),
    (&["distilbert"], |keys| keys.switched("sinusoidal_pos_embds", "dim")),
    (&["flaubert", "xlm"], |keys| keys.switched("sinusoidal_embeddings", "emb_dim")),
    // These models have an offset of 2, whatever the padding.
    (&["m2m_100", "nllb-moe", "xglm"], |keys| keys.padded("d_model", ROWS, |_| 2)),
    (&["seamless_m4t"], |keys| keys.padded("hidden_size", ROWS, |_| 2)),
    // The table of the encoder, which is the longer one.
    (&["speech_to_text"], |keys| keys.padded("d_model", "max_source_positions", |_| 2)),
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
];

type Reader = fn(&Keys) -> Result<Told, String>;

const ROWS: &str = "max_position_embeddings";

/// Models without a sinusoidal table, and what they use instead.
const OTHERS: [(&[&str], &str); 4] = [
    (
        &[
            "cohere",
            "deepseek_v2",
            "deepseek_v3",
            "falcon",
            "gemma",
            "gemma2",
            "gemma3",
            "gemma3_text",
            "glm",
            "gpt_neox",
            "granite",
            "llama",
            "llama4",
            "mistral",
            "mixtral",
            "modernbert",
            "olmo",
            "olmo2",
            "phi",
            "phi3",
            "qwen2",
            "qwen2_moe",
            "qwen3",
            "qwen3_moe",
            "stablelm",
            "starcoder2",
        ],
        "rotary positions",
    ),
    (
        &[
            "albert",
            "bart",
            "beit",
            "bert",
            "blip",
            "camembert",
            "clip",
            "electra",
            "gpt2",
            "gpt_bigcode",
            "gpt_neo",
            "mbart",
            "opt",
            "roberta",
            "siglip",
            "vit",
            "xlm-roberta",
        ],
        "learned positions",
    ),
    (&["bloom", "mpt"], "attention biases (ALiBi)"),
    (&["longt5", "mt5", "t5", "umt5", "deberta-v2"], "learned relative positions"),
];

/// Reads a config. It need not contain the sizes that are given.
///
/// # Errors
///
/// If the file is not a config, if the model has no sinusoidal table, or if a size is missing.
pub fn read(path: &Path, given: Given) -> Result<Told, Failure> {
    let named = |error: String| Failure::new(format_args!("`{}` {error}", path.display()));
    let config = read_json(path)?;
    let Some(kind) = config.get("model_type").and_then(Value::as_str) else {
        return Err(named(
            "has no `model_type`; use the config.json of a model, or --preset, --seq-len and --d-model".to_owned(),
        ));
    };
    model(kind, &Keys { config: &config, given }).map_err(named)
}

/// Reads a file of JSON.
pub(crate) fn read_json(path: &Path) -> Result<Value, Failure> {
    // Far more than any config has.
    const MOST: u64 = 16 << 20;
    let named = |error: String| Failure::new(format_args!("`{}` {error}", path.display()));
    let mut text = Vec::new();
    let read = open(path).and_then(|file| file.take(MOST).read_to_end(&mut text));
    read.map_err(|error| named(format!("cannot be read: {error}")))?;
    serde_json::from_slice(&text).map_err(|error| named(format!("is not JSON: {error}")))
}

/// The keys of a config, and the options that override them.
struct Keys<'a> {
    config: &'a Value,
    given: Given,
}

impl Keys<'_> {
    /// Returns the number at `key`, which may be a path such as `decoder.hidden_size`.
    fn number(&self, key: &str, option: &str) -> Result<usize, String> {
        let value = key.split('.').try_fold(self.config, |value, key| value.get(key));
        let number = value.and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| match value {
            None | Some(Value::Null) => format!("has no `{key}`; set {option}"),
            Some(value) => format!("has {value} for `{key}`, which must be an integer of 0 or more; set {option}"),
        })
    }

    fn width(&self, key: &str) -> Result<Option<usize>, String> {
        if self.given.d_model.is_some() { Ok(None) } else { self.number(key, "--d-model").map(Some) }
    }

    fn rows(&self, key: &str) -> Result<Option<usize>, String> {
        if self.given.seq_len.is_some() { Ok(None) } else { self.number(key, "--seq-len").map(Some) }
    }

    fn padding(&self) -> Result<usize, String> {
        match self.given.zero_row {
            Some(row) => Ok(row),
            None => self.number("pad_token_id", "--zero-row"),
        }
    }

    fn plain(&self, preset: Preset, width: &str, rows: &str) -> Result<Told, String> {
        Ok(Told { preset, seq_len: self.rows(rows)?, d_model: self.width(width)?, zero_row: None })
    }

    /// Returns a table as in fairseq, with `more(padding)` rows in addition to the positions.
    fn padded(&self, width: &str, rows: &str, more: impl Fn(usize) -> usize) -> Result<Told, String> {
        let padding = self.padding()?;
        let seq_len = self.rows(rows)?.map(|rows| rows.saturating_add(more(padding)));
        Ok(Told { preset: Preset::Fairseq, seq_len, d_model: self.width(width)?, zero_row: Some(padding) })
    }

    /// Returns the table of a model that is sinusoidal only if a switch is set.
    fn switched(&self, switch: &str, width: &str) -> Result<Told, String> {
        if self.config.get(switch).and_then(Value::as_bool) == Some(true) {
            return self.plain(Preset::Distilbert, width, ROWS);
        }
        Err(format!(
            "does not set `{switch}` to true, so the positions are learned and are in the checkpoint of the model; for the initial \
             table of such a model, use --preset distilbert, --seq-len and --d-model"
        ))
    }

    /// Returns a table whose positions count down from one that depends on the input.
    fn descending(&self) -> Result<Told, String> {
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
        Ok(Told { preset: Preset::TransformerXl, seq_len: None, d_model: self.width("d_model")?, zero_row: None })
    }

    /// Returns a table as wide as a head, by which `RoFormer` rotates queries and keys.
    fn roformer(&self) -> Result<Told, String> {
        let mut model = self.plain(Preset::HfMarian, "hidden_size", ROWS)?;
        if let Some(width) = model.d_model {
            let heads = self.number("num_attention_heads", "--d-model")?;
            model.d_model = Some(width.checked_div(heads).ok_or("has 0 for `num_attention_heads`; set --d-model")?);
        }
        Ok(model)
    }

    /// Returns a table with a row per step of the context and the prediction, which by default have the same length.
    fn series(&self) -> Result<Told, String> {
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
    fn videomae(&self) -> Result<Told, String> {
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
}

fn model(kind: &str, keys: &Keys) -> Result<Told, String> {
    let known = KNOWN.iter().find(|(kinds, _)| kinds.contains(&kind));
    known.map_or_else(|| Err(unknown(kind)), |(_, read)| read(keys))
}

fn unknown(kind: &str) -> String {
    if let Some((_, instead)) = OTHERS.iter().find(|(kinds, _)| kinds.contains(&kind)) {
        return format!("is for the model type `{kind}`, which uses {instead} and has no sinusoidal table");
    }
    let mut known = KNOWN.map(|(kinds, _)| kinds).concat();
    known.sort_unstable();
    let names = Listed(&known);
    format!(
        "has the unknown `model_type` `{kind}`; use --preset, --seq-len and --d-model instead of --config; the known types are {names}"
    )
}
