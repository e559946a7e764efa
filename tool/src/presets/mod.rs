//! `posenc presets`: lists the presets, or describes one.

mod grid;
mod rotary;
mod sinusoidal;

use std::fmt::Write;
use std::process::ExitCode;

use posenc::reflection::{Named, Names, Unknown};
use posenc::{GridPreset, Preset, RopePreset, Suggestion};
use serde::Serialize;

use crate::args::PresetsArgs;
use crate::failure::{Failure, Outcome, print};
use crate::json;
use crate::names;

pub(crate) fn run(args: &PresetsArgs) -> Outcome {
    let found = match &args.name {
        None => Found { presets: Kind::ALL.into_iter().flat_map(Kind::presets).collect(), hints: Vec::new() },
        Some(name) => Found::by_name(name)?,
    };
    if args.json {
        json::print(&found)?;
    } else {
        print(&args.name.as_ref().map_or_else(|| found.list(), |name| found.details(name)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The presets of a command.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Table,
    Rope,
    Grid,
}

/// What is said of a preset.
#[derive(Serialize)]
struct Described {
    #[serde(rename = "command")]
    kind: Kind,
    name: &'static str,
    /// The formula and the columns, in short.
    table: String,
    models: String,
    /// The keys that differ from the defaults, or the macro call of an example.
    parameters: String,
    /// Other presets with the same table.
    same: Vec<&'static str>,
    /// Names elsewhere.
    see_also: Vec<&'static str>,
    /// What the parameters were read from.
    source: Option<&'static str>,
    /// A command that writes a table of the preset.
    #[serde(rename = "example")]
    command: String,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Table, Self::Rope, Self::Grid];

    fn names(self) -> &'static Names {
        match self {
            Self::Table => Preset::NAMES,
            Self::Rope => RopePreset::NAMES,
            Self::Grid => GridPreset::NAMES,
        }
    }

    fn heading(self) -> &'static str {
        match self {
            Self::Table => {
                "Tables: posenc table\n\n\
                 d is --d-model, h is half of it, k is the index of a pair of columns and j that of a column, both from 0."
            }
            Self::Rope => "Rotary caches: posenc rope",
            Self::Grid => "Grids: posenc grid",
        }
    }

    fn command(self) -> &'static str {
        match self {
            Self::Table => "posenc table",
            Self::Rope => "posenc rope",
            Self::Grid => "posenc grid",
        }
    }

    /// Describes all presets.
    fn presets(self) -> impl Iterator<Item = Described> {
        (0..self.names().all.len()).map(move |i| self.described(i, None))
    }

    /// Describes preset `i`. A name from elsewhere may stand for further keys, which the command then has.
    fn described(self, i: usize, elsewhere: Option<&str>) -> Described {
        match self {
            Self::Table => sinusoidal::described(Preset::ALL[i], elsewhere),
            Self::Rope => rotary::described(RopePreset::ALL[i]),
            Self::Grid => grid::described(GridPreset::ALL[i]),
        }
    }
}

/// An answer: the presets, and what a name means elsewhere.
#[derive(Serialize)]
struct Found {
    presets: Vec<Described>,
    hints: Vec<Hint>,
}

/// What a name that is none of a preset of the command means.
#[derive(Serialize)]
struct Hint {
    command: Kind,
    /// The preset and further keys, in words.
    #[serde(rename = "use")]
    here: String,
    /// The index among the presets of the answer.
    preset: Option<usize>,
}

impl Found {
    /// Returns the presets with this name, of any command, and those that it means elsewhere.
    fn by_name(name: &str) -> Result<Self, Failure> {
        let found = Kind::ALL.map(|kind| (kind, names::find(kind.names(), name)));
        let mut answer = Self { presets: Vec::new(), hints: Vec::new() };
        for (kind, found) in &found {
            match found {
                Ok(i) => answer.presets.push(kind.described(*i, None)),
                Err(Unknown { suggestion: Some(suggestion @ Suggestion::Here(_)), .. }) => {
                    answer.add_hint(*kind, name, *suggestion);
                }
                Err(Unknown { suggestion: Some(Suggestion::Learned), .. }) => break,
                Err(Unknown { suggestion, .. }) => {
                    let of_models: Vec<_> = kind.presets().filter(|preset| has_model(&preset.models, name)).collect();
                    match suggestion {
                        Some(suggestion) if of_models.is_empty() => answer.add_hint(*kind, name, *suggestion),
                        _ => answer.presets.extend(of_models),
                    }
                }
            }
        }
        let is_found = !answer.presets.is_empty() || !answer.hints.is_empty();
        if is_found { Ok(answer) } else { Err(unknown(name, &found.map(|(_, found)| found))) }
    }

    /// Says what the name of a model or a library is here. Most users do not know the name of a preset.
    fn add_hint(&mut self, kind: Kind, name: &str, suggestion: Suggestion) {
        let (here, elsewhere) = match suggestion {
            Suggestion::Here(here) => (here.to_owned(), names::elsewhere(kind.names(), name)),
            Suggestion::Nearest(nearest) if names::of_model(kind.names(), name) == Some(nearest) => {
                (format!("`{nearest}`"), None)
            }
            _ => return,
        };
        let preset = here.split('`').nth(1).and_then(|preset| kind.names().find(preset).ok());
        let described = preset.map(|i| kind.described(i, elsewhere));
        let preset = described.is_some().then_some(self.presets.len());
        self.presets.extend(described);
        self.hints.push(Hint { command: kind, here, preset });
    }

    /// Returns a list of all presets, under a heading for each command.
    fn list(&self) -> String {
        let of = |kind| self.presets.iter().filter(move |preset| preset.kind == kind).collect::<Vec<_>>();
        let lists = Kind::ALL.map(|kind| list(kind, &of(kind))).join("\n");
        lists + "\n`posenc presets NAME` describes a preset, or finds those of a model or library."
    }

    fn details(&self, name: &str) -> String {
        let is_meant = |i| self.hints.iter().any(|hint| hint.preset == Some(i));
        let exact = self.presets.iter().enumerate().filter(|(i, _)| !is_meant(*i)).map(|(_, preset)| preset.text());
        let hints = self.hints.iter().map(|hint| {
            let details = hint.preset.map_or(String::new(), |i| format!("\n{}", self.presets[i].text()));
            format!("{name}: use {} ({}).\n{details}", hint.here, hint.command.command())
        });
        exact.chain(hints).collect::<Vec<_>>().join("\n")
    }
}

/// Returns whether a list of models has this name, in whole words.
fn has_model(models: &str, name: &str) -> bool {
    const LEAST: usize = 3;
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (models, name) = (words(models), words(name).concat());
    let begins = |from: usize| (from..models.len()).any(|to| models[from..=to].concat() == name);
    name.len() >= LEAST && (0..models.len()).any(begins)
}

/// Returns the heading of a command, and a line for each of its presets.
fn list(kind: Kind, presets: &[&Described]) -> String {
    let width = |column: fn(&Described) -> &str| presets.iter().map(|preset| column(preset).len()).max().unwrap_or(0);
    let (name, table) = (width(|preset| preset.name), width(|preset| &preset.table));
    let mut text = format!("{}\n\n", kind.heading());
    for preset in presets {
        let line = writeln!(text, "  {:<name$}  {:<table$}  {}", preset.name, preset.table, preset.models);
        line.expect("writing to a String succeeds");
    }
    text
}

/// Returns the names elsewhere that mean this preset, with further keys or without.
fn named_elsewhere(names: &Names, preset: &str) -> Vec<&'static str> {
    let means = |here: &str| here.split('`').skip(1).step_by(2).any(|word| word == preset);
    names.elsewhere.iter().filter(|(_, here)| means(here)).map(|&(name, _)| name).collect()
}

/// Returns the failure of a name that is near one of a preset, or that is near none.
fn unknown(name: &str, found: &[Result<usize, Unknown>]) -> Failure {
    let near = found.iter().filter_map(|found| found.as_ref().err()).find(|unknown| unknown.suggestion.is_some());
    match near {
        Some(unknown) => Failure::new(unknown),
        None => Failure::new(format_args!("unknown preset `{name}`; `posenc presets` lists all")),
    }
}

impl Described {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.name);
        for (name, value) in [
            ("table", self.table.as_str()),
            ("models", &self.models),
            (if self.kind == Kind::Table { "keys" } else { "call" }, &self.parameters),
            ("same", &self.same.join(", ")),
            ("see also", &self.see_also.join(", ")),
            ("source", self.source.unwrap_or_default()),
            ("command", &self.command),
        ] {
            if !value.is_empty() {
                writeln!(text, "  {name:<10}{value}").expect("writing to a String succeeds");
            }
        }
        text
    }
}
