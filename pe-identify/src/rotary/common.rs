//! The bases and the rules of the caches of models.

use posenc::{Frequencies, Packing, Parameters, Rope, RopePreset, Scaling, Spec};

/// Returns the bases of the presets.
pub(crate) fn bases() -> Vec<f64> {
    let mut bases: Vec<f64> = Vec::new();
    for &preset in RopePreset::ALL {
        let base = of_preset(preset).0;
        if !bases.contains(&base) {
            bases.push(base);
        }
    }
    bases
}

/// Returns the scaling rules of the presets, and the common ones with one parameter.
pub(crate) fn common_rules(seq_len: usize) -> Vec<Scaling<'static>> {
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

pub(super) fn base_and_rule<'a>(spec: &Spec<'a>) -> Option<(f64, Scaling<'a>)> {
    let Parameters { frequencies, scaling, .. } = spec.parameters();
    let Frequencies::Geometric { base, .. } = frequencies else { return None };
    Some((base, scaling))
}
