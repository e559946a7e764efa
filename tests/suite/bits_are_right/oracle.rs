//! Compares random entries of random tables with an arbitrary-precision evaluation of the formula.
//!
//! `POSENC_TEST_EFFORT` or, for this test alone, `POSENC_ORACLE_ENTRIES` sets the number of entries, and
//! `POSENC_ORACLE_SEED` selects them. Another oracle, `cargo xtask oracle`, checks 10^8 entries.

use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::RangeFrom;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, thread};

use posenc::{Bf16Bits, F16Bits, MAX_POSITION, Scaling};

use testkit::case::{Case, PAPER};
use testkit::formula::Formula;
use testkit::random_case::{Angles, Drawn, PARAMETERS};
use testkit::random_rule::RULES;
use testkit::real::{Ieee, Real, exactly, nearest, nearest_integer, sum};
use testkit::{Bits, Lcg, cases};

/// The number of entries at an effort of 1.
const DEFAULT_ENTRIES: u32 = 12_000;
const DEFAULT_SEED: u64 = 2017;

/// The number of entries (rows times columns) per case; a case has one spec, so several entries share a frequency.
const CASE_ENTRIES: u64 = 32;
const MOST_COLUMNS: usize = 8;

/// Runs of at least this many entries report their progress.
const LONG_RUN: u64 = 1_000_000;
const MOST_LISTED: usize = 10;

const FLOATS: &str = "float positions";

/// The parameters of a case and of its positions.
fn parameters() -> Vec<&'static str> {
    let has_rules = cfg!(feature = "alloc");
    let of_rules = ["scaling", "freq_offset", "frequency_dtype"];
    PARAMETERS.into_iter().filter(|name| has_rules || !of_rules.contains(name)).chain([FLOATS]).collect()
}

#[test]
fn random_entries_are_the_formula_rounded_once() {
    let seed = setting("POSENC_ORACLE_SEED", DEFAULT_SEED);
    let cases = setting("POSENC_ORACLE_ENTRIES", cases(DEFAULT_ENTRIES).into()).div_ceil(CASE_ENTRIES);
    assert!(cases > 0, "an oracle of 0 entries checks nothing");
    let entries = cases * CASE_ENTRIES;
    let next = AtomicU64::new(0);
    let tally = Mutex::new(Tally::default());
    let work = || {
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                break;
            }
            let found = check_case(seed, case);
            tally.lock().unwrap().add(found);
            if entries >= LONG_RUN && case.is_multiple_of(cases / 20) {
                println!("oracle: at {} of {entries} (seed {seed})", case * CASE_ENTRIES);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let Tally { different, counts } = tally.into_inner().unwrap();
    let count = different.len();
    println!("oracle: {entries} entries checked, {count} differ (seed {seed})");
    let rules = if cfg!(feature = "alloc") { &RULES[..] } else { &[] };
    let kinds = [&["f32", "f64", "f16", "bf16", "base", "fill", "fill_positions"], &parameters()[..], rules].concat();
    let kinds = kinds.into_iter().map(|kind| (kind, counts.get(kind).copied().unwrap_or(0))).collect::<Vec<_>>();
    let listed = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ");
    println!("oracle: {listed}");
    assert!(
        entries < u64::from(DEFAULT_ENTRIES) || kinds.iter().all(|&(_, count)| count > 0),
        "something was not checked"
    );
    let listed = different[..count.min(MOST_LISTED)].join("\n");
    assert_eq!(count, 0, "entries differ (seed {seed}):\n{listed}");
}

#[test]
fn the_oracle_rounds_as_the_hardware_does() {
    let mut random = Lcg::new(DEFAULT_SEED);
    for i in 0..cases(20_000) {
        // Any number, or one from below the smallest f32 upwards. Some fractions are short. So there are zeros,
        // subnormal numbers, ties, and numbers representable in both types.
        let x = if i % 2 == 0 { random.real(-160, -96) } else { random.any() };
        let exact = exactly(x);
        assert_eq!(nearest::<f64>(&exact), (x + 0.0).to_bits());
        #[expect(clippy::cast_possible_truncation, reason = "this is the reference rounding")]
        let narrow = (x + 0.0) as f32;
        assert_eq!(nearest::<f32>(&exact), narrow.bits(), "{x:e}");
    }
    let half_beyond = sum(&exactly(f64::MAX), &(Real::ONE << 970));
    assert_eq!(nearest::<f64>(&half_beyond), f64::INFINITY.to_bits());
    assert_eq!(nearest::<f64>(&sum(&half_beyond, &-Real::ONE)), f64::MAX.to_bits());
}

#[test]
fn the_oracle_rounds_to_16_bits() {
    fn check<T: Ieee>() {
        let nearest = |x: f64| nearest::<T>(&exactly(x));
        let mut bits = 0;
        while T::value(bits) < T::MAX {
            let (x, tie) = (T::value(bits), f64::midpoint(T::value(bits), T::value(bits + 1)));
            assert_eq!([nearest(x), nearest(tie.next_down())], [bits; 2]);
            assert_eq!([nearest(-tie) & 0x7fff, nearest(tie)], [bits + bits % 2; 2]);
            assert_eq!(nearest(tie.next_up()), bits + 1);
            bits += 1;
        }
        assert_eq!((T::value(bits), nearest(T::MAX)), (T::MAX, bits));
    }
    check::<F16Bits>();
    check::<Bf16Bits>();
}

#[test]
fn the_oracle_rounds_ties_of_integers_to_even() {
    let ties = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4999, -2.4999, -1.75].map(|x| nearest_integer(&exactly(x)));
    assert_eq!(ties, [-2, -2, 0, 0, 2, 2, 2, -2, -2]);
}

fn setting(name: &str, default: u64) -> u64 {
    let parse = |text: String| text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number"));
    env::var(name).map_or(default, parse)
}

/// The differing entries, and the number of entries of each kind.
#[derive(Default)]
struct Tally {
    different: Vec<String>,
    counts: HashMap<&'static str, u64>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.different.extend(other.different);
        for (kind, count) in other.counts {
            *self.counts.entry(kind).or_default() += count;
        }
    }
}

/// Checks one case, which depends only on the seed and its number, not on the thread.
fn check_case(seed: u64, number: u64) -> Tally {
    let mut random = Lcg::stream(seed, number);
    match random.below(4) {
        0 => Entries::random::<f32>(number, &mut random).check::<f32>(),
        1 => Entries::random::<f64>(number, &mut random).check::<f64>(),
        2 => Entries::random::<F16Bits>(number, &mut random).check::<F16Bits>(),
        _ => Entries::random::<Bf16Bits>(number, &mut random).check::<Bf16Bits>(),
    }
}

/// A case, with a selection of rows and columns of its table.
struct Entries {
    case: Case,
    entry_point: EntryPoint,
    positions: Vec<f64>,
    checked: Vec<usize>,
}

/// How the positions are passed to the library.
#[derive(PartialEq)]
enum EntryPoint {
    Integers,
    Floats,
    List,
    Rows(RangeFrom<usize>),
}

impl Entries {
    fn random<T: Ieee>(number: u64, random: &mut Lcg) -> Self {
        let drawn = Drawn::in_turn(&parameters(), number, random);
        let case = Case::random::<T>(random, &drawn, 4096, Angles::Any);
        let (d_model, rows) = (case.d_model, drawn.has("start") || drawn.has("step") || drawn.has("zero_row"));
        // A power of two of distinct columns, evenly spaced. The first one is at an end, in the middle or anywhere.
        let count = (1 << d_model.ilog2()).min(MOST_COLUMNS);
        let anywhere = random.index(d_model);
        let first = random.of([0, d_model - 1, d_model / 2, anywhere, anywhere, anywhere]);
        let entry_point = match random.below(8) {
            0..4 if rows && drawn.has(FLOATS) => EntryPoint::List, // ignores the parameters of rows, as does `Integers`
            0..2 if rows => EntryPoint::Integers,
            _ if rows => EntryPoint::Rows(0..),
            0..3 if drawn.has(FLOATS) => EntryPoint::List,
            _ if drawn.has(FLOATS) => EntryPoint::Floats,
            0 => EntryPoint::Rows(0..),
            1 => EntryPoint::List,
            _ => EntryPoint::Integers,
        };
        let checked = (0..count).map(|i| (first + i * d_model / count) % d_model).collect();
        let mut entries = Self { case, entry_point, positions: Vec::new(), checked };
        entries.place(drawn.has("zero_row"), drawn.has(FLOATS), random);
        entries
    }

    /// Draws the rows, if the entry point takes rows, or else the positions.
    fn place(&mut self, zero_row: bool, floats: bool, random: &mut Lcg) {
        let (case, count) = (&mut self.case, index(CASE_ENTRIES) / self.checked.len());
        if self.entry_point == EntryPoint::Rows(0..) {
            // The number of steps that stay within the range. If there are far too few, there are enough in the other
            // direction.
            let room = |step: i64| {
                let room = MAX_POSITION - case.start * step.signum();
                let steps = if step == 0 { 1 << 40 } else { room / step.abs() };
                usize::try_from(steps).unwrap_or(usize::MAX / 2)
            };
            let step = if room(case.step) < count { -case.step } else { case.step };
            let bound = room(step) - count + 2;
            let first = index(random.position().unsigned_abs() % bound as u64);
            case.step = step;
            self.entry_point = EntryPoint::Rows(first..);
            if zero_row {
                case.zero_row = Some(if random.one_in(4) { random.index(1000) } else { first + random.index(count) });
            }
            let position = |row: usize| case.start + i64::try_from(row).unwrap() * case.step;
            self.positions = (first..first + count).map(|row| position(row) as f64).collect();
            return;
        }
        let extreme = floats && case.d_model <= 16 && random.one_in(8);
        let draw = |_| if floats { random.float_position(extreme) } else { random.position() as f64 };
        self.positions = (0..count).map(draw).collect();
        if zero_row {
            case.zero_row = Some(0); // has no effect here
        }
    }

    /// Returns a line for every entry that differs from the formula, and the counts.
    fn check<T: Ieee>(&self) -> Tally {
        let (case, spec) = (&self.case, self.case.spec());
        let mut formula = Formula::new(case);
        let mut table = vec![T::default(); self.positions.len() * case.d_model];
        let mut each = table.chunks_mut(case.d_model).zip(&self.positions);
        #[expect(clippy::cast_possible_truncation, reason = "the position is an integer")]
        let filled = match &self.entry_point {
            EntryPoint::Integers => each.try_for_each(|(row, &position)| spec.encode(position as i64, row)),
            EntryPoint::Floats => each.try_for_each(|(row, &position)| spec.encode(position, row)),
            EntryPoint::List => spec.fill_positions(&self.positions, &mut table),
            EntryPoint::Rows(rows) => spec.fill(rows.clone(), &mut table),
        };
        filled.unwrap_or_else(|error| panic!("{spec}: {error}"));
        let zeros = match &self.entry_point {
            EntryPoint::Rows(rows) => case.zero_row.and_then(|row| row.checked_sub(rows.start)),
            _ => None,
        };
        let mut different = Vec::new();
        for (row, &position) in self.positions.iter().enumerate() {
            for &column in &self.checked {
                let got = table[row * case.d_model + column].bits();
                let wanted = if zeros == Some(row) { 0 } else { formula.entry_bits::<T>(position, column) };
                if got != wanted {
                    let name = T::NAME;
                    different.push(format!("{name} {spec} at {position:e}, {column}: got {got:x}, wanted {wanted:x}"));
                }
            }
        }
        let entries = (self.positions.len() * self.checked.len()) as u64;
        Tally { different, counts: self.kinds::<T>().map(|kind| (kind, entries)).collect() }
    }

    /// Returns the element type, the parameters that apply and are not the default, and the entry point.
    fn kinds<T: Ieee>(&self) -> impl Iterator<Item = &'static str> {
        let (case, rows) = (&self.case, matches!(self.entry_point, EntryPoint::Rows(_)));
        let kinds = [
            (T::NAME, true),
            ("base", case.base != PAPER.base),
            ("freq_shift", case.freq_shift != 0.0),
            ("frequencies", case.frequencies.is_some()),
            ("scaling", case.scaling != Scaling::None),
            (case.scaling.name(), true),
            ("layout", case.layout != PAPER.layout),
            ("order", case.order != PAPER.order),
            ("columns", case.columns != PAPER.columns),
            ("pairing", case.pairing != PAPER.pairing),
            ("odd", case.odd != PAPER.odd),
            ("start", rows && case.start != 0),
            ("step", rows && case.step != 1),
            ("zero_row", rows && case.zero_row.is_some()),
            ("scale", case.scale != 1.0),
            ("unit", case.unit != (1, 1)),
            ("freq_offset", case.freq_offset != (0, 1)),
            ("frequency_dtype", case.frequency_dtype != PAPER.frequency_dtype),
            ("amplitude", case.amplitude != PAPER.amplitude),
            (FLOATS, self.positions.iter().any(|position| position.fract() != 0.0 || position.abs() > 2f64.powi(53))),
            ("fill", rows),
            ("fill_positions", self.entry_point == EntryPoint::List),
        ];
        kinds.into_iter().filter(|&(_, counts)| counts).map(|(kind, _)| kind)
    }
}

fn index(number: impl TryInto<usize, Error: Debug>) -> usize {
    number.try_into().expect("an index")
}
