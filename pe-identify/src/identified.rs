//! The answer about a 1-D table or a rotary cache that is identified.

use posenc::reflection::Value;
use posenc::{Columns, Frequencies, Pairing, Parameters, Preset, Spec};

use crate::accepted::Settled;
use crate::answer::{Answer, Candidate, Found, Named, Note, Outcome};
use crate::distance::Fit;
use crate::exact;
use crate::rank;
use crate::rotary::cache::{self, Cache};
use crate::sample::{Numbers, PART};
use crate::search::sampled;
use crate::undetermined::Undetermined;

/// The parameters that a user of a preset may change.
const FREE: [&str; 7] = ["base", "start", "step", "scale", "unit", "amplitude", "zero_row"];

/// The most alternatives.
const OTHERS: usize = 3;

/// Returns the answer for a table that is identified.
pub(crate) fn identified<'a>(numbers: &Numbers, settled: &Settled<'a>) -> Answer<'a> {
    let Settled { best, told, rounded, undetermined, others } = settled;
    let exact = sampled(&best.spec, numbers, PART);
    let told = Fit { distance: *told, ..best.clone() };
    let mut first = candidate(&told, numbers, true);
    if let Found::Sinusoidal { presets: named, .. } = &mut first.found {
        *named = presets(numbers, best, exact.as_deref());
    }
    let is_same = |other: &Fit| sampled(&other.spec, numbers, PART) == exact;
    let (same, apart): (Vec<_>, Vec<_>) = others.iter().partition(|other| is_same(other));
    // An unchanged preset needs no alternative spelling.
    let unchanged = rank::is_preset(&best.spec) && !cache::is_cache(&best.spec);
    let same: Vec<_> = same.into_iter().filter(|_| !unchanged).take(OTHERS).collect();
    let apart = apart.into_iter().take(OTHERS - same.len()).map(|other| candidate(other, numbers, false));
    let mut notes: Vec<_> = cache_of(&best.spec).and_then(|cache| cache.note()).into_iter().collect();
    let limits = limits(numbers, &best.spec);
    let is_large = limits.is_empty();
    notes.extend(limits);
    notes.extend((!same.is_empty()).then_some(Note::SameTable));
    let doubt = doubt(best, others, numbers.seq_len, is_same).filter(|_| is_large);
    notes.extend(doubt);
    let undetermined: Vec<_> = rounded.iter().map(Undetermined::from).chain(undetermined.iter().cloned()).collect();
    let is_certain = is_large && doubt.is_none() && !undetermined.iter().any(|number| number.is_open);
    let same = same.into_iter().map(|other| candidate(other, numbers, true));
    let outcome = if is_certain { Outcome::Identified } else { Outcome::Several };
    let candidates = std::iter::once(first).chain(same).chain(apart).collect();
    Answer { twin: twin(&told, numbers), notes, undetermined, ..Answer::of(outcome, candidates) }
}

/// Returns why other specs may have made the table as well, if they may.
fn doubt(best: &Fit, others: &[Fit], seq_len: usize, is_same: impl Fn(&Fit) -> bool) -> Option<Note> {
    // A table that is the same only in these rows is another one, unless the best one is known. Of lists there are many.
    let is_list = matches!(best.spec.parameters().frequencies, Frequencies::Given(_));
    let is_known = is_list || rank::is_preset(&best.spec);
    let is_other = |other: &Fit| !is_same(other) || (!is_known && !is_same_beyond(&other.spec, &best.spec, seq_len));
    let is_rival = |other: &Fit| other.cost() <= best.cost() + rank::CERTAIN && is_other(other);
    if others.iter().any(is_rival) {
        return Some(Note::SeveralFit);
    }
    // Common numbers are no proof if other numbers make exactly these entries.
    let is_exact = |fit: &Fit| fit.distance.inexact == 0;
    (others.iter().any(is_exact) && !is_exact(best)).then_some(Note::OthersAreExact)
}

/// Returns whether two specs make the same rows far beyond the end of the table too. They are rounded correctly, so their bits are
/// equal if they are.
fn is_same_beyond(one: &Spec, other: &Spec, seq_len: usize) -> bool {
    const ROWS: usize = 4;
    let rows = |spec: &Spec| {
        let first = seq_len.checked_mul(16)?;
        let mut rows = vec![0.0_f64; ROWS * spec.d_model()];
        spec.fill(first.., &mut rows).ok()?;
        Some(rows)
    };
    cache::is_same(one, other) || rows(one).is_some_and(|of_one| rows(other) == Some(of_one))
}

/// Returns the cache of a spec that only caches have.
fn cache_of<'a>(spec: &Spec<'a>) -> Option<Cache<'a>> {
    Cache::of(spec).filter(|_| cache::is_cache(spec))
}

/// Returns a spec that fits as a candidate, without the presets of 1-D tables.
pub(crate) fn candidate<'a>(fit: &Fit<'a>, numbers: &Numbers, is_same: bool) -> Candidate<'a> {
    let found = match cache_of(&fit.spec) {
        Some(cache) => cache.found(),
        None => Found::Sinusoidal { spec: fit.spec, presets: Vec::new() },
    };
    Candidate { found, dtype: numbers.dtype(), distance: fit.distance, is_same }
}

/// Returns the same table as one of the other kind: a cache as a 1-D table, or a 1-D table as the cache of known models.
fn twin<'a>(best: &Fit<'a>, numbers: &Numbers) -> Option<Candidate<'a>> {
    let found = if cache::is_cache(&best.spec) {
        Found::Sinusoidal { spec: cache::one_dimensional(&best.spec)?, presets: Vec::new() }
    } else {
        Cache::of(&best.spec).filter(|cache| cache.name().is_some())?.found()
    };
    Some(Candidate { found, dtype: numbers.dtype(), distance: best.distance, is_same: true })
}

/// Returns the presets that make the table with the fewest further parameters.
fn presets<'a>(numbers: &Numbers, best: &Fit<'a>, exact: Option<&[f64]>) -> Vec<Named<'a, Preset>> {
    // Many presets make the same table.
    let mut known: Vec<(Spec, bool)> = Vec::new();
    let mut is_same = |spec: Spec<'static>| {
        if let Some((_, same)) = known.iter().find(|(other, _)| other.is_same_table(&spec)) {
            return *same;
        }
        let same = sampled(&spec, numbers, PART).as_deref() == exact;
        known.push((spec, same));
        same
    };
    let is_valid = |preset: &&Preset| exact::has_parameters(numbers.dtype(), &Spec::preset(**preset, numbers.d_model));
    let presets = Preset::ALL.iter().filter(is_valid);
    let mut named: Vec<_> =
        presets.filter_map(|&preset| with_further(preset, numbers.d_model, best, &mut is_same)).collect();
    let fewest = named.iter().map(changes).min();
    named.retain(|named| Some(changes(named)) == fewest);
    named
}

/// Returns the number of parameters that differ from the preset. Those that it leaves open do not count.
fn changes(named: &Named<Preset>) -> usize {
    let left_open = Spec::preset(named.preset, 2).parameters().start.is_none();
    let free = |key: &str| key == "zero_row" || (key == "start" && left_open);
    named.changed.iter().filter(|(key, _)| !free(key)).count()
}

/// Returns the preset with the further parameters that it needs to make the table, if it can.
fn with_further<'a>(
    preset: Preset,
    d_model: usize,
    best: &Fit<'a>,
    is_same: &mut impl FnMut(Spec<'static>) -> bool,
) -> Option<Named<'a, Preset>> {
    let own = Spec::preset(preset, d_model);
    let value = |spec: &Spec<'a>, name| spec.keys().find(|(key, _)| *key == name).map(|(_, value)| value);
    let differs = |&name: &&'static str| value(&own, name) != value(&best.spec, name);
    let further = FREE.into_iter().filter(differs);
    let further: Vec<_> =
        further.map(|name| (name, value(&best.spec, name).unwrap_or_else(|| default(name)))).collect();
    // Only the fairseq family has a row for padding.
    if preset != Preset::Fairseq && further.iter().any(|(key, _)| *key == "zero_row") {
        return None;
    }
    if !is_same(used_as(own, &best.spec)?) {
        return None;
    }
    Some(Named { preset, changed: further })
}

/// Returns a preset's spec with the [`FREE`] parameters of another spec.
fn used_as(own: Spec<'static>, other: &Spec) -> Option<Spec<'static>> {
    let Parameters { frequencies, start, step, scale, unit, amplitude, zero_row, .. } = other.parameters();
    let Frequencies::Geometric { base, .. } = frequencies else { return None };
    let spec = own.base(base).start(start?).step(step).scale(scale).unit(unit.0, unit.1).amplitude(amplitude);
    Some(zero_row.map_or(spec, |row| spec.zero_row(row)))
}

/// Returns the default of a parameter.
fn default(name: &str) -> Value<'static> {
    Value::Integer(match name {
        "base" => 10_000,
        "start" => 0,
        _ => 1,
    })
}

/// Returns why a table of this size does not determine its parameters, if it does not.
fn limits(numbers: &Numbers, spec: &Spec) -> Vec<Note> {
    let mut notes = Vec::new();
    notes.extend(numbers.is_too_small().then_some(Note::TooSmall));
    let Parameters { columns, pairing, .. } = spec.parameters();
    let singles = columns != Columns::Both || pairing == Pairing::Unpaired;
    if numbers.d_model < if singles { 2 } else { 4 } {
        notes.push(Note::OneFrequency);
    } else if numbers.d_model < 6 && !singles {
        notes.push(Note::TwoFrequencies);
    }
    notes.extend((numbers.seq_len == 1).then_some(Note::OneRow));
    notes
}
