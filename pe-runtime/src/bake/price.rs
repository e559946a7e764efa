//! How long it takes to evaluate a table at build time: its price, by which calls that take too long are refused.

use crate::element::Element;
use crate::engine::floats_serve;
use crate::error_bounds::MIN_ROWS;
use crate::exact::format::{Format, decompose};
use crate::exact::frequency::{Family, FrequencyRule};
use crate::exact::limbs;
use crate::exact::scaling::Scaling;
use crate::float_bits::is_zero;
use crate::grid::Grid;
use crate::limits::MAX_SECONDS;
use crate::plan::Plan;
use crate::spec::Spec;
use crate::spec::error::SpecError;

/// What evaluates a table at build time, with the time that each step takes at most, rounded up.
///
/// Measured once on an Intel Xeon with AVX-512 (2 cores, rustc 1.95.0, 2026-11-23), and about half as much again for slower
/// machines. `cargo xtask cost --slowest` builds the most expensive calls that are accepted.
#[derive(Clone, Copy)]
pub(crate) struct Evaluator {
    /// Whether the call has names, so that it is the compiler.
    named: bool,
    /// The sine and the cosine of an angle in the exact tier, in microseconds, by the limbs of [`LIMBS`].
    exact: [u64; 5],
    /// What each frequency needs before its rows, in microseconds, with one float per number and with two.
    frequency: [u64; 2],
    /// What a band of a scaling rule adds to that.
    band: u64,
    /// An entry in nanoseconds: of `f32` and of integers up to 16 bits, of `f64`, and of the other types.
    entry: [u64; 3],
    /// An entry of a grid that is copied, in nanoseconds.
    copied: u64,
}

/// The limbs of the steps of precision.
const LIMBS: [i32; 5] = [limbs::NARROW as i32, 8, 16, 32, 80];

impl Evaluator {
    /// The macro, in a build that is not optimised.
    #[cfg(feature = "alloc")]
    pub(crate) const MACRO: Self = Self {
        named: false,
        exact: [4, 10, 400, 3_500, 30_000],
        frequency: [10, 12],
        band: 20,
        entry: [100, 200, 350],
        copied: 60,
    };

    /// The compiler, which interprets the program.
    pub(crate) const COMPILER: Self = Self {
        named: true,
        exact: [1_500, 25_000, 130_000, 2_000_000, 14_000_000],
        frequency: [1_100, 2_600],
        band: 4_500,
        entry: [4_000, 9_000, 9_000],
        copied: 1_000,
    };

    /// Checks that a table, which must have been checked, takes at most [`MAX_SECONDS`].
    pub(crate) const fn check_table<T: Element>(&self, spec: &Spec, seq_len: usize) -> Result<(), SpecError> {
        match self.table::<T>(spec, seq_len) {
            Ok(nanoseconds) => self.check(nanoseconds, seq_len, spec.d_model()),
            Err(error) => Err(error),
        }
    }

    /// Does the same for a grid.
    pub(crate) const fn check_grid<T: Element, const A: usize>(&self, grid: &Grid<A>) -> Result<(), SpecError> {
        let lowered = match grid.lower::<T>() {
            Ok(lowered) => lowered,
            Err(error) => return Err(error),
        };
        let mut nanoseconds = lowered.rows as u128 * lowered.d_model as u128 * self.copied as u128;
        let mut i = 0;
        while i < A {
            nanoseconds += match self.table::<T>(&lowered.axes[i], lowered.shape[i]) {
                Ok(nanoseconds) => nanoseconds,
                Err(error) => return Err(error),
            };
            i += 1;
        }
        self.check(nanoseconds, lowered.rows, lowered.d_model)
    }

    const fn check(&self, nanoseconds: u128, seq_len: usize, d_model: usize) -> Result<(), SpecError> {
        let seconds = nanoseconds.div_ceil(1_000_000_000);
        if seconds <= MAX_SECONDS as u128 {
            return Ok(());
        }
        let seconds = if seconds < u64::MAX as u128 { seconds as u64 } else { u64::MAX };
        Err(SpecError::SlowToEvaluate { seq_len, d_model, seconds, named: self.named })
    }

    /// Returns the price of a table in nanoseconds.
    const fn table<T: Element>(&self, spec: &Spec, rows: usize) -> Result<u128, SpecError> {
        let plan = match Plan::<T>::new(spec) {
            Ok(plan) => plan,
            Err(error) => return Err(error),
        };
        if rows == 0 || plan.width() == 0 {
            return Ok(0);
        }
        let (start, step) = match spec.check_rows(0, rows) {
            Ok(positions) => positions,
            Err(error) => return Err(error),
        };
        let last = start.wrapping_add(step.wrapping_mul(rows as i64 - 1));
        let furthest = if start.unsigned_abs() > last.unsigned_abs() { start } else { last };
        // The row at position 0 is known.
        let moving = rows as u128 - (start == 0) as u128;
        let two_floats = T::FORMAT.precision == Format::F64.precision;
        let class = match (T::FORMAT.width, T::FORMAT.integers) {
            (64, _) => 1,
            (32, None) | (..32, Some(_)) => 0,
            _ => 2,
        };
        let (frequencies, pairs) = (plan.frequencies(), plan.count() as u128);

        let octaves = Octaves::of(frequencies, plan.count(), furthest as f64);
        let far = octaves.step() > 0;
        let exact = self.exact[octaves.step()] as u128 * if far { octaves.rule_factor } else { 1 };
        let sums_serve = rows >= MIN_ROWS && floats_serve(&plan) && (two_floats || octaves.most < 128 || !self.named);
        let exact_angles = if !sums_serve {
            pairs * moving
        } else if far {
            // Those of the first rows of runs, and of the step, of which the macro takes one for each bit of a row's number.
            let steps = if self.named { 1 } else { 1 + rows.ilog2() as u128 };
            pairs * (steps + (start != 0) as u128 + rows as u128 / 192)
        } else if T::FORMAT.integers.is_none() {
            octaves.count_below(if two_floats { -495 } else { -120 }, plan.count()) * moving
        } else {
            0
        };
        let frequency = self.frequency[two_floats as usize] + if octaves.rule_factor > 1 { self.band } else { 0 };
        let entries = rows as u128 * spec.d_model() as u128 * self.entry[class] as u128;
        Ok(entries + 1000 * (pairs * frequency as u128 + exact_angles * exact))
    }
}

/// The magnitudes of the largest angles of a table, as exponents of two of radians, from the first to the last frequency.
struct Octaves {
    first: i32,
    last: i32,
    most: i32,
    /// How many times as long a frequency takes because of the scaling rule.
    rule_factor: u128,
}

impl Octaves {
    const fn of(rule: &FrequencyRule, count: usize, furthest: f64) -> Self {
        let rule_factor = match rule.scaling {
            Scaling::LogBand { .. } => 3,
            Scaling::Band { .. } => 2,
            _ => 1,
        };
        // Angles of zero are below all others.
        if is_zero(furthest) || is_zero(rule.scale) {
            return Self { first: 0, last: 0, most: i32::MIN, rule_factor };
        }
        let common = decompose(furthest).1 + decompose(rule.scale).1 + rule.unit.octaves();
        let (first, last) = (common + rule.octaves(0), common + rule.octaves(count - 1));
        let mut most = if first > last { first } else { last };
        if let Family::Given(list) = rule.family {
            let mut i = 0;
            while i < list.len() {
                let octaves = common + rule.octaves(i);
                most = if octaves > most { octaves } else { most };
                i += 1;
            }
        }
        Self { first, last, most: most + 2, rule_factor }
    }

    /// Returns the step of precision that the largest angle needs.
    const fn step(&self) -> usize {
        let mut step = 0;
        // What the frequency is off by, and what the roundings take.
        while step < LIMBS.len() - 1 && self.most.saturating_add(176) > 64 * LIMBS[step] {
            step += 1;
        }
        step
    }

    /// Returns about how many of the frequencies have angles below `2^octave` in all rows.
    const fn count_below(&self, octave: i32, count: usize) -> u128 {
        let (low, high) = if self.first < self.last { (self.first, self.last) } else { (self.last, self.first) };
        if low >= octave || self.most == i32::MIN {
            0
        } else if high < octave {
            count as u128
        } else {
            count as u128 * (octave - low) as u128 / (high - low) as u128 + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::scaling::Scaling;

    fn seconds<T: Element>(evaluator: Evaluator, spec: &Spec, rows: usize) -> u128 {
        evaluator.table::<T>(spec, rows).unwrap() / 1_000_000_000
    }

    /// Measured in compilers and macros of a slow machine, in seconds.
    #[test]
    fn long_evaluations_are_expensive() {
        let compiler = Evaluator::COMPILER;
        assert!(seconds::<f32>(compiler, &Spec::new(20_000), 3) >= 30);
        let llama = Spec::new(20_000).scaling(Scaling::llama3(8.0, 8192));
        assert!(seconds::<f64>(compiler, &llama, 3) >= 60);
        assert!(seconds::<f64>(compiler, &Spec::new(64).scale(1e300), 64) >= 60);
        assert!(seconds::<f64>(compiler, &Spec::new(2).scale(1e300).frequencies(&[1e300]).start(1), 1) >= 10);
        assert!(seconds::<f32>(compiler, &Spec::new(1000).scale(1e-42), 64) >= 30);
        assert!(seconds::<f32>(compiler, &Spec::new(64).scale(1e300), 64) >= 100);
        let of_macro = Evaluator::MACRO;
        assert!(seconds::<f64>(of_macro, &Spec::new(4096).scale(1e300), 16) >= 15);
        assert!(seconds::<f32>(of_macro, &Spec::new(1 << 24), 3) >= 60);
        assert!(seconds::<f32>(of_macro, &Spec::new(1024).amplitude(crate::Amplitude::Value(1e-30)), 65_536) >= 60);
    }

    #[test]
    fn typical_evaluations_are_cheap() {
        assert!(seconds::<f32>(Evaluator::COMPILER, &Spec::new(512), 512) <= 2);
        assert!(seconds::<f64>(Evaluator::COMPILER, &Spec::new(512), 2000) < MAX_SECONDS.into());
        assert!(seconds::<f32>(Evaluator::COMPILER, &Spec::new(4096).scale(0.0), 3) <= 9);
        assert!(seconds::<f32>(Evaluator::MACRO, &Spec::new(1024), 65_536) < MAX_SECONDS.into());
        assert!(seconds::<f64>(Evaluator::MACRO, &Spec::new(1024).start(-(1 << 53)), 32_768) < MAX_SECONDS.into());
    }
}
