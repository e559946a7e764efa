//! Queries about a spec or its tables, and operations on them.

use std::cmp::Ordering;

use posenc::embeddings::{add, concat};
use posenc::{CompareError, Flat, Spec, SpecError, Table, compare, const_translation};
use testkit::Lcg;

use crate::drawn::{Drawn, WIDEST, position, size};
use crate::entry::{Entry, Number, is_same, is_untouched};

pub(crate) fn check<T: Number>(drawn: &Drawn, random: &mut Lcg) {
    check_explanation::<T>(drawn, random);
    check_translation::<T>(drawn, random);

    let spec = drawn.spec();
    let most = drawn.budget(9e15).checked_div(spec.d_model()).unwrap_or(0);
    let count = random.index(13).min(most);
    match spec.table::<T>(count) {
        Ok(table) => {
            check_comparison(&spec, &table, random);
            check_embeddings(&spec, &table, random);
        }
        Err(error) => {
            let empty: [[T; 0]; 0] = [];
            if let Err(said) = spec.add_rows(&mut [], &empty, 0..0) {
                assert!(said.to_string() == error.to_string() || count > 0);
            }
        }
    }
}

/// Checks frequencies and wavelengths, from both ends.
pub(crate) fn check_wavelengths(drawn: &Drawn) {
    let spec = drawn.spec();
    let right = spec.check_parameters::<f64>();
    assert_eq!((spec.angular_frequencies().is_ok(), spec.wavelengths().is_ok()), (right.is_ok(), right.is_ok()));
    let (Ok(mut frequencies), Ok(mut wavelengths)) = (spec.angular_frequencies(), spec.wavelengths()) else {
        return;
    };
    assert_eq!(frequencies.len(), wavelengths.len());
    if spec.d_model() > WIDEST {
        // To check all of them would take long.
        let ends = [frequencies.next(), frequencies.next_back(), wavelengths.next(), wavelengths.next_back()];
        assert!(ends.into_iter().flatten().all(|number| !number.is_nan()));
        return;
    }
    let (frequencies, wavelengths): (Vec<_>, Vec<_>) = (frequencies.collect(), wavelengths.collect());
    assert!(frequencies.iter().all(|frequency| !frequency.is_nan()));
    assert!(wavelengths.iter().all(|&wavelength| wavelength >= 0.0));
    for (&frequency, &wavelength) in frequencies.iter().zip(&wavelengths) {
        // If both are far from the ends of the range, they are reciprocal.
        if (1e-290..1e290).contains(&frequency.abs()) {
            let turns = frequency.abs() * wavelength / std::f64::consts::TAU;
            assert!((turns - 1.0).abs() < 1e-15, "{frequency} {wavelength} {spec}");
        }
    }
    let mut backwards: Vec<_> = spec.angular_frequencies().expect("checked").rev().collect();
    backwards.reverse();
    assert!(is_same(&backwards, &frequencies));
}

/// Checks the explanation of one entry.
fn check_explanation<T: Entry>(drawn: &Drawn, random: &mut Lcg) {
    let spec = drawn.spec();
    let (position, column) = (position(random), size(random));
    let column = if random.one_in(8) { column } else { column.checked_rem(spec.d_model()).unwrap_or(0) };
    // It takes tens of milliseconds if angles are huge.
    if drawn.budget(if position.is_finite() { position } else { 1.0 }) < 64 {
        return;
    }
    let right = spec.check_parameters::<T>().is_ok() && position.is_finite() && column < spec.d_model();
    let explained = spec.explain::<T>(position, column);
    assert_eq!(explained.is_ok(), right);
    let Ok(explanation) = explained else { return };
    let mut row = vec![T::POISON; spec.d_model()];
    spec.encode(position, &mut row).expect("it is explained");
    let (result, text) = (explanation.result, explanation.to_string());
    assert!(is_same(&[result], &row[column..=column]), "{spec}: {text}");
    assert_eq!((explanation.position, explanation.column), (position, column));
    let (below, above) = (&explanation.below, &explanation.above);
    assert!(below.value.number() <= result.number() && result.number() <= above.value.number(), "{spec}: {text}");
    let neighbour = match explanation.rounded() {
        Ordering::Less => below,
        Ordering::Greater => above,
        Ordering::Equal => {
            assert!(is_same(&[below.value], &[above.value]), "{spec}: {text}");
            below
        }
    };
    assert_eq!(neighbour.value.number(), result.number(), "{spec}: {text}");
    assert!(explanation.stages.as_ref().is_none_or(|stages| (1..=4).contains(&stages.quadrant)), "{spec}: {text}");
    assert!(!format!("{explanation:?}").is_empty());
}

/// Checks the map that moves rows.
fn check_translation<T: Number>(drawn: &Drawn, random: &mut Lcg) {
    let spec = drawn.spec();
    let d_model = spec.d_model();
    let distance = position(random);
    let count = if random.one_in(8) { random.index(21) } else { d_model.min(WIDEST) / 2 };
    if drawn.budget(if distance.is_finite() { distance } else { 1.0 }) < d_model && d_model <= WIDEST {
        return;
    }
    let mut pairs = vec![[T::POISON; 2]; count];
    let answer = spec.translation(distance, &mut pairs);
    if answer.is_err() {
        assert!(is_untouched(pairs.as_flattened()));
        pairs.fill([T::from(1), T::from(0)]);
    } else {
        assert!(pairs.as_flattened().iter().all(|entry| entry.number().abs() <= 1.0));
        check_constant::<T, 1>(&spec, distance, &pairs);
        check_constant::<T, 8>(&spec, distance, &pairs);
    }

    let len = if random.one_in(8) { random.index(100) } else { 2 * d_model.min(WIDEST) };
    let mut rows = vec![T::POISON; len];
    let moved = spec.translate(&pairs, &mut rows);
    assert!(moved.is_ok() || is_untouched(&rows));
}

fn check_constant<T: Entry, const H: usize>(spec: &Spec, distance: f64, pairs: &[[T; 2]]) {
    if pairs.len() == H {
        let constant = const_translation::<T, H>(*spec, distance);
        assert!(is_same(constant.as_flattened(), pairs.as_flattened()), "{spec}");
    }
}

/// Checks that the dot product of two positions is an even function, and largest at a distance of 0.
pub(crate) fn check_dot_product(drawn: &Drawn, random: &mut Lcg) {
    let spec = drawn.spec();
    let distance = position(random);
    let size = if distance.is_finite() { distance } else { 1.0 };
    if drawn.budget(size) < 64 {
        return;
    }
    let integer = random.wild_integer();
    match (spec.dot_product(0), spec.dot_product(distance)) {
        (Ok(all), Ok(product)) => {
            assert_eq!(all, (spec.d_model() / 2) as f64);
            assert!(product.abs() <= all, "{distance} of {spec}");
            assert_eq!(spec.dot_product(-distance).map(f64::to_bits), Ok(product.to_bits()), "{distance} of {spec}");
            assert_eq!(spec.dot_product(integer).is_ok(), integer.unsigned_abs() <= 1 << 53);
        }
        (Ok(_), Err(_)) => assert!(!distance.is_finite()),
        (Err(_), answer) => assert!(answer.is_err()),
    }
}

/// Checks that a table equals the exact one, and differs wherever it has been changed.
fn check_comparison<T: Number>(spec: &Spec, table: &Table<T>, random: &mut Lcg) {
    let d_model = spec.d_model();
    let entries = table.as_slice().len();
    let report = compare(table, table).expect("of one shape");
    assert!(report.is_identical() && report.entries() == entries as u64, "{report}");

    let mut changed = table.as_slice().to_vec();
    for _ in 0..random.index(4) {
        if let Some(place) = size(random).checked_rem(entries) {
            changed[place] = match random.index(4) {
                0 => T::POISON,
                1 => changed[place] + T::from(small(random)),
                2 => changed[place] * T::from(-1),
                _ => T::from(small(random)),
            };
        }
    }
    let differing = changed.iter().zip(table.as_slice()).filter(|(a, b)| a.bits() != b.bits()).count() as u64;
    let flat = Flat::new(&changed, d_model).expect("whole rows");
    let with_exact = spec.compare(&flat);
    let report = match &with_exact {
        Ok(report) => report.clone(),
        Err(error) => panic!("{spec}: {error}"),
    };
    let other = compare(table, &flat.to_rows());
    let other = other.expect("of one shape").annotate(spec).expect("it has been made");
    // A table made of single rows has no width if it has no rows.
    assert!(entries == 0 || report.to_string() == other.to_string(), "{report} {other}");
    assert!(!format!("{report:?}").is_empty());
    assert_eq!((report.differing(), report.is_identical()), (differing, differing == 0), "{report}");
    assert_eq!(
        (report.seq_len(), report.d_model()),
        (table.seq_len(), if entries == 0 { report.d_model() } else { d_model })
    );
    let counted: u64 = report.histogram().map(|bucket| bucket.count).sum();
    assert_eq!(counted + report.not_finite(), report.entries(), "{report}");
    assert!(report.max_abs_error() >= report.mean_abs_error() && !report.mean_abs_error().is_nan());
    assert_eq!(report.max_ulps(), report.max_ulps_at().map_or(0, |mismatch| mismatch.ulps));
    for mismatch in [report.max_ulps_at(), report.max_error_at(), report.first_not_finite()].into_iter().flatten() {
        let at = mismatch.row * d_model + mismatch.column;
        assert_eq!(mismatch.found.bits(), changed[at].bits());
        assert_eq!(mismatch.expected.bits(), table.as_slice()[at].bits());
        assert_eq!(mismatch.correct.map(T::bits), Some(mismatch.expected.bits()));
    }

    // A table of another shape.
    let shorter = Flat::new(&changed[..entries.saturating_sub(d_model)], d_model).expect("whole rows");
    assert_eq!(compare(table, &shorter.to_rows()).is_ok(), entries == 0);
    let width = random.index(71);
    match Flat::new(&changed, width) {
        Ok(other) if width != d_model && entries > 0 => {
            assert!(matches!(spec.compare(&other), Err(CompareError::Shape { .. })));
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty() && entries.checked_rem(width) != Some(0)),
    }
}

/// A table whose rows are separate vectors.
trait ToRows<T> {
    fn to_rows(&self) -> Vec<Vec<T>>;
}

impl<T: Entry> ToRows<T> for Flat<'_, T> {
    fn to_rows(&self) -> Vec<Vec<T>> {
        (0..posenc::Rows::seq_len(self)).map(|i| posenc::Rows::row(self, i).to_vec()).collect()
    }
}

/// Checks embeddings with rows in the table and beyond it.
fn check_embeddings<T: Number>(spec: &Spec, table: &Table<T>, random: &mut Lcg) {
    let d_model = spec.d_model();
    let most_rows = if d_model > WIDEST { 0 } else { 6 };
    let (start, rows, batch) = (random.index(15), random.index(most_rows + 1), random.index(4));
    let range = start..start + rows;
    let (is_wrong, width) = (random.one_in(8), random.index(10));
    let x = vec![T::from(2); batch * rows * d_model + usize::from(is_wrong)];

    let (mut added, mut extended) = (x.clone(), x.clone());
    let answer = add(&mut added, table, range.clone()).map_err(SpecError::from);
    let longer = spec.add_rows(&mut extended, table, range.clone());
    assert!(answer.is_ok() || is_same(&added, &x));
    assert!(longer.is_ok() || is_same(&extended, &x));
    for error in [&answer, &longer].into_iter().filter_map(|answer| answer.as_ref().err()) {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    if answer.is_ok() && longer.is_ok() {
        assert!(is_same(&added, &extended), "{spec}");
    }
    if longer.is_ok() && !x.is_empty() {
        let mut encodings = vec![T::POISON; rows * d_model];
        spec.fill(start.., &mut encodings).expect("they have been added");
        let expected = x.iter().zip(encodings.iter().cycle()).map(|(&x, &entry)| (x + entry).bits());
        assert!(extended.iter().map(|entry| entry.bits()).eq(expected), "{spec}");
    }

    let tokens = batch * rows;
    let x = vec![T::from(3); tokens * width];
    let out = vec![T::POISON; tokens * (width + d_model) + usize::from(is_wrong)];
    let (mut put, mut extended) = (out.clone(), out.clone());
    let answer = concat(&x, width, table, range.clone(), &mut put);
    let longer = spec.concat_rows(&x, width, table, range, &mut extended);
    assert!(answer.is_ok() || is_untouched(&put));
    assert!(longer.is_ok() || is_untouched(&extended));
    if answer.is_ok() && longer.is_ok() {
        assert!(is_same(&put, &extended), "{spec}");
    }
    if longer.is_ok() && !x.is_empty() {
        assert!(extended.chunks_exact(width + d_model).all(|token| is_same(&token[..width], &vec![T::from(3); width])));
        assert!(extended.iter().all(|entry| entry.number().is_finite()));
    }

    // Ranges that are not in the table must be rejected.
    let (from, to) = (size(random), size(random));
    let mut none: [T; 0] = [];
    let answers = [add(&mut none, table, from..to), concat(&[], 1, table, from..to, &mut [])];
    if from > to || to > table.seq_len() {
        assert!(answers.iter().all(Result::is_err));
    }
}

/// Returns a small integer, which all types have.
fn small(random: &mut Lcg) -> i8 {
    random.of([0, 1, -1, 2, 100, i8::MIN])
}
