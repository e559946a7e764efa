//! Compares frequencies, wavelengths and dot products with an arbitrary-precision evaluation, to the bit.

use dashu_float::Context;
use dashu_float::round::mode::HalfEven;
use posenc::{Columns, Odd, Pairing, Spec};

use testkit::any_spec::drawn;
use testkit::case::{Case, PAPER};
use testkit::formula::Formula;
use testkit::random_case::{Angles, Drawn};
use testkit::real::{Real, exactly, finite, magnitude, nearest, power_of_two, signed, sum};
use testkit::{Lcg, cases, effort, properties};

const BASES: [f64; 10] = [10_000.0, 2.0, 16.0, 0.5, 1.5, 1.0, 6.0, 1e300, 5e-324, f64::MAX];
const SCALES: [f64; 10] = [1.0, 0.125, -2.5, 1e-300, -1e300, 5e-324, -3e-310, 0.0, f64::MAX, 0.1];
const SHIFTS: [f64; 5] = [0.0, 1.0, 0.5, -3.0, -16_777_216.0];
const DISTANCES: [f64; 10] = [1.0, 0.0, -1.0, 0.5, 1e15, 9_007_199_254_740_992.0, 998.39, 1e-160, 1e40, 5e-324];

/// Checks all frequencies and wavelengths, and returns how many frequencies are midpoints of two floats.
fn check(case: &Case) -> usize {
    let (spec, mut formula) = (case.spec(), Formula::new(case));
    let frequencies = spec.angular_frequencies().unwrap_or_else(|error| panic!("{spec}: {error}"));
    let wavelengths = spec.wavelengths().unwrap();
    let count = case.frequency_count();
    assert_eq!((frequencies.len(), wavelengths.len()), (count, count), "{spec}");
    let mut checked = 0;
    for (k, (frequency, wavelength)) in frequencies.zip(wavelengths).enumerate() {
        let found = [frequency.to_bits(), wavelength.to_bits()];
        let expected = [formula.frequency_bits(k), formula.wavelength_bits(k)];
        assert_eq!(found, expected, "{spec}: frequency or wavelength {k}: {found:x?} for {expected:x?}");
        checked += 1;
    }
    assert_eq!(checked, count);
    formula.ties
}

fn check_dot_product(case: &Case, distance: f64) {
    let found = case.spec().dot_product(distance).unwrap().to_bits();
    let expected = Formula::new(case).dot_product_bits(distance);
    assert_eq!(found, expected, "{case:?} at {distance:e}: {found:x} for {expected:x}");
}

#[test]
fn frequencies_and_wavelengths_of_all_sizes_are_rounded_once() {
    for (base, scale) in BASES.iter().flat_map(|&base| SCALES.map(|scale| (base, scale))) {
        for freq_shift in SHIFTS {
            check(&Case { d_model: 8, base, scale, freq_shift, ..PAPER });
        }
        check(&Case { d_model: 5, base, scale, ..PAPER });
    }
    check(&PAPER);
}

#[test]
fn frequencies_of_wide_tables_are_rounded_once() {
    let case = Case { d_model: 20_001, freq_shift: -0.75, scale: 0.3, ..PAPER };
    let (mut frequencies, mut formula) = (case.spec().angular_frequencies().unwrap(), Formula::new(&case));
    for k in (0..10_000).step_by(100) {
        assert_eq!(frequencies.len(), 10_001 - k);
        assert_eq!(frequencies.next().map(f64::to_bits), Some(formula.frequency_bits(k)), "{k}");
        assert!(frequencies.nth(98).is_some());
    }
    let last = case.spec().wavelengths().unwrap().last();
    assert_eq!(last.map(f64::to_bits), Some(formula.wavelength_bits(10_000)));
}

/// Subnormal numbers have fewer bits in each lower binade: the last one has a single bit, and those below none.
#[test]
fn subnormal_frequencies_and_wavelengths_are_rounded_once() {
    for exponent in (-1080..-1060).chain(-1026..-1020) {
        for fraction in [1.0, 1.25, 1.4, 1.5, 1.6, 1.75, 1.999] {
            let sized = |exponent: i32| fraction * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
            let one_kind = Case { d_model: 3, columns: Columns::Sin, ..PAPER };
            check(&Case { base: 3.0, scale: sized(exponent), ..one_kind.clone() });
            check(&Case { base: 1e9, scale: -sized(exponent + 15), ..one_kind.clone() });
            let list = [sized(exponent + 540), sized(-exponent - 980), -sized(-exponent - 975)];
            // The product with the first frequency is as small as `exponent` says, and so are the wavelengths of the
            // others.
            check(&Case { frequencies: Some(list.to_vec()), scale: 2f64.powi(-540), ..one_kind.clone() });
            check(&Case { frequencies: Some(list.to_vec()), scale: 2f64.powi(980), ..one_kind.clone() });
            let huge = f64::from_bits(1) * 2f64.powi(1074 - 980);
            check(&Case { base: huge, freq_shift: 1.0, scale: sized(-exponent - 980), ..one_kind });
        }
    }
}

#[test]
fn arrangements_have_the_frequencies_of_their_columns() {
    for (d_model, freq_shift) in (1..10).flat_map(|d_model| [0.0, 0.25, -3.0].map(|shift| (d_model, shift))) {
        let paired = Case { d_model, freq_shift, ..PAPER };
        let one_kind = |columns| Case { columns, ..paired.clone() };
        let unpaired = Case { pairing: Pairing::Unpaired, ..paired.clone() };
        let zero = |case: &Case| Case { odd: Odd::Zero, ..case.clone() };
        let cases = [one_kind(Columns::Sin), one_kind(Columns::Cos), zero(&paired), zero(&unpaired), unpaired, paired];
        for case in cases {
            check(&case);
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
    for (base, freq_shift, divisor) in powers {
        for &odd in odds {
            let scale = halves_of_the_least(odd, divisor);
            let case = Case { d_model: 4, base, freq_shift, scale, ..PAPER };
            let even = if odd % 4 == 1 { odd / 2 } else { odd.div_ceil(2) };
            for (sign, scale) in [(0, scale), (1 << 63, -scale)] {
                let case = Case { scale, ..case.clone() };
                let found = case.spec().angular_frequencies().unwrap().last().map(f64::to_bits);
                assert_eq!(found, Some(sign | even), "{}", case.spec());
                assert_eq!(check(&case), 1, "the formula sees the tie of {}", case.spec());
            }
            // The neighbours of a tie are not ties.
            for scale in [scale.next_up(), scale.next_down()] {
                check(&Case { scale, ..case.clone() });
            }
        }
    }
}

#[test]
fn powers_of_two_are_exact() {
    let case = |base, freq_shift, scale| Case { d_model: 4, base, freq_shift, scale, ..PAPER };
    for (case, expected) in [
        (case(16.0, 0.0, 1.0), [1.0, 0.25]),
        (case(16.0, 1.5, -0.1), [-0.1, -0.1 / 256.0]),
        (case(5e-324, 1.5, 1.0), [1.0, f64::INFINITY]),
        (case(5e-324, 1.5, -5e-324), [-5e-324, f64::NEG_INFINITY]),
        (case(5e-324, 1.0, -5e-324), [-5e-324, -1.0]),
        (case(f64::MAX, 1.0, -1e-300), [-1e-300, -0.0]),
    ] {
        assert!(
            case.spec().angular_frequencies().unwrap().map(f64::to_bits).eq(expected.map(f64::to_bits)),
            "{case:?}"
        );
    }
}

/// Returns two numbers: short enough for their product to be a midpoint of two floats, with a subnormal product whose last
/// bit is often just below the smallest subnormal number, or any.
fn factors(random: &mut Lcg) -> (f64, f64) {
    let odd = |random: &mut Lcg, bits, exponent| (random.bits(bits) | 1) as f64 * power_of_two(exponent);
    match random.below(3) {
        0 => {
            let [one, other] = [(); 2].map(|()| signed(random.index(40)) - 20);
            (odd(random, 28, one), odd(random, 28, other))
        }
        1 => {
            let exponent = signed(random.index(30));
            let [one, other] = [(); 2].map(|()| (1 + random.below(1 << 20)) as f64);
            (one * power_of_two(-550), other * power_of_two(exponent - 550))
        }
        _ => (random.any(), random.any()),
    }
}

#[test]
fn products_half_way_between_two_floats_are_the_even_one() {
    let mut ties = 0;
    let mut check_product = |a: f64, b: f64| {
        let frequencies = Some(vec![b, a]);
        ties += check(&Case { d_model: 2, columns: Columns::Sin, frequencies, scale: a, ..PAPER });
    };
    let most = 9_007_199_254_740_991.0;
    for (a, b) in [(most, 0.5), (most, 5e-324), (most, 1.5), (most, 3.0), (most, -2.5), (134_217_729.0, 67_108_863.0)] {
        for exponent in [-1074, -1073, -1050, -600, -54, -53, 0, 1, 400, 970, 971] {
            check_product(a, b * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2));
        }
    }
    // Half the smallest number and its neighbours, and values that round to the largest number or beyond.
    for (a, b) in [(5e-324, 0.5), (5e-324, 0.5f64.next_up()), (5e-324, 1.5), (-5e-324, 2.5), (5e-324, 5e-324)] {
        check_product(a, b);
    }
    for (a, b) in [(f64::MAX, 1f64.next_up()), (f64::MAX, -2.0), (2f64.powi(600), 2f64.powi(424)), (f64::MAX, 1.0)] {
        check_product(a, b);
    }
    let mut random = Lcg::new(53);
    for _ in 0..cases(10_000) {
        let (a, b) = factors(&mut random);
        check_product(a, b);
    }
    assert!(ties > 500, "only {ties} ties");
}

/// Returns a narrow case of what determines frequencies.
fn any_case(random: &mut Lcg) -> Case {
    let parameters = ["freq_shift", "frequencies", "columns", "pairing", "odd", "scale", "unit"];
    let drawn = Drawn::one_in(2, &parameters, random);
    let mut case = Case::random::<f64>(random, &drawn, 16, Angles::Any);
    if drawn.has("scale") && random.one_in(4) {
        case.scale = if random.one_in(2) { random.of(SCALES) } else { random.any() };
    }
    case
}

/// Returns a case with whole pairs, and a distance.
fn any_pairs(random: &mut Lcg) -> (Case, f64) {
    let mut case = any_case(random);
    (case.columns, case.pairing, case.odd) = (Columns::Both, Pairing::Paired, Odd::Zero);
    let pairs = case.frequencies.as_ref().map_or(1 + case.d_model / 2, Vec::len);
    case.d_model = (2 * pairs + random.index(2)).max(1);
    case.freq_shift = case.freq_shift.min(case.largest_freq_shift());
    let distance = match random.below(3) {
        0 => random.of(DISTANCES),
        1 => random.between(-1e6, 1e6),
        _ => random.any(),
    };
    (case, distance)
}

properties! {
    #![cases(60)]

    #[test]
    fn frequencies_and_wavelengths_are_rounded_once(case in drawn(any_case)) {
        check(&case);
    }

    #[test]
    fn dot_products_are_rounded_once((case, distance) in drawn(any_pairs)) {
        // Wide tables with angles of thousands of bits are left out.
        let wild = distance.abs() > 1e60 || case.scale.abs() > 1e60 || case.base < 1e-60;
        if !wild || case.d_model < 8 {
            check_dot_product(&case, distance);
        }
    }
}

#[test]
fn dot_products_of_usual_widths_are_rounded_once() {
    for distance in DISTANCES {
        for d_model in [2, 64, 512] {
            check_dot_product(&Case { d_model, ..PAPER }, distance);
        }
        check_dot_product(&Case { d_model: 80, freq_shift: 1.0, scale: 0.125, ..PAPER }, distance);
        check_dot_product(&Case { d_model: 1, odd: Odd::Zero, ..PAPER }, distance);
        check_dot_product(&Case::list(&[0.0, 1.0, -0.5, 0.0, -0.0]), distance);
        check_dot_product(&Case::list(&[0.0, -0.0]), distance);
    }
    for distance in -30..30 {
        let case = Case { d_model: 32, base: 16.0, ..PAPER };
        assert_eq!(case.spec().dot_product(distance), case.spec().dot_product(f64::from(distance)));
        check_dot_product(&case, distance.into());
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
        frequency = frequency.next_down();
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
    // cos(pi as f64) is slightly above -1, and cosines of small angles bring the sum close to 0.
    for terms in (1..8).chain([15, 25]) {
        let mut list = vec![std::f64::consts::PI; terms];
        let excess = sum(&Formula::new(&Case::list(&list)).cosines(1.0, PRECISION), &Real::from(terms));
        let rest = approach(&mut list, excess, terms);
        assert!(magnitude(&rest) < -100 - 50 * signed(terms), "{} is not near", magnitude(&rest));
        let case = Case::list(&list);
        check_dot_product(&case, 1.0);
        check_dot_product(&case, -1.0);
        // The next larger frequency makes the sum negative.
        list.pop();
        list.push(case.frequencies.unwrap()[2 * terms - 1].next_up());
        check_dot_product(&Case::list(&list), 1.0);
    }
    for first in [1.0, 0.5, 0.1, 1.25, 3.0] {
        let second = std::f64::consts::PI - first;
        for second in [second.next_down(), second, second.next_up()] {
            let case = Case::list(&[first, second]);
            assert!(case.spec().dot_product(1).unwrap().abs() < 1e-14);
            for distance in [1.0, -1.0, 3.0, 2f64.powi(53) + 2.0, 1e15 + 1.0] {
                check_dot_product(&case, distance);
            }
        }
    }
}

#[test]
fn dot_products_near_the_middle_of_two_floats_are_rounded_once() {
    // Each of 32 cosines is 1 - 2^-53 + 2^-104 / 24. With 32 ones their sum is slightly above the midpoint of 64 and
    // the number below it, 2^-47 away.
    for near in [1, 2, 3, 8, 20] {
        let mut list = vec![2f64.powi(-26); 32];
        let middle = sum(&Real::from(32), &-(Real::ONE >> 48));
        let excess = sum(&Formula::new(&Case::list(&list)).cosines(1.0, PRECISION), &-middle);
        let rest = approach(&mut list, excess, near);
        assert!(magnitude(&rest) < -100 - 50 * signed(near), "{} is not near", magnitude(&rest));
        // On both sides of the midpoint.
        let nearest = list[31 + near];
        for (frequency, expected) in [(nearest, 64.0), (nearest.next_up(), 64f64.next_down())] {
            list[31 + near] = frequency;
            let mut whole = list.clone();
            whole.resize(64, 0.0);
            let case = Case::list(&whole);
            assert_eq!(case.spec().dot_product(1), Ok(expected));
            check_dot_product(&case, 1.0);
        }
    }
}
