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

use dashu_float::round::mode::HalfEven;
use dashu_float::{ConstCache, Context};
use posenc::{Amplitude, Bf16Bits, Columns, F16Bits, Layout, MAX_POSITION, Odd, Order, Pairing, Spec};

use testkit::Bits;
use testkit::cases;
use testkit::real::{Ieee, Real, finite, magnitude, nearest, signed};

/// The number of entries at an effort of 1.
const DEFAULT_ENTRIES: u32 = 10_000;
const DEFAULT_SEED: u64 = 2017;

/// The number of entries (rows times columns) per case; a case has one spec, so several entries share a frequency.
const CASE_ENTRIES: u64 = 32;
const MOST_COLUMNS: usize = 8;

/// Runs of at least this many entries report their progress.
const LONG_RUN: u64 = 1_000_000;
const MOST_LISTED: usize = 10;

const LARGE_BASES: [f64; 7] = [10000.0, 500_000.0, 1e6, 1e9, 65536.0, 1e300, f64::MAX];
const SMALL_BASES: [f64; 6] = [2.0, 10.0, 16.0, 1.5, 0.5, 0.1];

const LARGEST_SHIFT: f64 = 16_777_216.0;

/// The parameters that may differ from their default.
///
/// The base always may. The width, the positions and the element type are also drawn for each case.
const PARAMETERS: [&str; 14] = [
    "freq_shift",
    "frequencies",
    "layout",
    "order",
    "columns",
    "pairing",
    "odd",
    "start",
    "step",
    "zero_row",
    "scale",
    "unit",
    "amplitude",
    FLOATS,
];
const FLOATS: &str = "float positions";

#[test]
fn random_entries_are_the_formula_rounded_once() {
    let seed = setting("POSENC_ORACLE_SEED", DEFAULT_SEED);
    let cases = setting("POSENC_ORACLE_ENTRIES", cases(DEFAULT_ENTRIES).into()).div_ceil(CASE_ENTRIES);
    assert!(cases > 0, "an oracle of 0 entries checks nothing");
    let entries = cases * CASE_ENTRIES;
    let next = AtomicU64::new(0);
    let tally = Mutex::new(Tally::default());
    let work = || {
        let mut oracle = Oracle::default();
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                break;
            }
            let found = check_case(seed, case, &mut oracle);
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
    let kinds = ["f32", "f64", "f16", "bf16", "base"].iter().chain(&PARAMETERS).chain(&["fill", "fill_positions"]);
    let kinds = kinds.map(|kind| (kind, counts.get(kind).copied().unwrap_or(0))).collect::<Vec<_>>();
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
    let mut random = Random(DEFAULT_SEED);
    for _ in 0..cases(20_000) {
        // The range reaches from below the smallest f32 upwards, and some fractions are short. So there are zeros,
        // subnormal numbers, ties, and numbers representable in both types.
        let exponent = 1023 - 160 + random.below(64);
        let zeros = random.below(52);
        let fraction = random.bits(52) >> zeros << zeros;
        let x = f64::from_bits(random.bits(1) << 63 | exponent << 52 | fraction);
        let exact = Real::try_from(x).unwrap();
        assert_eq!(nearest::<f64>(&exact), x.to_bits());
        #[expect(clippy::cast_possible_truncation, reason = "this is the reference rounding")]
        let narrow = x as f32;
        assert_eq!(nearest::<f32>(&exact), narrow.bits(), "{x:e}");
    }
}

#[test]
fn the_oracle_rounds_to_16_bits() {
    fn check<T: Ieee>() {
        let implicit = 1 << (T::SIGNIFICAND_BITS - 1);
        let number = |bits: u64| {
            let (binade, fraction) = (bits / implicit, bits % implicit);
            let significand = if binade > 0 { fraction + implicit } else { fraction };
            significand as f64 * power_of_two(T::LEAST_EXPONENT + signed(index(binade.max(1))) - 1)
        };
        let nearest = |x: f64| nearest::<T>(&Real::try_from(x).unwrap());
        let mut bits = 0;
        while number(bits) < T::MAX {
            let (x, tie) = (number(bits), f64::midpoint(number(bits), number(bits + 1)));
            assert_eq!([nearest(x), nearest(tie.next_down())], [bits; 2]);
            assert_eq!([nearest(-tie) & 0x7fff, nearest(tie)], [bits + bits % 2; 2]);
            assert_eq!(nearest(tie.next_up()), bits + 1);
            bits += 1;
        }
        assert_eq!((number(bits), nearest(T::MAX)), (T::MAX, bits));
    }
    check::<F16Bits>();
    check::<Bf16Bits>();
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
fn check_case(seed: u64, number: u64, oracle: &mut Oracle) -> Tally {
    let mut random = Random(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
    match random.below(4) {
        0 => Case::random::<f32>(number, &mut random).check::<f32>(oracle),
        1 => Case::random::<f64>(number, &mut random).check::<f64>(oracle),
        2 => Case::random::<F16Bits>(number, &mut random).check::<F16Bits>(oracle),
        _ => Case::random::<Bf16Bits>(number, &mut random).check::<Bf16Bits>(oracle),
    }
}

/// A spec, with a selection of rows and columns of its table.
pub(super) struct Case {
    d_model: usize,
    pub(super) base: f64,
    pub(super) freq_shift: f64,
    pub(super) frequencies: Option<Vec<f64>>,
    layout: Layout,
    order: Order,
    columns: Columns,
    pairing: Pairing,
    odd: Odd,
    start: i64,
    step: i64,
    zero_row: Option<usize>,
    pub(super) scale: f64,
    pub(super) unit: (i64, i64),
    pub(super) amplitude: Amplitude,
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

#[derive(Clone, Copy)]
enum Function {
    Sine,
    Cosine,
}

impl Case {
    /// Creates the case of pairs of a sine and a cosine, with the usual parameters, for tests that name the entries.
    pub(super) fn pairs(width: usize) -> Self {
        Self {
            d_model: width,
            base: 10_000.0,
            freq_shift: 0.0,
            frequencies: None,
            layout: Layout::Interleaved,
            order: Order::SinCos,
            columns: Columns::Both,
            pairing: Pairing::Paired,
            odd: Odd::LastSin,
            start: 0,
            step: 1,
            zero_row: None,
            scale: 1.0,
            unit: (1, 1),
            amplitude: Amplitude::Value(1.0),
            entry_point: EntryPoint::Integers,
            positions: Vec::new(),
            checked: Vec::new(),
        }
    }

    /// Draws a case.
    ///
    /// Of twelve cases, three set only the base, four also set one other parameter (each in turn), and five set about a
    /// third of all parameters.
    fn random<T: Ieee>(number: u64, random: &mut Random) -> Self {
        let parameters = PARAMETERS.len() as u64;
        let mut set = PARAMETERS.map(|_| false);
        match number % 12 {
            0..3 => {}
            kind @ 3..7 => set[index((number / 12 * 4 + kind - 3) % parameters)] = true,
            _ => set.fill_with(|| random.below(3) == 0),
        }
        let set = |name| set[PARAMETERS.iter().position(|&parameter| parameter == name).expect("a parameter")];

        let base = match random.below(16) {
            0 => f64::from_bits(1 + random.below(f64::MAX.to_bits())),
            1 => f64::from_bits((1023 + random.below(1000)) << 52), // powers of two have dyadic frequencies
            2..8 => SMALL_BASES[random.index(SMALL_BASES.len())],
            _ => LARGE_BASES[random.index(LARGE_BASES.len())],
        };
        // Angles may have thousands of digits, which makes wide tables slow.
        let wild = random.below(32) == 0;
        let widest = if wild || (base < 1e-60 && set("freq_shift")) { 16 } else { 2 << random.index(12) };
        let mut d_model = 1 + random.index(widest);

        // Of mutually exclusive parameters, the first one that is set wins.
        let columns = if set("columns") { random.of([Columns::Sin, Columns::Cos]) } else { Columns::Both };
        let both = columns == Columns::Both;
        let layout = if set("layout") && both { Layout::Halves } else { Layout::Interleaved };
        let order = if set("order") && both { Order::CosSin } else { Order::SinCos };
        let pairing = if set("pairing") && both { Pairing::Unpaired } else { Pairing::Paired };
        let odd = if set("odd") { random.of([Odd::Zero, Odd::Zero, Odd::Reject]) } else { Odd::LastSin };
        match odd {
            Odd::Zero if both => d_model |= 1,
            Odd::LastSin if order == Order::SinCos => {}
            _ => d_model += d_model % 2,
        }

        let rows = set("start") || set("step") || set("zero_row");
        // A power of two of distinct columns, evenly spaced. The first one is at an end, in the middle or anywhere.
        let count = (1 << d_model.ilog2()).min(MOST_COLUMNS);
        let anywhere = random.index(d_model);
        let first = random.of([0, d_model - 1, d_model / 2, anywhere, anywhere, anywhere]);
        let mut case = Self {
            d_model,
            base,
            freq_shift: 0.0,
            frequencies: None,
            layout,
            order,
            columns,
            pairing,
            odd,
            start: if set("start") { random.position() } else { 0 },
            step: if set("step") { random.step() } else { 1 },
            zero_row: None,
            scale: if set("scale") { random.scale(wild) } else { 1.0 },
            unit: if set("unit") { random.unit() } else { (1, 1) },
            amplitude: if set("amplitude") { random.amplitude::<T>() } else { Amplitude::Value(1.0) },
            entry_point: match random.below(8) {
                0..4 if rows && set(FLOATS) => EntryPoint::List, // ignores the parameters of rows, as does `Integers`
                0..2 if rows => EntryPoint::Integers,
                _ if rows => EntryPoint::Rows(0..),
                0..3 if set(FLOATS) => EntryPoint::List,
                _ if set(FLOATS) => EntryPoint::Floats,
                0 => EntryPoint::Rows(0..),
                1 => EntryPoint::List,
                _ => EntryPoint::Integers,
            },
            positions: Vec::new(),
            checked: (0..count).map(|i| (first + i * d_model / count) % d_model).collect(),
        };
        if set("frequencies") {
            case.base = 10000.0;
            case.frequencies = Some((0..case.frequency_count()).map(|_| random.frequency(wild)).collect());
        } else if set("freq_shift") {
            case.freq_shift = random.freq_shift(case.largest_freq_shift());
        }
        case.place(set("zero_row"), set(FLOATS), wild, random);
        case
    }

    /// Draws the rows, if the entry point takes rows, or else the positions.
    fn place(&mut self, zero_row: bool, floats: bool, wild: bool, random: &mut Random) {
        let count = index(CASE_ENTRIES) / self.checked.len();
        if self.entry_point == EntryPoint::Rows(0..) {
            // The number of steps that stay within the range. If there are far too few, there are enough in the other
            // direction.
            let room = |step: i64| {
                let room = MAX_POSITION - self.start * step.signum();
                let steps = if step == 0 { 1 << 40 } else { room / step.abs() };
                usize::try_from(steps).unwrap_or(usize::MAX / 2)
            };
            if room(self.step) < count {
                self.step = -self.step;
            }
            let bound = room(self.step) - count + 2;
            let first = index(random.position().unsigned_abs() % bound as u64);
            self.entry_point = EntryPoint::Rows(first..);
            if zero_row {
                self.zero_row =
                    Some(if random.below(4) == 0 { random.index(1000) } else { first + random.index(count) });
            }
            let position = |row: usize| self.start + i64::try_from(row).unwrap() * self.step;
            self.positions = (first..first + count).map(|row| position(row) as f64).collect();
            return;
        }
        let draw = |_| if floats { random.float_position(wild) } else { random.position() as f64 };
        self.positions = (0..count).map(draw).collect();
        if zero_row {
            self.zero_row = Some(0); // has no effect here
        }
    }

    fn spec(&self) -> Spec<'_> {
        let spec = Spec::new(self.d_model).layout(self.layout).order(self.order).columns(self.columns);
        let spec = spec.pairing(self.pairing).odd(self.odd).start(self.start).step(self.step);
        let spec = spec.scale(self.scale).unit(self.unit.0, self.unit.1).amplitude(self.amplitude);
        let spec = self.zero_row.map_or(spec, |row| spec.zero_row(row));
        match &self.frequencies {
            Some(frequencies) => spec.frequencies(frequencies),
            None => spec.base(self.base).freq_shift(self.freq_shift),
        }
    }

    /// Returns a line for every entry that differs from the oracle's, and the counts.
    fn check<T: Ieee>(&self, oracle: &mut Oracle) -> Tally {
        oracle.frequencies.clear();
        let spec = self.spec();
        let mut table = vec![T::default(); self.positions.len() * self.d_model];
        let mut each = table.chunks_mut(self.d_model).zip(&self.positions);
        #[expect(clippy::cast_possible_truncation, reason = "the position is an integer")]
        let filled = match &self.entry_point {
            EntryPoint::Integers => each.try_for_each(|(row, &position)| spec.encode(position as i64, row)),
            EntryPoint::Floats => each.try_for_each(|(row, &position)| spec.encode(position, row)),
            EntryPoint::List => spec.fill_positions(&self.positions, &mut table),
            EntryPoint::Rows(rows) => spec.fill(rows.clone(), &mut table),
        };
        filled.unwrap_or_else(|error| panic!("{spec}: {error}"));
        let zeros = match &self.entry_point {
            EntryPoint::Rows(rows) => self.zero_row.and_then(|row| row.checked_sub(rows.start)),
            _ => None,
        };
        let mut different = Vec::new();
        for (row, &position) in self.positions.iter().enumerate() {
            for &column in &self.checked {
                let got = table[row * self.d_model + column].bits();
                let wanted = if zeros == Some(row) { 0 } else { oracle.bits::<T>(self, position, column) };
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
        let rows = matches!(self.entry_point, EntryPoint::Rows(_));
        let kinds = [
            (T::NAME, true),
            ("base", self.base != 10000.0),
            ("freq_shift", self.freq_shift != 0.0),
            ("frequencies", self.frequencies.is_some()),
            ("layout", self.layout != Layout::Interleaved),
            ("order", self.order != Order::SinCos),
            ("columns", self.columns != Columns::Both),
            ("pairing", self.pairing != Pairing::Paired),
            ("odd", self.odd != Odd::LastSin),
            ("start", rows && self.start != 0),
            ("step", rows && self.step != 1),
            ("zero_row", rows && self.zero_row.is_some()),
            ("scale", self.scale != 1.0),
            ("unit", self.unit != (1, 1)),
            ("amplitude", self.amplitude != Amplitude::Value(1.0)),
            (FLOATS, self.positions.iter().any(|position| position.fract() != 0.0 || position.abs() > 2f64.powi(53))),
            ("fill", rows),
            ("fill_positions", self.entry_point == EntryPoint::List),
        ];
        kinds.into_iter().filter(|&(_, counts)| counts).map(|(kind, _)| kind)
    }

    /// Returns the width without the zero column.
    fn width(&self) -> usize {
        if self.odd == Odd::Zero { self.d_model / 2 * 2 } else { self.d_model }
    }

    fn frequency_count(&self) -> usize {
        if self.shared() { self.width().div_ceil(2) } else { self.width() }
    }

    /// Returns whether the columns of a pair share a frequency.
    fn shared(&self) -> bool {
        self.columns == Columns::Both && self.pairing == Pairing::Paired
    }

    /// Returns the shift for which the last frequency has the exponent 2.
    ///
    /// A single frequency has the exponent 0 for any shift.
    fn largest_freq_shift(&self) -> f64 {
        if self.frequency_count() < 2 {
            return LARGEST_SHIFT;
        }
        let last = (self.frequency_count() - 1) as f64;
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => self.width() as f64 / 2.0 - last / 2.0,
            (Columns::Both, Pairing::Unpaired) => self.width() as f64 / 2.0 - last / 4.0,
            _ => self.width() as f64 - last / 2.0,
        }
    }

    /// Returns the function of a column and the index of its frequency, or `None` for the zero column.
    fn column(&self, column: usize) -> Option<(Function, usize)> {
        let width = self.width();
        if column >= width {
            return None;
        }
        let (pair, place) = match (self.columns, self.layout) {
            (Columns::Sin, _) => return Some((Function::Sine, column)),
            (Columns::Cos, _) => return Some((Function::Cosine, column)),
            (Columns::Both, Layout::Interleaved) => (column / 2, column % 2),
            (Columns::Both, Layout::Halves) if column < width.div_ceil(2) => (column, 0),
            (Columns::Both, Layout::Halves) => (column - width.div_ceil(2), 1),
        };
        let sine = (place == 0) == (self.order == Order::SinCos);
        let function = if sine { Function::Sine } else { Function::Cosine };
        Some((function, if self.shared() { pair } else { 2 * pair + place }))
    }

    /// Returns the exponent of a frequency as a fraction `a / (b - c)` of exact numbers.
    fn exponent(&self, frequency: usize) -> (usize, usize, f64) {
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => (2 * frequency, self.width(), 2.0 * self.freq_shift),
            (Columns::Both, Pairing::Unpaired) => (frequency, self.width(), 2.0 * self.freq_shift),
            _ => (frequency, self.d_model, self.freq_shift),
        }
    }

    /// Returns an upper bound of the number of bits before the binary point of a nonzero angle.
    #[expect(clippy::cast_possible_truncation, reason = "the value is at most a few thousand")]
    fn angle_bits(&self, position: f64, frequency: usize) -> usize {
        let bits = |x: f64| magnitude(&Real::try_from(x).unwrap());
        let own = match &self.frequencies {
            Some(frequencies) => bits(frequencies[frequency]),
            None if frequency == 0 => 1,
            None => {
                let (a, b, c) = self.exponent(frequency);
                (-(a as f64) / (b as f64 - c) * self.base.log2()).ceil() as isize + 1
            }
        };
        let unit = bits(self.unit.0 as f64) - bits(self.unit.1 as f64) + 1;
        (own + bits(self.scale) + unit + bits(position)).max(0).unsigned_abs()
    }
}

/// Evaluates the formula, and caches constants and the frequencies of a case.
#[derive(Default)]
pub(super) struct Oracle {
    constants: ConstCache,
    /// The frequencies, each with its precision.
    frequencies: HashMap<usize, (usize, Real)>,
}

impl Oracle {
    /// Returns the bits of an entry: increases the precision until both ends of the enclosure round to the same bits.
    ///
    /// Such a precision exists. A nonzero angle is algebraic, so its sine and cosine are transcendental, and so are
    /// their products with a nonzero amplitude.
    pub(super) fn bits<T: Ieee>(&mut self, case: &Case, position: f64, column: usize) -> u64 {
        let Some((function, frequency)) = case.column(column) else { return 0 };
        if case.amplitude == Amplitude::Value(0.0) {
            return 0;
        }
        let given = case.frequencies.as_ref().map_or(1.0, |frequencies| frequencies[frequency]);
        if position == 0.0 || case.scale == 0.0 || given == 0.0 {
            return match function {
                Function::Sine => 0,
                // The square of a root is rational. Unless the root is itself representable, it is far from all squares
                // of ties.
                Function::Cosine => nearest::<T>(&amplitude(case, 512)),
            };
        }
        let mut precision = 64 + T::SIGNIFICAND_BITS.unsigned_abs();
        loop {
            let (low, high) = self.interval(case, position, function, frequency, precision);
            let bits = nearest::<T>(&low);
            if bits == nearest::<T>(&high) {
                return bits;
            }
            precision *= 2;
        }
    }

    /// Returns the ends of an enclosure of an entry.
    ///
    /// The error is 2^-`precision`, relative to the amplitude times the larger of the sine (or cosine) and the angle
    /// (at most 1).
    fn interval(
        &mut self,
        case: &Case,
        position: f64,
        function: Function,
        frequency: usize,
        precision: usize,
    ) -> (Real, Real) {
        // The relative error of the frequency is at most 2^(13 - working), and that of the angle 2^(14 - working). So
        // even for a large angle the error is at most 2^-18 of the interval. The three later roundings add 2^-32 of the
        // interval each.
        let working = precision + case.angle_bits(position, frequency) + 32;
        let context = Context::<HalfEven>::new(working);
        let frequency = self.frequency(case, frequency, working);
        let position = Real::try_from(position).expect("a number");
        let angle = finite(context.mul(frequency.repr(), position.repr()));
        let context = Context::<HalfEven>::new(precision + 32);
        let constants = Some(&mut self.constants);
        let value = finite(match function {
            Function::Sine => context.sin(angle.repr(), constants),
            Function::Cosine => context.cos(angle.repr(), constants),
        });
        let share = magnitude(&value).max(magnitude(&angle).min(1));
        let amplitude = amplitude(case, precision + 32);
        let value = finite(context.mul(value.repr(), amplitude.repr()));
        let error = Real::ONE << (share + magnitude(&amplitude) - signed(precision));
        (&value - &error, &value + &error)
    }

    /// Returns a frequency times scale and unit, with a relative error of at most 2^(13 - `precision`).
    ///
    /// The exponent, at most 2, times ln `base` is below 2^11 and has a relative rounding error of 2^-`precision`.
    fn frequency(&mut self, case: &Case, frequency: usize, precision: usize) -> Real {
        if let Some((kept, value)) = self.frequencies.get(&frequency)
            && *kept >= precision
        {
            return value.clone();
        }
        let context = Context::<HalfEven>::new(precision);
        let own = match &case.frequencies {
            Some(frequencies) => Real::try_from(frequencies[frequency]).expect("a number"),
            None if frequency == 0 => Real::ONE, // for any denominator
            None => {
                let (a, b, c) = case.exponent(frequency);
                // The difference is exact: the shift is less than 2^26, and a shift of at least 2^-42 is a multiple of
                // 2^-94.
                let c = Real::try_from(c).expect("a number");
                let denominator = finite(Context::<HalfEven>::new(128).sub(Real::from(b).repr(), c.repr()));
                let exponent = -finite(context.div(Real::from(a).repr(), denominator.repr()));
                let base = Real::try_from(case.base).expect("a number");
                finite(context.powf(base.repr(), exponent.repr(), Some(&mut self.constants)))
            }
        };
        let scale = Real::try_from(case.scale).expect("a number");
        let value = finite(context.mul(own.repr(), scale.repr()));
        let [numerator, denominator] = [case.unit.0, case.unit.1].map(Real::from);
        let value = finite(context.mul(value.repr(), numerator.repr()));
        let value = finite(context.div(value.repr(), denominator.repr()));
        self.frequencies.insert(frequency, (precision, value.clone()));
        value
    }
}

/// Returns the amplitude, exactly if it is given as a number.
///
/// Otherwise the relative error is at most 2^(1 - `precision`).
fn amplitude(case: &Case, precision: usize) -> Real {
    let context = Context::<HalfEven>::new(precision);
    let root = |numerator: usize| {
        let square = finite(context.div(Real::from(numerator).repr(), Real::from(case.d_model).repr()));
        finite(context.sqrt(square.repr()))
    };
    match case.amplitude {
        Amplitude::Value(value) => Real::try_from(value).expect("a number"),
        Amplitude::RsqrtD => root(1),
        Amplitude::Sqrt2OverD => root(2),
        Amplitude::AttentionFactor => unreachable!("no case has a scaling rule"),
    }
}

fn index(number: impl TryInto<usize, Error: Debug>) -> usize {
    number.try_into().expect("an index")
}

fn power_of_two(exponent: isize) -> f64 {
    match u64::try_from(exponent + 1022) {
        Ok(above) => f64::from_bits((above + 1) << 52),
        Err(_) => f64::from_bits(1 << (exponent + 1074)),
    }
}

/// The splitmix64 generator.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns `count` random bits, at most 63.
    fn bits(&mut self, count: u64) -> u64 {
        self.next() & ((1 << count) - 1)
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(super) fn of<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        choices[self.index(N)]
    }

    /// Returns a position from a random binade up to 2^53; one in four is negative.
    fn position(&mut self) -> i64 {
        let binade = self.below(54);
        let magnitude = i64::try_from(self.bits(binade)).expect("below 2^53");
        if self.below(4) == 0 { -magnitude } else { magnitude }
    }

    pub(super) fn float_position(&mut self, wild: bool) -> f64 {
        match self.below(8) {
            _ if wild => self.any(),
            0..2 => self.below(100_000) as f64 / 100.0, // like those of a sampler
            2 => self.real(53, 100),
            3 => self.of([0.5, -0.0, 0.1, 1e-3]),
            _ => self.real(-40, 53),
        }
    }

    /// Returns a step for which, from any start, the rows of a case stay within the range in one direction.
    fn step(&mut self) -> i64 {
        match self.below(8) {
            0..3 => -1,
            3 => self.of([0, 2, -2, 7]),
            _ => self.position() >> 9,
        }
    }

    pub(super) fn scale(&mut self, wild: bool) -> f64 {
        match self.below(16) {
            _ if wild => self.any(),
            0..3 => 1000.0,
            3..6 => 0.25,
            6..9 => -1.0,
            9 => self.of([0.0, -0.0]),
            _ => self.real(-60, 20),
        }
    }

    pub(super) fn unit(&mut self) -> (i64, i64) {
        let mut number = || {
            let bits = 1 + self.index(53);
            1 + self.below(1 << bits).cast_signed()
        };
        (number(), number())
    }

    pub(super) fn frequency(&mut self, wild: bool) -> f64 {
        match self.below(16) {
            _ if wild => self.any(),
            0 => self.of([0.0, -0.0]),
            1 => self.of([1.0, 0.5, 10000.0, -1.0, 1e-4]),
            _ => self.real(-40, 10),
        }
    }

    fn freq_shift(&mut self, largest: f64) -> f64 {
        let drawn = match self.below(16) {
            0..6 => 1.0,
            6 => 0.5,
            7 => -3.0,
            8 => 0.1,
            9 => -LARGEST_SHIFT,
            10 => largest,
            11..13 => largest * self.real(-8, -1).abs(),
            _ => self.real(-42, 23),
        };
        drawn.min(largest)
    }

    /// Returns an amplitude from the type's largest number down to below its smallest.
    ///
    /// The small ones often give subnormal results.
    pub(super) fn amplitude<T: Ieee>(&mut self) -> Amplitude {
        let least = T::LEAST_EXPONENT.max(-1070) - 4;
        let most = magnitude(&Real::try_from(T::MAX).unwrap()) - 1;
        Amplitude::Value(match self.below(16) {
            0..3 => return Amplitude::RsqrtD,
            3..6 => return Amplitude::Sqrt2OverD,
            6 => -1.0,
            7 => self.of([0.5, T::MAX]),
            8 => self.of([0.0, -0.0]),
            9..12 => self.real(least, least + T::SIGNIFICAND_BITS + 8),
            _ => self.real(least, most).clamp(-T::MAX, T::MAX),
        })
    }

    /// Returns a number from a random binade in the range.
    ///
    /// One in four is negative, and one in two has few digits, to produce ties.
    fn real(&mut self, least: isize, most: isize) -> f64 {
        let exponent = least + signed(self.index((most - least).unsigned_abs() + 1));
        let zeros = if self.below(2) == 0 { self.below(52) } else { 0 };
        let fraction = f64::from_bits(1023 << 52 | self.bits(52) >> zeros << zeros);
        let magnitude = fraction * power_of_two(exponent);
        if self.below(4) == 0 { -magnitude } else { magnitude }
    }

    /// Returns any finite number.
    fn any(&mut self) -> f64 {
        let magnitude = match self.below(8) {
            0 => self.of([f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), 1e308]),
            _ => f64::from_bits(self.below(f64::MAX.to_bits() + 1)),
        };
        if self.below(4) == 0 { -magnitude } else { magnitude }
    }

    pub(super) fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).expect("below a usize")
    }
}
