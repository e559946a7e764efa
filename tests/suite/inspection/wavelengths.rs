//! Compares frequencies, wavelengths and dot products with an arbitrary-precision evaluation, to the bit.

use dashu_float::Context;
use dashu_float::round::mode::HalfEven;
use posenc::{Columns, Odd, Pairing, Spec, SpecError};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use testkit::Bits;
use testkit::real::{Real, exactly, finite, magnitude, nearest};
use testkit::reference::{Case, Oracle, PAPER, sum};
use testkit::{cases, effort};

const BASES: [f64; 10] = [10_000.0, 2.0, 16.0, 0.5, 1.5, 1.0, 6.0, 1e300, 5e-324, f64::MAX];
const SCALES: [f64; 10] = [1.0, 0.125, -2.5, 1e-300, -1e300, 5e-324, -3e-310, 0.0, f64::MAX, 0.1];
const SHIFTS: [f64; 5] = [0.0, 1.0, 0.5, -3.0, -16_777_216.0];
const DISTANCES: [f64; 10] = [1.0, 0.0, -1.0, 0.5, 1e15, 9_007_199_254_740_992.0, 998.39, 1e-160, 1e40, 5e-324];

fn check(case: &Case, oracle: &mut Oracle) {
    let spec = case.spec();
    let frequencies = spec.angular_frequencies().unwrap_or_else(|error| panic!("{spec}: {error}"));
    let wavelengths = spec.wavelengths().unwrap();
    let count = case.frequency_count();
    assert_eq!((frequencies.len(), wavelengths.len()), (count, count), "{spec}");
    let mut checked = 0;
    for (k, (frequency, wavelength)) in frequencies.zip(wavelengths).enumerate() {
        let found = [frequency.to_bits(), wavelength.to_bits()];
        let expected = [oracle.frequency_bits(case, k), oracle.wavelength_bits(case, k)];
        assert_eq!(found, expected, "{spec}: frequency or wavelength {k}: {found:x?} for {expected:x?}");
        checked += 1;
    }
    assert_eq!(checked, count);
}

fn check_dot_product(case: &Case, distance: f64, oracle: &mut Oracle) {
    let found = case.spec().dot_product(distance).unwrap().to_bits();
    let expected = oracle.dot_product_bits(case, distance);
    assert_eq!(found, expected, "{case:?} at {distance:e}: {found:x} for {expected:x}");
}

#[test]
fn frequencies_and_wavelengths_of_all_sizes_are_rounded_once() {
    let mut oracle = Oracle::default();
    for (base, scale) in BASES.iter().flat_map(|&base| SCALES.map(|scale| (base, scale))) {
        for freq_shift in SHIFTS {
            check(&Case { d_model: 8, base, scale, freq_shift, ..PAPER }, &mut oracle);
        }
        check(&Case { d_model: 5, base, scale, ..PAPER }, &mut oracle);
    }
    check(&PAPER, &mut oracle);
}

#[test]
fn frequencies_of_wide_tables_are_rounded_once() {
    let mut oracle = Oracle::default();
    let case = Case { d_model: 20_001, freq_shift: -0.75, scale: 0.3, ..PAPER };
    let mut frequencies = case.spec().angular_frequencies().unwrap();
    for k in (0..10_000).step_by(100) {
        assert_eq!(frequencies.len(), 10_001 - k);
        assert_eq!(frequencies.next().map(f64::to_bits), Some(oracle.frequency_bits(&case, k)), "{k}");
        assert!(frequencies.nth(98).is_some());
    }
    let last = case.spec().wavelengths().unwrap().last();
    assert_eq!(last.map(f64::to_bits), Some(oracle.wavelength_bits(&case, 10_000)));
}

/// Subnormal numbers have fewer bits in each lower binade: the last one has a single bit, and those below none.
#[test]
fn subnormal_frequencies_and_wavelengths_are_rounded_once() {
    let mut oracle = Oracle::default();
    for exponent in (-1080..-1060).chain(-1026..-1020) {
        for fraction in [1.0, 1.25, 1.4, 1.5, 1.6, 1.75, 1.999] {
            let sized = |exponent: i32| fraction * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
            let one_kind = Case { d_model: 3, columns: Columns::Sin, ..PAPER };
            check(&Case { base: 3.0, scale: sized(exponent), ..one_kind.clone() }, &mut oracle);
            check(&Case { base: 1e9, scale: -sized(exponent + 15), ..one_kind.clone() }, &mut oracle);
            let list = [sized(exponent + 540), sized(-exponent - 980), -sized(-exponent - 975)];
            // The product with the first frequency is as small as `exponent` says, and so are the wavelengths of the
            // others.
            check(&Case { frequencies: Some(list.to_vec()), scale: 2f64.powi(-540), ..one_kind.clone() }, &mut oracle);
            check(&Case { frequencies: Some(list.to_vec()), scale: 2f64.powi(980), ..one_kind.clone() }, &mut oracle);
            let huge = f64::from_bits(1) * 2f64.powi(1074 - 980);
            check(&Case { base: huge, freq_shift: 1.0, scale: sized(-exponent - 980), ..one_kind }, &mut oracle);
        }
    }
}

#[test]
fn arrangements_have_the_frequencies_of_their_columns() {
    let mut oracle = Oracle::default();
    for (d_model, freq_shift) in (1..10).flat_map(|d_model| [0.0, 0.25, -3.0].map(|shift| (d_model, shift))) {
        let paired = Case { d_model, freq_shift, ..PAPER };
        let one_kind = |columns| Case { columns, ..paired.clone() };
        let unpaired = Case { pairing: Pairing::Unpaired, ..paired.clone() };
        let zero = |case: &Case| Case { odd: Odd::Zero, ..case.clone() };
        let cases = [one_kind(Columns::Sin), one_kind(Columns::Cos), zero(&paired), zero(&unpaired), unpaired, paired];
        for case in cases {
            check(&case, &mut oracle);
        }
    }
}

/// Returns the scale for which `scale / divisor` is `odd` halves of the smallest subnormal number.
fn halves_of_the_least(odd: u64, divisor: u64) -> f64 {
    assert!(odd % 2 == 1 && divisor.is_multiple_of(2));
    f64::from_bits(odd * divisor / 2)
}

#[test]
fn frequencies_half_way_between_two_floats_are_the_even_one() {
    let mut oracle = Oracle::default();
    // The power of the base is the reciprocal of an integer, which need not be a power of two.
    let powers = [
        (2.0, 1.0, 2),
        (6.0, 1.0, 6),
        (10.0, 1.0, 10),
        (10_000.0, 1.0, 10_000),
        (4.0, 0.0, 2),
        (36.0, 0.0, 6),
        (10_000.0, 0.0, 100),
        (10.0, 1.5, 100),
        (14.0, 1.5, 196),
        (262_144.0, -1.0, 64),
        (216.0, -1.0, 6),
        (1e12, -1.0, 10_000),
    ];
    let odds = [1, 3, (1 << 38) - 1, 5, 7, 12_345, 654_321];
    let odds = &odds[..odds.len().min(2 + effort() as usize)];
    for (i, (base, freq_shift, divisor)) in powers.into_iter().enumerate() {
        for &odd in odds {
            let scale = halves_of_the_least(odd, divisor);
            let case = Case { d_model: 4, base, freq_shift, scale, ..PAPER };
            let even = if odd % 4 == 1 { odd / 2 } else { odd.div_ceil(2) };
            for (sign, scale) in [(0, scale), (1 << 63, -scale)] {
                let case = Case { scale, ..case.clone() };
                let found = case.spec().angular_frequencies().unwrap().last().map(f64::to_bits);
                assert_eq!(found, Some(sign | even), "{}", case.spec());
                let ties = oracle.ties;
                check(&case, &mut oracle);
                assert_eq!(oracle.ties, ties + 1, "the reference sees the tie of {}", case.spec());
            }
            // The neighbours of a tie are not ties.
            for scale in [next_up(scale), next_down(scale)] {
                check(&Case { scale, ..case.clone() }, &mut oracle);
            }
        }
        assert!(oracle.ties >= 2 * odds.len() * (i + 1));
    }
}

#[test]
fn powers_of_two_are_exact() {
    let bits = |case: &Case| case.spec().angular_frequencies().unwrap().map(f64::to_bits).collect::<Vec<_>>();
    let case = Case { d_model: 8, base: 16.0, ..PAPER };
    assert_eq!(bits(&case), [1.0, 0.5, 0.25, 0.125].map(f64::to_bits));
    let case = Case { d_model: 4, base: 16.0, freq_shift: 1.5, scale: -0.1, ..PAPER };
    assert_eq!(bits(&case), [-0.1, -0.1 / 256.0].map(f64::to_bits));
    let case = Case { d_model: 4, base: 5e-324, freq_shift: 1.5, ..PAPER };
    assert_eq!(bits(&case), [1.0, f64::INFINITY].map(f64::to_bits));
    let case = Case { scale: -5e-324, ..case };
    assert_eq!(bits(&case), [-5e-324, f64::NEG_INFINITY].map(f64::to_bits));
    let case = Case { freq_shift: 1.0, ..case };
    assert_eq!(bits(&case), [-5e-324, -1.0].map(f64::to_bits));
    let case = Case { base: f64::MAX, scale: -1e-300, ..case };
    assert_eq!(bits(&case), [-1e-300, -0.0].map(f64::to_bits));
}

/// Returns the bits of the product and whether it is a tie, by integer arithmetic alone.
fn product_bits(a: f64, b: f64) -> (u64, bool) {
    let parts = |x: f64| {
        let (binade, fraction) = (x.abs().to_bits() >> 52, u128::from(x.to_bits() & ((1 << 52) - 1)));
        if binade == 0 { (fraction, -1074) } else { (fraction | 1 << 52, i64::try_from(binade).unwrap() - 1075) }
    };
    let ((a_bits, a_exponent), (b_bits, b_exponent)) = (parts(a), parts(b));
    let (product, exponent) = (a_bits * b_bits, a_exponent + b_exponent);
    if product == 0 {
        return (0, false);
    }
    let length = 128 - i64::from(product.leading_zeros());
    let last = (exponent + length - 53).max(-1074);
    let sign = u64::from(a.is_sign_negative() != b.is_sign_negative()) << 63;
    let cut = last - exponent;
    let (kept, rest, half) = match u32::try_from(cut) {
        Ok(0) => (product, 0, 1),
        Ok(cut) if cut > 120 => (0, 1, 2),
        Ok(cut) => (product >> cut, product & ((1 << cut) - 1), 1 << (cut - 1)),
        Err(_) => (product << cut.unsigned_abs(), 0, 1),
    };
    let kept = u64::try_from(kept + u128::from(rest > half || (rest == half && kept % 2 == 1))).unwrap();
    let binade = u64::try_from(last + 1074).unwrap();
    let bits = if binade > 2045 { f64::INFINITY.to_bits() } else { kept + (binade << 52) };
    (sign | bits.min(f64::INFINITY.to_bits()), rest == half)
}

/// Odd numbers of up to 28 bits, which are short enough for products to be midpoints of two floats.
fn short() -> impl Strategy<Value = f64> {
    (1u32..1 << 28, -20..20i32).prop_map(|(bits, exponent)| f64::from(bits | 1) * 2f64.powi(exponent))
}

/// Numbers whose products are subnormal, often with their last bit just below the smallest subnormal number.
fn tiny() -> impl Strategy<Value = (f64, f64)> {
    (1u32..1 << 20, 1u32..1 << 20, 0..30i32)
        .prop_map(|(a, b, exponent)| (f64::from(a) * 2f64.powi(-550), f64::from(b) * 2f64.powi(-550 + exponent)))
}

fn finite_number() -> impl Strategy<Value = f64> {
    prop::num::f64::ZERO | prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL
}

#[test]
fn products_half_way_between_two_floats_are_the_even_one() {
    let mut ties = 0;
    let mut check = |a: f64, b: f64| {
        let (expected, tie) = product_bits(a, b);
        ties += usize::from(tie);
        let list = [b, a];
        let spec = Spec::new(2).columns(Columns::Sin).frequencies(&list).scale(a);
        let found = spec.angular_frequencies().unwrap().next().map(f64::to_bits);
        assert_eq!(found, Some(expected), "{a:e} times {b:e}");
    };
    let most = 9_007_199_254_740_991.0;
    for (a, b) in [(most, 0.5), (most, 5e-324), (most, 1.5), (most, 3.0), (most, -2.5), (134_217_729.0, 67_108_863.0)] {
        for exponent in [-1074, -1073, -1050, -600, -54, -53, 0, 1, 400, 970, 971] {
            check(a, b * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2));
        }
    }
    // Half the smallest number and its neighbours, and values that round to the largest number or beyond.
    for (a, b) in [(5e-324, 0.5), (5e-324, next_up(0.5)), (5e-324, 1.5), (-5e-324, 2.5), (5e-324, 5e-324)] {
        check(a, b);
    }
    for (a, b) in [(f64::MAX, next_up(1.0)), (f64::MAX, -2.0), (2f64.powi(600), 2f64.powi(424)), (f64::MAX, 1.0)] {
        check(a, b);
    }
    let mut runner = TestRunner::deterministic();
    for _ in 0..cases(10_000) {
        let pairs = prop_oneof![(short(), short()), tiny(), (finite_number(), finite_number())];
        let (a, b) = pairs.new_tree(&mut runner).unwrap().current();
        check(a, b);
    }
    assert!(ties > 500, "only {ties} ties");
}

fn base() -> impl Strategy<Value = f64> {
    let subnormal = prop::num::f64::SUBNORMAL.prop_map(f64::abs);
    prop_oneof![select(&BASES[..]), 1e-3..1e6, 1e-300..f64::MAX, subnormal]
}

fn freq_shift() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), select(&SHIFTS[..]), (-4000i32..900).prop_map(|x| f64::from(x) / 1024.0)]
}

fn frequency() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(-0.0), -4.0..4.0, short(), finite_number()]
}

fn distance() -> impl Strategy<Value = f64> {
    prop_oneof![select(&DISTANCES[..]), -1e6..1e6, finite_number()]
}

prop_compose! {
    fn any_case()(
        d_model in 1usize..14, base in base(), freq_shift in freq_shift(),
        scale in prop_oneof![select(&SCALES[..]), -4.0..4.0, finite_number()],
        columns in select(Columns::ALL), pairing in select(Pairing::ALL), odd in select(Odd::ALL),
        list in prop::option::weighted(0.3, prop::collection::vec(frequency(), 14)),
    ) -> Case {
        let (pairing, odd) = match (columns, odd) {
            (Columns::Both, Odd::Reject) if d_model % 2 == 1 => (pairing, Odd::LastSin),
            (Columns::Both, odd) => (pairing, odd),
            _ => (Pairing::Paired, Odd::LastSin),
        };
        let mut case = Case { d_model, base, freq_shift, frequencies: None, scale, columns, pairing, odd };
        let list = list.map(|list| list[..case.frequency_count()].to_vec());
        // Narrow tables do not allow a shift of 1.
        if list.is_some() || case.spec().angular_frequencies().is_err() {
            case.freq_shift = 0.0;
        }
        if list.is_some() {
            case.base = PAPER.base;
        }
        Case { frequencies: list, ..case }
    }
}

prop_compose! {
    fn any_pairs()(case in any_case()) -> Case {
        let odd = Odd::Zero;
        let d_model = 2 * case.frequency_count() + case.d_model % 2;
        let case = Case { d_model, odd, columns: Columns::Both, pairing: Pairing::Paired, ..case };
        // Tables with one kind of column allow more shifts.
        let freq_shift = if case.spec().angular_frequencies().is_ok() { case.freq_shift } else { 0.0 };
        Case { freq_shift, ..case }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60)))]

    #[test]
    fn frequencies_and_wavelengths_are_rounded_once(case in any_case()) {
        check(&case, &mut Oracle::default());
    }

    #[test]
    fn dot_products_are_rounded_once(case in any_pairs(), distance in distance()) {
        // Wide tables with angles of thousands of bits are left out.
        let wild = distance.abs() > 1e60 || case.scale.abs() > 1e60 || case.base < 1e-60;
        if !wild || case.d_model < 8 {
            check_dot_product(&case, distance, &mut Oracle::default());
        }
    }
}

#[test]
fn dot_products_of_usual_widths_are_rounded_once() {
    let mut oracle = Oracle::default();
    for distance in DISTANCES {
        for d_model in [2, 64, 512] {
            check_dot_product(&Case { d_model, ..PAPER }, distance, &mut oracle);
        }
        check_dot_product(&Case { d_model: 80, freq_shift: 1.0, scale: 0.125, ..PAPER }, distance, &mut oracle);
        check_dot_product(&Case { d_model: 1, odd: Odd::Zero, ..PAPER }, distance, &mut oracle);
        check_dot_product(&Case::list(&[0.0, 1.0, -0.5, 0.0, -0.0]), distance, &mut oracle);
        check_dot_product(&Case::list(&[0.0, -0.0]), distance, &mut oracle);
    }
    for distance in -30..30 {
        let case = Case { d_model: 32, base: 16.0, ..PAPER };
        assert_eq!(case.spec().dot_product(distance), case.spec().dot_product(f64::from(distance)));
        check_dot_product(&case, distance.into(), &mut oracle);
    }
}

#[test]
fn similarity_has_nothing_to_do_with_what_moves_no_angle() {
    let spec = Spec::new(64);
    let plain = spec.dot_product(7.25).unwrap();
    let amplitude = posenc::Amplitude::RsqrtD;
    let other = spec.amplitude(amplitude).start(4).step(-3).zero_row(2);
    let other = other.layout(posenc::Layout::Halves).order(posenc::Order::CosSin);
    assert_eq!(other.dot_product(7.25).unwrap().to_bits(), plain.to_bits());
    assert_eq!(spec.dot_product(-7.25).unwrap().to_bits(), plain.to_bits());
}

const PRECISION: usize = 4000;

/// Appends a frequency whose cosine is as close as possible to 1 - `excess`, and above it.
///
/// Returns the rest, which is positive.
fn take(list: &mut Vec<f64>, excess: &Real) -> Real {
    let context = Context::<HalfEven>::new(PRECISION);
    let root = finite(context.sqrt(sum(excess, excess).repr()));
    let mut frequency = f64::from_bits(nearest::<f64>(&root));
    if exactly(frequency) > root {
        frequency = next_down(frequency);
    }
    list.push(frequency);
    let taken = sum(&Real::ONE, &-finite(context.cos(exactly(frequency).repr(), None)));
    sum(excess, &-taken)
}

/// Appends `count` frequencies that successively reduce the `excess` of a sum of cosines, and returns the rest.
fn approach(list: &mut Vec<f64>, mut excess: Real, count: usize) -> Real {
    for _ in 0..count {
        excess = take(list, &excess);
        assert!(excess > Real::ZERO);
    }
    excess
}

#[test]
fn dot_products_near_zero_are_rounded_once() {
    let mut oracle = Oracle::default();
    // cos(pi as f64) is slightly above -1, and cosines of small angles bring the sum close to 0.
    for terms in (1..8).chain([15, 25]) {
        let mut list = vec![std::f64::consts::PI; terms];
        let excess = sum(&oracle.cosines(&Case::list(&list), 1.0, PRECISION), &Real::from(terms));
        let rest = approach(&mut list, excess, terms);
        assert!(magnitude(&rest) < -100 - 50 * signed(terms), "{} is not near", magnitude(&rest));
        let case = Case::list(&list);
        check_dot_product(&case, 1.0, &mut oracle);
        check_dot_product(&case, -1.0, &mut oracle);
        // The next larger frequency makes the sum negative.
        list.pop();
        list.push(next_up(case.frequencies.unwrap()[2 * terms - 1]));
        check_dot_product(&Case::list(&list), 1.0, &mut oracle);
    }
    for first in [1.0, 0.5, 0.1, 1.25, 3.0] {
        let second = std::f64::consts::PI - first;
        for second in [next_down(second), second, next_up(second)] {
            let case = Case::list(&[first, second]);
            assert!(case.spec().dot_product(1).unwrap().abs() < 1e-14);
            for distance in [1.0, -1.0, 3.0, 2f64.powi(53) + 2.0, 1e15 + 1.0] {
                check_dot_product(&case, distance, &mut oracle);
            }
        }
    }
}

#[test]
fn dot_products_near_the_middle_of_two_floats_are_rounded_once() {
    let mut oracle = Oracle::default();
    // Each of 32 cosines is 1 - 2^-53 + 2^-104 / 24. With 32 ones their sum is slightly above the midpoint of 64 and
    // the number below it, 2^-47 away.
    for near in [1, 2, 3, 8, 20] {
        let mut list = vec![2f64.powi(-26); 32];
        let middle = sum(&Real::from(32), &-(Real::ONE >> 48));
        let excess = sum(&oracle.cosines(&Case::list(&list), 1.0, PRECISION), &-middle);
        let rest = approach(&mut list, excess, near);
        assert!(magnitude(&rest) < -100 - 50 * signed(near), "{} is not near", magnitude(&rest));
        // On both sides of the midpoint.
        let nearest = list[31 + near];
        for (frequency, expected) in [(nearest, 64.0), (next_up(nearest), next_down(64.0))] {
            list[31 + near] = frequency;
            let mut whole = list.clone();
            whole.resize(64, 0.0);
            let case = Case::list(&whole);
            assert_eq!(case.spec().dot_product(1), Ok(expected));
            check_dot_product(&case, 1.0, &mut oracle);
        }
    }
}

/// Returns the next larger float of a positive one. (The standard library has it from Rust 1.86 on.)
fn next_up(x: f64) -> f64 {
    f64::from_bits(x.to_bits() + 1)
}

fn next_down(x: f64) -> f64 {
    f64::from_bits(x.to_bits() - 1)
}

fn signed(count: usize) -> isize {
    count.try_into().unwrap()
}

#[test]
fn what_is_no_spec_has_no_wavelengths() {
    let wrong = Spec::new(8).base(-1.0);
    let error = wrong.angular_frequencies().err().unwrap();
    assert!(matches!(error, SpecError::Base { value: -1.0, .. }));
    assert_eq!(wrong.wavelengths().err(), Some(error));
    assert_eq!(wrong.dot_product(1).err(), Some(error));
    let beyond = (1i64 << 53) + 1;
    let error = Spec::new(8).dot_product(beyond).unwrap_err();
    assert!(matches!(error, SpecError::Position { value, .. } if value == beyond.into()));
    let error = Spec::new(8).dot_product(f64::INFINITY).unwrap_err();
    assert!(matches!(error, SpecError::PositionNotFinite { index: None, value: f64::INFINITY, .. }));
    for spec in [Spec::new(8).columns(Columns::Sin), Spec::new(8).pairing(Pairing::Unpaired), Spec::new(7)] {
        assert!(matches!(spec.dot_product(1), Err(SpecError::NoPartner { .. })), "{spec}");
    }
}

#[test]
fn the_reference_rounds_as_the_hardware_does() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..cases(2_000) {
        let x = finite_number().new_tree(&mut runner).unwrap().current();
        assert_eq!(nearest::<f64>(&exactly(x + 0.0)), (x + 0.0).to_bits());
        let scaled = x * 2f64.powi(-800); // in the range of f32, or beyond it on both sides
        #[expect(clippy::cast_possible_truncation, reason = "this is the reference rounding")]
        let narrow = (scaled + 0.0) as f32;
        assert_eq!(nearest::<f32>(&exactly(scaled + 0.0)), narrow.bits());
    }
    let half_beyond = sum(&exactly(f64::MAX), &(Real::ONE << 970));
    assert_eq!(nearest::<f64>(&half_beyond), f64::INFINITY.to_bits());
    assert_eq!(nearest::<f64>(&sum(&half_beyond, &-Real::ONE)), f64::MAX.to_bits());
}
