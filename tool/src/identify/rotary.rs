//! Caches of rotary embeddings: the candidates, and what is said of one.
//!
//! The candidates are all combinations of a base and a scaling rule of known models. Row 0 shows in which columns
//! cosines and sines can be, and the columns of the first pairs rule out most candidates. All this is computed in
//! `f64`, on a few entries.

use posenc::__private::{PairColumns, pair_columns};
use posenc::scaling::Linear;
use posenc::{
    Amplitude, Columns, Element, Frequencies, Layout, Order, Packing, Parameters, Repeat, Rope, RopePreset, Scaling,
    Spec,
};

use super::noise::{Precision, bound_of_cache, off_before_rounding};
use super::sample::Numbers;
use super::{known, numbers, rank};

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
    for (packing, repeat) in arrangements() {
        let Some(pairs) = pairs(numbers.d_model, packing, repeat) else { continue };
        let plain = Rope::new(2 * pairs).repeat(repeat);
        let Ok(spec) = plain.packed(packing) else { continue };
        let columns: Vec<_> = pair_columns(&spec).collect();
        if !is_arranged(numbers, &columns, &slots(&spec)) {
            continue;
        }
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
    let slots: Vec<_> = pair_columns(&spec.repeat(Repeat::None)).collect();
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
    let crest = entry(pairs[0].cos, 0);
    slots.iter().all(|&(frequency, slot)| {
        let first = pairs[frequency];
        entry(slot.sin, 0).is_none_or(|sine| sine == 0.0)
            && entry(slot.cos, 0) == crest
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

/// Returns the bits of a cache, as [`rank::bits`] does.
///
/// A 1-D preset, and a plain table of sines and cosines, is a cache only in the second place.
pub(super) fn bits(spec: &Spec) -> f64 {
    const SECOND: f64 = 4.0;
    let is_known = Cache::of(spec).is_some_and(|cache| cache.name().is_some());
    let Parameters { columns, scaling, .. } = spec.parameters();
    let is_plain = columns == Columns::Both && (scaling == Scaling::None || !is_known);
    let base = base_and_rule(spec).filter(|(base, _)| *base != 10_000.0).map_or(0.0, |(base, _)| numbers::bits(base));
    match one_dimensional(spec).filter(|other| is_plain || rank::is_preset(other)) {
        Some(other) => rank::bits(&other) + SECOND,
        None if is_known => 0.0,
        None if scaling == Scaling::None => SECOND + base,
        None => 2.0 * SECOND + base,
    }
}

/// A rotary cache in one table.
pub(super) struct Cache<'a> {
    rope: Rope<'a>,
    base: f64,
    scaling: Scaling<'a>,
    repeat: Repeat,
    packing: Packing,
}

impl<'a> Cache<'a> {
    /// Returns the cache that has the table of this spec, if there is one.
    pub(super) fn of(spec: &Spec<'a>) -> Option<Self> {
        let Parameters { d_model, columns, layout, order, repeat, .. } = spec.parameters();
        let (base, scaling) = base_and_rule(spec)?;
        let packing = match (columns, layout, order) {
            (Columns::Cos, ..) => Packing::Cos,
            (Columns::Sin, ..) => Packing::Sin,
            (Columns::Both, Layout::Halves, Order::CosSin) => Packing::CosSin,
            (Columns::Both, Layout::Halves, Order::SinCos) => Packing::SinCos,
            (Columns::Both, Layout::Interleaved, Order::CosSin) => Packing::Complex,
            (Columns::Both, Layout::Interleaved, Order::SinCos) => return None,
        };
        let rope = Rope::new(2 * pairs(d_model, packing, repeat)?).base(base).scaling(scaling).repeat(repeat);
        let is_same = rope.packed(packing).is_ok_and(|own| own.is_same_table(spec));
        is_same.then_some(Self { rope, base, scaling, repeat, packing })
    }

    /// Returns the presets with this base and rule, or if none has this width, those that have another.
    fn presets(&self) -> Vec<(RopePreset, Rope<'static>)> {
        let pairs = self.rope.pairs();
        let at_this_width = |&preset: &RopePreset| {
            let own = Rope::preset(preset);
            let rope = own.with_head_dim(own.head_dim() * pairs / own.pairs());
            (rope.pairs() == pairs).then_some((preset, rope.repeat(self.repeat)))
        };
        let mut presets: Vec<_> = RopePreset::ALL.iter().filter_map(at_this_width).collect();
        presets.retain(|(_, rope)| self.has_the_same_frequencies(rope));
        if presets.iter().any(has_its_own_width) {
            presets.retain(has_its_own_width);
        } else {
            presets.sort_by_key(|(_, rope)| rope.head_dim());
        }
        presets
    }

    /// Returns whether both have the same frequencies and attention factor. Rules with other parameters may have them.
    fn has_the_same_frequencies(&self, other: &Rope) -> bool {
        let Ok(other) = other.packed(self.packing) else { return false };
        let Some((base, scaling)) = base_and_rule(&other) else { return false };
        let made = |spec: &Spec| Some((frequencies(spec)?, attention_factor(spec)?));
        (base, scaling) == (self.base, self.scaling)
            || base == self.base
                && scaling.name() == self.scaling.name()
                && self.rope.packed(self.packing).is_ok_and(|own| made(&own) == made(&other))
    }

    /// Returns the name of the first preset.
    pub(super) fn name(&self) -> Option<&'static str> {
        self.presets().first().map(|(preset, _)| preset.name())
    }

    /// Returns the macro call, with the word `seq_len` for the number of rows.
    pub(super) fn text(&self) -> String {
        let call = match (self.scaling, self.name()) {
            // A list of divisors is long, and only presets have one.
            (Scaling::LongRope(_), Some(preset)) => {
                let call = Rope::new(self.rope.head_dim()).repeat(self.repeat).to_string();
                with_key(&call, "preset", preset)
            }
            _ => self.rope.to_string(),
        };
        with_key(&call, "packing", self.packing.name())
    }

    /// Returns the macro call for a table of `seq_len` rows.
    pub(super) fn call<T: Element>(&self, seq_len: usize) -> String {
        let call = self.text().replacen("seq_len", &seq_len.to_string(), 1);
        if T::DTYPE == <f32 as Element>::DTYPE { call } else { with_key(&call, "dtype", T::DTYPE) }
    }

    /// Returns the lines of the answer that describe the cache.
    pub(super) fn lines<T: Element>(&self, seq_len: usize, output: &str) -> [(&'static str, String); 3] {
        let Self { base, scaling, repeat, packing, .. } = self;
        let factor = self.rope.packed(*packing).ok().and_then(|spec| attention_factor(&spec)).unwrap_or(1.0);
        let rule = scaling.name();
        let parameters =
            format!("base {base}, rule {rule}, attention factor {factor}, packing {packing}, repeat {repeat}");
        let presets = self.presets();
        let command = self.command::<T>(presets.first(), seq_len, output);
        [
            ("rotary", parameters),
            ("presets", if presets.is_empty() { "none".to_owned() } else { listed(&presets) }),
            ("command", command),
        ]
    }

    /// Returns the command with the preset, or else with all parameters.
    fn command<T: Element>(
        &self,
        preset: Option<&(RopePreset, Rope<'static>)>,
        seq_len: usize,
        output: &str,
    ) -> String {
        let mut words = vec!["posenc rope".to_owned()];
        if let Some(named) = preset {
            words.push(format!("--preset {}", named.0));
            words.extend((!has_its_own_width(named)).then(|| format!("--head-dim {}", named.1.head_dim())));
        } else {
            words.push(format!("--head-dim {} --base {}", self.rope.head_dim(), self.base));
            words.extend((self.scaling != Scaling::None).then(|| format!("--scaling '{}'", self.scaling)));
        }
        words.push(format!("--seq-len {seq_len}"));
        words.extend((self.packing != Packing::default()).then(|| format!("--packing {}", self.packing)));
        words.extend((self.repeat != Repeat::default()).then(|| format!("--repeat {}", self.repeat)));
        words.extend((T::DTYPE != <f32 as Element>::DTYPE).then(|| format!("--dtype {}", T::DTYPE)));
        words.push(format!("-o {output}"));
        words.join(" ")
    }
}

/// Returns whether the cache of a preset has as many columns as the model's.
fn has_its_own_width((preset, rope): &(RopePreset, Rope<'static>)) -> bool {
    rope.head_dim() == Rope::preset(*preset).head_dim()
}

/// Returns the names of the presets, and the width if it is not their own.
fn listed(presets: &[(RopePreset, Rope<'static>)]) -> String {
    let names = |group: &[(RopePreset, Rope<'static>)]| {
        group.iter().map(|(preset, _)| preset.name()).collect::<Vec<_>>().join(", ")
    };
    if presets.iter().all(has_its_own_width) {
        return names(presets);
    }
    let groups = presets.chunk_by(|(_, rope), (_, next)| rope.head_dim() == next.head_dim());
    let with_width = |group| format!("{} with head_dim = {}", names(group), group[0].1.head_dim());
    groups.map(with_width).collect::<Vec<_>>().join("; ")
}

/// Adds a key to a macro call.
fn with_key(call: &str, key: &str, value: &str) -> String {
    format!("{}, {key} = {value})", call.strip_suffix(')').unwrap_or(call))
}
