//! Caches of rotary embeddings: the candidates, and what is said of one.
//!
//! The candidates are all combinations of a base and a scaling rule of known models. Row 0 shows in which columns
//! cosines and sines can be, and the columns of the first pairs rule out most candidates. All this is computed in
//! `f64`, on a few entries.
//!
//! If none of these fits, the frequencies are [measured], and their ratio to those of a base shows the [rule](rules). If no rule
//! explains them, they are a [list](lists).

mod bands;
pub(super) mod cache;
mod factors;
mod interval;
pub(super) mod lists;
mod measured;
mod ramps;
mod rules;

use posenc::PairColumns;
use posenc::reflection::{Argument, RuleParameter, rule_arguments};
use posenc::scaling::Linear;
use posenc::{Amplitude, Columns, Frequencies, Packing, Parameters, Repeat, Rope, RopePreset, Scaling, Spec};

use super::noise::{Precision, UNIT_SINGLE, bound_of_cache, off_before_rounding, units};
use super::sample::Numbers;
use super::{known, numbers, rank};
pub(super) use cache::Cache;
use interval::Interval;
use measured::Measured;

/// The columns of a frequency, with the number of the frequency.
type Slot = (usize, PairColumns);

/// Returns the specs of rotary caches that fit a sample of the entries.
pub(super) fn specs(numbers: &Numbers) -> Vec<Spec<'static>> {
    let mut specs = Vec::new();
    // Only the sines of position 0 are zeros, and one row does not determine a frequency.
    if numbers.zero_row.is_some() || numbers.seq_len == 1 {
        return specs;
    }
    let (bases, rules) = (bases(), rules(numbers.seq_len));
    // With a rule, the base is that of a model.
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

/// The precisions with which a cache may have been computed.
const PRECISIONS: [Precision; 2] = [Precision::Double, Precision::Single];

/// The relative error of a frequency, as a multiple of that of an entry: its power and its rule have errors.
const UNITS: f64 = 2.0;

/// The most fitted candidates that are compared with the table.
const MOST: usize = 12;

/// Returns the specs of rotary caches with the base and the rule that the frequencies show.
pub(super) fn fitted(numbers: &Numbers) -> Vec<Spec<'static>> {
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
    specs.retain(is_likely);
    specs.sort_by_cached_key(rank::of);
    specs.truncate(MOST);
    specs
}

/// Returns whether all numbers of a cache are such as people choose. Others are factors of a 1-D table.
fn is_likely(spec: &Spec<'static>) -> bool {
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
fn shifted(plain: &Spec<'static>, frequencies: &[Interval]) -> Option<Spec<'static>> {
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

/// Returns the caches whose columns may be those of the table, with base 10000.
fn arranged(numbers: &Numbers) -> impl Iterator<Item = (Rope<'static>, Packing)> {
    arrangements().filter_map(|(packing, repeat)| {
        let rope = Rope::new(2 * pairs(numbers.d_model, packing, repeat)?).repeat(repeat);
        let spec = rope.packed(packing).ok()?;
        let columns: Vec<_> = spec.sin_cos_columns().collect();
        is_arranged(numbers, &columns, &slots(&spec)).then_some((rope, packing))
    })
}

/// Returns all packings with all repeats.
fn arrangements() -> impl Iterator<Item = (Packing, Repeat)> {
    Packing::ALL.iter().flat_map(|&packing| Repeat::ALL.iter().map(move |&repeat| (packing, repeat)))
}

/// Returns the number of pairs in a table of `d_model` columns.
///
/// It is `None` if it is not whole, or if there is a single one, which does not determine the base.
fn pairs(d_model: usize, packing: Packing, repeat: Repeat) -> Option<usize> {
    let columns = if matches!(packing, Packing::Cos | Packing::Sin) { 1 } else { 2 };
    let times = if repeat == Repeat::None { 1 } else { 2 };
    let pairs = d_model / (columns * times);
    (pairs > 1 && d_model.is_multiple_of(columns * times)).then_some(pairs)
}

/// Returns the columns of all frequencies, also those that repeat others.
fn slots(spec: &Spec) -> Vec<Slot> {
    let repeat = spec.parameters().repeat;
    // A repeated column is where a further pair would be.
    let slots: Vec<_> = spec.repeat(Repeat::None).sin_cos_columns().collect();
    let half = slots.len() / 2;
    let frequency = |i: usize| match repeat {
        Repeat::None => i,
        Repeat::Halves => i % half,
        Repeat::Pairs => i / 2,
    };
    slots.into_iter().enumerate().map(|(i, slot)| (frequency(i), slot)).collect()
}

/// Returns whether row 0 is that of position 0, and repeated columns are equal.
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

/// Returns the bases of the presets.
fn bases() -> Vec<f64> {
    let mut bases: Vec<f64> = Vec::new();
    for &preset in RopePreset::ALL {
        let base = of_preset(preset).0;
        if !bases.contains(&base) {
            bases.push(base);
        }
    }
    bases
}

/// Returns the scaling rules of the presets, and the usual ones with one parameter.
fn rules(seq_len: usize) -> Vec<Scaling<'static>> {
    let mut rules: Vec<_> = RopePreset::ALL.iter().map(|&preset| of_preset(preset).1).collect();
    rules.extend([2.0, 3.0, 4.0, 8.0, 16.0].map(Scaling::linear));
    rules.extend([2.0, 4.0, 8.0].map(Scaling::ntk));
    // A cache that was computed for all its rows. Up to the original context it is not scaled.
    let lengths = (11..=15).map(|power| 1_usize << power).filter(|&length| length < seq_len);
    rules.extend(lengths.flat_map(|length| [2.0, 4.0, 8.0].map(|factor| Scaling::dynamic(factor, length, seq_len))));
    let mut different: Vec<Scaling> = Vec::new();
    for rule in rules {
        if !different.contains(&rule) {
            different.push(rule);
        }
    }
    different
}

/// Returns base and rule of a preset.
fn of_preset(preset: RopePreset) -> (f64, Scaling<'static>) {
    let spec = Rope::preset(preset).packed(Packing::CosSin);
    spec.ok().and_then(|spec| base_and_rule(&spec)).expect("a preset is valid and has a base")
}

fn base_and_rule<'a>(spec: &Spec<'a>) -> Option<(f64, Scaling<'a>)> {
    let Parameters { frequencies, scaling, .. } = spec.parameters();
    let Frequencies::Geometric { base, .. } = frequencies else { return None };
    Some((base, scaling))
}

/// Returns whether the entries of some rows are near those of the spec.
fn fits(numbers: &Numbers, spec: &Spec, columns: &[PairColumns], amplitude: f64) -> bool {
    let Ok(frequencies) = spec.angular_frequencies() else { return false };
    let rows = known::sampled_rows(numbers);
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

/// Returns the frequency of each column.
pub(super) fn frequencies(spec: &Spec) -> Option<Vec<f64>> {
    let frequencies: Vec<f64> = spec.angular_frequencies().ok()?.collect();
    let mut columns = vec![0.0; spec.d_model()];
    for (frequency, slot) in slots(spec) {
        for column in [slot.sin, slot.cos].into_iter().flatten() {
            columns[column] = frequencies[frequency];
        }
    }
    Some(columns)
}

/// Returns the attention factor of a cache: its cosine of position 0.
pub(super) fn attention_factor(spec: &Spec) -> Option<f64> {
    let cosines = Cache::of(spec)?.rope.repeat(Repeat::None).spec(Columns::Cos).ok()?;
    let mut row = vec![0.0_f64; cosines.d_model()];
    cosines.encode(0, &mut row).ok()?;
    row.first().copied()
}

/// Returns whether two caches have the same frequencies and attention factor, in any number of rows.
pub(super) fn is_same(one: &Spec, other: &Spec) -> bool {
    let made = |spec: &Spec| Some((frequencies(spec)?, attention_factor(spec)));
    made(one) == made(other)
}

/// Returns whether the spec is one that only caches have. A 1-D table may be a cache too: see [`Cache::of`].
pub(super) fn is_cache(spec: &Spec) -> bool {
    let Parameters { scaling, amplitude, repeat, .. } = spec.parameters();
    amplitude == Amplitude::AttentionFactor || scaling != Scaling::None || repeat != Repeat::None
}

/// Returns the spec of the same table as a 1-D one, if there is one.
pub(super) fn one_dimensional<'a>(spec: &Spec<'a>) -> Option<Spec<'a>> {
    let spec = match spec.parameters().scaling {
        // The quotient of the frequencies is exact.
        Scaling::Linear(Linear { factor }) if factor.log2().fract() == 0.0 => {
            spec.scaling(Scaling::None).scale(factor.recip())
        }
        _ => *spec,
    };
    let spec = spec.amplitude(Amplitude::default());
    (!is_cache(&spec)).then_some(spec)
}

/// Returns the cost of a cache, as [`rank::cost`] does.
///
/// A 1-D preset, and a plain table of sines and cosines, is a cache only in the second place.
pub(super) fn cost(spec: &Spec) -> f64 {
    const SECOND: f64 = 4.0;
    let is_known = Cache::of(spec).is_some_and(|cache| cache.name().is_some());
    let Parameters { columns, scaling, amplitude, .. } = spec.parameters();
    let is_plain = columns == Columns::Both && (scaling == Scaling::None || !is_known);
    let base = match spec.parameters().frequencies {
        Frequencies::Geometric { base, freq_shift } => {
            let shift = if freq_shift == 0.0 { 0.0 } else { SECOND };
            shift + if base == 10_000.0 { 0.0 } else { numbers::cost(base) }
        }
        Frequencies::Given(list) => list.iter().map(|frequency| lists::cost_in_single(*frequency)).sum(),
        _ => 0.0,
    };
    let given = match amplitude {
        Amplitude::Value(factor) if factor != 1.0 => 2.0 + numbers::cost(factor),
        _ => 0.0,
    };
    match one_dimensional(spec).filter(|other| is_plain || rank::is_preset(other)) {
        Some(other) => rank::cost(&other) + SECOND,
        None if is_known => 0.0,
        None if scaling == Scaling::None => SECOND + base + given,
        None => 2.0 * SECOND + base + of_rule(scaling) + given,
    }
}

/// Returns the cost of the parameters of a rule, if it is not a usual one.
fn of_rule(scaling: Scaling) -> f64 {
    if rules(0).contains(&scaling) {
        return 0.0;
    }
    let cost = |(parameter, argument): (&RuleParameter, Argument)| match argument {
        _ if parameter.default == Some(argument) => 0.0,
        Argument::Number(number) => lists::cost_in_single(number),
        Argument::Length(length) => lists::cost_in_single(length as f64),
        Argument::Numbers(list) => list.iter().copied().map(lists::cost_in_single).sum(),
        Argument::Flag(_) => 0.0,
    };
    rule_arguments(&scaling).map(cost).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_rule_takes_no_bits() {
        assert_eq!(of_rule(Scaling::llama3(9.0, 3000)), lists::cost_in_single(9.0) + lists::cost_in_single(3000.0));
    }
}
