//! The fast tier against the exact one: `fill` and `const_fill` give the same bits.

mod any_spec;
mod bits;

use bits::Bits;
use posenc::{Bf16Bits, F16Bits, Preset, Spec};
use proptest::prelude::*;

/// The first entry in which the two differ, from row `first` on.
fn difference<T: Bits>(spec: &Spec, first: usize, rows: usize) -> Option<String> {
    let d_model = spec.d_model();
    let (mut fast, mut exact) = (vec![T::default(); rows * d_model], vec![T::default(); rows * d_model]);
    spec.fill(first.., &mut fast).unwrap();
    spec.const_fill(first.., &mut exact).unwrap();
    let at = (0..fast.len()).find(|&at| fast[at].bits() != exact[at].bits())?;
    let (row, column) = (first + at / d_model, at % d_model);
    Some(format!("{} {spec}, row {row}, column {column}: {:?} for {:?}", T::DTYPE, fast[at], exact[at]))
}

fn difference_in_any_type(spec: &Spec, first: usize, rows: usize) -> Option<String> {
    difference::<f32>(spec, first, rows)
        .or_else(|| difference::<f64>(spec, first, rows))
        .or_else(|| difference::<F16Bits>(spec, first, rows))
        .or_else(|| difference::<Bf16Bits>(spec, first, rows))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_runs_agree(drawn in any_spec::valid(240), first in 0usize..40, rows in 0usize..200) {
        prop_assert_eq!(difference_in_any_type(&drawn.spec(), first, rows), None);
    }
}

#[test]
fn presets_agree() {
    for &preset in Preset::ALL {
        let spec = Spec::preset(preset, 128);
        let spec = if spec.check_table::<f32>(1, usize::MAX).is_err() { spec.start(700) } else { spec };
        assert_eq!(difference_in_any_type(&spec, 0, 700), None);
    }
}

/// Where the first doublings are far behind, and a step is as long as it gets.
#[test]
fn long_strides_agree() {
    for (start, step) in [(-(1 << 53), 1 << 44), (1 << 53, -1_000_000_007), (-12345, (1 << 53) / 1000)] {
        let spec = Spec::new(32).start(start).step(step);
        assert_eq!(difference_in_any_type(&spec, 0, 1000), None);
    }
}
