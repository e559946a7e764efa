//! `posenc presets`: lists the presets, or describes one.

mod grid;
mod rotary;
mod sinusoidal;

use std::fmt::Write;
use std::process::ExitCode;

use posenc::__private::names::{Named, Names, Unknown};
use posenc::{GridPreset, Preset, RopePreset, Suggestion};

use crate::args::PresetsArgs;
use crate::failure::{Failure, Outcome, print};
use crate::names;

pub(crate) fn run(args: &PresetsArgs) -> Outcome {
    let text = match &args.name {
        None => all(),
        Some(name) => one(name)?,
    };
    print(&text).map(|()| ExitCode::SUCCESS)
}

/// What the presets of a command are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Table,
    Rope,
    Grid,
}

/// What is said of a preset.
struct Described {
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

    /// Describes preset `i`. A name from elsewhere may stand for further keys, which the command then has.
    fn described(self, i: usize, elsewhere: Option<&str>) -> Described {
        match self {
            Self::Table => sinusoidal::described(Preset::ALL[i], elsewhere),
            Self::Rope => rotary::described(RopePreset::ALL[i]),
            Self::Grid => grid::described(GridPreset::ALL[i]),
        }
    }
}

fn all() -> String {
    let lists = Kind::ALL.map(list).join("\n");
    lists + "\n`posenc presets NAME` describes a preset, or finds the preset of a model or library."
}

/// Returns the heading of a kind, and a line for each preset.
fn list(kind: Kind) -> String {
    let presets: Vec<_> = (0..kind.names().all.len()).map(|i| kind.described(i, None)).collect();
    let width = |column: fn(&Described) -> &str| presets.iter().map(|preset| column(preset).len()).max().unwrap_or(0);
    let (name, table) = (width(|preset| preset.name), width(|preset| &preset.table));
    let mut text = format!("{}\n\n", kind.heading());
    for preset in &presets {
        let line = writeln!(text, "  {:<name$}  {:<table$}  {}", preset.name, preset.table, preset.models);
        line.expect("writing to a String succeeds");
    }
    text
}

/// Describes the presets with this name, of any kind, and says what the name means elsewhere.
fn one(name: &str) -> Result<String, Failure> {
    let found = Kind::ALL.map(|kind| (kind, names::find(kind.names(), name)));
    let told = |(kind, found): &(Kind, Result<usize, Unknown>)| match found {
        Ok(i) => Some(kind.described(*i, None).text()),
        Err(unknown) => hint(*kind, name, unknown.suggestion?),
    };
    let texts: Vec<_> = found.iter().filter_map(told).collect();
    if texts.is_empty() { Err(unknown(name, &found.map(|(_, found)| found))) } else { Ok(texts.join("\n")) }
}

/// Says what the name of a model or a library is here. Most users do not know the name of a preset.
fn hint(kind: Kind, name: &str, suggestion: Suggestion) -> Option<String> {
    let (here, elsewhere) = match suggestion {
        Suggestion::Here(here) => (here.to_owned(), names::elsewhere(kind.names(), name)),
        Suggestion::Nearest(nearest) if names::of_model(kind.names(), name) == Some(nearest) => {
            (format!("`{nearest}`"), None)
        }
        _ => return None,
    };
    let preset = here.split('`').nth(1).and_then(|preset| kind.names().find(preset).ok());
    let details = preset.map_or(String::new(), |i| format!("\n{}", kind.described(i, elsewhere).text()));
    Some(format!("{name}: use {here} ({}).\n{details}", kind.command()))
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
