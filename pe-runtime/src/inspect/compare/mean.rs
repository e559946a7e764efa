//! The mean of many numbers.

#![allow(clippy::float_arithmetic, reason = "a mean of differences, which no entry is computed from")]

/// A sum of nonnegative numbers, and what its roundings have lost (Neumaier).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    pub(super) fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        let (large, small) = if self.sum < value { (value, self.sum) } else { (self.sum, value) };
        self.lost += (large - sum) + small;
        self.sum = sum;
    }

    /// Returns the sum divided by `count`.
    pub(super) fn over(self, count: u64) -> f64 {
        // After an overflow `lost` is not finite either, and would turn the infinite sum into NaN.
        let total = if self.sum.is_finite() { self.sum + self.lost } else { self.sum };
        total / count as f64
    }
}
