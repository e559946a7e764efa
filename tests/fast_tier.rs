//! The fast tier, `fill`, and the lean one, `const_fill` of many rows, against the exact one, `const_fill` of fewer than four: the same
//! bits.

use posenc::{Bf16Bits, F16Bits, Preset, Spec};
use proptest::prelude::*;

use crate::any_spec;
use crate::bits::Bits;
use crate::effort::{cases, effort};

/// The first entry in which they differ, from row `first` on.
fn difference<T: Bits>(spec: &Spec, first: usize, rows: usize) -> Option<String> {
    let d_model = spec.d_model();
    let (mut fast, mut exact) = (vec![T::default(); rows * d_model], vec![T::default(); rows * d_model]);
    let mut lean = exact.clone();
    spec.fill(first.., &mut fast).unwrap();
    spec.const_fill(first.., &mut lean).unwrap();
    for (row, entries) in (first..).step_by(3).zip(exact.chunks_mut(3 * d_model)) {
        spec.const_fill(row.., entries).unwrap();
    }
    #[cfg(feature = "rayon")]
    {
        let mut parallel = vec![T::default(); rows * d_model];
        spec.par_fill(first.., &mut parallel).unwrap();
        assert!(parallel.iter().zip(&fast).all(|(a, b)| a.bits() == b.bits()), "{spec} in parallel");
    }
    let wrong = |at: &usize| fast[*at].bits() != exact[*at].bits() || lean[*at].bits() != exact[*at].bits();
    let at = (0..fast.len()).find(wrong)?;
    let (row, column) = (first + at / d_model, at % d_model);
    let (fast, lean, exact) = (fast[at], lean[at], exact[at]);
    Some(format!("{} {spec}, row {row}, column {column}: {fast:?} and {lean:?} for {exact:?}", T::DTYPE))
}

fn difference_in_any_type(spec: &Spec, first: usize, rows: usize) -> Option<String> {
    difference::<f32>(spec, first, rows)
        .or_else(|| difference::<f64>(spec, first, rows))
        .or_else(|| difference::<F16Bits>(spec, first, rows))
        .or_else(|| difference::<Bf16Bits>(spec, first, rows))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(40)))]

    #[test]
    fn random_runs_agree(drawn in any_spec::valid(240), first in 0usize..40, rows in 0usize..200) {
        prop_assert_eq!(difference_in_any_type(&drawn.spec(), first, rows), None);
    }
}

#[test]
fn presets_agree() {
    let rows = cases(175).min(700) as usize;
    for &preset in Preset::ALL {
        let spec = Spec::preset(preset, 128);
        let spec = if spec.check_table::<f32>(1, usize::MAX).is_err() { spec.start(700) } else { spec };
        assert_eq!(difference_in_any_type(&spec, 0, rows), None);
    }
}

/// Frequencies of which a row has an entry within an `f64` of a tie, and rows on both sides of position 0.
#[test]
fn runs_through_ties_and_zero_agree() {
    let step = 10u32.div_ceil(effort()) as usize;
    for (precision, position) in
        (1..200).step_by(step).flat_map(|position| [(8, position), (11, position), (24, position), (53, position)])
    {
        let tie = |i: u64| {
            let last_place = 2f64.powi(-precision);
            let places = 2f64.powi(precision - 2) + ((i * 7919 + position as u64 * 104_729) % 1_000_003) as f64;
            ((places.rem_euclid(2f64.powi(precision)) + 0.5) * last_place).min(1.0)
        };
        let frequencies: Vec<f64> = (0..24).map(|i| tie(i).asin() / position as f64).collect();
        let spec = Spec::new(48).frequencies(&frequencies).start(-3);
        assert_eq!(difference_in_any_type(&spec, 0, position + 8), None);
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

/// Where the lean tier takes a coarse row from the exact one again.
#[test]
fn long_runs_of_the_lean_tier_agree() {
    fn check<T: Bits>(spec: &Spec) {
        let mut lean = vec![T::default(); 3 * (2 * 64 * 1024 + 77)];
        spec.const_fill(0.., &mut lean).unwrap();
        let table = spec.table::<T>(lean.len() / 3).unwrap();
        assert!(table.as_slice().iter().zip(&lean).all(|(a, b)| a.bits() == b.bits()), "{} {spec}", T::DTYPE);
    }
    for spec in [Spec::new(3), Spec::new(3).start(1 << 50).step(-7).amplitude(posenc::Amplitude::Value(-3e15))] {
        check::<f32>(&spec);
        check::<f64>(&spec);
    }
    check::<F16Bits>(&Spec::new(3));
    check::<Bf16Bits>(&Spec::new(3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(64)))]

    #[test]
    fn rows_of_an_encoder_agree(drawn in any_spec::valid(300), max_len in 0usize..200, rows in prop::collection::vec(0usize..300, 1..20)) {
        let spec = drawn.spec();
        fn check<T: Bits>(spec: &Spec, max_len: usize, row: usize) {
            let (mut prepared, mut exact) = (vec![T::default(); spec.d_model()], vec![T::default(); spec.d_model()]);
            spec.prepare(max_len).unwrap().row(row, &mut prepared).unwrap();
            spec.const_fill(row.., &mut exact).unwrap();
            assert!(prepared.iter().zip(&exact).all(|(a, b)| a.bits() == b.bits()), "{} {spec}, row {row} of {max_len}", T::DTYPE);
        }
        for row in rows {
            check::<f32>(&spec, max_len, row);
            check::<f64>(&spec, max_len, row);
            check::<F16Bits>(&spec, max_len, row);
            check::<Bf16Bits>(&spec, max_len, row);
        }
    }

    #[test]
    fn positions_that_are_a_run_agree(drawn in any_spec::valid(60), start in -1000i32..1000, step in -40i32..40, rows in 2i32..50, odd_one in 0usize..100) {
        let spec = drawn.spec();
        let mut positions: Vec<f64> = (0..rows).map(|i| f64::from(start + i * step)).collect();
        if let Some(position) = positions.get_mut(odd_one) {
            *position += 0.5;
        }
        let mut filled = vec![0.0f64; positions.len() * spec.d_model()];
        spec.fill_positions(&positions, &mut filled).unwrap();
        for (row, position) in filled.chunks_exact(spec.d_model()).zip(positions) {
            let mut single = vec![0.0; spec.d_model()];
            spec.encode(position, &mut single).unwrap();
            prop_assert!(row.iter().zip(&single).all(|(a, b)| a.bits() == b.bits()), "{}, position {}", spec, position);
        }
    }
}

/// Equally spaced in integers that wrap, but not on the number line.
#[test]
fn positions_that_wrap_are_no_run() {
    let mut positions: Vec<f64> = (0..1024).map(|i| f64::from(i) * 2f64.powi(53)).collect();
    positions.extend((0..=1024).map(|i| f64::from(i) * 2f64.powi(53) - 2f64.powi(63)));
    let mut filled = vec![0.0f32; positions.len() * 2];
    Spec::new(2).fill_positions(&positions, &mut filled).unwrap();
    for (row, position) in filled.chunks_exact(2).zip(positions) {
        let mut single = [0.0; 2];
        Spec::new(2).encode(position, &mut single).unwrap();
        assert_eq!(row, single);
    }
}

/// Of more than 64 MiB, which are written past the caches where that is possible.
#[test]
fn a_large_table_agrees_with_its_parts() {
    let (rows, d_model) = (33_333, 520);
    let spec = Spec::new(d_model);
    let table = spec.table::<f32>(rows).unwrap();
    let mut part = vec![0.0f32; 1000 * d_model];
    for first in (0..rows).step_by(1000) {
        let same = &table.as_slice()[first * d_model..];
        let part = &mut part[..same.len().min(1000 * d_model)];
        spec.fill(first.., part).unwrap();
        assert!(part.iter().zip(same).all(|(a, b)| a.bits() == b.bits()), "rows from {first} on");
    }
    assert_eq!(difference::<f32>(&spec, rows - 100, 100), None);
    #[cfg(feature = "rayon")]
    assert!(spec.par_table::<f32>(rows).unwrap() == table, "in parallel");
}
