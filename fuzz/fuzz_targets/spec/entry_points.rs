//! The entry points for the rows of a table.

use posenc::{Amplitude, Columns, MAX_POSITION, Parameters, Rows, Spec, SpecError, const_table};
use testkit::Lcg;

use crate::drawn::{Drawn, position, size};
use crate::entry::{Entry, is_same, is_untouched};

/// Returns the sentence of an error, for comparison. (The errors themselves may contain NaNs, which do not equal
/// themselves.)
fn said<A>(answer: &Result<A, SpecError>) -> Result<(), String> {
    match answer {
        Ok(_) => Ok(()),
        Err(error) => {
            assert!(!format!("{error:?}{:?}", error.parameters()).is_empty());
            let sentence = error.to_string();
            assert!(!sentence.contains('\n'), "more than a line: {sentence}");
            let says = [" must ", " but ", "; "].iter().any(|words| sentence.contains(words));
            assert!(says, "what would be right is missing: {sentence}");
            Err(sentence)
        }
    }
}

/// Returns the rows computed, from row 0 on, if any.
pub(crate) fn check<T: Entry>(drawn: &Drawn, random: &mut Lcg) -> Vec<T> {
    let spec = drawn.spec();
    let d_model = spec.d_model();
    check_sizes::<T>(&spec, random);

    let most = drawn.budget(MAX_POSITION as f64).checked_div(d_model).unwrap_or(0);
    let count = random.index(71).min(most);
    let first = if random.one_in(2) { 0 } else { size(random) };
    let rows = check_rows::<T>(drawn, first, count);
    if let Some(rows) = rows.as_ref().filter(|rows| !rows.is_empty()) {
        check_bound(drawn, rows);
        check_each_row(drawn, first, rows, random);
    }
    let from_zero = if first == 0 { rows } else { check_rows::<T>(drawn, 0, count) };
    check_table(drawn, count, from_zero.as_deref());
    check_positions::<T>(drawn, random);
    check_wrong_lengths::<T>(&spec, random);
    from_zero.unwrap_or_default()
}

/// Checks that any table that is too large is rejected, and that nothing is allocated for it.
fn check_sizes<T: Entry>(spec: &Spec, random: &mut Lcg) {
    let parameters = said(&spec.check_parameters::<T>());
    let (seq_len, max_bytes) = (size(random), size(random));
    let checked = spec.check_table::<T>(seq_len, max_bytes);
    if let Err(sentence) = &parameters {
        assert_eq!(said(&checked).as_ref(), Err(sentence));
    }
    if let Ok(bytes) = checked {
        assert!(bytes <= max_bytes && Some(bytes) == seq_len.checked_mul(spec.d_model() * size_of::<T>()));
        assert_eq!(spec.check_table::<T>(seq_len, bytes), Ok(bytes));
        if let Some(less) = bytes.checked_sub(1) {
            assert!(matches!(spec.check_table::<T>(seq_len, less), Err(SpecError::TableTooLarge { .. })));
        }
    }
    let beyond = isize::MAX as usize / size_of::<T>() / spec.d_model().max(1);
    for seq_len in [usize::MAX, beyond.saturating_add(1)] {
        let refused = said(&spec.check_table::<T>(seq_len, usize::MAX));
        assert!(refused.is_err());
        assert_eq!(said(&spec.table::<T>(seq_len)), refused);
        assert_eq!(said(&spec.par_table::<T>(seq_len)), refused);
    }
}

/// Computes rows by all three ways to fill a buffer.
fn check_rows<T: Entry>(drawn: &Drawn, first: usize, count: usize) -> Option<Vec<T>> {
    let spec = drawn.spec();
    let len = if count == 0 { 0 } else { count * spec.d_model() };
    let mut rows = [const { Vec::new() }; 3].map(|mut buffer: Vec<T>| {
        buffer.resize(len, T::POISON);
        buffer
    });
    let [by_compiler, fast, parallel] = &mut rows;
    let answer = said(&spec.const_fill(first.., by_compiler));
    assert_eq!(said(&spec.fill(first.., fast)), answer, "{spec}");
    assert_eq!(said(&spec.par_fill(first.., parallel)), answer, "{spec}");
    if answer.is_err() {
        assert!(rows.iter().all(|rows| is_untouched(rows)), "{spec}");
        return None;
    }
    assert!(is_same(by_compiler, fast) && is_same(by_compiler, parallel), "rows {first}.. of {spec}");
    let [rows, ..] = rows;
    Some(rows)
}

/// Checks that no entry is larger than the rounded amplitude, which is the cosine of 0. Rounding is monotonic.
fn check_bound<T: Entry>(drawn: &Drawn, rows: &[T]) {
    // An attention factor is that of a rule, which may not be one for as many cosines.
    let spec = drawn.spec();
    let amplitude = spec.parameters().amplitude;
    if amplitude == Amplitude::AttentionFactor {
        assert!(rows.iter().all(|entry| entry.number().is_finite()));
        return;
    }
    let mut cosines = vec![T::POISON; spec.d_model()];
    Spec::new(spec.d_model()).columns(Columns::Cos).amplitude(amplitude).encode(0, &mut cosines).expect("it is right");
    let largest = cosines[0].number().abs();
    assert!(largest.is_finite());
    if let Amplitude::Value(value) = amplitude {
        assert!(T::DTYPE != "f64" || largest == value.abs());
    }
    assert!(rows.iter().all(|entry| entry.number().abs() <= largest), "{spec}");
}

/// Checks single rows, by position and by index.
fn check_each_row<T: Entry>(drawn: &Drawn, first: usize, rows: &[T], random: &mut Lcg) {
    let spec = drawn.spec();
    let d_model = spec.d_model();
    let count = rows.len() / d_model;
    let mut row = vec![T::POISON; d_model];

    let Parameters { start, step, .. } = spec.parameters();
    if let Some(start) = start {
        let mut positions = Vec::new();
        for (i, expected) in rows.chunks_exact(d_model).enumerate() {
            let position = i128::from(start) + i128::from(step) * (first as i128 + i as i128);
            let position = i64::try_from(position).expect("it has been filled");
            positions.push(position as f64);
            row.fill(T::POISON);
            spec.encode(position, &mut row).expect("it has been filled");
            if drawn.is_zero_row(first, i) {
                assert!(expected.iter().all(|entry| entry.bits() == 0), "{spec}");
            } else {
                assert!(is_same(&row, expected), "position {position} of {spec}");
            }
        }
        let mut filled = vec![T::POISON; rows.len()];
        spec.fill_positions(&positions, &mut filled).expect("they have been filled");
        for (i, (found, expected)) in filled.chunks_exact(d_model).zip(rows.chunks_exact(d_model)).enumerate() {
            let is_zero = drawn.is_zero_row(first, i);
            assert!(is_zero || is_same(found, expected), "row {i} of {positions:?} of {spec}");
        }
    }

    // An encoder prepared for fewer rows than are requested, or for more.
    let max_len = if first > 1 << 12 { random.index(201) } else { first + random.index(count + 10) };
    match spec.prepare::<T>(max_len) {
        Ok(encoder) => {
            assert_eq!((encoder.max_len(), encoder.spec() == spec), (max_len, true));
            assert!(!format!("{encoder:?}").is_empty());
            for (i, expected) in rows.chunks_exact(d_model).enumerate() {
                row.fill(T::POISON);
                // With a step of 0, the index of a row may overflow.
                if let Some(i) = first.checked_add(i) {
                    encoder.encode_row(i, &mut row).expect("it has been filled");
                    assert!(is_same(&row, expected), "row {i} of {max_len} of {spec}");
                }
            }
            let mut longer = vec![T::POISON; d_model + 1];
            assert!(encoder.encode_row(first, &mut longer).is_err() && is_untouched(&longer));
        }
        Err(error) => assert!(matches!(error, SpecError::RowPosition { .. }), "{error}"),
    }
}

/// Checks a whole table, whose rows must be those of `fill`.
fn check_table<T: Entry>(drawn: &Drawn, count: usize, rows: Option<&[T]>) {
    let spec = drawn.spec();
    let d_model = spec.d_model();
    let checked = spec.check_table::<T>(count, usize::MAX);
    let (table, parallel) = (spec.table::<T>(count), spec.par_table::<T>(count));
    assert_eq!(said(&table), said(&checked), "{spec}");
    assert_eq!(said(&parallel), said(&checked), "{spec}");
    match (table, parallel, rows) {
        (Ok(table), Ok(parallel), Some(rows)) => {
            assert_eq!((table.seq_len(), table.d_model()), (count, d_model));
            assert!(is_same(table.as_slice(), rows) && is_same(parallel.as_slice(), rows), "{spec}");
            assert!(
                table.rows().enumerate().all(|(i, row)| is_same(row, &table[i]) && is_same(Rows::row(&table, i), row))
            );
            assert!(is_same(&table.into_vec(), rows));
        }
        (Err(error), ..) => {
            assert!(rows.is_none() || matches!(error, SpecError::ZeroRow { .. }), "{spec}: {error}");
        }
        _ => panic!("{spec}"),
    }
    check_array::<T, 3, 2>(&spec);
    check_array::<T, 4, 7>(&spec);
    check_array::<T, 5, 16>(&spec);
}

/// Checks the array of `const_table`, if the spec has its width. It panics if others return an error.
fn check_array<T: Entry, const N: usize, const D: usize>(spec: &Spec) {
    if spec.d_model() == D && spec.check_table::<T>(N, usize::MAX).is_ok() {
        let table = spec.table::<T>(N).expect("it has been checked");
        assert!(is_same(const_table::<T, N, D>(*spec).as_flattened(), table.as_slice()), "{spec}");
    }
}

/// Checks positions that are not rows: any integers and any floats.
fn check_positions<T: Entry>(drawn: &Drawn, random: &mut Lcg) {
    let spec = drawn.spec();
    let d_model = spec.d_model();
    let mut positions = Vec::new();
    for _ in 0..random.index(7) {
        positions.push(position(random));
    }
    let farthest = positions.iter().copied().map(f64::abs).filter(|position| position.is_finite()).fold(1.0, f64::max);
    positions.truncate(drawn.budget(farthest) / d_model.max(1));
    let mut rows = vec![T::POISON; if positions.is_empty() { 0 } else { positions.len() * d_model }];
    let answer = spec.fill_positions(&positions, &mut rows);
    let right = said(&spec.check_parameters::<T>());
    match &answer {
        Ok(()) => assert!(right.is_ok() && positions.iter().all(|position| position.is_finite())),
        Err(error) => {
            assert!(is_untouched(&rows));
            match right {
                Ok(()) => assert!(matches!(error, SpecError::PositionNotFinite { index: Some(_), .. }), "{error}"),
                Err(sentence) => assert_eq!(said(&answer), Err(sentence)),
            }
        }
    }
    let mut row = vec![T::POISON; if positions.is_empty() { 0 } else { d_model }];
    for (i, &position) in positions.iter().enumerate() {
        row.fill(T::POISON);
        let encoded = spec.encode(position, &mut row);
        if answer.is_ok() {
            assert!(encoded.is_ok() && is_same(&row, &rows[i * d_model..][..d_model]), "{position} of {spec}");
        } else {
            assert!(encoded.is_ok() || is_untouched(&row));
        }
    }

    let position = random.wild_integer();
    if drawn.budget(position as f64) >= d_model && d_model > 0 {
        let mut row = vec![T::POISON; d_model];
        let encoded = spec.encode(position, &mut row);
        let mut same = vec![T::POISON; d_model];
        let in_range = position.unsigned_abs() <= MAX_POSITION as u64;
        assert_eq!(encoded.is_ok(), in_range && spec.check_parameters::<T>().is_ok());
        if encoded.is_ok() {
            spec.encode(position as f64, &mut same).expect("the same number");
            assert!(is_same(&row, &same), "{position} of {spec}");
        } else {
            assert!(is_untouched(&row));
        }
    }
}

/// Checks that buffers of the wrong length are left unchanged.
fn check_wrong_lengths<T: Entry>(spec: &Spec, random: &mut Lcg) {
    let (len, d_model) = (random.index(201), spec.d_model());
    let mut buffer = vec![T::POISON; len];
    if len.checked_rem(d_model) != Some(0) {
        let answers = [
            said(&spec.fill(0.., &mut buffer)),
            said(&spec.par_fill(0.., &mut buffer)),
            said(&spec.const_fill(0.., &mut buffer)),
        ];
        assert!(answers[0].is_err() && answers.iter().all(|answer| *answer == answers[0]));
    }
    if len != d_model {
        assert!(spec.encode(0, &mut buffer).is_err());
    }
    if Some(len) != d_model.checked_mul(2) || d_model == 0 {
        assert!(spec.fill_positions(&[0.0, 1.0], &mut buffer).is_err());
    }
    assert!(is_untouched(&buffer));
}
