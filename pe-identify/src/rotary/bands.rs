//! The parameters of Llama 3's rule, whose divided share falls linearly with the turns.

use std::ops::Range;

use posenc::Scaling;
use posenc::scaling::Llama3;

use super::ratios::{FEW, Ratios, cost_of_length, cost_of_turns, lengths};
use crate::ascending::sort_by_number;
use crate::interval::Interval;
use crate::numbers::cost;

/// Returns the rules that may have made these ratios.
pub(super) fn rules(ratios: &Ratios) -> Vec<Scaling<'static>> {
    let mut all: Vec<_> = lengths().map(|length| Llama3::new(1.0, length)).chain(measured(ratios)).collect();
    sort_by_number(&mut all, cost_of_rule);
    let mut rules: Vec<(Llama3, Interval)> = Vec::new();
    for rule in all {
        let is_new = !rules.iter().any(|(other, _)| is_in_another_unit(other, &rule));
        let factor = if is_new { ratios.factor(|k| share(ratios, &rule, k)) } else { None };
        rules.extend(factor.map(|factor| (rule, factor)));
    }
    rules.truncate(3);
    let likely = |(rule, factor): (Llama3, Interval)| {
        let factors = factor.likely(2).into_iter().filter(|factor| *factor > 1.0);
        factors.map(move |factor| Scaling::Llama3(Llama3 { factor, ..rule }))
    };
    rules.into_iter().flat_map(likely).collect()
}

/// Returns the share of pair `k` that is divided.
fn share(ratios: &Ratios, rule: &Llama3, k: usize) -> f64 {
    let turns = rule.original_max_position_embeddings as f64 * ratios.turns(k as f64);
    let (low, high) = (rule.low_freq_factor, rule.high_freq_factor);
    if low == high { f64::from(u8::from(turns <= low)) } else { ((high - turns) / (high - low)).clamp(0.0, 1.0) }
}

/// Returns whether two rules are the same, with lengths and turns in different units.
fn is_in_another_unit(one: &Llama3, other: &Llama3) -> bool {
    let in_contexts = |rule: &Llama3| {
        let length = rule.original_max_position_embeddings as f64;
        [length / rule.low_freq_factor, length / rule.high_freq_factor]
    };
    in_contexts(one).iter().zip(in_contexts(other)).all(|(one, other)| (one / other - 1.0).abs() < 1e-12)
}

/// Returns the cost of a rule's context and turns. The lower turns are mostly 1, in which the others are then counted.
fn cost_of_rule(rule: &Llama3) -> f64 {
    const OTHER_UNIT: f64 = 3.0;
    let common = Llama3::new(1.0, 1);
    cost_of_length(rule.original_max_position_embeddings)
        + if rule.low_freq_factor == common.low_freq_factor { 0.0 } else { OTHER_UNIT }
        + cost_of_turns(rule.low_freq_factor, common.low_freq_factor)
        + cost_of_turns(rule.high_freq_factor, common.high_freq_factor)
}

/// Returns the rules that the blended frequencies show, whose turns in any context have the same ratios.
fn measured(ratios: &Ratios) -> Vec<Llama3> {
    let Some((factor, Range { start: begin, end })) = ratios.blend() else { return Vec::new() };
    // The part that is kept, which is linear in the turns per position.
    let kept = |k: usize| ratios.blended(k).map(|ratio| (ratio - 1.0 / factor) / (1.0 - 1.0 / factor));
    let turns = |k: usize| ratios.turns(k as f64);
    match end.saturating_sub(begin) {
        0 if begin > 0 => lengths().map(|length| step(length, turns(begin), turns(begin - 1))).collect(),
        0 => Vec::new(),
        1 => lengths().flat_map(|length| by_one(length, turns(begin), kept(begin))).collect(),
        _ => {
            let (fast, slow) = ((turns(begin), kept(begin)), (turns(end - 1), kept(end - 1)));
            lengths().filter_map(|length| by_two(length, fast, slow)).collect()
        }
    }
}

/// Returns the rule without a band between pairs with these turns per position.
fn step(length: usize, slow: f64, fast: f64) -> Llama3 {
    let between = Interval::new(slow, fast).times(length as f64).widened(-1e-9);
    let turns = if between.contains(1.0) { 1.0 } else { between.likeliest().unwrap_or(1.0) };
    Llama3 { low_freq_factor: turns, high_freq_factor: turns, ..Llama3::new(1.0, length) }
}

/// Returns the rules of which one blended pair is known.
fn by_one(length: usize, turns: f64, kept: Interval) -> Vec<Llama3> {
    let turns = length as f64 * turns;
    let with = |low: f64| {
        let high = kept.under(turns - low).map(|width| low + width);
        let high = high.likeliest().filter(|high| turns > low && *high > turns && cost(*high) <= FEW)?;
        Some(Llama3 { low_freq_factor: low, high_freq_factor: high, ..Llama3::new(1.0, length) })
    };
    [1.0, 2.0, 0.5, 4.0].into_iter().filter_map(with).collect()
}

/// Returns the rule of which a fast and a slow blended pair are known, if its turns are likely.
fn by_two(length: usize, fast: (f64, Interval), slow: (f64, Interval)) -> Option<Llama3> {
    let (fast, kept_fast) = (length as f64 * fast.0, fast.1);
    let (slow, kept_slow) = (length as f64 * slow.0, slow.1);
    let width = Interval::new(kept_fast.low - kept_slow.high, kept_fast.high - kept_slow.low).under(fast - slow);
    if width.low.is_nan() || width.low <= 0.0 || width.high <= 0.0 {
        return None;
    }
    let low = Interval::new(slow - kept_slow.high * width.high, slow - kept_slow.low * width.low);
    let high = Interval::new(low.low + width.low, low.high + width.high);
    let few = |turns: Interval| turns.likeliest().filter(|turns| cost(*turns) <= FEW);
    Some(Llama3 { low_freq_factor: few(low)?, high_freq_factor: few(high)?, ..Llama3::new(1.0, length) })
}
