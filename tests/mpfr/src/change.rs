//! How rules change frequencies, after all decisions.

use rug::float::Constant;
use rug::{Float, Rational};

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
pub fn turns(w: &Float, length: usize) -> Float {
    let turn = Float::with_val(w.prec(), Constant::Pi) * 2u32;
    Float::with_val(w.prec(), w * length) / turn
}
