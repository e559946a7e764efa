//! Intervals of positive numbers, and the likely numbers in them.

use crate::ascending::sort_by_number;
use crate::numbers::{cost, written};
use crate::rounding::narrowed;

/// The numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Interval {
    /// All positive numbers.
    pub(crate) const ALL: Self = Self { low: 0.0, high: f64::INFINITY };

    pub(crate) const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    pub(crate) const fn of(number: f64) -> Self {
        Self { low: number, high: number }
    }

    pub(crate) fn contains(self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }

    pub(crate) fn width(self) -> f64 {
        self.high - self.low
    }

    /// Returns what both have in common, if there is any.
    pub(crate) fn meet(self, other: Self) -> Option<Self> {
        let common = Self { low: self.low.max(other.low), high: self.high.min(other.high) };
        (common.low <= common.high).then_some(common)
    }

    /// Returns the interval with this relative error.
    pub(crate) fn widened(self, error: f64) -> Self {
        Self { low: self.low * (1.0 - error), high: self.high * (1.0 + error) }
    }

    /// Returns the images of the numbers under a function that rises.
    pub(crate) fn map(self, rising: impl Fn(f64) -> f64) -> Self {
        Self { low: rising(self.low), high: rising(self.high) }
    }

    pub(crate) fn times(self, factor: f64) -> Self {
        self.map(|number| number * factor)
    }

    /// Returns the numbers by which `number` is divided to reach the interval.
    pub(crate) fn under(self, number: f64) -> Self {
        Self { low: number / self.high, high: number / self.low }
    }

    /// Returns up to `count` numbers that somebody may have chosen, the most likely first.
    pub(crate) fn likely(self, count: usize) -> Vec<f64> {
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
        sort_by_number(&mut numbers, |&number| cost(number));
        numbers.truncate(count);
        numbers
    }

    /// Returns the most likely number.
    pub(crate) fn likeliest(self) -> Option<f64> {
        self.likely(1).first().copied()
    }
}

/// Returns the simplest number in an interval. Columns that hardly turn may as well rest.
pub(crate) fn simplest(range: Interval) -> f64 {
    /// A number near an end must be simpler than one near the middle by two digits, unless it costs little.
    const DIGITS: f64 = 7.0;
    const SIMPLE: f64 = 20.0;
    if range.low <= 0.0 {
        return 0.0;
    }
    let middle = range.low.midpoint(range.high);
    let single = Some(f64::from(narrowed(middle))).filter(|single| range.contains(*single));
    let inner = Interval::new(range.low.midpoint(middle), middle.midpoint(range.high)).likeliest();
    let near_an_end = range.likeliest().map(|number| (number, if cost(number) <= SIMPLE { 0.0 } else { DIGITS }));
    let all =
        [near_an_end, inner.map(|number| (number, 0.0)), single.map(|number| (number, 0.0))].into_iter().flatten();
    let cost = |(number, further): &(f64, f64)| cost_in_single(*number) + further;
    all.min_by(|a, b| cost(a).total_cmp(&cost(b))).map_or(middle, |(number, _)| number)
}

/// Returns the cost of a number, which may have the digits of `f32`.
pub(crate) fn cost_in_single(number: f64) -> f64 {
    let single = narrowed(number);
    let written = if f64::from(single) == number { single.to_string().parse().unwrap_or(number) } else { number };
    cost(written)
}
