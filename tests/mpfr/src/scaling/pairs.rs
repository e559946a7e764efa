//! Frequencies, their turns, and how rules change them.

use posenc::scaling::{Llama3, Yarn};
use rug::float::Constant;
use rug::{Float, Rational};

use super::exactly;
use crate::value::{Factors, Source};

/// How a rule changes a frequency `w`, after all decisions.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    Times(Rational),
    /// `w alpha^(-exponent)`.
    Power {
        alpha: Rational,
        exponent: Rational,
    },
    /// `w (g + (1 - g) / factor)`, where `g` is from 0 to 1 and depends on the turns in `length` positions.
    Blend {
        factor: f64,
        length: usize,
        band: Band,
    },
}

/// How much of a frequency is kept in a band, by its turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Band {
    /// `(turns - low) / (high - low)`.
    Linear { low: f64, high: f64 },
    /// `ln(turns / low) / ln(high / low)`.
    Logarithmic { low: f64, high: f64 },
}

impl Change {
    /// Returns the changed frequency.
    ///
    /// With `u = 2^-P` for the precision `P` of `w`, and a relative error of `w` below `2^14 u`, the relative error of
    /// the result is below `2^64 u`. An alpha is below `2^64`, so that its logarithm has an absolute error below
    /// `2^8 u`. In a linear band, the lower end is at most 256 times, and the turns at most 257 times, its width. The
    /// denominator of the logarithms is at least `ln(2)`. So `g` has an absolute error below `2^32 u`, and it is added to
    /// at least `2^-16`.
    pub fn of(&self, w: &Float) -> Float {
        let precision = w.prec();
        match self {
            Self::Times(factor) => Float::with_val(precision, w * factor),
            Self::Power { alpha, exponent } => (-(Float::with_val(precision, alpha).ln() * exponent)).exp() * w,
            Self::Blend { factor, length, band } => {
                let turns = turns(w, *length);
                let kept = match *band {
                    Band::Linear { low, high } => (turns - low) / (Float::with_val(precision, high) - low),
                    Band::Logarithmic { low, high } => {
                        (turns / low).ln() / (Float::with_val(precision, high) / low).ln()
                    }
                };
                let divided = (1u32 - kept.clone()) / factor;
                (kept + divided) * w
            }
        }
    }
}

/// Returns the turns of a frequency in `length` positions.
fn turns(w: &Float, length: usize) -> Float {
    let turn = Float::with_val(w.prec(), Constant::Pi) * 2u32;
    Float::with_val(w.prec(), w * length) / turn
}

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
