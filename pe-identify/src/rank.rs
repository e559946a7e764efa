//! Ranks several candidates by how common they are.

use posenc::reflection::{Argument, RuleParameter, Value, rule_arguments};
use posenc::{Amplitude, Columns, Frequencies, Odd, Parameters, Preset, Scaling, Spec};

use crate::interval::cost_in_single;
use crate::numbers;
use crate::rotary::cache::{Cache, is_cache, one_dimensional};
use crate::rotary::common::common_rules;

/// Returns the preset's spec, with the default for `odd` if the width is even, because it then makes no difference.
pub(crate) fn own(preset: Preset, d_model: usize) -> Spec<'static> {
    let own = Spec::preset(preset, d_model);
    if d_model.is_multiple_of(2) { own.odd(Odd::default()) } else { own }
}

/// If the second candidate costs this many bits more than the best one, the best one is certain. It is one digit.
pub(crate) const CERTAIN: f64 = 3.5;

/// A candidate that costs this many bits more than the best one is so much less likely that it is not mentioned.
pub(crate) const MENTIONED: f64 = 9.0;

/// Returns about the cost, in bits, of a spec for somebody who knows the presets.
///
/// Digits of numbers and changes to a preset are counted alike, so a round base with another start is more common than an odd base
/// alone.
pub(crate) fn cost(spec: &Spec) -> f64 {
    if is_cache(spec) {
        return cost_of_cache(spec);
    }
    Preset::ALL.iter().filter_map(|&preset| beside(preset, spec)).fold(f64::INFINITY, f64::min)
}

/// Returns the rank of a spec: its cost, and the length of its text.
pub(crate) fn of(spec: &Spec) -> (u64, usize) {
    with_cost(spec, cost(spec))
}

/// Returns the rank of a spec that costs so much together with what its table does not explain.
pub(crate) fn with_cost(spec: &Spec, cost: f64) -> (u64, usize) {
    // All calls have the same rows and type.
    let len = if is_cache(spec) { Cache::of(spec).map(|cache| cache.call_len()) } else { None };
    // A tenth of a bit makes no difference.
    let tenths = format!("{:.0}", 10.0 * cost).parse().unwrap_or(u64::MAX);
    (tenths, len.unwrap_or_else(|| spec.macro_call(0).to_string().len()))
}

/// Returns whether a spec is a preset, apart from what the preset leaves open.
pub(crate) fn is_preset(spec: &Spec) -> bool {
    name(spec).is_some()
}

/// Returns the first preset that equals the spec, apart from what the preset leaves open.
pub(crate) fn name(spec: &Spec) -> Option<&'static str> {
    if is_cache(spec) {
        return Cache::of(spec)?.name();
    }
    let is_it = |preset: &&Preset| beside(**preset, spec).is_some_and(|cost| cost == 0.0);
    Preset::ALL.iter().find(is_it).map(|preset| preset.name())
}

/// Returns the cost of what differs from a preset.
fn beside(preset: Preset, spec: &Spec) -> Option<f64> {
    let own = own(preset, spec.d_model());
    let parameters = own.parameters();
    if spec.d_model() % 2 == 1 && parameters.odd == Odd::Reject {
        return None;
    }
    let (own, set): (Vec<_>, Vec<_>) = (own.keys().collect(), spec.keys().collect());
    let left_open = |key: &str, value: &Value| match (key, value) {
        // The rows descend from a positive position. With any start, a table of cosines alone would fit too much.
        ("start", Value::Integer(start)) => parameters.start.is_none() && *start > 0,
        ("zero_row", _) => preset == Preset::Fairseq,
        _ => false,
    };
    let changed = set.iter().filter(|(key, value)| !left_open(key, value) && !own.contains(&(key, *value)));
    let changed = changed.fold(0.0, |cost, (key, value)| cost + change(key, value));
    // A parameter that only the preset sets is a change too. One that both set was counted above.
    let left_out = own.iter().filter(|(key, _)| !set.iter().any(|(other, _)| other == key));
    Some(left_out.fold(changed, |cost, (key, value)| cost + change(key, value).min(5.0)))
}

/// Returns the cost of a parameter that a preset does not have.
fn change(key: &str, value: &Value) -> f64 {
    match (key, value) {
        ("step", Value::Integer(step_)) => step(*step_),
        (_, Value::Quotient(over, under)) => 3.0 + numbers::quotient_bits(*over, *under),
        (_, Value::Integer(number)) => integer(*number),
        ("scale", Value::Number(number)) => scale(*number),
        ("freq_shift" | "odd", _) => 3.0,
        ("layout" | "order", _) => 2.0,
        (_, Value::Number(number)) => 2.0 + numbers::cost(*number),
        (_, Value::Numbers(list)) => list.iter().copied().map(cost_in_single).sum(),
        ("zero_row", _) => 8.0,
        ("columns" | "pairing", _) => 5.0,
        _ => 4.0,
    }
}

pub(crate) fn scale(scale: f64) -> f64 {
    if scale == 1.0 { 0.0 } else { 3.0 + numbers::cost(scale) }
}

/// Returns the cost of a start.
pub(crate) fn integer(number: i64) -> f64 {
    if number == 0 { 0.0 } else { 3.0 + (number.unsigned_abs() as f64).log2() + f64::from(u8::from(number < 0)) }
}

pub(crate) fn step(step: i64) -> f64 {
    match step {
        1 => 0.0,
        -1 => 4.0,
        _ => 2.0 + integer(step),
    }
}

/// Returns the cost of a cache.
///
/// A 1-D preset, and a plain table of sines and cosines, is a cache only in the second place.
fn cost_of_cache(spec: &Spec) -> f64 {
    const SECOND: f64 = 4.0;
    let is_known = Cache::of(spec).is_some_and(|cache| cache.name().is_some());
    let Parameters { columns, scaling, amplitude, .. } = spec.parameters();
    let is_plain = columns == Columns::Both && (scaling == Scaling::None || !is_known);
    let base = match spec.parameters().frequencies {
        Frequencies::Geometric { base, freq_shift } => {
            let shift = if freq_shift == 0.0 { 0.0 } else { SECOND };
            shift + if base == 10_000.0 { 0.0 } else { numbers::cost(base) }
        }
        Frequencies::Given(list) => list.iter().map(|frequency| cost_in_single(*frequency)).sum(),
        _ => 0.0,
    };
    let given = match amplitude {
        Amplitude::Value(factor) if factor != 1.0 => 2.0 + numbers::cost(factor),
        _ => 0.0,
    };
    match one_dimensional(spec).filter(|other| is_plain || is_preset(other)) {
        Some(other) => cost(&other) + SECOND,
        None if is_known => 0.0,
        None if scaling == Scaling::None => SECOND + base + given,
        None => 2.0 * SECOND + base + of_rule(scaling) + given,
    }
}

/// Returns the cost of the parameters of a rule, if it is not a common one.
fn of_rule(scaling: Scaling) -> f64 {
    if common_rules(0).contains(&scaling) {
        return 0.0;
    }
    let cost = |(parameter, argument): (&RuleParameter, Argument)| match argument {
        _ if parameter.default == Some(argument) => 0.0,
        Argument::Number(number) => cost_in_single(number),
        Argument::Length(length) => cost_in_single(length as f64),
        Argument::Numbers(list) => list.iter().copied().map(cost_in_single).sum(),
        Argument::Flag(_) => 0.0,
    };
    rule_arguments(&scaling).map(cost).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_rule_takes_no_bits() {
        assert_eq!(of_rule(Scaling::llama3(9.0, 3000)), cost_in_single(9.0) + cost_in_single(3000.0));
    }
}
