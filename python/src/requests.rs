//! Arguments as requests for tables.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use posenc::reflection::{self, Named, TableKind};
use posenc::{AxialConfig, AxialPreset, GridPreset, Packing, Preset, RopeConfig, RopePreset};
use posenc_identify::Dtype;
use posenc_text::given::Given;
use posenc_text::json::of_python;
use posenc_text::names::choice;
use posenc_text::request::{AxialOrigin, Request, RotaryOrigin, Wanted};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::de::DeserializeOwned;

use crate::errors::{type_error, value_error, wrong_type};
use crate::keys::{elements, given, integer, size};

/// The keyword arguments that all functions have.
pub(crate) struct Common<'a, 'py> {
    pub(crate) preset: Option<&'a Bound<'py, PyAny>>,
    pub(crate) dtype: Dtype,
    pub(crate) keys: Option<&'a Bound<'py, PyDict>>,
}

impl Common<'_, '_> {
    fn given(&self, table: TableKind) -> PyResult<Given> {
        given(self.keys, table)
    }

    fn request(&self, wanted: Wanted, given: Given) -> Arc<Request> {
        Arc::new(Request { wanted, given, quantiser: self.dtype.quantiser() })
    }

    fn preset<P: Named>(&self) -> PyResult<Option<P>> {
        self.preset.map(name_of_preset).transpose()
    }
}

/// Finds a preset by its name.
fn name_of_preset<P: Named>(value: &Bound<'_, PyAny>) -> PyResult<P> {
    let Ok(name) = value.cast::<PyString>() else {
        return Err(wrong_type("preset", value, "a name; `posenc.presets()` has all"));
    };
    let name = name.to_str()?;
    choice(P::NAMES, name).map(|i| P::CHOICES[i]).map_err(value_error)
}

/// Returns the number of columns.
pub(crate) fn d_model(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    reflection::d_model(integer("d_model", value)?).map_err(value_error)
}

/// Returns the request for a 1-D table.
pub(crate) fn sinusoidal(seq_len: usize, width: &Bound<'_, PyAny>, common: &Common<'_, '_>) -> PyResult<Arc<Request>> {
    let preset = common.preset()?.unwrap_or(Preset::Paper);
    let wanted = Wanted::Sinusoidal { preset, seq_len, d_model: d_model(width)? };
    Ok(common.request(wanted, common.given(TableKind::Sinusoidal)?))
}

/// The arguments of a rotary cache beside the common ones.
pub(crate) struct RotaryArguments<'a, 'py> {
    pub(crate) seq_len: Option<&'a Bound<'py, PyAny>>,
    pub(crate) head_dim: Option<&'a Bound<'py, PyAny>>,
    pub(crate) config: Option<&'a Bound<'py, PyAny>>,
    pub(crate) ignore_keys: &'a [String],
    pub(crate) layers: Option<&'a str>,
}

/// Returns the request for each table of a rotary cache.
///
/// The number of rows may be left out if `rows` says how many there are then.
pub(crate) fn rotary<const N: usize>(
    arguments: &RotaryArguments<'_, '_>,
    packings: [Packing; N],
    rows: Option<usize>,
    common: &Common<'_, '_>,
) -> PyResult<[Arc<Request>; N]> {
    let given = common.given(TableKind::Rotary)?;
    let head_dim = arguments.head_dim.map(|value| size("head_dim", value)).transpose()?;
    let preset: Option<RopePreset> = common.preset()?;
    if arguments.layers.is_some() && arguments.config.is_none() {
        return Err(type_error("`layers` selects layers of a config; set `config`, or leave `layers` out"));
    }
    check_ignored(arguments.ignore_keys, arguments.config)?;
    let (origin, of_model) = match (preset, arguments.config) {
        (Some(_), Some(_)) => {
            return Err(type_error("`preset` and `config` exclude each other; leave one of them out"));
        }
        (Some(preset), None) => (RotaryOrigin::Preset(preset, head_dim), Some(preset.max_position_embeddings())),
        (None, Some(config)) => {
            let base = if let Some(reflection::Value::Number(base)) = given.value("base") { Some(base) } else { None };
            let (config, of_model) = rope_config(config, arguments.ignore_keys, head_dim, base)?;
            let layers = arguments.layers.map(str::to_owned);
            // A model without a rotary embedding is refused before a number of rows is asked for.
            if layers.is_none() && arguments.seq_len.is_none() {
                config.rope(of_model.unwrap_or(1)).map(drop).map_err(value_error)?;
            }
            (RotaryOrigin::Config { config: Arc::new(config), layers, head_dim }, of_model)
        }
        (None, None) => {
            let head_dim = head_dim
                .ok_or_else(|| type_error("`head_dim` is missing; set it, or use `preset`, or `config` of a model"))?;
            (RotaryOrigin::HeadDim(head_dim), None)
        }
    };
    let seq_len = arguments.seq_len.map(|value| size("seq_len", value)).transpose()?;
    let seq_len = seq_len.or(of_model).or(rows).ok_or_else(|| type_error("`seq_len` is missing; set it"))?;
    Ok(packings
        .map(|packing| common.request(Wanted::Rotary { origin: origin.clone(), seq_len, packing }, given.clone())))
}

/// Reads the config of a model with what it lacks, and the number of positions that the model is made for.
fn rope_config(
    config: &Bound<'_, PyAny>,
    ignored: &[String],
    head_dim: Option<usize>,
    base: Option<f64>,
) -> PyResult<(RopeConfig, Option<usize>)> {
    let config = ignored.iter().fold(read_config(config)?, RopeConfig::ignore_key);
    let config = head_dim.into_iter().fold(config, RopeConfig::with_head_dim);
    let config = base.into_iter().fold(config, RopeConfig::with_base);
    let of_model = config.max_position_embeddings();
    Ok((config, of_model))
}

/// Returns the request for a grid.
pub(crate) fn grid(
    shape: &Bound<'_, PyAny>,
    width: &Bound<'_, PyAny>,
    common: &Common<'_, '_>,
) -> PyResult<Arc<Request>> {
    let preset: Option<GridPreset> = common.preset()?;
    let wanted = Wanted::Grid { preset, shape: self::shape(shape)?, d_model: d_model(width)? };
    Ok(common.request(wanted, common.given(TableKind::Grid)?))
}

/// Returns the request for each table of a rotary embedding of several axes.
pub(crate) fn axial<const N: usize>(
    shape: &Bound<'_, PyAny>,
    head_dim: Option<&Bound<'_, PyAny>>,
    (config, ignored): (Option<&Bound<'_, PyAny>>, &[String]),
    packings: [Packing; N],
    common: &Common<'_, '_>,
) -> PyResult<[Arc<Request>; N]> {
    let given = common.given(TableKind::Axial)?;
    let head_dim = head_dim.map(|value| size("head_dim", value)).transpose()?;
    let preset: Option<AxialPreset> = common.preset()?;
    check_ignored(ignored, config)?;
    let needed = |example: usize| {
        head_dim.ok_or_else(|| {
            let such_as = if example > 0 { format!(", such as {example}") } else { String::new() };
            type_error(format!("`head_dim` is missing; set it to the columns of a head{such_as}"))
        })
    };
    let origin = match (preset, config) {
        (Some(_), Some(_)) => {
            return Err(type_error("`preset` and `config` exclude each other; leave one of them out"));
        }
        (Some(preset), None) => AxialOrigin::Preset(preset, needed(preset.head_dim())?),
        (None, Some(config)) => {
            let config = ignored.iter().fold(read_config(config)?, AxialConfig::ignore_key);
            AxialOrigin::Config(Arc::new(head_dim.into_iter().fold(config, AxialConfig::with_head_dim)), head_dim)
        }
        (None, None) => AxialOrigin::HeadDim(needed(0)?),
    };
    let shape = self::shape(shape)?;
    Ok(packings.map(|packing| {
        common.request(Wanted::Axial { origin: origin.clone(), shape: shape.clone(), packing }, given.clone())
    }))
}

/// Checks that keys are ignored of a config.
fn check_ignored(ignored: &[String], config: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    if ignored.is_empty() || config.is_some() {
        return Ok(());
    }
    Err(type_error("`ignore_keys` names keys of a config; set `config`, or leave `ignore_keys` out"))
}

/// Reads the number of points along each axis.
pub(crate) fn shape(value: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let sizes = elements(value).ok_or_else(|| wrong_type("shape", value, "a tuple of the points along each axis"))?;
    sizes.iter().map(|points| size("shape", points)).collect()
}

/// Reads the argument `packing`.
pub(crate) fn packing(value: Option<&str>) -> PyResult<Option<Packing>> {
    value.map(|name| choice(Packing::NAMES, name).map(|i| Packing::CHOICES[i]).map_err(value_error)).transpose()
}

/// Reads the config of a model: a mapping, an object with `to_dict`, or the path of a file.
fn read_config<C: DeserializeOwned>(config: &Bound<'_, PyAny>) -> PyResult<C> {
    let py = config.py();
    let json = if config.hasattr("to_dict")? {
        dumped(&config.call_method0("to_dict")?)?
    } else if config.hasattr("keys")? {
        dumped(&py.import("builtins")?.getattr("dict")?.call1((config,))?)?
    } else {
        let path = py.import("os")?.call_method1("fspath", (config,)).map_err(|_| {
            wrong_type("config", config, "a dict, a config of transformers, or the path of a config.json")
        })?;
        let path: PathBuf = path.extract()?;
        std::fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?
    };
    serde_json::from_str(&of_python(&json)).map_err(|error| value_error(format!("`config`: {error}")))
}

/// Returns the exception for a file that cannot be read, or is no text.
fn unreadable(path: &Path, error: &io::Error) -> PyErr {
    let sentence = format!("`config`: {}: {error}", path.display());
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => value_error(sentence),
        kind => io::Error::new(kind, sentence).into(),
    }
}

fn dumped(config: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = config.py();
    let keywords = PyDict::new(py);
    // Configs have values of other types, such as `torch.dtype`, under keys that are not read.
    keywords.set_item("default", py.import("builtins")?.getattr("str")?)?;
    py.import("json")?.call_method("dumps", (config,), Some(&keywords))?.extract()
}
