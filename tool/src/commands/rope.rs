//! `posenc rope`: writes a table of the cache of a rotary embedding to a file.

use std::sync::Arc;

use posenc::reflection::Value::Number;
use posenc::{Rope, RopeConfig, RopePreset};
use posenc_text::names::AnyPreset;
use posenc_text::request::{Request, RotaryOrigin, Wanted};
use posenc_text::rows::Rows;
use posenc_text::with_stored;
use serde_json::Value;

use crate::cli::RopeArgs;
use crate::commands::axial;
use crate::commands::write::{format, note, write};
use crate::files::config::{self, ConfigFile};
use crate::keys::parameters::Rotary;
use crate::text::failure::{Failure, Outcome};

pub(crate) fn run(args: &RopeArgs) -> Outcome {
    match args.preset {
        Some(AnyPreset::Axial(preset)) => return axial::run(args, Some(preset)),
        None if args.shape.is_some() => return axial::run(args, None),
        _ => {}
    }
    if args.shape.is_some() {
        return Err(Failure::new("--shape does not apply to a rotary cache; leave it out, or use another --preset"));
    }
    let parameters = args.parameters.of::<Rotary>("a rotary cache without --shape")?;
    let preset = if let Some(AnyPreset::Rotary(preset)) = args.preset { Some(preset) } else { None };
    let file = args.config.file();
    let json = file.map(ConfigFile::read).transpose()?;
    let of_model = json.as_ref().and_then(config::dtype);
    let sections = json.as_ref().and_then(sections).map(Value::to_string);
    let config = file.zip(json).map(|(file, json)| rope_config(json, file)).transpose()?;
    let config = config.map(|config| args.head_dim.into_iter().fold(config, RopeConfig::with_head_dim));
    let config = config.map(|config| base(args).into_iter().fold(config, RopeConfig::with_base));
    let rows = config.as_ref().and_then(RopeConfig::max_position_embeddings);
    let config = file.zip(config);
    let rows = args.seq_len.or(rows).or(preset.map(RopePreset::max_position_embeddings));
    let seq_len = match (rows, &config) {
        (Some(rows), _) => rows,
        // A rule rarely depends on the number of rows.
        _ if vector(args).is_some() => 1,
        // A model without a rotary embedding is refused first.
        (None, Some((file, config))) => {
            origin(config.clone(), *file, args.layers.as_deref(), 1, None)?;
            return Err(file.wrong("the config has no `max_position_embeddings`; set --seq-len"));
        }
        (None, None) => return Err(missing("--seq-len")),
    };

    let origin = match (config, preset) {
        (Some((file, config)), _) => origin(config, file, args.layers.as_deref(), seq_len, args.head_dim)?,
        (None, Some(preset)) => RotaryOrigin::Preset(preset, args.head_dim),
        (None, None) => RotaryOrigin::HeadDim(args.head_dim.ok_or_else(|| missing("--head-dim"))?),
    };
    let packing = parameters.packing().unwrap_or_default();
    let wanted = Wanted::Rotary { origin, seq_len, packing };
    let request = Request { wanted, given: parameters.beside([]), quantiser: args.file.dtype.quantiser() };
    if let Some((name, of)) = vector(args) {
        let rope = request.rope().map_err(Failure::new)?;
        return write_vector(&rope, seq_len, (name, of), args, of_model.as_deref());
    }
    let written = with_stored!(args.file.dtype, T => {
        write(&request.rows::<T>().map_err(Failure::new)?, format(&args.file)?, &args.file, of_model.as_deref())
    })?;
    if let Some(sections) = sections.filter(|_| !args.file.answer.quiet && !args.file.answer.json) {
        note(&format!(
            "the model has several axes (`mrope_section` {sections}), which share this cache; which of them turns each pair is \
             selected when it is used, as by `axis_of_pair` with a `SectionOrder` in the library"
        ));
    }
    Ok(written)
}

/// A vector of frequencies.
#[derive(Clone, Copy)]
enum Vector {
    InvFreq,
    Periods,
    Factors,
}

/// Returns the vector to write in place of a cache, with its name.
fn vector(args: &RopeArgs) -> Option<(&'static str, Vector)> {
    match args {
        _ if args.inv_freq => Some(("inv_freq", Vector::InvFreq)),
        _ if args.periods => Some(("periods", Vector::Periods)),
        _ if args.factors => Some(("frequency_factors", Vector::Factors)),
        _ => None,
    }
}

/// Writes a vector of frequencies.
fn write_vector(
    rope: &Rope,
    seq_len: usize,
    (name, vector): (&str, Vector),
    args: &RopeArgs,
    of_model: Option<&str>,
) -> Outcome {
    for key in ["packing", "repeat", "start", "step", "scale", "unit", "attention_factor"] {
        if args.parameters.value(key).is_some() {
            let option = key.replace('_', "-");
            return Err(Failure::new(format_args!("--{option} does not apply to frequencies; leave it out")));
        }
    }
    let format = format(&args.file)?;
    with_stored!(args.file.dtype, T => {
        let entries = match vector {
            Vector::InvFreq => rope.inv_freq::<T>(),
            Vector::Periods => rope.periods(),
            Vector::Factors => rope.frequency_factors(),
        };
        let call = format!("{name} of {}", rope.macro_call(seq_len));
        write(&Rows::vector(entries?, call), format, &args.file, of_model)
    })
}

/// Returns the base, if it is given.
fn base(args: &RopeArgs) -> Option<f64> {
    if let Some(Number(base)) = args.parameters.value("base") { Some(base) } else { None }
}

/// Returns the sections of a model with several axes (M-RoPE), wherever they are in the config.
fn sections(config: &Value) -> Option<&Value> {
    let keys = config.as_object()?;
    keys.get("mrope_section").or_else(|| keys.values().find_map(sections)).filter(|sections| sections.is_array())
}

fn missing(option: &str) -> Failure {
    let sentence = "is missing; set it, or use --preset, or --config with the config.json of a model";
    Failure::new(format_args!("{option} {sentence}"))
}

/// Reads the rotary embedding of a config, which is the content of a file.
pub(super) fn rope_config(json: Value, file: ConfigFile) -> Result<RopeConfig, Failure> {
    let config = serde_json::from_value(json).map_err(|error| file.wrong(error))?;
    Ok(file.ignored.iter().fold(config, RopeConfig::ignore_key))
}

/// Returns a config as what a cache starts from, if it has a cache for so many rows.
pub(super) fn origin(
    config: RopeConfig,
    file: ConfigFile,
    layers: Option<&str>,
    seq_len: usize,
    head_dim: Option<usize>,
) -> Result<RotaryOrigin, Failure> {
    let rope = match layers {
        Some(layers) => config.rope_of_layers(layers, seq_len),
        None => config.rope(seq_len),
    };
    rope.map(drop).map_err(|error| {
        let has_several = layers.is_none() && config.layer_types().count() > 1;
        let option = if has_several && error.to_string().contains("choose one") { " with --layers" } else { "" };
        file.wrong(format_args!("{error}{option}"))
    })?;
    Ok(RotaryOrigin::Config { config: Arc::new(config), layers: layers.map(str::to_owned), head_dim })
}
