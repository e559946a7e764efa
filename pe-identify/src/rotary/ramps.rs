//! The parameters of `YaRN`, whose divided share grows linearly from one bound to another, in pairs.

use std::ops::Range;

use posenc::Scaling;
use posenc::scaling::Yarn;

use super::ratios::{FEW, Ratios, cost_of_length, cost_of_turns, lengths};
use crate::ascending::sort_by_number;
use crate::interval::Interval;
use crate::numbers::cost;

/// The turns that the library accepts.
const TURNS: Interval = Interval::new(1e-6, 1e6);

/// If more bounds than this fit, the entries hardly show them, and only the bounds of common turns are likely.
const MOST: usize = 24;

/// Returns the rules that may have made these ratios, and an attention factor.
pub(super) fn rules(ratios: &Ratios, amplitude: Interval) -> Vec<Scaling<'static>> {
    let h = ratios.pairs();
    let mut ramps = Vec::new();
    for low in (0..h).take_while(|&low| ratios.of[low].contains(1.0)) {
        for high in low + 1..2 * h {
            let factor = ratios.factor(|k| share(k, low as f64, high as f64));
            ramps.extend(factor.map(|factor| (low, high, factor)));
        }
    }
    if ramps.len() > MOST {
        ramps.retain(|&(low, high, _)| lengths().any(|length| bounds(ratios, &Yarn::new(1.0, length)) == (low, high)));
    }
    let truncated = ramps.into_iter().filter_map(|(low, high, factor)| Some((context(ratios, low, high)?, factor)));
    let all = truncated.chain(with_real_bounds(ratios));
    all.flat_map(|(yarn, factor)| with_factors(yarn, factor, amplitude)).map(Scaling::Yarn).collect()
}

/// Returns the share of pair `k` that is divided.
fn share(k: usize, low: f64, high: f64) -> f64 {
    ((k as f64 - low) / (high - low)).clamp(0.0, 1.0)
}

/// Returns the pair that has so many turns in the context, which may be a fraction.
fn pair(ratios: &Ratios, turns: f64, length: usize) -> f64 {
    (length as f64 * ratios.turns(0.0) / turns).ln() / ratios.base.ln() * ratios.pairs() as f64
}

/// Returns the integer bounds of a rule.
fn bounds(ratios: &Ratios, yarn: &Yarn) -> (usize, usize) {
    let pair = |turns| pair(ratios, turns, yarn.original_max_position_embeddings).max(0.0);
    let most = 2 * ratios.pairs() - 1;
    let low = (0..most).rev().find(|&low| low as f64 <= pair(yarn.beta_fast)).unwrap_or(0);
    let high = (0..most).find(|&high| high as f64 >= pair(yarn.beta_slow)).unwrap_or(most);
    (low, high)
}

/// Returns the most likely context and turns with these bounds.
fn context(ratios: &Ratios, low: usize, high: usize) -> Option<Yarn> {
    let last = 2 * ratios.pairs() - 1;
    let of = |length: usize| {
        let turns = |pair: usize| length as f64 * ratios.turns(pair as f64);
        // The bounds are limited to the first pair and the last one.
        let fast = Interval::new(turns(low + 1), if low == 0 { f64::INFINITY } else { turns(low) });
        let slow = Interval::new(if high == last { 0.0 } else { turns(high) }, turns(high - 1));
        let [fast, slow] = [fast, slow].map(|turns| turns.widened(-1e-9).meet(TURNS));
        let yarn = with_turns(length, fast?, slow?)?;
        (bounds(ratios, &yarn) == (low, high)).then_some(yarn)
    };
    lengths().filter_map(of).min_by(|a, b| cost_of_rule(a).total_cmp(&cost_of_rule(b)))
}

/// Returns the rule with likely turns in these intervals.
fn with_turns(length: usize, fast: Interval, slow: Interval) -> Option<Yarn> {
    let common = Yarn::new(1.0, length);
    let likely = |common: f64, turns: Interval| if turns.contains(common) { Some(common) } else { turns.likeliest() };
    let yarn =
        Yarn { beta_fast: likely(common.beta_fast, fast)?, beta_slow: likely(common.beta_slow, slow)?, ..common };
    (yarn.beta_slow <= yarn.beta_fast).then_some(yarn)
}

/// Returns the cost of a rule's context and turns.
fn cost_of_rule(yarn: &Yarn) -> f64 {
    let common = Yarn::new(1.0, 1);
    cost_of_length(yarn.original_max_position_embeddings)
        + cost_of_turns(yarn.beta_fast, common.beta_fast)
        + cost_of_turns(yarn.beta_slow, common.beta_slow)
}

/// Returns the likely rules whose bounds are not truncated, with their factors.
fn with_real_bounds(ratios: &Ratios) -> Vec<(Yarn, Interval)> {
    let common = lengths().map(|length| Yarn::new(1.0, length));
    let mut rules = Vec::new();
    for yarn in common.chain(with_measured_bounds(ratios)) {
        let [low, high] =
            [yarn.beta_fast, yarn.beta_slow].map(|turns| pair(ratios, turns, yarn.original_max_position_embeddings));
        let is_valid = low >= 0.0 && high < (2 * ratios.pairs() - 1) as f64;
        let factor = ratios.factor(|k| share(k, low, high)).filter(|_| is_valid);
        rules.extend(factor.map(|factor| (Yarn { truncate: false, ..yarn }, factor)));
    }
    sort_by_number(&mut rules, |(yarn, _)| cost_of_rule(yarn));
    rules.truncate(3);
    rules
}

/// Returns rules with the bounds that the first and the last blended frequency show.
fn with_measured_bounds(ratios: &Ratios) -> Vec<Yarn> {
    let Some((factor, Range { start: begin, end })) = ratios.blend() else { return Vec::new() };
    if end < begin + 2 {
        return Vec::new();
    }
    let shares = |k: usize| {
        let Interval { low, high } = ratios.blended(k);
        Interval::new((1.0 - high) / (1.0 - 1.0 / factor), (1.0 - low) / (1.0 - 1.0 / factor))
    };
    let (first, last) = (shares(begin), shares(end - 1));
    let rows = (end - 1 - begin) as f64;
    let slope = Interval::new((last.low - first.high) / rows, (last.high - first.low) / rows);
    if slope.low <= 0.0 {
        return Vec::new();
    }
    let low = Interval::new(begin as f64 - first.high / slope.low, begin as f64 - first.low / slope.high);
    let high = Interval::new(low.low + 1.0 / slope.high, low.high + 1.0 / slope.low);
    let of = |length: usize| {
        let turns = |bound: Interval| {
            Interval::new(length as f64 * ratios.turns(bound.high), length as f64 * ratios.turns(bound.low)).meet(TURNS)
        };
        with_turns(length, turns(low)?, turns(high)?)
    };
    let mut rules: Vec<_> = lengths().filter_map(of).collect();
    sort_by_number(&mut rules, cost_of_rule);
    rules.truncate(6);
    rules
}

/// Returns the rule with likely factors, and with the scales that make the attention factor.
fn with_factors(yarn: Yarn, factors: Interval, amplitude: Interval) -> Vec<Yarn> {
    // Without scales the attention factor tells the factor, which slow frequencies may not show.
    let shown = amplitude.map(|amplitude| (10.0 * (amplitude - 1.0)).exp()).widened(1e-9).meet(factors);
    let mut likely = shown.map(|shown| shown.likely(1)).unwrap_or_default();
    likely.extend(
        factors.likely(2).into_iter().filter(|factor| *factor > 1.0 && !likely.contains(factor)).collect::<Vec<_>>(),
    );
    let with = |factor: f64| {
        let (mscale, mscale_all_dim) = scales(factor.ln() / 10.0, amplitude);
        Yarn { factor, mscale, mscale_all_dim, ..yarn }
    };
    likely.into_iter().map(with).collect()
}

/// Returns the two scales of the logarithm of the factor that make the attention factor. If none do, they are 0.
fn scales(log: f64, amplitude: Interval) -> (f64, f64) {
    let amplitude = amplitude.widened(1e-9);
    if amplitude.contains(1.0 + log) {
        return (0.0, 0.0);
    } else if amplitude.contains(1.0) {
        return (1.0, 1.0);
    }
    let with = |all_dim: f64| {
        let scale = amplitude.map(|amplitude| (amplitude * (1.0 + all_dim * log) - 1.0) / log).likeliest()?;
        (cost(scale) <= FEW).then_some((scale, all_dim))
    };
    let of_both = |scales: &(f64, f64)| cost(scales.0) + cost(scales.1);
    let given = amplitude.likeliest().map_or(f64::INFINITY, cost);
    let likely = [1.0, 0.707, 0.5, 0.8, 0.1, 2.0].into_iter().filter_map(with);
    likely
        .min_by(|a, b| of_both(a).total_cmp(&of_both(b)))
        .filter(|scales| of_both(scales) < given)
        .unwrap_or((0.0, 0.0))
}
