//! Which of several explanations is the simplest.

use std::f64::consts::{PI, TAU};

use posenc::__private::{Value, keys};
use posenc::{Odd, Preset, Spec};

/// The preset's spec, without the word for odd widths, which says nothing of an even one.
pub(super) fn own(preset: Preset, d_model: usize) -> Spec<'static> {
    let own = Spec::preset(preset, d_model);
    if d_model.is_multiple_of(2) { own.odd(Odd::default()) } else { own }
}

/// The simplest is the least: fewest parameters beside a preset's own, then the roundest numbers, then the fewest letters.
pub(super) fn of(spec: &Spec) -> (usize, usize, usize) {
    let digits = keys(spec).map(|(key, value)| digits(key, &value)).sum();
    (changes(spec), digits, spec.to_string().len())
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
    let own = own(preset, spec.d_model());
    let parameters = own.parameters();
    if spec.d_model() % 2 == 1 && parameters.odd == Odd::Reject {
        return None;
    }
    let (own, set): (Vec<_>, Vec<_>) = (keys(&own).collect(), keys(spec).collect());
    let left_open = |key: &str, value: &Value| match (key, value) {
        // Rows descend from a position above zero: of a table of cosines alone the start would explain anything.
        ("start", Value::Integer(start)) => parameters.start.is_none() && *start > 0,
        ("zero_row", _) => preset == Preset::Fairseq,
        _ => false,
    };
    let changed = set.iter().filter(|(key, value)| !left_open(key, value) && !own.contains(&(key, *value)));
    // What the preset has and this has not is one, unless it was counted with its other value.
    let left_out = own.iter().filter(|(key, _)| !set.iter().any(|(other, _)| other == key));
    Some(changed.count() + left_out.count())
}

/// The digits that the number of a parameter takes: a power of two or a half turn is chosen as often as a round number.
fn digits(key: &str, value: &Value) -> usize {
    let number = match *value {
        Value::Number(number) => number,
        Value::Integer(integer) => integer as f64,
        Value::Row(row) => row as f64,
        Value::Numbers(_) | Value::Word(_) | Value::Open => return 0,
    };
    let is_power = number != 0.0 && (number.abs().log2()).fract() == 0.0;
    let special = key != "start" && key != "step" && (is_power || [PI, TAU].contains(&number));
    if special {
        return 1;
    }
    let text = format!("{:e}", number.abs());
    text.split('e').next().map_or(0, |digits| digits.replace('.', "").len())
}
