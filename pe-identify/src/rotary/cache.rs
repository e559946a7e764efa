//! A rotary cache in one table, as a spec.

use posenc::reflection::Value;
use posenc::scaling::{Linear, LongRope, Yarn};
use posenc::{
    Amplitude, Columns, Frequencies, Layout, Order, Packing, PairColumns, Parameters, Repeat, Rope, RopePreset,
    Scaling, Spec,
};

use crate::answer::{Found, Named, Note};

/// A rotary cache in one table.
pub(crate) struct Cache<'a> {
    pub(super) rope: Rope<'a>,
    /// The base, or `None` if the frequencies are a list.
    pub(super) base: Option<f64>,
    /// The attention factor, if the rule does not determine it.
    pub(super) given: Option<f64>,
    pub(super) scaling: Scaling<'a>,
    pub(super) repeat: Repeat,
    pub(super) packing: Packing,
}

impl<'a> Cache<'a> {
    /// Returns the cache that has the table of this spec, if there is one.
    pub(crate) fn of(spec: &Spec<'a>) -> Option<Self> {
        let Parameters { d_model, columns, layout, order, repeat, frequencies, scaling, amplitude, .. } =
            spec.parameters();
        let packing = match (columns, layout, order) {
            (Columns::Cos, ..) => Packing::Cos,
            (Columns::Sin, ..) => Packing::Sin,
            (Columns::Both, Layout::Halves, Order::CosSin) => Packing::CosSin,
            (Columns::Both, Layout::Halves, Order::SinCos) => Packing::SinCos,
            (Columns::Both, Layout::Interleaved, Order::CosSin) => Packing::Complex,
            (Columns::Both, Layout::Interleaved, Order::SinCos) => return None,
        };
        let rope = Rope::new(2 * pairs(d_model, packing, repeat)?).scaling(scaling).repeat(repeat);
        let (rope, base) = match frequencies {
            Frequencies::Geometric { base, .. } => (rope.base(base), Some(base)),
            Frequencies::Given(list) => (rope.frequencies(list), None),
            _ => return None,
        };
        let given = match amplitude {
            Amplitude::Value(factor) if is_cache(spec) => Some(factor),
            _ => None,
        };
        let rope = given.into_iter().fold(rope, Rope::attention_factor);
        let is_same = rope.packed(packing).is_ok_and(|own| own.is_same_table(spec));
        is_same.then_some(Self { rope, base, given, scaling, repeat, packing })
    }

    /// Returns the presets with this base and rule, or if none has this width, those that have another.
    pub(super) fn presets(&self) -> Vec<(RopePreset, Rope<'static>)> {
        let pairs = self.rope.pairs();
        let presets = with_pairs(pairs).map(|(preset, rope)| (preset, rope.repeat(self.repeat)));
        let mut presets: Vec<_> = presets.filter(|(_, rope)| self.has_the_same_frequencies(rope)).collect();
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
        let (Some(base), None) = (self.base, self.given) else { return false };
        let Parameters { frequencies: Frequencies::Geometric { base: of_other, .. }, scaling, .. } = other.parameters()
        else {
            return false;
        };
        let made = |spec: &Spec| Some((frequencies(spec)?, attention_factor(spec)?));
        (of_other, scaling) == (base, self.scaling)
            || of_other == base
                && scaling.name() == self.scaling.name()
                && self.rope.packed(self.packing).is_ok_and(|own| made(&own) == made(&other))
    }

    /// Returns the name of the first preset.
    pub(crate) fn name(&self) -> Option<&'static str> {
        self.presets().first().map(|(preset, _)| preset.name())
    }

    /// Returns the length of the macro call that makes the cache.
    pub(crate) fn call_len(&self) -> usize {
        let call = self.rope.macro_call(0).packing(self.packing);
        let call = match (self.scaling, self.presets().first()) {
            // A list of divisors is long, and only presets have one.
            (Scaling::LongRope(_), Some((preset, rope))) => rope.macro_call(0).packing(self.packing).preset(*preset),
            _ => call,
        };
        call.to_string().len()
    }

    /// Returns what the cache does not determine, if there is such.
    pub(crate) fn note(&self) -> Option<Note> {
        let of_rule = match self.scaling {
            _ if self.name().is_some() => None,
            Scaling::Yarn(Yarn { truncate: true, .. }) => Some(Note::IntegerBounds),
            Scaling::Llama3(_) | Scaling::Yarn(_) => Some(Note::OtherUnits),
            Scaling::Proportional(_) => Some(Note::WholePairs),
            Scaling::LongRope(LongRope { factor, .. }) if factor > 1.0 => Some(Note::OtherLengths),
            _ => None,
        };
        of_rule.or_else(|| {
            let spec = self.rope.packed(self.packing).ok()?;
            let Frequencies::Given(list) = spec.parameters().frequencies else { return None };
            let resting = list.iter().filter(|frequency| **frequency == 0.0).count();
            (resting > 0).then_some(Note::RestingFrequencies(resting))
        })
    }

    /// Returns the cache as what makes a table.
    pub(crate) fn found(&self) -> Found<'a> {
        let spec = self.rope.packed(self.packing).ok();
        let named = |(preset, rope): (RopePreset, Rope<'static>)| {
            let is_own = has_its_own_width(&(preset, rope));
            let width = ("head_dim", Value::Integer(i64::try_from(rope.head_dim()).unwrap_or(i64::MAX)));
            Named { preset, changed: if is_own { Vec::new() } else { vec![width] } }
        };
        Found::Rotary {
            rope: self.rope,
            packing: self.packing,
            attention_factor: spec.and_then(|spec| attention_factor(&spec)).unwrap_or(1.0),
            presets: self.presets().into_iter().map(named).collect(),
        }
    }
}

/// Returns the caches of presets for heads of such a width that they have this number of pairs.
pub(crate) fn with_pairs(pairs: usize) -> impl Iterator<Item = (RopePreset, Rope<'static>)> {
    let at_this_width = move |&preset: &RopePreset| {
        let own = Rope::preset(preset);
        let rope = own.with_head_dim(own.head_dim() * pairs / own.pairs());
        (rope.pairs() == pairs).then_some((preset, rope))
    };
    RopePreset::ALL.iter().filter_map(at_this_width)
}

/// Returns whether the cache of a preset has as many columns as the model's.
pub(crate) fn has_its_own_width((preset, rope): &(RopePreset, Rope<'static>)) -> bool {
    rope.head_dim() == Rope::preset(*preset).head_dim()
}

/// The columns of a frequency, with the number of the frequency.
pub(super) type Slot = (usize, PairColumns);

/// Returns the number of pairs in a table of `d_model` columns.
///
/// It is `None` if it is not whole, or if there is a single one, which does not determine the base.
pub(super) fn pairs(d_model: usize, packing: Packing, repeat: Repeat) -> Option<usize> {
    let columns = if matches!(packing, Packing::Cos | Packing::Sin) { 1 } else { 2 };
    let times = if repeat == Repeat::None { 1 } else { 2 };
    let pairs = d_model / (columns * times);
    (pairs > 1 && d_model.is_multiple_of(columns * times)).then_some(pairs)
}

/// Returns the columns of all frequencies, also those that repeat others.
pub(super) fn slots(spec: &Spec) -> Vec<Slot> {
    let repeat = spec.parameters().repeat;
    // A repeated column is where a further pair would be.
    let slots: Vec<_> = spec.repeat(Repeat::None).sin_cos_columns().collect();
    let half = slots.len() / 2;
    let frequency = |i: usize| match repeat {
        Repeat::None => i,
        Repeat::Halves | Repeat::AxisHalves => i % half,
        Repeat::Pairs => i / 2,
    };
    slots.into_iter().enumerate().map(|(i, slot)| (frequency(i), slot)).collect()
}

/// Returns the frequency of each column.
pub(crate) fn frequencies(spec: &Spec) -> Option<Vec<f64>> {
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
pub(crate) fn attention_factor(spec: &Spec) -> Option<f64> {
    let cosines = Cache::of(spec)?.rope.repeat(Repeat::None).spec(Columns::Cos).ok()?;
    let mut row = vec![0.0_f64; cosines.d_model()];
    cosines.encode(0, &mut row).ok()?;
    row.first().copied()
}

/// Returns whether two caches have the same frequencies and attention factor, in any number of rows.
pub(crate) fn is_same(one: &Spec, other: &Spec) -> bool {
    let made = |spec: &Spec| Some((frequencies(spec)?, attention_factor(spec)));
    made(one) == made(other)
}

/// Returns whether the spec is one that only caches have. A 1-D table may be a cache too: see [`Cache::of`].
pub(crate) fn is_cache(spec: &Spec) -> bool {
    let Parameters { scaling, amplitude, repeat, .. } = spec.parameters();
    amplitude == Amplitude::AttentionFactor || scaling != Scaling::None || repeat != Repeat::None
}

/// Returns the spec of the same table as a 1-D one, if there is one.
pub(crate) fn one_dimensional<'a>(spec: &Spec<'a>) -> Option<Spec<'a>> {
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
