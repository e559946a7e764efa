//! Translations: their pairs to the bit, and the error of the rows that they move.

use std::ops::{Add, Mul, Sub};

use posenc::{Amplitude, Bf16Bits, F16Bits, Layout, Odd, Order, Preset, Scaling, Spec, SpecError, const_translation};
use proptest::prelude::*;
use proptest::sample::select;

use testkit::any_spec;
use testkit::case::Case;
use testkit::formula::Formula;
use testkit::random_case::{Angles, Drawn};
use testkit::real::Ieee;
use testkit::{Bits, Lcg, properties, written};

fn pairs<T: Bits>(spec: &Spec, distance: f64) -> Vec<[T; 2]> {
    let mut pairs = vec![[T::default(); 2]; spec.d_model() / 2];
    spec.translation(distance, &mut pairs).unwrap_or_else(|error| panic!("{spec}: {error}"));
    pairs
}

fn row<T: Bits>(spec: &Spec, position: f64) -> Vec<T> {
    written(spec.d_model(), |row| spec.encode(position, row))
}

fn bits<T: Bits>(pairs: &[[T; 2]]) -> Vec<[u64; 2]> {
    pairs.iter().map(|pair| pair.map(T::bits)).collect()
}

/// Returns whether the spec has translations: each sine has a cosine of its frequency, and any other column is zero.
fn in_pairs(spec: &Spec) -> bool {
    !matches!(spec.translation::<f32>(0, &mut []), Err(SpecError::NoPartner { .. }))
}

/// Compares with the rows of a spec whose columns are the plain pairs.
fn check_by_rows<T: Bits>(spec: &Spec, distance: f64) {
    let plain = spec.amplitude(Amplitude::Value(1.0)).layout(Layout::Interleaved).order(Order::CosSin);
    let plain = if spec.d_model() % 2 == 1 { plain.odd(Odd::Zero) } else { plain };
    let row = row::<T>(&plain, distance);
    let expected = row.chunks_exact(2).map(|pair| [pair[0].bits(), pair[1].bits()]).collect::<Vec<_>>();
    assert_eq!(bits(&pairs::<T>(spec, distance)), expected, "{spec} by {distance:e}");
}

fn check_by_formula<T: Ieee>(case: &Case, distance: f64) {
    let mut formula = Formula::new(case);
    let expected = (0..case.frequency_count()).map(|k| formula.pair_bits::<T>(k, distance));
    let found = bits(&pairs::<T>(&case.spec(), distance));
    assert_eq!(found, expected.collect::<Vec<_>>(), "{case:?} by {distance:e}");
}

fn with_pairs() -> impl Strategy<Value = Case> {
    any_spec::valid(1).prop_filter("columns without partners", |drawn| in_pairs(&drawn.spec()))
}

/// Returns a case of at most eight pairs.
fn few_pairs(random: &mut Lcg) -> Case {
    let drawn = Drawn::one_in(2, &["freq_shift", "frequencies", "scaling", "scale", "unit"], random);
    let case = Case::random::<f64>(random, &drawn, 16, Angles::Moderate);
    let odd = if case.scaling == Scaling::None { random.index(2) } else { 0 };
    Case { d_model: 2 * case.frequency_count() + odd, odd: Odd::Zero, amplitude: Amplitude::Value(1.0), ..case }
}

fn any_distance() -> impl Strategy<Value = f64> {
    prop_oneof![
        select(vec![0.0, -0.0, 1.0, -1.0, 0.5, 998.39, 1e15, 9_007_199_254_740_992.0, 1e-300, 5e-324, 1e40]),
        (-5000..5000i32).prop_map(f64::from),
        -1e6..1e6f64,
    ]
}

properties! {
    #![cases(64)]

    #[test]
    fn pairs_are_those_of_rows(drawn in with_pairs(), distance in any_distance()) {
        let spec = drawn.spec();
        check_by_rows::<f32>(&spec, distance);
        check_by_rows::<f64>(&spec, distance);
        check_by_rows::<F16Bits>(&spec, distance);
        check_by_rows::<Bf16Bits>(&spec, distance);
    }

    #[test]
    fn pairs_are_the_formula_rounded_once(case in any_spec::drawn(few_pairs), distance in any_distance()) {
        check_by_formula::<f32>(&case, distance);
        check_by_formula::<f64>(&case, distance);
        check_by_formula::<F16Bits>(&case, distance);
        check_by_formula::<Bf16Bits>(&case, distance);
    }

    #[test]
    fn the_constant_entry_point_is_the_same(drawn in with_pairs(), distance in any_distance()) {
        fn check<const H: usize>(spec: Spec, distance: f64) {
            if spec.d_model() / 2 == H {
                assert_eq!(bits(&const_translation::<f32, H>(spec, distance)), bits(&pairs::<f32>(&spec, distance)));
                assert_eq!(bits(&const_translation::<f64, H>(spec, distance)), bits(&pairs::<f64>(&spec, distance)));
                let found = const_translation::<Bf16Bits, H>(spec, distance);
                assert_eq!(bits(&found), bits(&pairs::<Bf16Bits>(&spec, distance)));
            }
        }
        check::<0>(drawn.spec(), distance);
        check::<1>(drawn.spec(), distance);
        check::<2>(drawn.spec(), distance);
        check::<3>(drawn.spec(), distance);
        check::<4>(drawn.spec(), distance);
        check::<8>(drawn.spec(), distance);
        check::<9>(drawn.spec(), distance);
    }
}

#[test]
fn constants_hold_the_same_pairs() {
    const PAPER: Spec = Spec::new(16);
    const LIST: Spec = Spec::new(5).odd(Odd::Zero).order(Order::CosSin).frequencies(&[-0.75, 0.0]).scale(3.0);
    const ON: [[f32; 2]; 8] = const_translation(PAPER, 3.0);
    static BACK: [[F16Bits; 2]; 8] = const_translation(PAPER, -998.39);
    const FAR: [[f64; 2]; 2] = const_translation(LIST, 1e15);
    assert_eq!(bits(&ON), bits(&pairs::<f32>(&PAPER, 3.0)));
    assert_eq!(bits(&BACK), bits(&pairs::<F16Bits>(&PAPER, -998.39)));
    assert_eq!(bits(&FAR), bits(&pairs::<f64>(&LIST, 1e15)));
}

#[test]
fn nothing_but_the_frequencies_matters_to_the_pairs() {
    let spec = Spec::new(10);
    let other = spec.amplitude(Amplitude::RsqrtD).layout(Layout::Halves).order(Order::CosSin);
    let other = other.start(-7).step(12).zero_row(3).odd(Odd::Reject);
    assert_eq!(bits(&pairs::<f64>(&other, 31.5)), bits(&pairs::<f64>(&spec, 31.5)));
    let last_zero = Spec::new(11).odd(Odd::Zero).layout(Layout::Halves);
    assert_eq!(bits(&pairs::<f32>(&last_zero, 31.5)), bits(&pairs::<f32>(&spec, 31.5)));
    assert_eq!(pairs::<f32>(&Spec::preset(Preset::TransformerXl, 10), 1.0), pairs::<f32>(&spec, 1.0)); // no start
    assert!(pairs::<f32>(&Spec::new(1).odd(Odd::Zero), 1.0).is_empty());
}

/// An element type with arithmetic.
trait Float: Bits + Into<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// Half the last place of 1.
    const HALF: f64;
}

impl Float for f32 {
    const HALF: f64 = f32::EPSILON as f64 / 2.0;
}

impl Float for f64 {
    const HALF: f64 = f64::EPSILON / 2.0;
}

fn amplitude(spec: &Spec) -> f64 {
    // At position 0 the cosines are the rounded amplitude.
    row::<f64>(spec, 0.0).into_iter().map(f64::abs).fold(0.0, f64::max)
}

/// The errors of `translate` over many rows.
#[derive(Default)]
struct Errors {
    entries: usize,
    differing: usize,
    /// In units of half the last place of the amplitude.
    largest: f64,
}

impl Errors {
    fn check<T: Float>(&mut self, spec: &Spec, position: f64, distance: f64) {
        let there = row::<T>(spec, position + distance);
        let mut moved = row::<T>(spec, position);
        spec.translate(&pairs::<T>(spec, distance), &mut moved).unwrap();
        let amplitude = amplitude(spec);
        for (&moved, &there) in moved.iter().zip(&there) {
            let error = (moved.into() - there.into()).abs() / amplitude / T::HALF;
            assert!(error <= 5.0, "{spec} at {position} by {distance}: {moved:?} for {there:?}, {error}");
            self.entries += 1;
            self.differing += usize::from(moved.bits() != there.bits());
            self.largest = self.largest.max(error);
        }
    }
}

/// Returns specs of all layouts and orders with and without a zero column, and the presets.
///
/// The other parameters have several values.
fn specs() -> Vec<Spec<'static>> {
    let mut specs = Vec::new();
    for (&layout, &order) in Layout::ALL.iter().flat_map(|layout| Order::ALL.iter().map(move |order| (layout, order))) {
        for d_model in [2, 6, 7, 64] {
            let spec = Spec::new(d_model).layout(layout).order(order).odd(Odd::Zero);
            specs.extend([spec, spec.amplitude(Amplitude::Value(-3.7)), spec.base(20.0).scale(-0.3)]);
        }
    }
    let presets = Preset::ALL.iter().map(|&preset| Spec::preset(preset, 24));
    specs.extend(presets.filter(in_pairs));
    specs.push(Spec::new(6).frequencies(&[0.0, -2.5, 1e-3]).amplitude(Amplitude::Value(1e-30)));
    specs
}

/// Returns positions and distances whose sums are exact.
fn moves() -> impl Iterator<Item = (f64, f64)> {
    let positions = (0..40).map(|i| f64::from(i * i) * 0.25 - 17.0);
    let moves = positions.flat_map(|position| [1.0, -3.0, 0.5, 1000.25].map(|distance| (position, distance)));
    moves.chain([(1e12, 1e12 + 1.0), (4_503_599_627_370_496.0, -7.0), (-123_456_789.0, 123_456_789.0), (5.0, 0.0)])
}

/// A moved row is not the table's row to the bit.
///
/// The row and the pairs are rounded, then the two products and their sum, and finally the row to compare with. Each
/// contributes at most half a last place, five of these in total.
fn moved_rows_are_near<T: Float>() {
    let mut errors = Errors::default();
    for spec in specs() {
        moves().for_each(|(position, distance)| errors.check::<T>(&spec, position, distance));
    }
    let Errors { entries, differing, largest } = errors;
    println!("{differing} of {entries} entries differ, by up to {largest} halves of the last place of 1");
    assert!(largest >= 5.0 / 3.0, "at most {largest}, so that the bound is idle");
    assert!(differing > entries / 10 && differing < entries * 9 / 10, "{differing} of {entries}");
}

#[test]
fn moved_rows_are_near_those_of_the_table_in_f32() {
    moved_rows_are_near::<f32>();
}

#[test]
fn moved_rows_are_near_those_of_the_table_in_f64() {
    moved_rows_are_near::<f64>();
}

properties! {
    #![cases(64)]

    #[test]
    fn any_moved_row_is_near(
        drawn in with_pairs(), position in -4_000_000..4_000_000i32, distance in -4_000_000..4_000_000i32,
    ) {
        let spec = drawn.spec();
        // The last place of a subnormal amplitude is larger.
        prop_assume!(amplitude(&spec) > 1e-30);
        let (position, distance) = (f64::from(position) / 16.0, f64::from(distance) / 16.0);
        Errors::default().check::<f32>(&spec, position, distance);
        Errors::default().check::<f64>(&spec, position, distance);
    }
}

#[test]
fn many_rows_move_at_once() {
    for spec in specs() {
        let on = pairs::<f32>(&spec, 3.0);
        let mut rows = (0..9).flat_map(|position| row::<f32>(&spec, f64::from(position))).collect::<Vec<_>>();
        let mut singly = rows.clone();
        spec.translate(&on, &mut rows).unwrap();
        singly.chunks_mut(spec.d_model()).for_each(|row| spec.translate(&on, row).unwrap());
        assert!(rows.iter().zip(&singly).all(|(a, b)| a.bits() == b.bits()), "{spec}");
        spec.translate(&on, &mut []).unwrap();
    }
}

#[test]
fn a_column_of_zeros_stays() {
    let spec = Spec::new(3).odd(Odd::Zero);
    let mut rows = [0.0f32, 1.0, 0.0, 0.0, 1.0, 42.0];
    spec.translate(&pairs(&spec, 1.0), &mut rows).unwrap();
    assert_eq!([rows[2].to_bits(), rows[5].to_bits()], [0, 42f32.to_bits()]);
    assert_eq!(rows[0], 0.841_470_96);
}
