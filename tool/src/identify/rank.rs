//! Which of several explanations is the simplest.

use std::f64::consts::{PI, TAU};

use posenc::{Preset, Spec};

use super::answer::even;
use crate::text::keys;

/// The simplest is the least: fewest parameters beside a preset's own, then the roundest numbers, then the fewest letters.
pub(super) fn of(spec: &Spec) -> (usize, usize, usize) {
    let text = spec.to_string();
    let digits = keys(&text).iter().map(|(name, value)| digits(name, value)).sum();
    (changes(spec), digits, text.len())
}

/// Whether it is worth to be offered beside the other one.
pub(super) fn is_as_simple(spec: &Spec, other: &Spec) -> bool {
    let (spec, other) = (of(spec), of(other));
    // As many changes and a number with one digit more: 500000 and 1000 are equally likely, 13459.6 is not.
    spec.0 <= other.0 && spec.1 <= other.1 + 1
}

/// Whether a preset is just this, with what it leaves to be given.
pub(super) fn is_preset(spec: &Spec) -> bool {
    changes(spec) == 0
}

/// The first preset that is just this.
pub(super) fn name(spec: &Spec) -> Option<&'static str> {
    Preset::ALL.iter().find(|&&preset| changes_of(preset, spec) == Some(0)).map(|preset| preset.name())
}

/// How many parameters are not those of the nearest preset.
pub(super) fn changes(spec: &Spec) -> usize {
    Preset::ALL.iter().filter_map(|&preset| changes_of(preset, spec)).min().unwrap_or(usize::MAX)
}

fn changes_of(preset: Preset, spec: &Spec) -> Option<usize> {
    let own = preset.spec(spec.d_model());
    if spec.d_model() % 2 == 1 && own.to_string().contains("odd = reject") {
        return None;
    }
    let (own, spec) = (keys(&even(own).to_string()), keys(&spec.to_string()));
    let left_open = |name: &str, value: &str| match name {
        // Rows descend from a position above zero: of a table of cosines alone the start would explain anything.
        "start" => {
            own.iter().any(|(key, other)| key == name && other == "_")
                && value.parse().is_ok_and(|start: i64| start > 0)
        }
        "zero_row" => preset == Preset::Fairseq,
        _ => false,
    };
    let differs = |(name, value): &&(String, String)| {
        !left_open(name, value) && !own.iter().any(|(key, other)| key == name && other == value)
    };
    let changed = spec.iter().filter(differs).count();
    // What the preset has and this has not is one, unless it was counted with its other value.
    let left_out = own.iter().filter(|(name, _)| !spec.iter().any(|(key, _)| key == name));
    Some(changed + left_out.count())
}

/// The digits that the number of a parameter takes: a power of two or a half turn is chosen as often as a round number.
fn digits(name: &str, value: &str) -> usize {
    let Ok(number) = value.parse::<f64>() else { return 0 };
    let is_power = number != 0.0 && (number.abs().log2()).fract() == 0.0;
    let special = name != "start" && name != "step" && (is_power || [PI, TAU].contains(&number));
    if special {
        return 1;
    }
    let text = format!("{:e}", number.abs());
    text.split('e').next().map_or(0, |digits| digits.replace('.', "").len())
}
