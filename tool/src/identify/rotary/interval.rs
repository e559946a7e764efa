//! Intervals of positive numbers, and the likely numbers in them.

use crate::identify::numbers::{cost, written};

/// The numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Interval {
    /// All positive numbers.
    pub(super) const ALL: Self = Self { low: 0.0, high: f64::INFINITY };

    pub(super) const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    pub(super) const fn of(number: f64) -> Self {
        Self { low: number, high: number }
    }

    pub(super) fn contains(self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }

    pub(super) fn width(self) -> f64 {
        self.high - self.low
    }

    /// Returns what both have in common, if there is any.
    pub(super) fn meet(self, other: Self) -> Option<Self> {
        let common = Self { low: self.low.max(other.low), high: self.high.min(other.high) };
        (common.low <= common.high).then_some(common)
    }

    /// Returns the interval with this relative error.
    pub(super) fn widened(self, error: f64) -> Self {
        Self { low: self.low * (1.0 - error), high: self.high * (1.0 + error) }
    }

    /// Returns the images of the numbers under a function that rises.
    pub(super) fn map(self, rising: impl Fn(f64) -> f64) -> Self {
        Self { low: rising(self.low), high: rising(self.high) }
    }

    pub(super) fn times(self, factor: f64) -> Self {
        self.map(|number| number * factor)
    }

    /// Returns the numbers by which `number` is divided to reach the interval.
    pub(super) fn under(self, number: f64) -> Self {
        Self { low: number / self.high, high: number / self.low }
    }

    /// Returns up to `count` numbers that somebody may have chosen, the most likely first.
    pub(super) fn likely(self, count: usize) -> Vec<f64> {
        const MOST: f64 = 1e18;
        let (low, high) = (self.low.max(1.0 / MOST), self.high.min(MOST));
        let mut numbers = written(low, high);
        // An interval that is wide has more powers of two than that in its middle.
        let mut power = low.log2().ceil().exp2();
        while power <= high {
            if power >= low && !numbers.contains(&power) {
                numbers.push(power);
            }
            power *= 2.0;
        }
        numbers.sort_by(|a, b| cost(*a).total_cmp(&cost(*b)));
        numbers.truncate(count);
        numbers
    }

    /// Returns the most likely number.
    pub(super) fn likeliest(self) -> Option<f64> {
        self.likely(1).first().copied()
    }
}
