//! `posenc presets`: lists the presets, or describes one.

use std::fmt::Write;
use std::process::ExitCode;

use posenc::Suggestion;
use posenc::reflection::Unknown;
use posenc_text::checkpoints::Checkpoint;
use posenc_text::names;
use posenc_text::presets::{Described, Kind};
use posenc_text::spelling::elsewhere;
use serde::Serialize;

use crate::answers;
use crate::cli::PresetsArgs;
use crate::text::failure::{Failure, Outcome, print};

pub(crate) fn run(args: &PresetsArgs) -> Outcome {
    let found = match &args.name {
        None => Found { presets: Kind::ALL.into_iter().flat_map(Kind::presets).collect(), hints: Vec::new() },
        Some(name) => Found::by_name(name)?,
    };
    if args.json {
        answers::print(&found)?;
    } else {
        print(&args.name.as_ref().map_or_else(|| found.list(), |name| found.details(name)))?;
    }
    let is_certain = found.hints.is_empty() || found.hints.iter().any(|hint| hint.is_certain);
    Ok(if is_certain { ExitCode::SUCCESS } else { ExitCode::from(UNCERTAIN) })
}

/// The exit status if another version of a model may have another table.
const UNCERTAIN: u8 = 3;

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
    /// Whether the name is that of a model that the preset covers.
    #[serde(rename = "certain")]
    is_certain: bool,
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
                    let is_of_model = |i: &usize| has_model(&kind.models(*i), name);
                    let of_models: Vec<_> = (0..kind.names().all.len()).filter(is_of_model).collect();
                    match suggestion {
                        // Only if there is nothing better.
                        Some(Suggestion::Begins(_)) if of_models.is_empty() => {}
                        Some(suggestion) if of_models.is_empty() => answer.add_hint(*kind, name, *suggestion),
                        _ => answer.presets.extend(of_models.into_iter().map(|i| kind.described(i, None))),
                    }
                }
            }
        }
        if answer.presets.is_empty() && answer.hints.is_empty() {
            for (kind, found) in &found {
                if let Err(Unknown { suggestion: Some(begins @ Suggestion::Begins(_)), .. }) = found {
                    answer.add_hint(*kind, name, *begins);
                }
            }
        }
        let is_found = !answer.presets.is_empty() || !answer.hints.is_empty();
        if is_found { Ok(answer) } else { Err(unknown(name, &found.map(|(_, found)| found))) }
    }

    /// Says what the name of a model or a library is here. Most users do not know the name of a preset.
    fn add_hint(&mut self, kind: Kind, name: &str, suggestion: Suggestion) {
        let meant = elsewhere(kind.names(), name).map(Checkpoint::Covered);
        let Some(checkpoint) = meant.or_else(|| Checkpoint::of(kind.names(), name)) else { return };
        let is_certain = matches!(checkpoint, Checkpoint::Covered(_));
        let (Checkpoint::Covered(known) | Checkpoint::Begins(known)) = checkpoint;
        let named = Some(known);
        let (here, preset) = match suggestion {
            Suggestion::Here(here) => (here.to_owned(), kind.meant(known)),
            Suggestion::Nearest(name) | Suggestion::Begins(name) if name == known => {
                (format!("`{name}`"), kind.names().find(name).ok().or_else(|| kind.meant(name)))
            }
            _ => return,
        };
        let described = preset.map(|i| kind.described(i, named));
        let preset = described.is_some().then_some(self.presets.len());
        self.presets.extend(described);
        self.hints.push(Hint { command: kind, here, is_certain, preset });
    }

    /// Returns a list of all presets, under a heading for each command.
    fn list(&self) -> String {
        let of = |kind| self.presets.iter().filter(move |preset| preset.kind == kind).collect::<Vec<_>>();
        let lists = Kind::ALL.map(|kind| list(kind, &of(kind))).join("\n");
        lists + "\n`posenc presets NAME` describes a preset, or finds the presets of a model or library."
    }

    fn details(&self, name: &str) -> String {
        let is_meant = |i| self.hints.iter().any(|hint| hint.preset == Some(i));
        let exact = self.presets.iter().enumerate().filter(|(i, _)| !is_meant(*i)).map(|(_, preset)| preset.text());
        let hints = self.hints.iter().map(|hint| {
            let details = hint.preset.map_or(String::new(), |i| format!("\n{}", self.presets[i].text()));
            let (here, command) = (&hint.here, hint.command.command());
            if hint.is_certain {
                format!("{name}: use {here} ({command}).\n{details}")
            } else {
                format!("{name}: begins like {here} ({command}); another version may differ.\n{details}")
            }
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

/// Returns the failure of a name that is near one of a preset, or that is near none.
fn unknown(name: &str, found: &[Result<usize, Unknown>]) -> Failure {
    let near = found.iter().filter_map(|found| found.as_ref().err()).find(|unknown| unknown.suggestion.is_some());
    match near {
        Some(unknown) => Failure::new(unknown),
        None => Failure::new(format_args!("unknown preset `{name}`; `posenc presets` lists all")),
    }
}
