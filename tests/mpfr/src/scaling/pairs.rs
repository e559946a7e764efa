//! The frequencies of pairs of columns, and what rules decide by their turns.

use posenc::scaling::{Llama3, Yarn};
use rug::float::Constant;
use rug::{Float, Rational};

use super::exactly;
use crate::change::{Band, Change, turns};
use crate::value::{Factors, Source};

/// The pairs of `2 count` rotary columns whose frequencies are powers of a base. A table may have only one of each pair.
#[derive(Clone, Copy, Debug)]
pub struct Pairs {
    pub base: f64,
    pub count: usize,
}

impl Pairs {
    pub fn exponent(self, pair: usize) -> Rational {
        Rational::from((pair, self.count))
    }

    pub fn width(self) -> i64 {
        i64::try_from(2 * self.count).expect("a width")
    }

    /// Returns the turns of a pair in `length` positions, with a relative error below `2^15` units.
    pub fn turns(self, pair: usize, length: usize, precision: u32) -> Float {
        let source = Source::Power { base: self.base, exponent: self.exponent(pair) };
        turns(&source.frequency(Factors::ONE, precision), length)
    }

    /// Returns whether a pair has more turns in `length` positions than `threshold`. It never has as many.
    fn is_above(self, pair: usize, length: usize, threshold: f64) -> bool {
        let mut precision = 128;
        loop {
            let turns = self.turns(pair, length, precision);
            let error = Float::with_val(precision, &turns >> (precision - 16));
            let distance = Float::with_val(precision, &turns - threshold);
            if *distance.as_abs() > error {
                return distance.is_sign_positive();
            }
            precision *= 2;
        }
    }

    /// Returns the change of `base alpha^(d / (d - 2))`.
    pub fn ntk(self, alpha: Rational, pair: usize) -> Change {
        // The first pair is kept, also if it is the last.
        let exponent = if pair == 0 { Rational::new() } else { Rational::from((pair, self.count - 1)) };
        Change::Power { alpha, exponent }
    }

    pub fn llama3(self, rule: &Llama3, pair: usize) -> Change {
        let Llama3 { factor, low_freq_factor: low, high_freq_factor: high, .. } = *rule;
        let length = rule.original_max_position_embeddings;
        if self.is_above(pair, length, high) {
            Change::Times(Rational::from(1))
        } else if self.is_above(pair, length, low) {
            Change::Blend { factor, length, band: Band::Linear { low, high } }
        } else {
            Change::Times(exactly(factor).recip())
        }
    }

    pub fn yarn(self, rule: &Yarn, pair: usize) -> Change {
        let [fast, slow] = self.bounds(rule);
        let number = i64::try_from(pair).expect("a width");
        if !rule.truncate && fast < number && number <= slow {
            let band = Band::Logarithmic { low: rule.beta_slow, high: rule.beta_fast };
            return Change::Blend { factor: rule.factor, length: rule.original_max_position_embeddings, band };
        }
        let [low, high] = [fast.max(0), (slow + 1).min(self.width() - 1)];
        let divided = if number <= low {
            Rational::new()
        } else if number >= high {
            Rational::from(1)
        } else {
            Rational::from((number - low, high - low))
        };
        let kept = Rational::from(1 - &divided);
        Change::Times(kept + divided / exactly(rule.factor))
    }

    /// Returns the last pairs that have more turns than `beta_fast` and `beta_slow`, which may be beyond the table.
    ///
    /// The next pair has fewer: no pair has exactly as many turns, because pi is transcendental. The base is above 1.
    pub fn bounds(self, rule: &Yarn) -> [i64; 2] {
        [rule.beta_fast, rule.beta_slow].map(|turns| self.floor(turns, rule.original_max_position_embeddings))
    }

    /// Returns `floor(d ln(length / (2 pi turns)) / (2 ln(base)))`, within the range of an `i32`.
    ///
    /// The error of the first logarithm is below `2^10 u`. The second one is at least `2^-53`, and `d` is below `2^20`.
    /// So the error of the quotient is below `2^84 u`.
    fn floor(self, turns: f64, length: usize) -> i64 {
        let mut precision = 256;
        loop {
            let number = |x: f64| Float::with_val(precision, x);
            let turn = Float::with_val(precision, Constant::Pi) * 2u32;
            let ratio = Float::with_val(precision, length) / turn / turns;
            let real = ratio.ln() * self.width() / (number(self.base).ln() * 2u32);
            let error = Float::with_val(precision, 1) >> (precision - 90);
            let [low, high] = [real.clone() - &error, real + error].map(Float::floor);
            if low == high {
                return low.to_i32_saturating().expect("finite").into();
            }
            precision *= 2;
        }
    }

    /// Returns the number of pairs that turn. As in Python, the product is a float.
    pub fn turning(self, share: f64) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the number of pairs")]
        let count = (share * self.width() as f64 / 2.0).floor() as usize;
        count
    }
}
