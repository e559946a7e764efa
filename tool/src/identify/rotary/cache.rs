//! What is said of a rotary cache.

use posenc::scaling::{LongRope, Yarn};
use posenc::{
    Amplitude, Columns, Element, Frequencies, Layout, Order, Packing, Parameters, Repeat, Rope, RopePreset, Scaling,
    Spec,
};

use super::{attention_factor, frequencies, is_cache, pairs};
use crate::identify::answer;
use crate::text::{is_default, rotary_call};

/// A rotary cache in one table.
pub(in crate::identify) struct Cache<'a> {
    pub(super) rope: Rope<'a>,
    /// The base, or `None` if the frequencies are a list.
    base: Option<f64>,
    /// The attention factor if it is not that of the rule.
    given: Option<f64>,
    scaling: Scaling<'a>,
    repeat: Repeat,
    packing: Packing,
}

impl<'a> Cache<'a> {
    /// Returns the cache that has the table of this spec, if there is one.
    pub(in crate::identify) fn of(spec: &Spec<'a>) -> Option<Self> {
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
    pub(in crate::identify) fn name(&self) -> Option<&'static str> {
        self.presets().first().map(|(preset, _)| preset.name())
    }

    /// Returns the macro call for a table of `seq_len` rows.
    pub(in crate::identify) fn call<T: Element>(&self, seq_len: usize) -> String {
        let call = match (self.scaling, self.presets().first()) {
            // A list of divisors is long, and only presets have one.
            (Scaling::LongRope(_), Some((preset, rope))) => rope.macro_call(seq_len).preset(*preset),
            _ => self.rope.macro_call(seq_len),
        };
        rotary_call::<T>(&call, self.packing).to_string()
    }

    /// Returns the lines of the answer that describe the cache.
    pub(in crate::identify) fn lines<T: Element>(&self, seq_len: usize, output: &str) -> [(&'static str, String); 3] {
        let Self { base, scaling, repeat, packing, .. } = self;
        let base = base.map_or("none, a list of frequencies".to_owned(), |base| base.to_string());
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

    /// Returns what the cache does not determine, if there is such.
    pub(in crate::identify) fn note(&self) -> Option<String> {
        let of_rule = match self.scaling {
            _ if self.name().is_some() => None,
            Scaling::Yarn(Yarn { truncate: true, .. }) => {
                Some("the bounds of yarn are integers, so other lengths and turns make the same table")
            }
            Scaling::Llama3(_) | Scaling::Yarn(_) => Some("lengths and turns in another unit make the same table"),
            Scaling::Proportional(_) => Some("only whole pairs turn, so other shares make the same table"),
            Scaling::LongRope(LongRope { factor, .. }) if factor > 1.0 => {
                Some("other lengths with another factor make the same attention factor")
            }
            _ => None,
        };
        if let Some(note) = of_rule {
            return Some(note.to_owned());
        }
        let spec = self.rope.packed(self.packing).ok()?;
        let Frequencies::Given(list) = spec.parameters().frequencies else { return None };
        let resting = list.iter().filter(|frequency| **frequency == 0.0).count();
        (resting > 0).then(|| format!("{resting} of the frequencies are 0, because their columns hardly change"))
    }

    /// Returns the command with the preset, or else with all parameters.
    fn command<T: Element>(
        &self,
        preset: Option<&(RopePreset, Rope<'static>)>,
        seq_len: usize,
        output: &str,
    ) -> String {
        if self.base.is_none() {
            return self.command_with_list::<T>(seq_len, output);
        }
        let mut words = vec!["posenc rope".to_owned()];
        if let Some(named) = preset {
            words.push(format!("--preset {}", named.0));
            words.extend((!has_its_own_width(named)).then(|| format!("--head-dim {}", named.1.head_dim())));
        } else {
            words.push(format!("--head-dim {}", self.rope.head_dim()));
            words.extend(self.base.map(|base| format!("--base {base}")));
            words.extend((self.scaling != Scaling::None).then(|| format!("--scaling '{}'", self.scaling)));
            words.extend(self.given.map(|factor| format!("--attention-factor {factor}")));
        }
        words.push(format!("--seq-len {seq_len}"));
        words.extend((self.packing != Packing::default()).then(|| format!("--packing {}", self.packing)));
        words.extend((self.repeat != Repeat::default()).then(|| format!("--repeat {}", self.repeat)));
        words.extend((!is_default::<T>()).then(|| format!("--dtype {}", T::DTYPE)));
        words.push(format!("-o {output}"));
        words.join(" ")
    }

    /// Returns the command for a list of frequencies, which `posenc rope` does not take.
    fn command_with_list<T: Element>(&self, seq_len: usize, output: &str) -> String {
        let spec = self.rope.packed(self.packing).expect("a cache has a spec");
        let mut words = vec![format!("posenc table --seq-len {seq_len} --d-model {}", spec.d_model())];
        words.extend(spec.keys().map(|key| answer::option(&key)));
        words.extend((!is_default::<T>()).then(|| format!("--dtype={}", T::DTYPE)));
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
