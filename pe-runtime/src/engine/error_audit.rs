//! Measures how much of their claimed error bounds the tiers use, over random runs of positions.
//!
//! `POSENC_AUDIT_ENTRIES` sets the number of entries, or `POSENC_AUDIT_SECONDS` the time.
//!
//! `cargo xtask bounds` requests many entries and prints the results. A normal test run measures only a few.
#![allow(clippy::float_arithmetic, reason = "errors are measured")]

use core::fmt::Display;
use std::sync::Mutex;
use std::time::Instant;
use std::vec::Vec;
use std::{env, format, println, thread};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::effort::cases;
use crate::element::Element;
use crate::exact::rotation::Rotation;
use crate::exact::sinusoid::Sinusoid;
use crate::float_bits::power_of_two;
use crate::plan::Plan;
use crate::plan::positions::EquallySpaced;
use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, Layout, Order, Pairing};

/// The number of entries at an effort of 1.
const DEFAULT_ENTRIES: u32 = 50_000;

/// The number of rows that are measured in each run.
pub(crate) const ROWS: usize = 32;

/// The condition that ends an audit.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    Entries(usize),
    Seconds(u64),
}

impl Goal {
    /// Returns the goal of `POSENC_AUDIT_SECONDS`, of `POSENC_AUDIT_ENTRIES`, or otherwise of the effort.
    ///
    /// Numbers of entries are divided by `share`, which is above 1 for entries that take long.
    pub(crate) fn of_share(share: usize) -> Self {
        let number = |name| {
            let text = env::var(name).ok()?;
            let number = text.parse().ok().filter(|&number: &u64| number > 0);
            Some(number.unwrap_or_else(|| panic!("{name} is {text}, but must be an integer above 0")))
        };
        match (number("POSENC_AUDIT_SECONDS"), number("POSENC_AUDIT_ENTRIES")) {
            (Some(seconds), _) => Self::Seconds(seconds),
            (None, Some(entries)) => Self::Entries((entries as usize).div_ceil(share)),
            (None, None) => Self::Entries((cases(DEFAULT_ENTRIES) as usize).div_ceil(share)),
        }
    }

    /// Returns whether one of `threads` threads has done its part.
    fn is_reached(self, entries: usize, threads: usize, since: Instant) -> bool {
        match self {
            Self::Entries(goal) => entries >= goal.div_ceil(threads),
            Self::Seconds(seconds) => entries > 0 && since.elapsed().as_secs() >= seconds,
        }
    }
}

/// Equally spaced positions, of which some rows are measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn {
    pub(crate) spec: Spec<'static>,
    pub(crate) positions: EquallySpaced,
    pub(crate) rows: usize,
    /// A multiple of `ROWS`, or 0 if there are fewer rows.
    pub(crate) first: usize,
}

/// Draws a number of either sign from these binades.
fn any_size(binades: core::ops::Range<i32>) -> impl Strategy<Value = f64> {
    (binades, 1.0f64..2.0, any::<bool>()).prop_map(|(binade, fraction, negative)| {
        let size = fraction * power_of_two(binade);
        if negative { -size } else { size }
    })
}

prop_compose! {
    pub(crate) fn any_run()(
        base in prop_oneof![Just(10_000.0), Just(500_000.0), Just(2.0), any_size(-4..40).prop_map(f64::abs)],
        scale in prop_oneof![Just(1.0), any_size(-30..12)],
        amplitude in prop_oneof![Just(1.0), any_size(-63..63)],
        d_model in 1usize..140, halves: bool, cosines_first: bool, unpaired: bool, sines in prop::bool::weighted(0.1),
        (rows, step, start) in (2u32..usize::BITS.min(46)).prop_flat_map(|levels| {
            // Shifted to any magnitude, and such that all positions stay in range.
            let below = |bits: u32| (-1i64 << bits..1 << bits, 0..bits).prop_map(|(number, less)| number >> less);
            (Just(1 << levels), prop_oneof![Just(1), Just(-1), below(52 - levels)], below(52))
        }),
        at: prop::sample::Index,
    ) -> Drawn {
        let spec = Spec::new(d_model).base(base).scale(scale).amplitude(Amplitude::Value(amplitude));
        let layout = if halves { Layout::Halves } else { Layout::Interleaved };
        let order = if cosines_first && d_model % 2 == 0 { Order::CosSin } else { Order::SinCos };
        let pairing = if unpaired { Pairing::Unpaired } else { Pairing::Paired };
        let spec = if sines { spec.columns(Columns::Sin) } else { spec.layout(layout).order(order).pairing(pairing) };
        Drawn { spec, positions: EquallySpaced { start, step }, rows, first: at.index(rows) / ROWS * ROWS }
    }
}

impl Drawn {
    /// Returns the rows that are measured.
    pub(crate) fn rows(&self) -> core::ops::Range<usize> {
        self.first..self.rows.min(self.first + ROWS)
    }

    pub(crate) fn plan<T: Element>(&self) -> Plan<'static, T> {
        Plan::new(&self.spec).expect("parameters in their ranges")
    }

    /// Returns the least exponent of a power of two that the amplitude does not exceed.
    pub(crate) fn exponent(&self) -> i32 {
        self.plan::<f64>().amplitude().expect("not zero").exponent()
    }

    /// Calls `look` with the sinusoid of each frequency and the rotations of the measured rows.
    ///
    /// The rotations are from the exact tier and off by less than 512 units of `2^-126` amplitudes, which is negligible
    /// compared with the errors that are measured.
    pub(crate) fn sinusoids(&self, mut look: impl FnMut(&Sinusoid, &[Rotation])) {
        let plan = self.plan::<f64>();
        let mut sinusoids = plan.sinusoids();
        while let Some(sinusoid) = sinusoids.advance() {
            let at = |row| sinusoid.rotation(self.positions.at(row), self.exponent()).expect("digits enough");
            look(&sinusoid, &self.rows().map(at).collect::<Vec<_>>());
        }
    }
}

/// Returns the distance of a sum in floats from an exact number in units of `2^(exponent - 126)`, as a share of
/// `error`.
pub(crate) fn share((high, rest): (f64, f64), exact: i128, error: f64, exponent: i32) -> f64 {
    let unit = power_of_two(Rotation::BITS - exponent);
    let units = |part: f64| (part * unit) as i128;
    (units(high) + units(rest) - exact).unsigned_abs() as f64 / (error * unit)
}

/// The largest share of each of `N` tiers, and the number of entries measured.
#[derive(Clone)]
pub(crate) struct Worst<const N: usize> {
    pub(crate) shares: [f64; N],
    pub(crate) entries: usize,
}

/// Calls `look` with random values, on all threads, until the goal is reached.
///
/// `look` raises the shares and counts the entries.
pub(crate) fn worst<S: Strategy, const N: usize>(
    strategy: impl Fn() -> S + Sync,
    goal: Goal,
    look: impl Fn(S::Value, &mut Worst<N>) + Sync,
) -> Worst<N> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let since = Instant::now();
    let total = Mutex::new(Worst { shares: [0.0; N], entries: 0 });
    let work = |seed: u8| {
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let mut worst = Worst { shares: [0.0; N], entries: 0 };
        while !goal.is_reached(worst.entries, threads, since) {
            look(strategy().new_tree(&mut runner).expect("no filter").current(), &mut worst);
        }
        let mut total = total.lock().expect("no panic");
        total.entries += worst.entries;
        for (largest, share) in total.shares.iter_mut().zip(worst.shares) {
            *largest = largest.max(share);
        }
    };
    let work = &work;
    thread::scope(|scope| {
        for seed in 0..threads {
            scope.spawn(move || work(seed as u8));
        }
    });
    total.into_inner().expect("no panic")
}

/// Prints the share, and asserts that it is within the bound and above `idle`: otherwise the bound would be far too
/// large.
pub(crate) fn report(tier: impl Display, share: f64, entries: usize, idle: f64) {
    println!("audit: {tier}: at most {share:.4} of its error, {entries} entries");
    assert!(share < 1.0 && share > idle, "{}", format!("{tier}: {share} of its error"));
}
