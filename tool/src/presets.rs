//! `posenc presets`: lists the presets, or describes one.

use std::fmt::Write;
use std::process::ExitCode;

use posenc::__private::names::{Unknown, named};
use posenc::__private::{OTHER_NAMES, Value, facts};
use posenc::{Amplitude, Columns, Frequencies, Layout, Order, Pairing, Parameters, Preset, Spec, Suggestion};

use crate::args::{self, PresetsArgs};
use crate::failure::{Failure, Outcome, print};

pub(crate) fn run(args: &PresetsArgs) -> Outcome {
    let text = match &args.name {
        None => all(),
        Some(name) => one(name)?,
    };
    print(&text).map(|()| ExitCode::SUCCESS)
}

/// Returns the models and libraries of a preset, and a note, in one line.
fn models(preset: Preset) -> String {
    let note = facts(preset).note;
    let semicolon = if note.is_empty() { "" } else { "; " };
    format!("{}{semicolon}{note}", preset.models())
}

/// Returns the macro's keys of the preset that differ from the paper's.
///
/// A question mark stands for a value that the user sets.
fn keys(preset: Preset) -> String {
    let text = |(key, value)| match value {
        Value::Open => format!("{key} = ?"),
        value => format!("{key} = {value}"),
    };
    posenc::__private::keys(&Spec::preset(preset, 2)).map(text).collect::<Vec<_>>().join(", ")
}

/// Returns a description of the frequencies, the order of the columns, and the amplitude.
fn formula(preset: Preset) -> String {
    let Parameters { frequencies, layout, order, columns, pairing, start, step, amplitude, .. } =
        Spec::preset(preset, 2).parameters();
    let shifted = matches!(frequencies, Frequencies::Geometric { freq_shift: 1.0, .. });
    let frequencies = if pairing == Pairing::Unpaired || columns != Columns::Both {
        "10000^(-j/d)"
    } else if shifted {
        "10000^(-k/(h-1))"
    } else {
        "10000^(-k/h)"
    };
    let columns = match (columns, layout, order) {
        (Columns::Sin, ..) => "sines",
        (_, Layout::Halves, Order::SinCos) => "sines, then cosines",
        (_, Layout::Halves, Order::CosSin) => "cosines, then sines",
        (_, Layout::Interleaved, Order::SinCos) => "s0 c0 s1 c1 ...",
        (_, Layout::Interleaved, Order::CosSin) => "c0 s0 c1 s1 ...",
    };
    let further = [
        (amplitude == Amplitude::RsqrtD, ", times d^(-1/2)"),
        (amplitude == Amplitude::Sqrt2OverD, ", times (2/d)^(1/2)"),
        (step == -1, ", positions descending"),
        (start == Some(1), ", from position 1"),
    ];
    let further: String = further.into_iter().filter(|(has, _)| *has).map(|(_, text)| text).collect();
    format!("{frequencies}, {columns}{further}")
}

fn all() -> String {
    let mut text = String::from(
        "d is --d-model, h is half of it, k is the index of a pair of columns and j that of a column, both from 0.\n\n",
    );
    for &preset in Preset::ALL {
        let line = writeln!(text, "{:<15}{:<58}{}", preset.name(), formula(preset), models(preset));
        line.expect("writing to a String succeeds");
    }
    text + "\n`posenc presets NAME` describes a preset, or finds the preset of a model or library."
}

fn one(name: &str) -> Result<String, Failure> {
    let written = args::plain(name);
    match named(&written) {
        Ok(preset) => Ok(details(preset, facts(preset).given)),
        // Most users know the name of a model, not of a preset.
        Err(Unknown { suggestion: Some(Suggestion::Here(here)), .. }) => {
            let details = meant(&written).map_or(String::new(), |(preset, given)| details(preset, given));
            Ok(format!("{written}: use {here}.\n\n{details}"))
        }
        Err(unknown) => Err(Failure::new(Unknown { written: name, ..unknown })),
    }
}

/// Keys and values.
type Given = &'static [(&'static str, &'static str)];

/// Returns the preset that usually has this name elsewhere, and the keys to set with it.
fn meant(name: &str) -> Option<(Preset, Given)> {
    let other = OTHER_NAMES.iter().find(|other| other.name == name);
    let (preset, given) = match other {
        Some(other) => (*other.presets.first()?, other.given),
        None => (*Preset::ALL.iter().find(|&&preset| facts(preset).called.contains(&name))?, &[][..]),
    };
    Some((preset, if given.is_empty() { facts(preset).given } else { given }))
}

/// Returns the names of a preset elsewhere.
fn called(preset: Preset) -> Vec<&'static str> {
    let others = OTHER_NAMES.iter().filter(|other| other.presets.contains(&preset)).map(|other| other.name);
    let mut called: Vec<_> = facts(preset).called.iter().copied().chain(others).collect();
    called.sort_unstable();
    called
}

fn details(preset: Preset, given: Given) -> String {
    let keys = keys(preset);
    let keys = if keys.is_empty() { "none (the default)" } else { &keys };
    let mut text = format!("{}\n\n  table     {}\n  models    {}\n", preset.name(), formula(preset), models(preset));
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            writeln!(text, "  {name:<10}{value}").expect("writing to a String succeeds");
        }
    };
    line("keys", keys.to_owned());
    line("same", same(preset).join(", "));
    line("see also", called(preset).join(", "));
    line("command", command(preset, given));
    text
}

/// Returns the other presets with the same table, for an even width.
fn same(preset: Preset) -> Vec<&'static str> {
    const WIDTH: usize = 8;
    let is_same = |other| Spec::preset(other, WIDTH).is_same_table(&Spec::preset(preset, WIDTH));
    let others = Preset::ALL.iter().filter(|&&other| other != preset && is_same(other));
    others.map(|other| other.name()).collect()
}

fn command(preset: Preset, given: Given) -> String {
    let (name, rows) = (preset.name(), facts(preset).rows);
    let given = given.iter().map(|(key, value)| format!(" --{} {value}", key.replace('_', "-"))).collect::<Vec<_>>();
    let given = given.concat();
    format!("posenc table --preset {name} --seq-len {rows} --d-model 512{given} -o pe.npy")
}
