//! What can be chosen: the presets, and the keys of each kind of table.

use posenc::reflection::{Kind, KnownTables, Named, PARAMETERS};
use posenc::{AxialPreset, GridPreset, Preset, Rope, RopePreset};
use posenc_text::presets::{Described, Kind as Command};
use serde::{Deserialize, Serialize};

use posenc_web_shared::request::table_kind;

/// A preset, with sizes to begin with.
#[derive(Serialize)]
pub(crate) struct Choice {
    kind: &'static str,
    rows: usize,
    columns: usize,
    shape: &'static str,
    #[serde(flatten)]
    described: Described,
}

pub(crate) fn presets() -> Vec<Choice> {
    let mut all = Vec::new();
    for command in Command::ALL {
        for (i, described) in command.presets().enumerate() {
            let (kind, rows, columns, shape) = match command {
                Command::Table => ("sinusoidal", Preset::FACTS[i].rows, 512, ""),
                Command::Rope => {
                    let preset = RopePreset::CHOICES[i];
                    ("rotary", preset.max_position_embeddings(), Rope::preset(preset).head_dim(), "")
                }
                Command::Grid => {
                    ("grid", GridPreset::FACTS[i].rows, 768, if of_video(&described) { "4x14x14" } else { "14x14" })
                }
                Command::Axial => {
                    let shape = if of_video(&described) { "4x14x14" } else { "14x14" };
                    ("rotary_grid", 0, AxialPreset::CHOICES[i].head_dim(), shape)
                }
            };
            all.push(Choice { kind, rows, columns, shape, described });
        }
    }
    all
}

/// Returns whether a preset is for three axes, which its description lists.
fn of_video(described: &Described) -> bool {
    described.table.split(" or ").next().is_some_and(|axes| axes.matches(',').count() >= 2)
}

/// The kind of table whose keys are asked for.
#[derive(Deserialize)]
pub(crate) struct Of {
    kind: String,
}

/// A key of a kind of table.
#[derive(Serialize)]
pub(crate) struct Key {
    #[serde(rename = "key")]
    name: &'static str,
    about: &'static str,
    placeholder: &'static str,
    /// The names that the key accepts, if it is a choice.
    names: &'static [&'static str],
    by_axis: bool,
}

pub(crate) fn keys(of: &Of) -> Result<Vec<Key>, String> {
    let table = table_kind(&of.kind)?;
    let own = PARAMETERS.iter().filter(|parameter| parameter.is_of(table));
    Ok(own
        .map(|parameter| Key {
            name: parameter.key,
            about: parameter.about,
            placeholder: parameter.placeholder,
            names: if let Kind::Choice(names) = parameter.kind { names.all } else { &[] },
            by_axis: parameter.by_axis && table.has_axes(),
        })
        .collect())
}
