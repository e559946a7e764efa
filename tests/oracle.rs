//! Random entries of random tables against an arbitrary-precision evaluation of the formula.
//!
//! `POSENC_ORACLE_ENTRIES` sets how many and `POSENC_ORACLE_SEED` which; `scripts/oracle` runs a million in release.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, thread};

use dashu_float::round::mode::HalfEven;
use dashu_float::{ConstCache, Context, FBig, FpResult};
use posenc::{Element, Spec};

type Real = FBig<HalfEven>;

const DEFAULT_ENTRIES: u64 = 2048;
const DEFAULT_SEED: u64 = 2017;

/// One case is this many entries of one spec, in rows times columns, so that a frequency serves several entries.
const CASE_ENTRIES: u64 = 64;
const MOST_COLUMNS: usize = 16;

/// From this many entries on the run reports its progress.
const LONG_RUN: u64 = 100_000;
const MOST_LISTED: usize = 10;

const LARGE_BASES: [f64; 7] = [10000.0, 500_000.0, 1e6, 1e9, 65536.0, 1e300, f64::MAX];
const SMALL_BASES: [f64; 6] = [2.0, 10.0, 16.0, 1.5, 0.5, 0.1];

#[test]
fn random_entries_are_the_formula_rounded_once() {
    let seed = setting("POSENC_ORACLE_SEED", DEFAULT_SEED);
    let cases = setting("POSENC_ORACLE_ENTRIES", DEFAULT_ENTRIES).div_ceil(CASE_ENTRIES);
    let entries = cases * CASE_ENTRIES;
    let next = AtomicU64::new(0);
    let different = Mutex::new(Vec::new());
    let work = || {
        let mut oracle = Oracle::default();
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                break;
            }
            let found = Case::random(seed, case).differences(&mut oracle);
            different.lock().unwrap().extend(found);
            if entries >= LONG_RUN && case % (cases / 20) == 0 {
                println!("oracle: at {} of {entries} (seed {seed})", case * CASE_ENTRIES);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let different = different.into_inner().unwrap();
    let count = different.len();
    println!("oracle: {entries} entries checked, {count} differ (seed {seed})");
    let listed = different[..count.min(MOST_LISTED)].join("\n");
    assert_eq!(count, 0, "entries differ (seed {seed}):\n{listed}");
}

#[test]
fn the_oracle_rounds_as_the_hardware_does() {
    let mut random = Random(DEFAULT_SEED);
    for _ in 0..100_000 {
        // From below the least f32 up, and short fractions: zeros, subnormals, ties and numbers of both types.
        let exponent = 1023 - 160 + random.below(64);
        let zeros = random.below(52);
        let fraction = random.bits(52) >> zeros << zeros;
        let x = f64::from_bits(random.bits(1) << 63 | exponent << 52 | fraction);
        let exact = Real::try_from(x).unwrap();
        assert_eq!(nearest::<f64>(&exact), x.to_bits());
        #[expect(clippy::cast_possible_truncation, reason = "the rounding to compare with")]
        let narrow = x as f32;
        assert_eq!(nearest::<f32>(&exact), narrow.bits(), "{x:e}");
    }
}

fn setting(name: &str, default: u64) -> u64 {
    let parse = |text: String| text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number"));
    env::var(name).map_or(default, parse)
}

/// A spec with some rows and columns of its table.
struct Case {
    base: f64,
    d_model: usize,
    double: bool,
    positions: Vec<i64>,
    columns: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    base: f64,
    d_model: usize,
    position: i64,
    column: usize,
}

impl Case {
    /// Depends on the seed and the case's number alone, not on which thread draws it.
    fn random(seed: u64, number: u64) -> Self {
        let mut random = Random(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        let widest = 2 << random.index(12);
        let d_model = 1 + random.index(widest);
        // A power of two of different columns, a random one and others evenly apart from it.
        let columns = (1 << d_model.ilog2()).min(MOST_COLUMNS);
        let first = random.index(d_model);
        Self {
            base: match random.below(16) {
                0 => f64::from_bits(1 + random.below(f64::MAX.to_bits())),
                1 => f64::from_bits((1023 + random.below(1000)) << 52), // powers of two have dyadic frequencies
                2..8 => SMALL_BASES[random.index(SMALL_BASES.len())],
                _ => LARGE_BASES[random.index(LARGE_BASES.len())],
            },
            d_model,
            double: random.below(2) == 1,
            positions: (0..CASE_ENTRIES / columns as u64).map(|_| random.position()).collect(),
            columns: (0..columns).map(|i| (first + i * d_model / columns) % d_model).collect(),
        }
    }

    /// A line for every entry that is not what the oracle says.
    fn differences(&self, oracle: &mut Oracle) -> Vec<String> {
        oracle.frequencies.clear();
        if self.double { self.compare::<f64>(oracle) } else { self.compare::<f32>(oracle) }
    }

    fn compare<T: Ieee>(&self, oracle: &mut Oracle) -> Vec<String> {
        let &Self { base, d_model, .. } = self;
        let mut different = Vec::new();
        let mut row = vec![T::default(); d_model];
        for &position in &self.positions {
            Spec::new(d_model).base(base).encode(position, &mut row).unwrap();
            for &column in &self.columns {
                let entry = Entry { base, d_model, position, column };
                let (got, wanted) = (row[column].bits(), oracle.bits::<T>(entry));
                if got != wanted {
                    different.push(format!("{} {entry:?}: got {got:x}, wanted {wanted:x}", T::NAME));
                }
            }
        }
        different
    }
}

/// Evaluates the formula, and keeps the constants and the frequencies of a case.
#[derive(Default)]
struct Oracle {
    constants: ConstCache,
    frequencies: HashMap<(usize, usize), Real>,
}

impl Oracle {
    /// The bits of an entry: at a precision where both ends of its interval round to them.
    ///
    /// A nonzero angle is algebraic, so its sine and cosine are transcendental and such a precision exists.
    fn bits<T: Ieee>(&mut self, entry: Entry) -> u64 {
        if entry.position == 0 {
            return nearest::<T>(&Real::from(entry.column % 2));
        }
        let mut precision = 128;
        loop {
            let (low, high) = self.interval(entry, precision);
            let bits = nearest::<T>(&low);
            if bits == nearest::<T>(&high) {
                return bits;
            }
            precision *= 2;
        }
    }

    /// Two numbers around an entry: 2^-`precision` away, relative to the larger of the entry and the angle (at most 1).
    fn interval(&mut self, entry: Entry, precision: usize) -> (Real, Real) {
        // The angle is within 2^(12 - working) of itself, so even where it is large within 2^-20 of the interval.
        let working = precision + POSITION_BITS + entry.frequency_bits() + 32;
        let context = Context::<HalfEven>::new(working);
        let frequency = self.frequency(entry, working);
        let angle = finite(context.mul(frequency.repr(), Real::from(entry.position).repr()));
        let constants = Some(&mut self.constants);
        let value = finite(match entry.column % 2 {
            0 => context.sin(angle.repr(), constants),
            _ => context.cos(angle.repr(), constants),
        });
        let share = magnitude(&value).max(magnitude(&angle).min(1));
        let error = (Real::ONE << share) >> signed(precision);
        (&value - &error, &value + &error)
    }

    /// `base^(-2k / d_model)`, within 2^(11 - `precision`) of itself: the exponent times ln `base` is below 2^10.
    fn frequency(&mut self, entry: Entry, precision: usize) -> Real {
        let k = entry.column / 2;
        let power = || {
            let context = Context::<HalfEven>::new(precision);
            let exponent = -finite(context.div(Real::from(2 * k).repr(), Real::from(entry.d_model).repr()));
            let base = Real::try_from(entry.base).expect("a number");
            finite(context.powf(base.repr(), exponent.repr(), Some(&mut self.constants)))
        };
        self.frequencies.entry((k, precision)).or_insert_with(power).clone()
    }
}

/// Bits of the largest position.
const POSITION_BITS: usize = 54;

impl Entry {
    /// Bits before the point of the frequency: none unless the base is below 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1075")]
    fn frequency_bits(self) -> usize {
        let exponent = (self.column / 2 * 2) as f64 / self.d_model as f64;
        (-exponent * self.base.log2()).max(0.0).ceil() as usize
    }
}

fn finite(result: FpResult<Real>) -> Real {
    result.expect("a finite number").value()
}

/// The least exponent of a power of two above |x|.
fn magnitude(x: &Real) -> isize {
    x.repr().exponent() + signed(x.repr().digits())
}

fn signed(count: usize) -> isize {
    count.try_into().expect("some bits")
}

/// The bits of the `T` nearest to `x`, ties to even; |x| is far from overflow.
fn nearest<T: Ieee>(x: &Real) -> u64 {
    if *x == Real::ZERO {
        return 0;
    }
    let (significand, exponent) = x.repr().clone().into_parts();
    let negative = *x < Real::ZERO;
    let significand = if negative { -significand } else { significand };
    // Count in halves of the last place, of which the odd ones are ties if nothing is cut off below.
    let last = (magnitude(x) - T::SIGNIFICAND_BITS).max(T::LEAST_EXPONENT);
    let dropped = last - 1 - exponent;
    let cut = dropped.max(0).unsigned_abs();
    let halves = (&significand << (-dropped).max(0).unsigned_abs()) >> cut;
    let tie = &halves << cut == significand;
    let halves = u64::try_from(halves).expect("one bit more than a significand");
    let up = match halves % 4 {
        1 => !tie,
        3 => true,
        _ => false,
    };
    let kept = halves / 2 + u64::from(up);
    // The leading bit of a normal significand adds the one that biases its exponent; so does a carry.
    let binade = (last - T::LEAST_EXPONENT).unsigned_abs() as u64;
    u64::from(negative) << (T::WIDTH - 1) | (kept + (binade << (T::SIGNIFICAND_BITS - 1)))
}

/// An element type and its layout.
trait Ieee: Element {
    const NAME: &'static str;
    const WIDTH: u32;
    const SIGNIFICAND_BITS: isize;
    /// Of the last place of subnormal numbers.
    const LEAST_EXPONENT: isize;
    fn bits(self) -> u64;
}

impl Ieee for f32 {
    const NAME: &'static str = "f32";
    const WIDTH: u32 = 32;
    const SIGNIFICAND_BITS: isize = 24;
    const LEAST_EXPONENT: isize = -149;
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Ieee for f64 {
    const NAME: &'static str = "f64";
    const WIDTH: u32 = 64;
    const SIGNIFICAND_BITS: isize = 53;
    const LEAST_EXPONENT: isize = -1074;
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// The splitmix64 generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// That many random bits, at most 63.
    fn bits(&mut self, count: u64) -> u64 {
        self.next() & ((1 << count) - 1)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Of any binade up to 2^53, one in four negative.
    fn position(&mut self) -> i64 {
        let binade = self.below(54);
        let magnitude = i64::try_from(self.bits(binade)).expect("below 2^53");
        if self.below(4) == 0 { -magnitude } else { magnitude }
    }

    fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).expect("below a usize")
    }
}
