//! Ranks several candidates by simplicity.

use std::f64::consts::{PI, TAU};

use posenc::__private::{Value, keys};
use posenc::{Odd, Preset, Spec};

use super::rotary::{self, Cache};

/// Returns the preset's spec, with the default for `odd` if the width is even, because it then makes no difference.
pub(super) fn own(preset: Preset, d_model: usize) -> Spec<'static> {
    let own = Spec::preset(preset, d_model);
    if d_model.is_multiple_of(2) { own.odd(Odd::default()) } else { own }
}

/// Returns the rank of a spec. Simpler specs have lower ranks.
///
/// The order is by fewest changes to a preset, then by roundest numbers, then by shortest text.
pub(super) fn of(spec: &Spec) -> (usize, usize, usize) {
    let digits = keys(spec).map(|(key, value)| digits(key, &value)).sum();
    let text = if rotary::is_cache(spec) { Cache::of(spec).map(|cache| cache.text()) } else { None };
    (changes(spec), digits, text.unwrap_or_else(|| spec.to_string()).len())
}

/// Returns whether a spec is simple enough to be an alternative to another one.
pub(super) fn is_as_simple(spec: &Spec, other: &Spec) -> bool {
    let (spec, other) = (of(spec), of(other));
    // No more changes, and at most one more digit: 500000 and 1000 are equally likely, 13459.6 is not.
    spec.0 <= other.0 && spec.1 <= other.1 + 1
}

/// Returns whether a spec is a preset, apart from what the preset leaves open.
pub(super) fn is_preset(spec: &Spec) -> bool {
    changes(spec) == 0
}

/// Returns the first preset that equals the spec, apart from what the preset leaves open.
pub(super) fn name(spec: &Spec) -> Option<&'static str> {
    if rotary::is_cache(spec) {
        return Cache::of(spec)?.name();
    }
    Preset::ALL.iter().find(|&&preset| changes_of(preset, spec) == Some(0)).map(|preset| preset.name())
}

/// Returns the number of parameters that differ from the nearest preset.
pub(super) fn changes(spec: &Spec) -> usize {
    if rotary::is_cache(spec) {
        return rotary::changes(spec);
    }
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
        // The rows descend from a positive position. With any start, a table of cosines alone would fit too much.
        ("start", Value::Integer(start)) => parameters.start.is_none() && *start > 0,
        ("zero_row", _) => preset == Preset::Fairseq,
        _ => false,
    };
    let changed = set.iter().filter(|(key, value)| !left_open(key, value) && !own.contains(&(key, *value)));
    // A parameter that only the preset sets is a change too. One that both set was counted above.
    let left_out = own.iter().filter(|(key, _)| !set.iter().any(|(other, _)| other == key));
    Some(changed.count() + left_out.count())
}

/// Returns the number of digits of a parameter.
///
/// A power of two, pi or 2 pi counts as one digit, because it is a common choice, and so does a scaling rule.
fn digits(key: &str, value: &Value) -> usize {
    let number = match *value {
        Value::Number(number) => number,
        Value::Integer(integer) => integer as f64,
        Value::Row(row) => row as f64,
        Value::Scaling(_) => return 1,
        // Units are not guessed.
        Value::Quotient(..) | Value::Numbers(_) | Value::Word(_) | Value::Open => return 0,
    };
    let is_power = number != 0.0 && (number.abs().log2()).fract() == 0.0;
    let special = key != "start" && key != "step" && (is_power || [PI, TAU].contains(&number));
    if special {
        return 1;
    }
    let text = format!("{:e}", number.abs());
    text.split('e').next().map_or(0, |digits| digits.replace('.', "").len())
}
