//! Compares the fast tiers with the exact tier: all must return the same bits.
//!
//! `fill`, optimised as it is here, adds angles, or evaluates fewer than 24 rows directly. `const_fill` of four or more
//! rows uses the const-eval tier, and `const_fill` of fewer rows the exact one.

use posenc::{Amplitude, Bf16Bits, F16Bits, Odd, Preset, Spec};
use proptest::prelude::*;

use testkit::any_spec;
use testkit::{Bits, assert_same_bits, cases, one_in, properties, written};

/// Describes the first entry in which the tiers differ, from row `first` on.
fn difference<T: Bits>(spec: &Spec, first: usize, rows: usize) -> Option<String> {
    let d_model = spec.d_model();
    let len = rows * d_model;
    let fast = written::<T, _>(len, |rows| spec.fill(first.., rows));
    let const_eval = written(len, |rows| spec.const_fill(first.., rows));
    let exact = written(len, |rows| {
        (first..).step_by(3).zip(rows.chunks_mut(3 * d_model)).try_for_each(|(row, rows)| spec.const_fill(row.., rows))
    });
    #[cfg(feature = "rayon")]
    {
        let parallel = written(len, |rows| spec.par_fill(first.., rows));
        assert_same_bits(&parallel, &fast, format!("{spec} in parallel"));
    }
    let at = T::first_difference(&fast, &exact).or_else(|| T::first_difference(&const_eval, &exact))?;
    let (row, column) = (first + at / d_model, at % d_model);
    let (fast, const_eval, exact) = (fast[at], const_eval[at], exact[at]);
    Some(format!("{} {spec}, row {row}, column {column}: {fast:?} and {const_eval:?} for {exact:?}", T::DTYPE))
}

fn difference_in_any_type(spec: &Spec, first: usize, rows: usize) -> Option<String> {
    difference::<f32>(spec, first, rows)
        .or_else(|| difference::<f64>(spec, first, rows))
        .or_else(|| difference::<F16Bits>(spec, first, rows))
        .or_else(|| difference::<Bf16Bits>(spec, first, rows))
}

properties! {
    #![cases(40)]

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

/// A table of one column may have no frequency.
#[test]
fn narrow_tables_with_an_offset_agree() {
    for d_model in 1..6 {
        for &odd in Odd::ALL {
            let spec = Spec::new(d_model).odd(odd).freq_offset(3, 4);
            if spec.check_table::<f32>(1, usize::MAX).is_ok() {
                assert_eq!(difference_in_any_type(&spec, 0, 40), None, "{spec}");
            }
        }
    }
}

/// Lists of frequencies for which one row has entries within an `f64` of a tie, with rows on both sides of position 0.
#[test]
fn runs_through_ties_and_zero_agree() {
    for (precision, position) in (1..200)
        .step_by(one_in(10))
        .flat_map(|position| [(8, position), (11, position), (24, position), (53, position)])
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

/// The runs go far beyond the first doublings, and the steps are as long as possible.
#[test]
fn long_strides_agree() {
    for (start, step) in [(-(1 << 53), 1 << 44), (1 << 53, -1_000_000_007), (-12345, (1 << 53) / 1000)] {
        let spec = Spec::new(32).start(start).step(step);
        assert_eq!(difference_in_any_type(&spec, 0, 1000), None);
    }
}

/// The compile-time tier recomputes coarse rows by the exact tier.
#[test]
fn long_runs_of_the_compilers_tier_agree() {
    fn check<T: Bits>(spec: &Spec) {
        let const_eval = written(3 * (2 * 64 * 1024 + 77), |rows| spec.const_fill(0.., rows));
        assert_same_bits(spec.table::<T>(const_eval.len() / 3).unwrap().as_slice(), &const_eval, spec);
    }
    for spec in [Spec::new(3), Spec::new(3).start(1 << 50).step(-7).amplitude(Amplitude::Value(-3e15))] {
        check::<f32>(&spec);
        check::<f64>(&spec);
    }
    check::<F16Bits>(&Spec::new(3));
    check::<Bf16Bits>(&Spec::new(3));
}

properties! {
    #![cases(64)]

    #[test]
    fn rows_of_an_encoder_agree(drawn in any_spec::valid(300), max_len in 0usize..200, rows in prop::collection::vec(0usize..300, 1..20)) {
        check_encoders(&drawn.spec(), max_len, &rows);
    }

    #[test]
    fn positions_that_are_a_run_agree(drawn in any_spec::valid(60), start in -1000i32..1000, step in -40i32..40, rows in 2i32..50, odd_one in 0usize..100) {
        let spec = drawn.spec();
        let mut positions: Vec<f64> = (0..rows).map(|i| f64::from(start + i * step)).collect();
        if let Some(position) = positions.get_mut(odd_one) {
            *position += 0.5;
        }
        let filled = written::<f64, _>(positions.len() * spec.d_model(), |rows| spec.fill_positions(&positions, rows));
        for (row, position) in filled.chunks_exact(spec.d_model()).zip(positions) {
            let single = written(spec.d_model(), |row| spec.encode(position, row));
            assert_same_bits(row, &single, format!("{spec}, position {position}"));
        }
    }
}

/// The positions are equally spaced as wrapping integers, but not on the number line.
#[test]
fn positions_that_wrap_are_no_run() {
    let mut positions: Vec<f64> = (0..1024).map(|i| f64::from(i) * 2f64.powi(53)).collect();
    positions.extend((0..=1024).map(|i| f64::from(i) * 2f64.powi(53) - 2f64.powi(63)));
    let filled = written::<f32, _>(positions.len() * 2, |rows| Spec::new(2).fill_positions(&positions, rows));
    for (row, position) in filled.chunks_exact(2).zip(positions) {
        assert_eq!(row, written::<f32, _>(2, |row| Spec::new(2).encode(position, row)));
    }
}

/// Tables of more than 64 MiB bypass the caches if the processor supports it.
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
        assert_same_bits(part, &same[..part.len()], format!("rows from {first} on"));
    }
    assert_eq!(difference::<f32>(&spec, rows - 100, 100), None);
    #[cfg(feature = "rayon")]
    assert_same_bits(spec.par_table::<f32>(rows).unwrap().as_slice(), table.as_slice(), "in parallel");
}

/// Sines as close to 0 as integer positions get, and cosines of half these angles.
///
/// The positions are multiples of the numerators of the convergents of π, which the terms of its continued fraction give.
/// In such entries the fast roundings to 16 bits have few bits above their error.
#[test]
fn rows_through_multiples_of_pi_agree() {
    const TERMS: [i64; 29] =
        [3, 7, 15, 1, 292, 1, 1, 1, 2, 1, 3, 1, 14, 2, 1, 1, 2, 2, 2, 2, 1, 84, 2, 1, 1, 15, 3, 13, 1];
    let (mut before, mut last) = (0, 1);
    let numerators = TERMS.map(|term| {
        (before, last) = (last, term * last + before);
        last
    });
    assert_eq!((numerators[3], last), (355, 6_134_899_525_417_045));
    // The frequencies are 1 and 1/2.
    let spec = Spec::new(4).base(4.0);
    for numerator in numerators {
        for multiple in 1..=4 {
            let start = numerator * multiple - 3;
            if start + 8 < posenc::MAX_POSITION {
                assert_eq!(difference_in_any_type(&spec.start(start), 0, 8), None);
            }
        }
        let rows = usize::try_from((posenc::MAX_POSITION / numerator).min(130)).unwrap();
        for amplitude in [1.0, -1000.0] {
            let spec = spec.step(numerator).amplitude(Amplitude::Value(amplitude));
            assert_eq!(difference_in_any_type(&spec, 0, rows), None);
        }
    }
}

/// The smallest 16-bit number that the fast roundings decide depends on the amplitude.
#[test]
fn large_amplitudes_agree() {
    for amplitude in [127.0, 128.0, 200.0, 256.0, -1000.3, 40_000.0, 65_504.0] {
        let spec = Spec::new(32).base(1e9).amplitude(Amplitude::Value(amplitude));
        assert_eq!(difference_in_any_type(&spec, 0, 200), None);
    }
}

/// Compares rows of an encoder with the exact tier.
fn check_encoder<T: Bits>(spec: &Spec, max_len: usize, rows: &[usize]) {
    let encoder = spec.prepare::<T>(max_len).unwrap();
    for &row in rows {
        let prepared = written(spec.d_model(), |entries| encoder.encode_row(row, entries));
        let exact = written(spec.d_model(), |entries| spec.const_fill(row.., entries));
        assert_same_bits(&prepared, &exact, format!("{spec}, row {row} of {max_len}"));
    }
}

fn check_encoders(spec: &Spec, max_len: usize, rows: &[usize]) {
    check_encoder::<f32>(spec, max_len, rows);
    check_encoder::<f64>(spec, max_len, rows);
    check_encoder::<F16Bits>(spec, max_len, rows);
    check_encoder::<Bf16Bits>(spec, max_len, rows);
}

/// Rows before, at and beyond the prepared length, which need not be a power of two.
#[test]
fn rows_at_the_end_of_an_encoder_agree() {
    for max_len in [1, 3, 4, 5, 63, 64, 65, 127, 128, 129] {
        let rows = [0, max_len - 1, max_len, max_len + 1, 2 * max_len - 1, 2 * max_len];
        for spec in [Spec::new(16), Spec::new(7).start(-60).zero_row(max_len - 1)] {
            check_encoders(&spec, max_len, &rows);
        }
    }
}

/// With so many rows, the angles of 2^16 and of 2^32 rows are recomputed by the exact tier. No table in memory has as
/// many rows.
#[test]
fn rows_of_an_encoder_for_millions_agree() {
    fn check<T: Bits>(max_len: usize) {
        let rows = (0..200).map(|i| max_len / 7 * i % max_len).chain(max_len - 100..max_len);
        check_encoder::<T>(&Spec::new(3).start(-12_345), max_len, &rows.collect::<Vec<_>>());
    }
    for max_len in [1 << 16, (1 << 17) + 1, 1 << 26] {
        check::<f32>(max_len);
        check::<f64>(max_len);
    }
    // Only on 64-bit targets.
    if let Ok(max_len) = usize::try_from(1u64 << 34) {
        check::<f64>(max_len);
    }
}
