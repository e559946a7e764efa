//! What the page asks for: texts, as they are typed.

use std::collections::BTreeMap;
use std::sync::Arc;

use posenc::reflection::{Kind, Named, PARAMETERS, TableKind};
use posenc::{AxialConfig, Packing, Preset, RopeConfig};
use posenc_identify::Dtype;
use posenc_text::dtype::read_dtype;
use posenc_text::given::{Given, GivenValues};
use posenc_text::json::of_python;
use posenc_text::names::choice;
use posenc_text::request::{AxialOrigin, Request, RotaryOrigin, Wanted};
use posenc_text::rule::between_commas;
use posenc_text::values::{d_model, number, shape, size};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::words::named;

/// A table as the page describes it. All values are text.
#[derive(Deserialize)]
pub struct Wish {
    /// `sinusoidal`, `rotary`, `grid` or `rotary_grid`.
    pub kind: String,
    #[serde(default)]
    preset: String,
    /// The text of a `config.json`.
    #[serde(default)]
    config: String,
    #[serde(default)]
    layers: String,
    #[serde(default)]
    rows: String,
    /// The number of columns of the table, or of a head.
    #[serde(default)]
    columns: String,
    #[serde(default)]
    shape: String,
    #[serde(default)]
    dtype: String,
    #[serde(default)]
    keys: BTreeMap<String, String>,
}

/// Returns the kind of table that a name stands for.
pub fn table_kind(name: &str) -> Result<TableKind, String> {
    Ok(match name {
        "sinusoidal" => TableKind::Sinusoidal,
        "rotary" => TableKind::Rotary,
        "grid" => TableKind::Grid,
        "rotary_grid" => TableKind::Axial,
        _ => return Err(format!("unknown kind `{name}`")),
    })
}

impl Wish {
    /// Returns the element type.
    pub fn dtype(&self) -> Result<Dtype, String> {
        let name = if self.dtype.is_empty() { "f32" } else { &self.dtype };
        read_dtype(name).map_err(|error| format!("`dtype` is `{name}`, but {error}"))
    }

    /// Returns the request, with all texts read.
    pub fn request(&self) -> Result<Request, String> {
        let table = table_kind(&self.kind)?;
        let given = self.given(table)?;
        let packing = given.packing().unwrap_or(Packing::CosSin);
        let wanted = match table {
            TableKind::Sinusoidal => Wanted::Sinusoidal {
                preset: self.preset()?.unwrap_or(Preset::Paper),
                seq_len: size_of("seq_len", &self.rows)?,
                d_model: named("d_model", d_model(filled("d_model", &self.columns)?))?,
            },
            TableKind::Rotary => self.rotary(packing)?,
            TableKind::Grid => Wanted::Grid {
                preset: self.preset()?,
                shape: self.shape()?,
                d_model: named("d_model", d_model(filled("d_model", &self.columns)?))?,
            },
            TableKind::Axial => {
                let head_dim = || size_of("head_dim", &self.columns);
                let origin = match (self.preset()?, self.config.as_str()) {
                    (Some(preset), "") => AxialOrigin::Preset(preset, head_dim()?),
                    (None, "") => AxialOrigin::HeadDim(head_dim()?),
                    (_, text) => AxialOrigin::Config(Arc::new(config::<AxialConfig>(text)?), None),
                };
                Wanted::Axial { origin, shape: self.shape()?, packing }
            }
        };
        Ok(Request { wanted, given, quantiser: self.dtype()?.quantiser() })
    }

    fn rotary(&self, packing: Packing) -> Result<Wanted, String> {
        let head_dim = if self.columns.is_empty() { None } else { Some(size_of("head_dim", &self.columns)?) };
        let (origin, of_model) = match (self.preset()?, self.config.as_str()) {
            (Some(preset), "") => {
                (RotaryOrigin::Preset(preset, head_dim), Some(posenc::RopePreset::max_position_embeddings(preset)))
            }
            (None, "") => (RotaryOrigin::HeadDim(size_of("head_dim", &self.columns)?), None),
            (_, text) => {
                let config = head_dim.into_iter().fold(config::<RopeConfig>(text)?, RopeConfig::with_head_dim);
                let of_model = config.max_position_embeddings();
                let layers = Some(self.layers.clone()).filter(|layers| !layers.is_empty());
                (RotaryOrigin::Config { config: Arc::new(config), layers, head_dim }, of_model)
            }
        };
        let is_config = matches!(origin, RotaryOrigin::Config { .. });
        let of_rows = |seq_len| Wanted::Rotary { origin, seq_len, packing };
        match of_model {
            Some(rows) if self.rows.is_empty() => Ok(of_rows(rows)),
            None if self.rows.is_empty() && is_config => {
                // What else is wrong with the config comes first.
                let request = Request { wanted: of_rows(1), given: Given::default(), quantiser: None };
                request.rope().map(drop)?;
                Err("`seq_len` is missing, and the config has no `max_position_embeddings`; set it".to_owned())
            }
            _ => Ok(of_rows(size_of("seq_len", &self.rows)?)),
        }
    }

    fn preset<P: Named>(&self) -> Result<Option<P>, String> {
        if self.preset.is_empty() {
            return Ok(None);
        }
        choice(P::NAMES, &self.preset).map(|i| Some(P::CHOICES[i]))
    }

    fn shape(&self) -> Result<Vec<usize>, String> {
        named("shape", shape(filled("shape", &self.shape)?))
    }

    /// Reads the keys. An empty text is not given.
    fn given(&self, table: TableKind) -> Result<Given, String> {
        let mut given = Vec::new();
        for (key, text) in self.keys.iter().map(|(key, text)| (key, text.trim())).filter(|(_, text)| !text.is_empty()) {
            let parameter = PARAMETERS.iter().find(|parameter| parameter.key == key && parameter.is_of(table));
            let parameter = parameter.ok_or_else(|| format!("unknown key `{key}`"))?;
            let values = match parameter.kind {
                Kind::Numbers => {
                    let list = between_commas(text.trim_start_matches('[').trim_end_matches(']'));
                    list.into_iter().map(number).collect::<Result<_, _>>().map(|list| GivenValues::Lists(vec![list]))
                }
                _ => GivenValues::read(parameter, text, parameter.by_axis && table.has_axes()),
            };
            given.push((parameter, named(key, values)?));
        }
        Ok(Given::new(given))
    }
}

fn size_of(name: &str, text: &str) -> Result<usize, String> {
    named(name, size(name, filled(name, text)?))
}

/// Reads the text of a `config.json`.
fn config<C: DeserializeOwned>(text: &str) -> Result<C, String> {
    serde_json::from_str(&of_python(text)).map_err(|error| {
        let what = if error.is_data() { "`config` is not the config of a model" } else { "`config` is not JSON" };
        format!("{what}: {error}; paste the whole text of `config.json`")
    })
}

fn filled<'t>(name: &str, text: &'t str) -> Result<&'t str, String> {
    if text.trim().is_empty() { Err(format!("`{name}` is missing; set it")) } else { Ok(text.trim()) }
}
