//! The output of `posenc identify`.

use std::fmt::Write;

use posenc::reflection::Value;
use posenc::{Columns, Frequencies, Pairing, Parameters, Preset, Spec};

use super::accepted::Settled;
use super::distance::{Distance, Fit};
use super::rank;
use super::rotary::cache::{self, Cache};
use super::rounding::Precision;
use super::sample::{Numbers, PART};
use super::search::sampled;
use super::undetermined::Undetermined;
use crate::entry::Entry;
use crate::json::{Identification, Identified};
use crate::text::{counted, is_default, macro_call, option};

/// The parameters that a user of a preset may change.
const FREE: [&str; 7] = ["base", "start", "step", "scale", "unit", "amplitude", "zero_row"];

/// A preset that makes the table, together with further parameters.
struct Named {
    preset: Preset,
    further: Vec<(&'static str, Value<'static>)>,
    /// Whether the preset has no start of its own.
    left_open: bool,
}

/// A line of the answer: its name and its text.
pub(super) type AnswerLine = (&'static str, String);

/// What is said of a table.
pub(super) struct Answer {
    pub(super) outcome: Identification,
    /// The macro call, or that nothing fits.
    pub(super) title: String,
    /// What is said of the table among others. It is `None` if the tensor is not even nearly a table.
    pub(super) short: Option<String>,
    pub(super) lines: Vec<AnswerLine>,
    pub(super) undetermined: Vec<Undetermined>,
}

impl Answer {
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        for (name, value) in &self.lines {
            writeln!(text, "  {name:<9}{value}").expect("writing to a String succeeds");
        }
        text
    }

    /// Returns the answer for a table of this shape and type as JSON.
    pub(super) fn json(self, shape: [usize; 2], dtype: &'static str) -> Identified {
        let call = Some(self.title).filter(|_| self.outcome != Identification::Nothing);
        let undetermined = self.undetermined.iter().map(|number| (number.key, number.digits)).collect();
        Identified::new(self.outcome, shape, dtype, call, self.lines).with_undetermined(undetermined)
    }
}

/// What is said if several tables fit, in detail and in a line.
pub(super) const SEVERAL: &str =
    "several tables fit within the error of the entries, and none is much more usual than the others";
pub(super) const OR_ANOTHER: &str = " or another table";

/// Returns the answer for a table that is identified.
pub(super) fn identified<T: Entry>(numbers: &Numbers, settled: &Settled, output: &str) -> Answer {
    let Settled { best, rounded, undetermined, others } = settled;
    let seq_len = numbers.seq_len;
    let exact = sampled::<T>(&best.spec, numbers, PART);
    let title = call::<T>(&best.spec, seq_len);
    let mut short = title.clone();
    let mut error = error(&best.distance, numbers.tolerance);
    if !rounded.is_empty() {
        let keys: Vec<_> = rounded.iter().map(|rounded| rounded.factor.key()).collect();
        write!(error, ", with more digits of {}", keys.join(" and ")).expect("writing to a String succeeds");
    }
    let mut lines = vec![("table", format!("{seq_len} x {} {}, {error}", numbers.d_model, T::DTYPE))];
    if let Some(cache) = Cache::of(&best.spec).filter(|_| cache::is_cache(&best.spec)) {
        lines.extend(cache.lines::<T>(seq_len, output));
        lines.extend(cache.note().map(|note| ("note", note)));
    } else {
        let named = presets(numbers, best, exact.as_deref());
        if named.iter().any(|named| named.further.is_empty()) {
            short = listed(&named);
        }
        lines.push(("presets", listed(&named)));
        lines.push(("command", command::<T>(&best.spec, seq_len, &named, output)));
    }
    let is_same = |other: &Fit| sampled::<T>(&other.spec, numbers, PART) == exact;
    let (same, apart) = alternatives::<T>(best, others, seq_len, is_same);
    let is_alone = same.is_empty();
    lines.extend(same.into_iter().chain(apart).map(|text| ("or", text)));
    lines.extend(of_another_kind::<T>(&best.spec, seq_len, output));
    let limits = limits(numbers, &best.spec);
    let mut is_certain = limits.is_empty();
    lines.extend(limits.into_iter().map(|text| ("note", text)));
    if !is_alone {
        lines.push(("note", "these parameters make the same table, so it cannot distinguish them".to_owned()));
    }
    // A table that is the same only in these rows is another one, unless the best one is known. Of lists there are many.
    let is_list = matches!(best.spec.parameters().frequencies, Frequencies::Given(_));
    let is_known = is_list || rank::is_preset(&best.spec);
    let is_other = |other: &Fit| !is_same(other) || (!is_known && !is_same_beyond(&other.spec, &best.spec, seq_len));
    let is_rival = |other: &Fit| other.cost() <= best.cost() + rank::CERTAIN && is_other(other);
    // Usual numbers are no proof if the entries are exactly those of other ones.
    let is_exact = |fit: &Fit| fit.distance.inexact == 0;
    let why = if others.iter().any(is_rival) {
        Some(SEVERAL)
    } else {
        (others.iter().any(is_exact) && !is_exact(best)).then_some("other numbers make exactly these entries")
    };
    if let Some(why) = why.filter(|_| is_certain) {
        is_certain = false;
        lines.push(("note", why.to_owned()));
        short += OR_ANOTHER;
    }
    let undetermined: Vec<_> = rounded.iter().map(Undetermined::from).chain(undetermined.iter().cloned()).collect();
    lines.extend(undetermined.iter().map(|number| ("note", number.text())));
    is_certain &= !undetermined.iter().any(|number| number.is_open);
    let outcome = if is_certain { Identification::Identified } else { Identification::Several };
    let (lines, short) = (without_repeats(&title, lines), Some(format!("{short}, {error}")));
    Answer { outcome, title, short, lines, undetermined }
}

/// Returns whether two specs make the same rows far beyond the end of the table too. They are rounded correctly, so their bits are
/// equal if they are.
fn is_same_beyond(one: &Spec<'static>, other: &Spec<'static>, seq_len: usize) -> bool {
    const ROWS: usize = 4;
    let rows = |spec: &Spec<'static>| {
        let first = seq_len.checked_mul(16)?;
        let mut rows = vec![0.0_f64; ROWS * spec.d_model()];
        spec.fill(first.., &mut rows).ok()?;
        Some(rows)
    };
    cache::is_same(one, other) || rows(one).is_some_and(|of_one| rows(other) == Some(of_one))
}

/// Returns the lines without alternatives that another search has found too.
fn without_repeats(title: &str, lines: Vec<AnswerLine>) -> Vec<AnswerLine> {
    let mut told = vec![title.to_owned()];
    let is_new = |(name, text): &AnswerLine| {
        let is_new = *name != "or" || !told.iter().any(|told| text.starts_with(told.as_str()));
        told.extend((*name == "or").then(|| text.clone()));
        is_new
    };
    lines.into_iter().filter(is_new).collect()
}

/// Returns up to three alternatives: those that make the same table, and others.
fn alternatives<T: Entry>(
    best: &Fit,
    others: &[Fit],
    seq_len: usize,
    is_same: impl Fn(&Fit) -> bool,
) -> (Vec<String>, Vec<String>) {
    let call = |other: &Fit| call::<T>(&other.spec, seq_len);
    let (alike, apart): (Vec<_>, Vec<_>) = others.iter().partition(|other| is_same(other));
    // An unchanged preset needs no alternative spelling.
    let unchanged = rank::is_preset(&best.spec) && !cache::is_cache(&best.spec);
    let alike = alike.into_iter().filter(|_| !unchanged).take(3);
    let same: Vec<_> = alike.map(|other| format!("{}, the same table", call(other))).collect();
    let apart = apart.into_iter().take(3 - same.len());
    let apart = apart.map(|other| format!("{}, off by {:.1e}", call(other), other.distance.largest)).collect();
    (same, apart)
}

/// Describes a rotary cache as a 1-D table, or a 1-D table as the cache of known models, if it is both.
fn of_another_kind<T: Entry>(spec: &Spec, seq_len: usize, output: &str) -> Vec<AnswerLine> {
    let same = |call: String| ("or", format!("{call}, the same table"));
    if cache::is_cache(spec) {
        return cache::one_dimensional(spec).map(|spec| same(call::<T>(&spec, seq_len))).into_iter().collect();
    }
    let Some(cache) = Cache::of(spec).filter(|cache| cache.name().is_some()) else { return Vec::new() };
    let mut lines = vec![same(cache.call::<T>(seq_len))];
    lines.extend(cache.lines::<T>(seq_len, output));
    lines
}

/// Returns the macro call for the table of a spec.
pub(super) fn call<T: Entry>(spec: &Spec, seq_len: usize) -> String {
    match Cache::of(spec).filter(|_| cache::is_cache(spec)) {
        Some(cache) => cache.call::<T>(seq_len),
        None => macro_call::<T>(spec, seq_len).to_string(),
    }
}

/// Describes the error of the table found.
fn error(distance: &Distance, tolerance: f64) -> String {
    let share = 100.0 * distance.inexact as f64 / distance.entries as f64;
    let differ = format!("{share:.1} % of the entries differ, by at most {:.1e}", distance.largest);
    match distance.precision {
        _ if distance.is_identical => "bitwise identical to the exact table".to_owned(),
        Some(Precision::Exact) => "equal to the exact table, apart from the signs of zeros".to_owned(),
        _ if tolerance > 0.0 => format!("within {tolerance:e}: {differ}"),
        Some(Precision::Double) => format!("as computed in f64: {differ}"),
        _ => format!("as computed in f32: {differ}"),
    }
}

/// Returns the presets that make the table with the fewest further parameters.
fn presets<T: Entry>(numbers: &Numbers, best: &Fit, exact: Option<&[T]>) -> Vec<Named> {
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
    let presets =
        Preset::ALL.iter().filter(|&&preset| Spec::preset(preset, numbers.d_model).check_parameters::<T>().is_ok());
    let mut named: Vec<_> =
        presets.filter_map(|&preset| with_further(preset, numbers.d_model, best, &mut is_same)).collect();
    let fewest = named.iter().map(Named::changes).min();
    named.retain(|named| Some(named.changes()) == fewest);
    named
}

/// Returns the preset with the further parameters that it needs to make the table, if it can.
fn with_further(
    preset: Preset,
    d_model: usize,
    best: &Fit,
    is_same: &mut impl FnMut(Spec<'static>) -> bool,
) -> Option<Named> {
    let own = Spec::preset(preset, d_model);
    let value = |spec: &Spec<'static>, name| spec.keys().find(|(key, _)| *key == name).map(|(_, value)| value);
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
    Some(Named { preset, further, left_open: own.parameters().start.is_none() })
}

/// Returns a preset's spec with the [`FREE`] parameters of another spec.
fn used_as(own: Spec<'static>, other: &Spec<'static>) -> Option<Spec<'static>> {
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

impl Named {
    /// Returns the number of parameters that differ from the preset. Those that it leaves open do not count.
    fn changes(&self) -> usize {
        let free = |key: &str| key == "zero_row" || (key == "start" && self.left_open);
        self.further.iter().filter(|(key, _)| !free(key)).count()
    }

    /// Returns the further keys and values.
    fn beside(&self) -> Vec<String> {
        self.further.iter().map(|(key, value)| format!("{key} = {value}")).collect()
    }
}

fn listed(named: &[Named]) -> String {
    if named.is_empty() {
        return "none".to_owned();
    }
    let text = |named: &Named| match named.beside() {
        beside if beside.is_empty() => named.preset.name().to_owned(),
        beside => format!("{} with {}", named.preset.name(), beside.join(", ")),
    };
    let separator = if named.iter().any(|named| named.further.len() > 1) { "; " } else { ", " };
    named.iter().map(text).collect::<Vec<_>>().join(separator)
}

/// Returns the command with the first preset that makes the table, or else with all parameters.
fn command<T: Entry>(spec: &Spec, seq_len: usize, named: &[Named], output: &str) -> String {
    let mut words = vec!["posenc table".to_owned()];
    if let Some(Named { preset, further, .. }) = named.first() {
        if *preset != Preset::Paper {
            words.push(format!("--preset {preset}"));
        }
        words.extend(further.iter().map(option));
    }
    words.push(format!("--seq-len {seq_len} --d-model {}", spec.d_model()));
    if named.is_empty() {
        words.extend(spec.keys().map(|key| option(&key)));
    }
    if !is_default::<T>() {
        words.push(format!("--dtype={}", T::DTYPE));
    }
    words.push(format!("-o {output}"));
    words.join(" ")
}

/// Returns why a table of this size does not determine its parameters, if it does not.
fn limits(found: &Numbers, spec: &Spec) -> Vec<String> {
    let mut notes = Vec::new();
    if found.is_too_small() {
        notes.push("the table is too small: it fits a preset, but many other parameters too".to_owned());
    }
    let Parameters { columns, pairing, .. } = spec.parameters();
    let singles = columns != Columns::Both || pairing == Pairing::Unpaired;
    if found.d_model < if singles { 2 } else { 4 } {
        notes.push(format!(
            "{} with one frequency cannot determine base, shift and arrangement; use a wider table",
            counted(found.d_model, "column")
        ));
    } else if found.d_model < 6 && !singles {
        notes.push(format!(
            "{} with two frequencies cannot distinguish base and shift; use a wider table",
            counted(found.d_model, "column")
        ));
    }
    if found.seq_len == 1 {
        notes.push("1 row cannot distinguish start, step and scale; use a longer table".to_owned());
    }
    notes
}
