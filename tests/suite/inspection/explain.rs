//! Checks every number in an explanation against an arbitrary-precision evaluation of the formula.
//!
//! The two share no code.

use std::cmp::Ordering;
use std::str::FromStr;

use dashu_float::round::mode::HalfEven;
use dashu_float::{Context, FBig};
use posenc::explain::{self, Decimal, Distance, Explanation, Stages};
use posenc::{
    Amplitude, Bf16Bits, Columns, F16Bits, Grid, Layout, MAX_POSITION, Nest, Odd, Order, Pairing, Preset, Rest, Spec,
};
use proptest::prelude::*;

use testkit::any_spec;
use testkit::case::{Case, Function, PAPER};
use testkit::formula::Formula;
use testkit::random_case::{Angles, Drawn, PARAMETERS};
use testkit::real::{Ieee, Real, exactly, finite, magnitude, product, signed};
use testkit::{Bits, Lcg, one_in, properties};

/// The correct bits of a value beyond those that its magnitude, or that of a tiny angle's cube, requires.
const SPARE_BITS: usize = 400;

/// The numbers of an explanation that do not depend on the element type.
struct Exact {
    function: Function,
    number: usize,
    /// The precision of all following numbers in bits.
    precision: usize,
    frequency: Real,
    frequency_in_turns: Real,
    wavelength: Option<Real>,
    angle: Real,
    turns: Real,
    unscaled: Real,
    amplitude: Real,
    value: Real,
}

/// An entry of a table.
#[derive(Clone, Debug)]
struct Entry {
    position: f64,
    column: usize,
    case: Case,
}

/// Returns an entry of the paper's table with other parameters.
fn at(position: f64, column: usize, case: Case) -> Entry {
    Entry { position, column, case }
}

impl Entry {
    /// Returns the exact numbers of the entry, or `None` if it is in a zero column.
    fn exact(&self) -> Option<Exact> {
        let (function, number) = self.case.column(self.column)?;
        let (mut formula, position) = (Formula::new(&self.case), exactly(self.position));
        let rough = product(&formula.frequency(number, 64), &position);
        let precision = SPARE_BITS + 3 * magnitude(&rough).unsigned_abs();
        let rounded = |x: Real| x.with_precision(precision).value();
        let (frequency, turn) = (rounded(formula.frequency(number, precision)), formula.turn(precision));
        let angle = rounded(product(&frequency, &position));
        let in_turns = |x: &Real| finite(Context::<HalfEven>::new(precision).div(x.repr(), turn.repr()));
        let (turns, frequency_in_turns) = (in_turns(&angle), in_turns(&frequency));
        let wavelength = (frequency != Real::ZERO).then(|| formula.wavelength(number, precision));
        let unscaled = formula.function(function, &angle, precision);
        let amplitude = formula.amplitude::<f64>(precision);
        let value = rounded(product(&unscaled, &amplitude));
        Some(Exact {
            function,
            number,
            precision,
            frequency,
            frequency_in_turns,
            wavelength,
            angle,
            turns,
            unscaled,
            amplitude,
            value,
        })
    }

    /// Checks everything in the explanation of the entry.
    fn check<T: Ieee>(&self, exact: Option<&Exact>) {
        let spec = self.case.spec();
        let entry: Explanation<T> = spec.explain(self.position, self.column).unwrap();
        assert_consistent(&spec, self.position, &entry);
        let Some(exact) = exact else {
            assert_eq!((entry.stages, entry.value.to_string().as_str()), (None, "0"));
            return;
        };
        let (precision, stages) = (exact.precision, entry.stages.as_ref().unwrap());
        assert_eq!(stages.function == explain::Function::Cosine, exact.function == Function::Cosine);
        assert_eq!(stages.frequency_index, exact.number);
        assert_shows(&stages.frequency, &exact.frequency, precision);
        assert_shows(&stages.frequency_in_turns, &exact.frequency_in_turns, precision);
        assert_shows(&stages.angle, &exact.angle, precision);
        assert_eq!(stages.wavelength.is_some(), exact.wavelength.is_some());
        if let (Some(shown), Some(wavelength)) = (&stages.wavelength, &exact.wavelength) {
            assert_shows(shown, wavelength, precision);
        }
        let turns = &exact.turns;
        let whole = stages.whole_turns.to_string();
        assert_eq!(real(&whole, precision), turns.trunc(), "{whole} of {turns}");
        assert!(!whole.contains(['.', 'e']));
        assert_shows(&stages.phase, &(turns - turns.trunc()), precision);
        let quarters = (turns * Real::from(4)).floor();
        assert_eq!(Real::from(stages.quadrant - 1), &quarters - (quarters.clone() >> 2).floor() * Real::from(4));
        assert_shows(&stages.unscaled, &exact.unscaled, precision);
        assert_shows(&stages.amplitude, &exact.amplitude, precision);
        assert_shows(&entry.value, &exact.value, precision);
        assert_placed(&entry, &exact.value, precision);
    }

    fn check_all_types(&self) {
        let exact = self.exact();
        let exact = exact.as_ref();
        self.check::<f32>(exact);
        self.check::<f64>(exact);
        self.check::<F16Bits>(exact);
        self.check::<Bf16Bits>(exact);
        #[cfg(feature = "half")]
        self.check::<half::f16>(exact);
        #[cfg(feature = "half")]
        self.check::<half::bf16>(exact);
    }
}

/// Parses a decimal and rounds it to `precision` bits.
///
/// (The conversion of dashu computes logarithms, which would take most of the time of these tests.)
fn real(text: &str, precision: usize) -> Real {
    let (digits, exponent) = FBig::<HalfEven, 10>::from_str(text).unwrap().into_repr().into_parts();
    let size = exponent.unsigned_abs();
    let power = Real::from_parts(Real::from(5).repr().significand().pow(size), signed(size));
    let digits = Real::from_parts(digits, 0);
    let context = Context::<HalfEven>::new(precision);
    finite(if exponent < 0 {
        context.div(digits.repr(), power.repr())
    } else {
        context.mul(digits.repr(), power.repr())
    })
}

/// Asserts that `shown` is `exact` to 40 significant digits, or exactly if it has fewer digits.
fn assert_shows(shown: &Decimal, exact: &Real, precision: usize) {
    let text = shown.to_string();
    assert_rounded(&text, exact, 40, precision);
    let digits = text.split('e').next().unwrap().trim_start_matches(['-', '0', '.']).replace('.', "");
    assert!(shown.is_exact() || digits.len() == 40, "{text}");
}

#[test]
fn each_column_of_a_grid_is_explained_as_it_is_computed() {
    let grids = [
        Grid::new([5, 7], 24),
        Grid::new([5, 7], 24).first([1, 0]).nest(Nest::Pairs).base([100.0, 1e4]),
        Grid::new([5, 7], 24).nest(Nest::Phases).scale(0.3).amplitude(2.0),
        Grid::new([5, 7], 24).nest(Nest::Frequencies).unit([(1, 2), (2, 3)]).zero_rows(1),
        Grid::new([5, 7], 26).rest(Rest::Zero).extent(64, 2),
        Grid::new([5, 7], 26).rest(Rest::Cut).first([1, 0]),
        Grid::new([5, 7], 24).widths([16, 8]),
    ];
    for grid in grids {
        let (point, mut row) = ([3.0_f64, 5.0], vec![0.0_f32; grid.d_model()]);
        grid.encode(point, &mut row).unwrap();
        let moved = |axis: usize| {
            let (mut point, mut row) = (point, vec![0.0_f32; grid.d_model()]);
            point[axis] += 1.0;
            grid.encode(point, &mut row).unwrap();
            row
        };
        let moved = [moved(0), moved(1)];
        for (j, entry) in row.iter().enumerate() {
            let explained = grid.explain::<f32>(point, j).unwrap();
            assert_eq!(explained.result.to_bits(), entry.to_bits(), "{explained}");
            assert_eq!((explained.column, explained.d_model), (j, grid.d_model()));
            // A column depends on its own axis alone.
            for axis in [0, 1] {
                let depends = moved[axis][j].to_bits() != entry.to_bits();
                assert_eq!(depends, explained.axis == Some(axis), "axis {axis}: {explained}");
            }
            let stages = explained.axis.map(|axis| (axis, point[axis]));
            assert_eq!(explained.stages.is_some(), stages.is_some());
            assert_eq!(explained.position.to_bits(), stages.map_or(point[0], |(_, at)| at).to_bits());
        }
    }
}

fn assert_rounded(text: &str, exact: &Real, digits: i32, precision: usize) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let mantissa = mantissa.trim_start_matches('-');
    let places = mantissa.split_once('.').map_or(0, |(_, fraction)| i32::try_from(fraction.len()).unwrap());
    let significant = mantissa.replace('.', "").trim_start_matches('0').len();
    let significant = i32::try_from(significant).unwrap();
    assert!(significant <= digits, "{text}");
    let last_place = exponent.parse::<i32>().unwrap() - places;
    // The possible error of the evaluation, or of the conversion here, even if the shown number is exact.
    let slack = Real::ONE << (magnitude(exact) - isize::try_from(SPARE_BITS).unwrap() / 2);
    let half = if significant == digits { real(&format!("0.5e{last_place}"), precision) } else { Real::ZERO };
    let error = real(text, precision) - exact;
    let error = if error < Real::ZERO { -error } else { error };
    if *exact == Real::ZERO {
        assert_eq!(text.trim_start_matches('-'), "0");
    } else {
        assert!(error <= half + slack, "{text} is not {exact} to {digits} digits");
    }
}

/// Asserts that the neighbours enclose `value` at the shown distances, and that the result is the nearer one.
fn assert_placed<T: Ieee>(entry: &Explanation<T>, value: &Real, precision: usize) {
    let (below, above) = (exactly(T::value(entry.below.value.bits())), exactly(T::value(entry.above.value.bits())));
    assert!(below <= *value && *value <= above);
    let gap = &above - &below;
    if gap == Real::ZERO {
        assert_eq!((entry.rounded(), entry.from_middle.to_string().as_str()), (Ordering::Equal, "0.5"));
        assert_eq!([&entry.below.distance, &entry.above.distance].map(Distance::to_string), ["0"; 2]);
        return;
    }
    let share = |part: Real| finite(Context::<HalfEven>::new(precision).div(part.repr(), gap.repr()));
    let (up, down) = (share(value - &below), share(&above - value));
    assert_rounded(&entry.below.distance.to_string(), &up, 10, precision);
    assert_rounded(&entry.above.distance.to_string(), &down, 10, precision);
    let half = Real::ONE >> 1;
    let middle = if up < half { &half - &up } else { &half - &down };
    assert_rounded(&entry.from_middle.to_string(), &middle, 10, precision);
    if up != half {
        assert_eq!(entry.rounded(), if up < half { Ordering::Less } else { Ordering::Greater });
    }
}

/// Asserts what holds for any value.
///
/// The result is what the library writes, and the nearer of the two adjacent numbers around the value.
fn assert_consistent<T: Ieee>(spec: &Spec, position: f64, entry: &Explanation<T>) {
    let mut row = vec![T::default(); spec.d_model()];
    spec.encode(position, &mut row).unwrap();
    let bits = row[entry.column].bits();
    assert_eq!((entry.position, entry.result.bits()), (position, bits));
    let Explanation { below, above, value, from_middle, .. } = entry;
    let ordered = [&below.decimal, value, &above.decimal].map(|decimal| real(&decimal.to_string(), 200));
    assert!(ordered.is_sorted(), "{entry}");
    let zero = below.value.bits() == T::SIGN;
    assert_eq!(below.decimal.to_string() == "-0", zero);
    for neighbour in [below, above] {
        assert_rounded(&neighbour.decimal.to_string(), &exactly(T::value(neighbour.value.bits())), 40, 2000);
    }

    let rank = |bits: u64| {
        let size = i64::try_from(bits & !T::SIGN).unwrap();
        if bits & T::SIGN == 0 { size } else { -size }
    };
    let distances = [below, above].map(|neighbour| share(&neighbour.distance));
    let [below, above] = [below, above].map(|neighbour| neighbour.value.bits());
    if below == above {
        assert_eq!((entry.rounded(), distances, bits), (Ordering::Equal, [0.0; 2], below));
        return;
    }
    assert_eq!(rank(above) - rank(below), 1, "{entry}");
    assert!((distances[0] + distances[1] - 1.0).abs() < 1e-9, "{entry}");
    assert!(((distances[0] - 0.5).abs() - share(from_middle)).abs() < 1e-9, "{entry}");
    // So close to the middle, ten digits of a distance do not decide. The oracle's digits do.
    let below_is_nearer = match from_middle {
        Distance::Known(distance) if distance.to_string() == "0" => below % 2 == 0,
        _ if (distances[0] - 0.5).abs() < 1e-9 => entry.rounded() == Ordering::Less,
        _ => distances[0] < 0.5,
    };
    assert_eq!(entry.rounded(), if below_is_nearer { Ordering::Less } else { Ordering::Greater }, "{entry}");
    assert_eq!(bits, if below_is_nearer { below } else { above }, "{entry}");
}

/// Returns a distance, or 0 if only a bound of it is known.
fn share(distance: &Distance) -> f64 {
    match distance {
        Distance::Known(distance) => distance.to_string().parse().unwrap(),
        Distance::LessThan(_) => 0.0,
    }
}

#[test]
fn chosen_entries_are_explained_right() {
    let huge = MAX_POSITION as f64;
    let cos_sin = Case { order: Order::CosSin, ..PAPER };
    let amplitude = |value| Case { amplitude: Amplitude::Value(value), ..PAPER };
    let entries = [
        at(4095.0, 17, PAPER),
        at(4095.0, 16, PAPER),
        at(-4095.0, 17, PAPER),
        at(huge, 17, PAPER),
        at(-huge, 510, PAPER),
        at(0.0, 17, PAPER),
        at(0.0, 4, Case { amplitude: Amplitude::RsqrtD, ..PAPER }),
        at(998.39, 300, Case { layout: Layout::Halves, ..cos_sin.clone() }),
        at(998.39, 200, Case { layout: Layout::Halves, freq_shift: 1.0, ..PAPER }),
        at(4095.0, 510, Case { base: 1e300, ..PAPER }),
        at(3.0, 511, Case { base: 1e300, ..PAPER }),
        at(4095.0, 511, Case { base: 1e-200, ..PAPER }),
        at(-huge, 510, Case { base: 1e-200, ..PAPER }),
        at(4095.0, 3, Case { base: 1e-200, d_model: 4, freq_shift: 1.5, scale: -1e300, ..PAPER }),
        // Rational frequencies, which no number of bits distinguishes from 0.1 and 0.01.
        at(3.0, 2, Case { d_model: 8, ..PAPER }),
        at(-17.5, 5, Case { d_model: 8, ..PAPER }),
        at(4095.0, 4, Case { d_model: 5, ..PAPER }),
        at(4095.0, 3, Case { d_model: 5, layout: Layout::Halves, ..PAPER }),
        at(4095.0, 4, Case { d_model: 5, odd: Odd::Zero, ..PAPER }),
        at(4095.0, 3, Case { d_model: 5, odd: Odd::Zero, freq_shift: 0.5, ..cos_sin }),
        at(4095.0, 0, Case { d_model: 1, odd: Odd::Zero, ..PAPER }),
        at(4095.0, 8, Case { d_model: 9, columns: Columns::Cos, freq_shift: -3.25, ..PAPER }),
        at(4095.0, 7, Case { d_model: 9, columns: Columns::Sin, ..PAPER }),
        at(4095.0, 7, Case { d_model: 9, pairing: Pairing::Unpaired, freq_shift: 1.0, ..PAPER }),
        at(4095.0, 17, Case { scale: -0.25, ..PAPER }),
        at(4095.0, 17, Case { scale: 0.0, ..PAPER }),
        at(4095.0, 16, Case { scale: 0.0, ..PAPER }),
        at(0.734, 18, Case { scale: 1000.0, ..PAPER }),
        at(4095.0, 17, Case { amplitude: Amplitude::RsqrtD, d_model: 768, ..PAPER }),
        at(4095.0, 16, Case { amplitude: Amplitude::Sqrt2OverD, ..PAPER }),
        at(4095.0, 16, amplitude(-65504.0)),
        at(4095.0, 17, amplitude(-1e-7)),
        at(4095.0, 17, amplitude(0.0)),
        // A midpoint of two f32, which is also not representable in the 16-bit types.
        at(0.0, 17, amplitude(1.0 + 1.0 / 16_777_216.0)),
    ];
    entries.iter().step_by(one_in(2)).for_each(Entry::check_all_types);
    let columns = [(4095.0, 0), (7.0, 3), (-1e5, 4), (1e-3, 5), (huge, 7), (1.0, 8), (-2.5, 10), (1e9, 11)];
    for (position, column) in columns.into_iter().step_by(one_in(2)) {
        let list = Case::list(&[1.0, 0.1, -0.0625, 0.0, 6.0, 1e-300]);
        at(position, column, list.clone()).check_all_types();
        at(position, column, Case { scale: -0.125, ..list }).check_all_types();
    }
}

/// For an angle of 1e-800, 5120 bits do not distinguish the cosine from 1, or the sine from the angle.
#[test]
fn what_the_most_digits_do_not_tell_is_told_by_a_bound() {
    let spec = Spec::new(2).frequencies(&[1e-300]).scale(1e-300);
    let cosine = spec.explain::<f32>(1e-200, 1).unwrap();
    assert_consistent(&spec, 1e-200, &cosine);
    assert_eq!([cosine.below.value.bits(), cosine.above.value.bits()], [0x3f7f_ffff, 0x3f80_0000]);
    assert_eq!(cosine.value.to_string(), "1.000000000000000000000000000000000000000");
    assert_eq!(cosine.below.distance.to_string(), "1.000000000");
    assert!(!cosine.value.is_exact());
    assert!(matches!(cosine.above.distance, Distance::LessThan(_)));
    assert!(cosine.above.distance.to_string().starts_with("less than 1e-15"), "{cosine}");
    let sine = spec.explain::<f32>(-1e-200, 0).unwrap();
    assert_consistent(&spec, -1e-200, &sine);
    assert_eq!(sine.value.to_string(), sine.stages.unwrap().angle.to_string());
    assert_eq!(sine.result.to_bits(), (-0.0f32).to_bits());

    // 2^-149 times half the cosine of a tiny angle is just below a tie.
    let spec = spec.amplitude(Amplitude::Value(f64::from_bits((1023 - 150) << 52)));
    let tie = spec.explain::<f32>(1e-200, 1).unwrap();
    assert_consistent(&spec, 1e-200, &tie);
    assert!(tie.from_middle.to_string().starts_with("less than 1e-15"), "{tie}");
    assert_eq!((tie.result.to_bits(), tie.rounded()), (0, Ordering::Less));
}

#[test]
fn what_is_exact_says_so() {
    let spec = Spec::new(4).scale(0.5).amplitude(Amplitude::Value(-3.0));
    let [first, second] = [0, 2].map(|column| spec.explain::<f32>(7, column).unwrap().stages.unwrap());
    let is_exact = |stages: &Stages| {
        [
            &stages.frequency,
            &stages.angle,
            &stages.amplitude,
            &stages.frequency_in_turns,
            &stages.phase,
            &stages.unscaled,
        ]
        .map(Decimal::is_exact)
    };
    assert_eq!(is_exact(&first), [true, true, true, false, false, false]);
    // A power of the base that happens to be 0.01 is not recognised as exact.
    assert_eq!(is_exact(&second), [false, false, true, false, false, false]);
    let zero = spec.explain::<f32>(0, 1).unwrap();
    assert!(zero.value.is_exact() && zero.below.decimal.is_exact() && zero.stages.unwrap().phase.is_exact());
    let root = Spec::new(3).amplitude(Amplitude::RsqrtD).explain::<f32>(0, 1).unwrap();
    assert!(!root.value.is_exact() && root.below.decimal.is_exact());
}

fn any_entry(random: &mut Lcg) -> Entry {
    let drawn = Drawn::one_in(2, &PARAMETERS, random);
    let case = Case::random::<F16Bits>(random, &drawn, 32, Angles::Any);
    let position = random.float_position(false);
    at(position, random.index(case.d_model), case)
}

properties! {
    #![cases(20)]

    #[test]
    fn random_entries_are_explained_right(entry in any_spec::drawn(any_entry)) {
        entry.check_all_types();
    }

    #[test]
    fn no_spec_makes_it_panic(drawn in any_spec::wild(), position: f64, column in 0usize..20) {
        let _ = drawn.spec().explain::<f64>(position, column);
    }

    #[test]
    fn the_result_is_the_nearer_neighbour_for_any_spec(
        drawn in any_spec::valid(1), column: prop::sample::Index, position in prop_oneof![-1e6..1e6, Just(0.0), -1e-9..1e-9],
    ) {
        let spec = drawn.spec();
        let column = column.index(spec.d_model());
        assert_consistent(&spec, position, &spec.explain::<f32>(position, column).unwrap());
        assert_consistent(&spec, position, &spec.explain::<f64>(position, column).unwrap());
        assert_consistent(&spec, position, &spec.explain::<F16Bits>(position, column).unwrap());
        assert_consistent(&spec, position, &spec.explain::<Bf16Bits>(position, column).unwrap());
    }
}

/// The largest and the smallest possible angles have 4300 bits before or after the binary point.
#[test]
fn the_ends_of_the_ranges_are_explained() {
    let least = f64::from_bits(1);
    let large = Spec::new(4).base(least).freq_shift(1.5).scale(f64::MAX);
    let small = Spec::new(4).base(f64::MAX).freq_shift(1.5).scale(-least);
    for (spec, position) in [(large, f64::MAX), (large, -f64::MAX), (small, least), (small, -least)] {
        for column in 0..4 {
            assert_consistent(&spec, position, &spec.explain::<f32>(position, column).unwrap());
            assert_consistent(&spec, position, &spec.explain::<f64>(position, column).unwrap());
        }
    }
}

#[test]
fn formulas_are_those_of_the_specs() {
    let formula = |spec: Spec| spec.explain::<f32>(1, 6).unwrap().stages.unwrap().formula;
    let eight = Spec::new(8);
    assert_eq!(formula(eight.base(0.5)), "w = 0.5^(-6/8)");
    assert_eq!(formula(eight.freq_shift(-0.5).base(1e300)), "w = 1e300^(-3/(4 + 0.5))");
    assert_eq!(formula(Spec::new(7).freq_shift(1.0).scale(-2.0)), "w = 10000^(-3/(3.5 - 1)) * -2");
    assert_eq!(formula(eight.columns(Columns::Sin)), "w = 10000^(-6/8)");
    assert_eq!(formula(eight.columns(Columns::Cos).freq_shift(1.0)), "w = 10000^(-6/(8 - 1))");
    assert_eq!(formula(eight.pairing(Pairing::Unpaired).freq_shift(1.0)), "w = 10000^(-6/(8 - 2 * 1))");
    assert_eq!(formula(eight.pairing(Pairing::Unpaired)), "w = 10000^(-6/8)");
    assert_eq!(formula(eight.layout(Layout::Halves)), "w = 10000^(-4/8)");
    assert_eq!(formula(eight.frequencies(&[4.0, 3.0, 2.0, 1.0]).scale(0.5)), "w = frequencies[3] * 0.5");
    let first = Spec::new(8).scale(3.0).explain::<f32>(1, 1).unwrap().stages.unwrap();
    assert_eq!([first.formula, first.frequency.to_string()], ["w = 10000^0 * 3", "3"]);
}

#[test]
fn text() {
    let adm = Spec::preset(Preset::Adm, 320).amplitude(Amplitude::RsqrtD);
    let entries = [
        Spec::new(512).explain::<f32>(4095, 17).unwrap().to_string(),
        adm.explain::<F16Bits>(998.39, 300).unwrap().to_string(),
        Spec::new(5).odd(Odd::Zero).explain::<f64>(1, 4).unwrap().to_string(),
        Spec::new(2).scale(-1e300).explain::<f64>(1, 0).unwrap().to_string(),
        Spec::new(2).scale(0.0).explain::<f64>(1, 1).unwrap().to_string(),
    ];
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(entries.join("\n\n")) });
}
