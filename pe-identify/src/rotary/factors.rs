//! The factors of `LongRoPE`, by which the frequencies of a base are divided.

use posenc::scaling::LongRope;
use posenc::{Rope, Scaling};

use super::UNITS;
use super::columns::MeasuredColumns;
use super::common::bases;
use super::ratios::{FEW, cost_of_length, lengths};
use crate::ascending::sort_by_number;
use crate::interval::{Interval, cost_in_single, simplest};
use crate::known;
use crate::lists::Lists;
use crate::numbers::cost;
use crate::rounding::units;

/// The factors that the library has, nearly.
const FACTORS: Interval = Interval::new(1e-9, 1e9);

/// Returns the cache with likely factors, if there are such with a base of models.
pub(super) fn longrope<'a>(search: &MeasuredColumns, rope: Rope<'a>, lists: &'a Lists) -> Option<Rope<'a>> {
    contexts(search.measured.amplitude).into_iter().find_map(|(factor, length)| {
        let amplitude = attention_factor(factor, length);
        let frequencies = search.with_amplitude(amplitude)?;
        // The frequencies have the error of the power.
        let error = UNITS * units(search.precision);
        let frequencies: Vec<_> = frequencies.into_iter().map(|frequency| frequency.widened(error)).collect();
        let mut bases = bases();
        bases.extend(known::bases());
        let all = bases.into_iter().filter_map(|base| Some((base, factors(&frequencies, base)?)));
        let (base, (_, factors)) = all.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        Some(rope.base(base).scaling(Scaling::LongRope(LongRope::new(lists.keep(factors), factor, length))))
    })
}

fn attention_factor(factor: f64, length: usize) -> f64 {
    (1.0 + factor.ln() / (length as f64).ln()).sqrt()
}

/// Returns likely factors of the context with its original length that make the attention factor.
fn contexts(amplitude: Interval) -> Vec<(f64, usize)> {
    const MOST: usize = 4;
    if amplitude.contains(1.0) {
        return vec![(1.0, 4096)];
    }
    let amplitude = amplitude.widened(1e-12);
    let of = |length: usize| {
        let factor = amplitude.map(|amplitude| (length as f64).powf(amplitude * amplitude - 1.0)).likeliest()?;
        (factor >= 1.0 && cost(factor) <= FEW).then_some((factor, length))
    };
    let cost = |(factor, length): &(f64, usize)| cost(*factor) + cost_of_length(*length);
    let mut contexts: Vec<_> = lengths().filter_map(of).collect();
    sort_by_number(&mut contexts, cost);
    contexts.truncate(MOST);
    contexts
}

/// Returns the numbers by which the frequency of a base with this share of the pairs before it was divided.
pub(super) fn divisor(frequency: Interval, base: f64, share: f64) -> Interval {
    frequency.under(base.powf(-share))
}

/// Returns the factors by which the frequencies of a base were divided, with their cost, if they are simple.
///
/// Any base has factors, but only the right one has simple ones.
fn factors(frequencies: &[Interval], base: f64) -> Option<(f64, Vec<f64>)> {
    const FIRST: usize = 8;
    /// A factor of four digits costs less.
    const SIMPLE: f64 = 18.0;
    let h = frequencies.len() as f64;
    let (mut cost, mut factors) = (0.0, Vec::new());
    for (k, frequency) in frequencies.iter().enumerate() {
        let range = divisor(*frequency, base, k as f64 / h);
        // Columns that hardly turn may as well have the factor before.
        let last = factors.last().copied().filter(|last| frequency.low <= 0.0 && range.contains(*last));
        let factor = match last {
            Some(last) => last,
            None => simplest(range.meet(FACTORS)?),
        };
        cost += cost_in_single(factor);
        factors.push(factor);
        if cost > SIMPLE * factors.len().max(FIRST) as f64 {
            return None;
        }
    }
    Some((cost, factors))
}
