//! What is said of a rotary cache.

use posenc::reflection::Value;
use posenc::scaling::{LongRope, Yarn};
use posenc::{Element, Frequencies, Packing, Repeat, Rope, RopePreset, Scaling};

use super::cache::{Cache, attention_factor, has_its_own_width};
use crate::text::{is_default, option};

impl Cache<'_> {
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
        let mut words = vec!["posenc rope".to_owned()];
        if let Some(named) = preset {
            words.push(format!("--preset {}", named.0));
            words.extend((!has_its_own_width(named)).then(|| format!("--head-dim {}", named.1.head_dim())));
        } else {
            words.push(format!("--head-dim {}", self.rope.head_dim()));
            words.push(match self.rope.parameters().frequencies {
                Frequencies::Given(list) => option(&("frequencies", Value::Numbers(list))),
                _ => format!("--base {}", self.base.unwrap_or_default()),
            });
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
