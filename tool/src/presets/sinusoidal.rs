//! The presets of `posenc table`.

use posenc::reflection::{OTHER_NAMES, Value, preset_facts};
use posenc::{Amplitude, Columns, Frequencies, Layout, Order, Pairing, Parameters, Preset, Spec};

use super::{Described, Kind};

/// Describes a preset. A name from elsewhere may stand for further keys, which the command then has.
pub(super) fn described(preset: Preset, elsewhere: Option<&str>) -> Described {
    Described {
        kind: Kind::Table,
        name: preset.name(),
        table: formula(preset),
        models: models(preset),
        parameters: parameters(preset),
        same: same(preset),
        see_also: called(preset),
        source: None,
        command: command(preset, elsewhere),
    }
}

/// Returns the models and libraries of a preset, and a note, in one line.
fn models(preset: Preset) -> String {
    let note = preset_facts(preset).note;
    let semicolon = if note.is_empty() { "" } else { "; " };
    format!("{}{semicolon}{note}", preset.models())
}

/// Returns the macro's keys of the preset that differ from the paper's.
///
/// A question mark stands for a value that the user sets.
fn parameters(preset: Preset) -> String {
    let text = |(key, value)| match value {
        Value::Open => format!("{key} = ?"),
        value => format!("{key} = {value}"),
    };
    let keys: Vec<_> = Spec::preset(preset, 2).keys().map(text).collect();
    if keys.is_empty() { "none (the default)".to_owned() } else { keys.join(", ") }
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

/// Returns the names of a preset elsewhere.
fn called(preset: Preset) -> Vec<&'static str> {
    let others = OTHER_NAMES.iter().filter(|other| other.presets.contains(&preset)).map(|other| other.name);
    let mut called: Vec<_> = preset_facts(preset).called.iter().copied().chain(others).collect();
    called.sort_unstable();
    called
}

/// Returns the other presets with the same table, for an even width.
fn same(preset: Preset) -> Vec<&'static str> {
    const WIDTH: usize = 8;
    let is_same = |other| Spec::preset(other, WIDTH).is_same_table(&Spec::preset(preset, WIDTH));
    let others = Preset::ALL.iter().filter(|&&other| other != preset && is_same(other));
    others.map(|other| other.name()).collect()
}

/// Returns the command that writes a table of the preset, with the keys that a name from elsewhere stands for.
fn command(preset: Preset, elsewhere: Option<&str>) -> String {
    let (name, rows) = (preset.name(), preset_facts(preset).rows);
    let given = OTHER_NAMES.iter().find(|other| Some(other.name) == elsewhere).map_or(&[][..], |other| other.given);
    let given = if given.is_empty() { preset_facts(preset).given } else { given };
    let given = given.iter().map(|(key, value)| format!(" --{} {value}", key.replace('_', "-"))).collect::<Vec<_>>();
    let given = given.concat();
    format!("posenc table --preset {name} --seq-len {rows} --d-model 512{given} -o pe.npy")
}
