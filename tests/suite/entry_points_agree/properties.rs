//! Any arguments give a table or an error: no panic, no wrap-around, and on error the buffer is unchanged.

use std::collections::HashMap;

use posenc::{Amplitude, F16Bits, MAX_D_MODEL, MAX_POSITION, Scaling, Spec, SpecError};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use testkit::any_spec;
use testkit::formula::Formula;
use testkit::{assert_same_bits, effort, properties, written};

fn any_spec() -> impl Strategy<Value = (Spec<'static>, usize, f64, i64)> {
    let d_model = prop_oneof![0usize..40, Just(MAX_D_MODEL), Just(MAX_D_MODEL + 1), any::<usize>()];
    let base = prop_oneof![Just(10_000.0), any::<f64>(), prop::num::f64::ANY];
    let near_the_end = (MAX_POSITION - 40..MAX_POSITION + 3).prop_flat_map(|p| prop_oneof![Just(p), Just(-p)]);
    let start = prop_oneof![-50i64..50, any::<i64>(), near_the_end];
    (d_model, base, start).prop_map(|(d, base, start)| (Spec::new(d).base(base).start(start), d, base, start))
}

fn is_valid(d_model: usize, base: f64, start: i64) -> bool {
    (1..=MAX_D_MODEL).contains(&d_model) && base.is_finite() && base > 0.0 && start.unsigned_abs() <= 1 << 53
}

fn in_range(position: i128) -> bool {
    position.unsigned_abs() <= 1 << 53
}

properties! {
    #![cases(64)]

    #[test]
    fn fill_answers_every_request((spec, d_model, base, start) in any_spec(), first: usize, len in 0usize..120) {
        for first in [first, first % 100] {
            let mut buffer = vec![f32::NAN; len];
            let rows = len.checked_div(d_model).unwrap_or(0);
            let last = i128::from(start) + first as i128 + rows as i128 - 1;
            let valid = is_valid(d_model, base, start) && len % d_model == 0 && (rows == 0 || in_range(last));
            match spec.fill(first.., &mut buffer) {
                Ok(()) => prop_assert!(valid && buffer.iter().all(|entry| entry.abs() <= 1.0)),
                Err(error) => {
                    prop_assert!(!valid && !error.to_string().is_empty());
                    prop_assert!(buffer.iter().all(|entry| entry.is_nan()));
                }
            }
        }
    }

    #[test]
    fn encode_answers_every_position((spec, d_model, base, _) in any_spec(), position: i64, other_len in 0usize..40) {
        for len in [other_len, d_model.min(100)] {
            for position in [position, position % 100] {
                let mut row = vec![f64::NAN; len];
                let valid = is_valid(d_model, base, 0) && len == d_model && in_range(position.into());
                let answer = spec.encode(position, &mut row);
                prop_assert_eq!(answer.is_ok(), valid, "{:?}", answer);
                prop_assert!(row.iter().all(|entry| entry.is_nan() != valid));
            }
        }
    }

    #[test]
    fn table_answers_every_size((spec, d_model, base, start) in any_spec(), huge in (usize::MAX / 8)..=usize::MAX) {
        // Only a small size is tried of those that fit into the address space, and any size of the others.
        match spec.table::<f64>(huge) {
            Err(SpecError::TableTooLarge { .. }) => {}
            other => prop_assert!(!is_valid(d_model, base, start), "{:?}", other.map(|table| table.seq_len())),
        }
        if d_model < 40 {
            let last = i128::from(start) + 2;
            let valid = is_valid(d_model, base, start) && in_range(last);
            prop_assert_eq!(spec.table::<f32>(3).map(|table| (table.seq_len(), table.d_model())).ok(), valid.then_some((3, d_model)));
        }
    }
}

/// Returns whether both are `Ok`, or both are the same error. (Errors that contain NaN are also the same.)
fn same_answer<A, B>(one: &Result<A, SpecError>, other: &Result<B, SpecError>) -> bool {
    match (one, other) {
        (Ok(_), Ok(_)) => true,
        (Err(one), Err(other)) => one.to_string() == other.to_string(),
        _ => false,
    }
}

properties! {
    #![cases(64)]

    /// The three run-time entry points agree on whether a spec is valid.
    #[test]
    fn every_spec_gets_an_answer_and_the_same_at_every_entry_point(drawn in any_spec::wild(), position in prop::num::f64::ANY) {
        let spec = drawn.spec();
        let d_model = spec.d_model().min(40);
        let mut rows = vec![f32::NAN; 3 * d_model];
        let filled = spec.fill(0.., &mut rows);
        prop_assert!(rows.iter().all(|entry| entry.is_nan() == filled.is_err()));
        let table = spec.table::<f32>(3);
        if !matches!(table, Err(SpecError::ZeroRow { .. } | SpecError::TableTooLarge { .. } | SpecError::OutOfMemory { .. })) {
            let sentence = |error: SpecError| error.to_string();
            prop_assert_eq!(table.map(|_| ()).map_err(sentence), filled.map_err(sentence));
        }
        let mut row = vec![f32::NAN; d_model];
        let valid = spec.check_parameters::<f32>().is_ok() && position.is_finite();
        prop_assert_eq!(spec.encode(position, &mut row).is_ok(), valid);
        let mut same = vec![f32::NAN; d_model];
        prop_assert_eq!(spec.fill_positions(&[position], &mut same).is_ok(), valid);
        prop_assert!(row.iter().zip(&same).all(|(a, b)| a.to_bits() == b.to_bits() && a.is_nan() != valid));
    }

    /// The methods that examine a spec or modify its rows reject the same parameters.
    ///
    /// On error the buffer is unchanged.
    #[test]
    fn every_spec_gets_an_answer_to_questions_about_it(drawn in any_spec::wild(), distance in prop::num::f64::ANY, pairs in 0usize..12) {
        let spec = drawn.spec();
        let valid = spec.check_parameters::<f64>();
        for answer in [spec.angular_frequencies().map(Vec::from_iter), spec.wavelengths().map(Vec::from_iter)] {
            prop_assert!(same_answer(&answer, &valid));
            prop_assert!(answer.is_ok_and(|numbers| numbers.iter().all(|number| !number.is_nan())) == valid.is_ok());
        }
        let dot_product = spec.dot_product(distance);
        if let Ok(product) = dot_product {
            prop_assert!(product.abs() <= spec.d_model() as f64 / 2.0);
        }
        for count in [pairs, spec.d_model().min(40) / 2] {
            let mut turns = vec![[f32::NAN; 2]; count];
            let translated = spec.translation(distance, &mut turns);
            prop_assert_eq!(turns.as_flattened().iter().any(|entry| entry.is_nan()), translated.is_err() && count > 0);
            prop_assert!(dot_product.is_err() || count != spec.d_model() / 2 || !distance.is_finite() || spec.check_parameters::<f32>() != Ok(()) || translated.is_ok());
            let mut rows = vec![0.5; 2 * spec.d_model().min(40)];
            let before = rows.clone();
            let moved = spec.translate(&turns, &mut rows);
            prop_assert!(moved.is_ok() || rows == before);
        }
    }

    /// Sines are odd, cosines even. At position 0 the sines are zero, and the cosines are not, unless they are zero
    /// everywhere.
    #[test]
    fn a_position_backwards_negates_the_sines_and_keeps_the_cosines(drawn in any_spec::valid(1), position in 1e-6..1e6f64) {
        let spec = drawn.spec();
        let row = |position: f64| written::<f64, _>(spec.d_model(), |row| spec.encode(position, row));
        let (origin, here, there) = (row(0.0), row(position), row(-position));
        let mut formula = Formula::new(&drawn);
        let mut is_zero = |column| drawn.column(column).is_none_or(|(_, k)| formula.is_zero(k));
        for (column, ((zero, a), b)) in origin.iter().zip(&here).zip(&there).enumerate() {
            let exact_zero = drawn.amplitude == Amplitude::Value(0.0) || is_zero(column);
            let expected = match (*zero == 0.0, exact_zero) {
                (true, true) => 0.0,
                (true, false) => -b, // also if both underflow
                (false, _) => *b,
            };
            prop_assert_eq!(a.to_bits(), expected.to_bits());
        }
    }
}

/// Of the rules that are drawn, many are invalid together with the other parameters.
#[test]
fn valid_specs_have_scaling_rules_of_all_kinds() {
    let mut runner = TestRunner::deterministic();
    let mut counts = HashMap::new();
    for _ in 0..2000 {
        let drawn = any_spec::valid(1).new_tree(&mut runner).unwrap().current();
        let spec = drawn.spec();
        assert_eq!(spec.check_parameters::<F16Bits>(), Ok(()), "{spec}");
        *counts.entry(spec.parameters().scaling.name()).or_insert(0) += 1;
        // Only these have another attention factor than 1.
        if spec.parameters().amplitude == Amplitude::AttentionFactor
            && matches!(spec.parameters().scaling, Scaling::Yarn(_) | Scaling::LongRope(_))
        {
            *counts.entry("attention_factor").or_insert(0) += 1;
        }
    }
    let kinds = ["linear", "ntk", "dynamic", "yarn", "llama3", "longrope", "proportional"];
    assert!(kinds.iter().all(|kind| counts.get(kind).is_some_and(|&count| count >= 40)), "{counts:?}");
    assert!(counts["attention_factor"] >= 5 && counts["none"] >= 1000, "{counts:?}");
}

#[test]
fn the_widest_table_has_entries_whatever_its_scale() {
    // Each takes a second.
    let expected = [0, 0x3c00].map(F16Bits::from_bits).repeat(MAX_D_MODEL / 2);
    for scale in [1e300, 1.0, 0.0].into_iter().take(effort() as usize) {
        let mut row = vec![F16Bits::from_bits(0x7e00); MAX_D_MODEL];
        Spec::new(MAX_D_MODEL).base(1e9).scale(scale).encode(0, &mut row).unwrap();
        assert_same_bits(&row, &expected, scale);
    }
    assert_eq!(Spec::new(MAX_D_MODEL).fill::<f32>(0.., &mut []), Ok(()));
}

#[test]
fn exact_zeros_are_positive() {
    let frequencies = [-0.0, 1.0];
    let specs = [
        Spec::new(4).scale(-0.0),
        Spec::new(4).scale(0.0).amplitude(Amplitude::Value(-1.0)),
        Spec::new(4).amplitude(Amplitude::Value(-0.0)),
        Spec::new(4).frequencies(&frequencies).amplitude(Amplitude::Value(-2.0)),
    ];
    for (spec, first) in specs.into_iter().zip([[0.0, 1.0], [0.0, -1.0], [0.0, 0.0], [0.0, -2.0f32]]) {
        let mut row = [f32::NAN; 4];
        spec.encode(-3, &mut row).unwrap();
        assert_eq!(row[..2].iter().map(|x| x.to_bits()).collect::<Vec<_>>(), first.map(f32::to_bits), "{spec}");
    }
    let mut row = [f32::NAN; 2];
    Spec::new(2).amplitude(Amplitude::Value(-1.0)).encode(-0.0, &mut row).unwrap();
    assert_eq!(row.map(f32::to_bits), [0.0, -1.0f32].map(f32::to_bits));
    // A value that underflows to zero keeps its sign.
    Spec::new(2).scale(1e-60).encode(-1, &mut row).unwrap();
    assert_eq!(row.map(f32::to_bits), [-0.0, 1.0f32].map(f32::to_bits));
}

#[test]
fn a_position_may_be_of_any_integer_or_float_type() {
    let spec = Spec::new(6);
    let row = |encode: &dyn Fn(&mut [f64]) -> Result<(), SpecError>| written(6, encode);
    let expected = row(&|row| spec.encode(100_i64, row));
    assert_eq!(row(&|row| spec.encode(100_u8, row)), expected);
    assert_eq!(row(&|row| spec.encode(100_usize, row)), expected);
    assert_eq!(row(&|row| spec.encode(100, row)), expected);
    assert_eq!(row(&|row| spec.encode(100.0, row)), expected);
    assert_eq!(row(&|row| spec.encode(100f32, row)), expected);
    assert_eq!(row(&|row| spec.encode(0.1f32, row)), row(&|row| spec.encode(f64::from(0.1f32), row)));
    assert_ne!(row(&|row| spec.encode(-100_isize, row)), expected);
}

#[test]
#[should_panic(expected = "row index out of bounds: the number of rows is 4 but the index is 4")]
fn a_row_beyond_the_table_panics() {
    let _ = posenc::sinusoidal_table(4, 2).unwrap().row(4);
}

/// The keys to blame. `tests/bad-input` has the sentences, at every entry point.
#[test]
#[cfg(target_pointer_width = "64")]
fn errors_name_their_parameters() {
    let of_table = |spec: Spec, rows| spec.table::<f32>(rows).unwrap_err();
    for (error, parameters) in [
        (of_table(Spec::new(MAX_D_MODEL + 1), 1), &["d_model"][..]),
        (of_table(Spec::new(512), usize::MAX), &["seq_len", "d_model"]),
        (of_table(Spec::new(512), 1 << 50), &[]),
        (of_table(Spec::new(4).start(MAX_POSITION), 2), &["start", "step", "seq_len"]),
        (of_table(Spec::preset(posenc::Preset::ConformerRel, 4), 3), &["start"]),
        (Spec::new(4).fill_positions(&[f64::INFINITY], &mut [0.0f32; 4]).unwrap_err(), &[]),
    ] {
        assert_eq!(error.parameters(), parameters, "{error}");
    }
}
