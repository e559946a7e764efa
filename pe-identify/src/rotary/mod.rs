//! Caches of rotary embeddings: the candidates, and what is said of one.
//!
//! The candidates are all combinations of a base and a scaling rule of known models. Row 0 shows in which columns
//! cosines and sines can be, and the columns of the first pairs rule out most candidates. All this is computed in
//! `f64`, on a few entries.
//!
//! If none of these fits, the frequencies are [measured], and their ratio to the frequencies of a base shows the
//! [rule](rules). If no rule explains them, they are a [list](lists).

mod bands;
pub(crate) mod cache;
mod columns;
pub(crate) mod common;
mod factors;
pub(crate) mod lists;
mod measured;
mod ramps;
mod ratios;
pub(crate) mod rules;

use posenc::PairColumns;
use posenc::reflection::{Argument, rule_arguments};
use posenc::{Amplitude, Packing, Repeat, Rope, Scaling, Spec};

use super::sample::Numbers;
use super::{known, numbers};
use crate::interval::Interval;
use crate::places::sampled_rows;
use crate::rounding::{Precision, UNIT_SINGLE, bound_of_cache, off_before_rounding, units};
use cache::{Slot, attention_factor, one_dimensional, pairs, slots};
use columns::PRECISIONS;
use common::{base_and_rule, bases, common_rules};
use measured::Measured;

/// Returns the specs of rotary caches that fit a sample of the entries.
pub(crate) fn specs(numbers: &Numbers) -> Vec<Spec<'static>> {
    let mut specs = Vec::new();
    // Only the sines of position 0 are zeros, and one row does not determine a frequency.
    if numbers.zero_row.is_some() || numbers.seq_len == 1 {
        return specs;
    }
    let (bases, rules) = (bases(), common_rules(numbers.seq_len));
    // If there is a rule, the base is the base of a model.
    let all_bases = [bases.clone(), known::bases()].concat();
    for (plain, packing) in arranged(numbers) {
        let Ok(spec) = plain.packed(packing) else { continue };
        let columns: Vec<_> = spec.sin_cos_columns().collect();
        for &scaling in &rules {
            let bases = if scaling == Scaling::None { &all_bases } else { &bases };
            let rope = |&base: &f64| plain.base(base).scaling(scaling).packed(packing).ok();
            let all: Vec<_> = bases.iter().filter_map(rope).collect();
            // It does not depend on the base, with which the rule may be invalid.
            let Some(factor) = all.iter().find_map(attention_factor) else { continue };
            specs.extend(all.into_iter().filter(|spec| fits(numbers, spec, &columns, factor)));
        }
    }
    specs
}

/// The relative error of a frequency, as a multiple of the error of an entry: its power and its rule have errors.
const UNITS: f64 = 2.0;

/// Returns the specs of rotary caches with the base and the rule that the frequencies show.
pub(crate) fn fitted(numbers: &Numbers) -> Vec<Spec<'static>> {
    const ROWS: usize = 6;
    if numbers.zero_row.is_some() || numbers.seq_len < ROWS || numbers.d_model < 8 || numbers.is_constant() {
        return Vec::new();
    }
    let bases = bases();
    let mut specs: Vec<Spec> = Vec::new();
    for (rope, packing) in arranged(numbers) {
        let Ok(plain) = rope.packed(packing) else { continue };
        let columns: Vec<_> = plain.sin_cos_columns().collect();
        for precision in PRECISIONS {
            let Some(Measured { amplitude, frequencies }) = Measured::new(numbers, &columns, precision) else {
                continue;
            };
            let error = UNITS * units(precision);
            let frequencies: Vec<_> = frequencies.into_iter().map(|frequency| frequency.widened(error)).collect();
            specs.extend(shifted(&plain, &frequencies));
            let rules = rules::explaining(&frequencies, amplitude, &bases, numbers.seq_len, units(precision));
            let ropes = rules.into_iter().map(|(base, rule)| with_attention(rope.base(base).scaling(rule), amplitude));
            specs.extend(ropes.filter_map(|rope| rope.packed(packing).ok()));
            // Entries in `f64` that `f64` explains were not computed in `f32`.
            if numbers.rounding < UNIT_SINGLE && !specs.is_empty() {
                break;
            }
        }
    }
    // Unlikely numbers may be the factors of a 1-D table.
    specs.retain(|spec| one_dimensional(spec).is_none() || is_likely(spec));
    specs
}

/// Returns whether all numbers of a cache are such as people choose.
fn is_likely(spec: &Spec) -> bool {
    const TEN_DIGITS: f64 = 40.0;
    let of_rule = rule_arguments(&spec.parameters().scaling).filter_map(|(_, argument)| match argument {
        Argument::Number(number) => Some(number),
        _ => None,
    });
    let base = base_and_rule(spec).map(|(base, _)| base);
    let given = match spec.parameters().amplitude {
        Amplitude::Value(factor) => Some(factor),
        _ => None,
    };
    of_rule.chain(base).chain(given).all(|number| numbers::cost(number) <= TEN_DIGITS)
}

/// Returns the table with `freq_shift = 1` and repeated columns, if it may be that.
fn shifted<'a>(plain: &Spec<'a>, frequencies: &[Interval]) -> Option<Spec<'a>> {
    let h = frequencies.len() as f64;
    let base = rules::progression(frequencies, frequencies.len())?.map(|base| base.powf((h - 1.0) / h)).likeliest()?;
    let spec = plain.base(base).freq_shift(1.0).amplitude(Amplitude::default());
    (plain.parameters().repeat != Repeat::None).then_some(spec)
}

/// Returns the cache with the attention factor of its rule, or with a likely one.
fn with_attention(rope: Rope<'_>, amplitude: Interval) -> Rope<'_> {
    let of_rule = rope.packed(Packing::Cos).ok().and_then(|spec| attention_factor(&spec));
    match amplitude.likeliest().filter(|_| of_rule.is_some_and(|factor| !amplitude.widened(1e-9).contains(factor))) {
        Some(given) => rope.attention_factor(given),
        None => rope,
    }
}

/// Returns the caches whose columns may be the columns of the table, with base 10,000.
fn arranged(numbers: &Numbers) -> impl Iterator<Item = (Rope<'static>, Packing)> {
    arrangements().filter_map(|(packing, repeat)| {
        let rope = Rope::new(2 * pairs(numbers.d_model, packing, repeat)?).repeat(repeat);
        let spec = rope.packed(packing).ok()?;
        let columns: Vec<_> = spec.sin_cos_columns().collect();
        is_arranged(numbers, &columns, &slots(&spec)).then_some((rope, packing))
    })
}

/// Returns all packings with all repeats that differ if there is one axis.
fn arrangements() -> impl Iterator<Item = (Packing, Repeat)> {
    let repeats = [Repeat::None, Repeat::Halves, Repeat::Pairs];
    Packing::ALL.iter().flat_map(move |&packing| repeats.map(|repeat| (packing, repeat)))
}

/// Returns whether row 0 is the row of position 0, and repeated columns are equal.
fn is_arranged(numbers: &Numbers, pairs: &[PairColumns], slots: &[Slot]) -> bool {
    let last = numbers.seq_len - 1;
    let entry = |column: Option<usize>, row: usize| column.map(|column| numbers.at(row, column));
    let peak = entry(pairs[0].cos, 0);
    slots.iter().all(|&(frequency, slot)| {
        let first = pairs[frequency];
        entry(slot.sin, 0).is_none_or(|sine| sine == 0.0)
            && entry(slot.cos, 0) == peak
            && entry(slot.sin, last) == entry(first.sin, last)
            && entry(slot.cos, last) == entry(first.cos, last)
    })
}

/// Returns whether the entries of some rows are near the entries of the spec.
fn fits(numbers: &Numbers, spec: &Spec, columns: &[PairColumns], amplitude: f64) -> bool {
    let Ok(frequencies) = spec.angular_frequencies() else { return false };
    let rows = sampled_rows(numbers);
    let near = |row: usize, column: Option<usize>, angle: f64, wave: f64| {
        let value = amplitude * wave;
        // Twice the bound for accepting a candidate, because candidates are only preselected here.
        let allowed = 2.0 * bound_of_cache(angle, value, amplitude, Precision::Single);
        column.is_none_or(|column| off_before_rounding(value, numbers.at(row, column), numbers.rounding) <= allowed)
    };
    // Frequencies are computed only until one does not fit.
    columns.iter().zip(frequencies).all(|(pair, frequency)| {
        rows.iter().all(|&row| {
            let angle = frequency * row as f64;
            near(row, pair.sin, angle, angle.sin()) && near(row, pair.cos, angle, angle.cos())
        })
    })
}
