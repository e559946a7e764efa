//! Compares the first duplicate rows with a search over all pairs of rows.
//!
//! Also checks the rule of thumb for how many positions a code of sines can distinguish.

use std::collections::HashMap;
use std::f64::consts::TAU;

use posenc::{
    Bf16Bits, Columns, CompareError, Element, F16Bits, Flat, Rows, Spec, SpecError, Table, first_duplicate_rows,
};
use proptest::prelude::*;
use proptest::sample::select;

use testkit::{Lcg, cases};

/// An element type with its exact value.
trait Number: Element {
    fn number(self) -> f64;
    fn of(bits: u64) -> Self;
}

impl Number for f32 {
    fn number(self) -> f64 {
        self.into()
    }

    fn of(bits: u64) -> Self {
        Self::from_bits(u32::try_from(bits >> 32).unwrap())
    }
}

impl Number for f64 {
    fn number(self) -> f64 {
        self
    }

    fn of(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}

impl Number for F16Bits {
    fn number(self) -> f64 {
        let sign = if self.to_bits() >> 15 == 1 { -1.0 } else { 1.0 };
        let fraction = f64::from(self.to_bits() & 0x3ff) / 1024.0;
        sign * match self.to_bits() >> 10 & 31 {
            0 => fraction * 2f64.powi(-14),
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            binade => (1.0 + fraction) * 2f64.powi(i32::from(binade) - 15),
        }
    }

    fn of(bits: u64) -> Self {
        Self::from_bits(u16::try_from(bits >> 48).unwrap())
    }
}

impl Number for Bf16Bits {
    fn number(self) -> f64 {
        f32::from_bits(u32::from(self.to_bits()) << 16).into()
    }

    fn of(bits: u64) -> Self {
        Self::from_bits(u16::try_from(bits >> 48).unwrap())
    }
}

/// Searches all pairs of rows.
fn searched<T: Number>(table: &(impl Rows<T> + ?Sized), tolerance: f64) -> Option<(usize, usize)> {
    // The difference of equal infinities is NaN.
    let alike = |a: f64, b: f64| a == b || (a - b).abs() <= tolerance;
    let rows_alike = |i, j| table.row(i).iter().zip(table.row(j)).all(|(a, b)| alike(a.number(), b.number()));
    (0..table.seq_len()).find_map(|j| (0..j).find(|&i| rows_alike(i, j)).map(|i| (i, j)))
}

fn check<T: Number>(entries: &[u64], d_model: usize, tolerance: f64) -> Option<(usize, usize)> {
    let entries = entries.iter().map(|&bits| T::of(bits)).collect::<Vec<_>>();
    let table = entries.chunks_exact(d_model).collect::<Vec<_>>();
    let expected = searched(&table, tolerance);
    assert_eq!(first_duplicate_rows(&table, tolerance), Ok(expected), "{table:?} within {tolerance:e}");
    let whole = &entries[..table.len() * d_model];
    assert_eq!(first_duplicate_rows(&Flat::new(whole, d_model).unwrap(), tolerance), Ok(expected));
    expected
}

/// An entry as the bits of an `f64`, whose leading bits are also suitable numbers of the smaller types.
fn entry() -> impl Strategy<Value = u64> {
    let few = prop_oneof![Just(0u64), Just(1 << 63), (0u64..6).prop_map(|i| 0x3f80_3f80_0000_0000 + (i << 48))];
    let wide = any::<u64>();
    let special =
        select(vec![0x7ff0_0000_0000_0000u64, 0xfff0_0000_0000_0000, 0x7ff8_0000_0000_0000, 1, 0x7f80_0000_0000_0000]);
    prop_oneof![12 => few, 2 => wide, 1 => special]
}

fn tolerance() -> impl Strategy<Value = f64> {
    select(vec![0.0, -0.0, 5e-324, 1e-3, 0.02, 0.1, 1.0, 3.0, 1e300, f64::INFINITY])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(200)))]

    #[test]
    fn the_first_rows_alike_are_found(
        entries in prop::collection::vec(entry(), 0..120), d_model in 1usize..7, tolerance in tolerance(),
    ) {
        check::<f32>(&entries, d_model, tolerance);
        check::<f64>(&entries, d_model, tolerance);
        check::<F16Bits>(&entries, d_model, tolerance);
        check::<Bf16Bits>(&entries, d_model, tolerance);
    }

    /// Tables whose most varying column distinguishes few rows, or distinguishes them by about the tolerance.
    #[test]
    fn numbers_about_the_tolerance_apart_are_told(
        steps in prop::collection::vec((0u32..40, 0u32..4, 0u32..3), 0..80),
        unit in select(vec![1.0, 0.25, 0.1]), tolerance in 0u32..6,
    ) {
        let table = steps.iter().map(|&(a, b, c)| [a, b, c].map(|x| f64::from(x) * unit)).collect::<Vec<_>>();
        let tolerance = f64::from(tolerance) * unit;
        prop_assert_eq!(first_duplicate_rows(&table, tolerance), Ok(searched(&table, tolerance)));
    }
}

#[test]
fn random_tables_have_rows_alike_and_have_none() {
    let mut random = Lcg::new(2017);
    let mut found = [0; 2];
    for size in 2..400usize {
        let entries = (0..3 * (size % 40)).map(|_| 0x3f80_0000_0000_0000 + (random.next_bits() >> 59 << 48));
        let alike = check::<Bf16Bits>(&entries.collect::<Vec<_>>(), 3, 0.01);
        found[usize::from(alike.is_some())] += 1;
    }
    assert!(found[0] > 50 && found[1] > 50, "{found:?}");
}

#[test]
fn zeros_of_both_signs_are_alike_and_nothing_is_like_no_number() {
    assert_eq!(first_duplicate_rows(&[[0.0f32, -0.0], [-0.0, 0.0]], 0.0), Ok(Some((0, 1))));
    assert_eq!(first_duplicate_rows(&[[f64::NAN], [f64::NAN]], f64::INFINITY), Ok(None));
    assert_eq!(first_duplicate_rows(&[[1.0f32], [f32::NAN], [1.0]], 0.0), Ok(Some((0, 2))));
    assert_eq!(first_duplicate_rows(&[[f32::MIN], [f32::MAX]], f64::INFINITY), Ok(Some((0, 1))));
    assert_eq!(first_duplicate_rows::<f32>(&[[0.0f32; 2]; 0], 0.0), Ok(None));
    assert_eq!(first_duplicate_rows(&[[0.0f32; 2]; 1], 0.0), Ok(None));
}

/// The pair with the smallest second row wins.
#[test]
fn the_earliest_two_are_given() {
    let table = [[5.0], [1.0], [2.0], [7.0], [2.1], [1.0], [5.0f64]];
    assert_eq!(first_duplicate_rows(&table, 0.0), Ok(Some((1, 5))));
    assert_eq!(first_duplicate_rows(&table, 0.2), Ok(Some((2, 4))));
    assert_eq!(first_duplicate_rows(&table, 1.0), Ok(Some((1, 2))));
    assert_eq!(first_duplicate_rows(&table, 3.0), Ok(Some((0, 2))));
    assert_eq!(first_duplicate_rows(&table, 4.0), Ok(Some((0, 1))));
}

#[test]
fn wrong_tolerances_and_ragged_rows_are_refused() {
    let table = [[0.0f32]];
    for tolerance in [f64::NAN, -1.0, -5e-324, f64::NEG_INFINITY] {
        let error = first_duplicate_rows(&table, tolerance).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("`tolerance` is {tolerance:?}, but must be 0 or more; 0 finds only equal rows")
        );
    }
    let ragged = [vec![0.0f32, 1.0], vec![0.0, 1.0], vec![1.0]];
    let error = first_duplicate_rows(&ragged, 0.0).unwrap_err();
    assert_eq!(error, CompareError::RowLength { table: "given", row: 2, len: 1, d_model: 2 });
}

#[test]
fn no_two_of_the_papers_positions_are_alike() {
    assert_eq!(first_duplicate_rows(&Spec::new(64).table::<f32>(65_536).unwrap(), 0.0), Ok(None));
}

/// Finds the first row that equals an earlier one, by a hash map.
fn repeated<T: Number>(table: &Table<T>) -> Option<(usize, usize)> {
    let mut first = HashMap::new();
    table.rows().enumerate().find_map(|(j, row)| {
        // Adding 0 turns a negative zero into a positive one.
        let key = row.iter().map(|entry| (entry.number() + 0.0).to_bits()).collect::<Vec<_>>();
        let i = *first.entry(key).or_insert(j);
        (i < j).then_some((i, j))
    })
}

#[test]
fn types_too_short_for_a_table_have_rows_alike() {
    fn check<T: Number>(spec: Spec, rows: usize) -> Option<(usize, usize)> {
        let table = spec.table::<T>(rows).unwrap();
        let found = first_duplicate_rows(&table, 0.0).unwrap();
        assert_eq!(found, repeated(&table), "{spec}");
        if let Some((_, j)) = found.filter(|&(_, j)| j < 2000) {
            let beginning = table.rows().take(j + 1).collect::<Vec<_>>();
            assert_eq!(found, searched(&beginning, 0.0), "{spec}");
        }
        found
    }
    assert!(check::<Bf16Bits>(Spec::new(2), 3000).is_some());
    assert!(check::<Bf16Bits>(Spec::new(4).base(1e12).start(1 << 20), 3000).is_some());
    assert!(check::<Bf16Bits>(Spec::new(4).scale(1e-4).start(10_000), 3000).is_some());
    assert!(check::<F16Bits>(Spec::new(2), 3000).is_some());
    assert!(check::<F16Bits>(Spec::new(4).scale(1e-4), 2000).is_some());
    assert!(check::<f32>(Spec::new(64).scale(1e-9).start(1 << 40), 2000).is_some());
    // The first entry is a negative zero, the second a positive one.
    let short = Spec::new(2).columns(Columns::Sin).scale(1e-12).start(-1);
    assert_eq!(check::<F16Bits>(short, 4), Some((0, 1)));
    check::<Bf16Bits>(Spec::new(4), 20_000);
    check::<Bf16Bits>(Spec::new(8).base(100.0).start(-500), 3000);
    assert_eq!(check::<f32>(Spec::new(2).zero_row(4).columns(Columns::Sin), 10), Some((0, 4)));
}

/// Returns the frequencies of two sines with the given periods.
fn sines(periods: [f64; 2]) -> [f64; 2] {
    periods.map(|period| TAU / period)
}

#[test]
fn a_period_of_twice_the_positions_tells_them_apart() {
    let alike = |periods, rows| {
        let frequencies = sines(periods);
        let table = Spec::new(2).columns(Columns::Sin).frequencies(&frequencies).table::<f32>(rows).unwrap();
        let found = first_duplicate_rows(&table, 1e-6).unwrap();
        assert_eq!(found, searched(&table, 1e-6));
        found
    };
    assert_eq!(alike([8.0, 4.0], 8), Some((0, 4)));
    assert_eq!(alike([8.0, 4.0], 4), None);
    assert_eq!(alike([16.0, 8.0], 8), None);
    assert_eq!(alike([16.0, 8.0], 9), Some((0, 8)));
}

#[test]
fn a_wavelength_is_long_enough_for_half_as_many_positions() {
    let has_wavelength = |frequencies: &[f64], step, rows| {
        let spec = Spec::new(frequencies.len()).columns(Columns::Sin).frequencies(frequencies).step(step);
        spec.has_wavelength_for(rows).unwrap()
    };
    for (periods, most) in [([8.0, 4.0], 4), ([16.0, 8.0], 8), ([4.0, 64.0], 32)] {
        for rows in 0..100 {
            assert_eq!(has_wavelength(&sines(periods), 1, rows), rows <= most, "{periods:?} {rows}");
            assert_eq!(has_wavelength(&sines(periods).map(|w| -w), -1, rows), rows <= most, "{periods:?} {rows}");
            assert_eq!(has_wavelength(&sines(periods), -4, rows), 4 * rows <= most, "{periods:?} {rows}");
        }
    }
    // A frequency of zero distinguishes no positions. With a step of 0 all positions are equal.
    assert!(!has_wavelength(&[0.0, TAU / 8.0], 1, 5) && has_wavelength(&[0.0, TAU / 8.0], 1, 4));
    assert!(!has_wavelength(&[0.0, 0.0], 1, 1));
    assert!(has_wavelength(&[TAU, 1.0], 0, usize::MAX >> 24));
    // A nonzero frequency has a wavelength even if that overflows `f64`.
    assert!(has_wavelength(&[5e-324, 1.0], 1, usize::MAX >> 14));
    assert!(has_wavelength(&[1e-310, 1.0], 1 << 20, 1 << 30));
}

/// The rule compares the rounded wavelengths.
#[test]
fn the_rule_is_decided_by_the_wavelengths() {
    for spec in [Spec::new(512), Spec::new(6).scale(0.3), Spec::new(7), Spec::new(64).freq_shift(1.0).step(-3)] {
        let longest = spec.wavelengths().unwrap().fold(0.0, f64::max);
        let step = if spec == Spec::new(64).freq_shift(1.0).step(-3) { 3.0 } else { 1.0 };
        let rows = (1..40_000).take_while(|&rows| longest >= 2.0 * f64::from(rows) * step).count();
        assert!((1..39_999).contains(&rows), "{spec}");
        assert_eq!((spec.has_wavelength_for(rows), spec.has_wavelength_for(rows + 1)), (Ok(true), Ok(false)), "{spec}");
    }
}

#[test]
fn the_rule_checks_the_spec() {
    assert!(matches!(Spec::new(8).base(0.0).has_wavelength_for(8), Err(SpecError::Base { value: 0.0, .. })));
    assert_eq!(Spec::new(8).step(i64::MIN).has_wavelength_for(usize::MAX), Ok(false));
}
