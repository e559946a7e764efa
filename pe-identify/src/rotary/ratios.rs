//! The frequencies of a table as parts of the powers of a base, and the factors and lengths that rules may have.

use std::ops::Range;

use crate::interval::Interval;
use crate::numbers::cost;

/// The factors that the library has.
pub(super) const FACTORS: Interval = Interval::new(1.0, 65_536.0);

/// A number that costs more is not likely if another one would make the same table.
pub(super) const FEW: f64 = 15.0;

/// The frequencies as parts of the frequencies of a base.
pub(super) struct Ratios {
    pub(super) base: f64,
    pub(super) of: Vec<Interval>,
    /// The error of the share that is kept of a blended frequency.
    error: f64,
}

impl Ratios {
    pub(super) fn new(of: &[Interval], base: f64, error: f64) -> Self {
        let h = of.len() as f64;
        let of = of.iter().enumerate().map(|(k, frequency)| frequency.times(base.powf(k as f64 / h))).collect();
        Self { base, of, error }
    }

    pub(super) fn pairs(&self) -> usize {
        self.of.len()
    }

    /// Returns the turns per position of a frequency of the base, whose number may be a fraction.
    pub(super) fn turns(&self, k: f64) -> f64 {
        self.base.powf(-k / self.pairs() as f64) / std::f64::consts::TAU
    }

    /// Returns the ratio of a frequency that is a mean. The shares have errors of their own, by which a divisor matters less.
    pub(super) fn blended(&self, k: usize) -> Interval {
        Interval::new(self.of[k].low - self.error, self.of[k].high + self.error)
    }

    /// Returns the factors of a rule that divides these shares of the frequencies.
    pub(super) fn factor(&self, share: impl Fn(usize) -> f64) -> Option<Interval> {
        // A share `s` that is divided by the factor leaves `1 - s (1 - 1 / factor)`.
        let mut lost = Interval::new(0.0, 1.0);
        for (k, ratio) in self.of.iter().enumerate() {
            match share(k) {
                0.0 if ratio.contains(1.0) => {}
                0.0 => return None,
                1.0 => lost = lost.meet(Interval::new(1.0 - ratio.high, 1.0 - ratio.low))?,
                share => {
                    let Interval { low, high } = self.blended(k);
                    lost = lost.meet(Interval::new((1.0 - high) / share, (1.0 - low) / share))?;
                }
            }
        }
        lost.map(|lost| 1.0 / (1.0 - lost)).meet(FACTORS)
    }

    /// Returns the likeliest factor of the rule, and the pairs whose frequencies are blended.
    pub(super) fn blend(&self) -> Option<(f64, Range<usize>)> {
        let (factors, end) = self.divided();
        let begin = self.of.iter().take_while(|ratio| ratio.contains(1.0)).count();
        Some((factors.meet(FACTORS)?.likeliest()?, begin..end))
    }

    /// Returns the factors by which the last frequencies are divided, and the number of the first of these.
    fn divided(&self) -> (Interval, usize) {
        let mut all = Interval::ALL;
        for (k, ratio) in self.of.iter().enumerate().rev() {
            match all.meet(ratio.under(1.0)) {
                Some(both) => all = both,
                None => return (all, k + 1),
            }
        }
        (all, 0)
    }
}

/// Returns the lengths of contexts that models may have: powers of two, multiples of these, and round numbers.
pub(super) fn lengths() -> impl Iterator<Item = usize> {
    let multiples = [1, 3, 5].into_iter().flat_map(|odd| (8..=20).map(move |power| odd << power));
    multiples.chain([1, 2, 4, 5, 8, 10, 16, 20, 32, 64, 100, 128, 256, 1000].map(|thousands| 1000 * thousands))
}

/// Returns the cost of turns, if they are not the common ones.
pub(super) fn cost_of_turns(turns: f64, common: f64) -> f64 {
    if turns == common { 0.0 } else { cost(turns) }
}

/// Returns the cost of the length of a context. Powers of two are by far the most common.
pub(super) fn cost_of_length(length: usize) -> f64 {
    cost(length as f64) + if length.is_power_of_two() { 0.0 } else { 6.0 }
}
