//! The formula in intervals that contain the real number, made narrower until they round to one number.
//!
//! MPFR's functions are correctly rounded to nearest: a result of `P` bits has a relative error of at most `2^-P`.
//! Below, `u = 2^-P` and `P >= 64`, so each bound has enough slack for products of errors.

use rug::float::Round;
use rug::ops::AssignRound;
use rug::{Assign, Float, Rational};
use std::cmp::Ordering;

use crate::rounding::{Digits, FORMATS};
use crate::scaling::{Attention, Change};

/// The bits of an entry in all four element types.
pub type Bits = [u64; 4];

/// The precision of the first attempt: 53 bits and about 50 more, in two limbs.
const FIRST: u32 = 104;
/// Never reached. The smallest angle, with a base and exponent that make `2^-2048`, a scale and a position of `2^-1074`,
/// and a unit of `2^-53`, is `2^-4249`, and its cosine differs from 1 by `2^-8499`.
const LAST: u32 = 1 << 15;

/// The source of a frequency.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// `base^(-exponent)`.
    Power {
        base: f64,
        exponent: Rational,
    },
    Given(f64),
    /// `base^(-exponent)`, changed by a scaling rule.
    Scaled {
        base: f64,
        exponent: Rational,
        change: Change,
    },
}

/// How many bits more a rule is evaluated with.
const CHANGED: u32 = 96;

/// Returns `base^(-exponent)`.
fn power(base: f64, exponent: &Rational, precision: u32) -> Float {
    (-(Float::with_val(precision, base).ln() * exponent)).exp()
}

impl Source {
    /// Returns the frequency times the factors of all angles, with a relative error below `2^15 u`.
    ///
    /// Exponents are at most 2, and the logarithm of an `f64` is below 745, so their product `t` is below `2^11`. It
    /// has the errors of the logarithm and of the product, `2 u` relative to it, which is below `2^13 u` in absolute
    /// terms. So its exponential has a relative error below `2^13 u`, plus `u` for its own rounding. The product with
    /// the scale adds `u`, and those with the unit `2 u`. A given frequency has only the last errors. A rule adds less than `u`, because of its
    /// additional bits, and the rounding to `precision` adds `u`.
    pub fn frequency(&self, factors: Factors, precision: u32) -> Float {
        let unscaled = match self {
            Self::Given(frequency) => Float::with_val(precision, frequency),
            Self::Power { base, exponent } => power(*base, exponent, precision),
            Self::Scaled { base, exponent, change } => {
                Float::with_val(precision, change.of(&power(*base, exponent, precision + CHANGED)))
            }
        };
        let Factors { scale, unit: (numerator, denominator) } = factors;
        unscaled * scale * numerator / denominator
    }
}

/// The factors of all angles.
#[derive(Clone, Copy)]
pub struct Factors {
    pub scale: f64,
    pub unit: (i64, i64),
}

impl Factors {
    pub const ONE: Self = Self { scale: 1.0, unit: (1, 1) };
}

/// A frequency, including the factors, to as many bits as were needed so far.
pub struct Frequency<'a> {
    source: &'a Source,
    factors: Factors,
    digits: Float,
}

impl<'a> Frequency<'a> {
    pub fn new(source: &'a Source, factors: Factors) -> Self {
        Self { source, factors, digits: source.frequency(factors, FIRST + 128) }
    }

    pub fn is_zero(&self) -> bool {
        self.factors.scale == 0.0 || *self.source == Source::Given(0.0)
    }

    /// Returns frequency times position, neither of which is 0, and the exponent of two that bounds its error.
    ///
    /// The exponent is at most `-precision`, and for an angle below 1 it is lower by as much as the angle's own
    /// exponent. With `P` bits the frequency has a relative error below `2^15 u`, and the product adds `u`. So the
    /// error is below `2^16 u` relative to the exact angle, and below `2^17 u` relative to the computed one. `P`
    /// includes 20 bits for that, and as many bits as the angle has before the point.
    fn angle(&mut self, position: f64, precision: u32) -> (Float, i32) {
        let position = Float::with_val(53, position);
        let exponent = |x: &Float| x.get_exp().expect("not 0");
        let before_point = (exponent(&self.digits) + exponent(&position) + 1).max(0);
        let precision = precision + before_point.unsigned_abs() + 20;
        if self.digits.prec() < precision {
            self.digits = self.source.frequency(self.factors, precision + 64);
        }
        let angle = Float::with_val(precision, &self.digits * &position);
        let error = exponent(&angle) + 17 - precision.cast_signed();
        (angle, error)
    }

    /// Returns the sine and cosine, times the amplitude, at a position.
    pub fn at(&mut self, position: f64, amplitude: &Amplitude, repeated: &mut u64) -> [Bits; 2] {
        if position == 0.0 || self.is_zero() {
            return [[0; 4], amplitude.rounded()];
        }
        if amplitude.is_zero() {
            return [[0; 4]; 2];
        }
        let mut precision = FIRST;
        loop {
            let (angle, error) = self.angle(position, precision);
            let (mut sin, mut cos) = (Float::new(precision), Float::new(precision));
            (&mut sin, &mut cos).assign(angle.sin_cos_ref());
            // Neither function changes by more than its argument does.
            let [sin, cos] = [sin, cos].map(|value| amplitude.times(&Interval::around(value, error)).rounded());
            if let (Some(sin), Some(cos)) = (sin, cos) {
                return [sin, cos];
            }
            precision *= 2;
            *repeated += 1;
            assert!(precision <= LAST, "not decided by {LAST} bits: position {position:e}, {:?}", self.source);
        }
    }
}

/// The numbers that differ from `centre` by at most `2^error`.
struct Interval {
    centre: Float,
    error: i32,
}

impl Interval {
    /// Encloses a value with the given error and the error of its own rounding, half a unit in the last place.
    fn around(value: Float, error: i32) -> Self {
        let exponent = value.get_exp().expect("neither function of a number other than 0 is ever 0");
        let unit = exponent - value.prec().cast_signed();
        Self { centre: value, error: error.max(unit) + 1 }
    }

    /// Returns what all numbers of the interval round to in each type, if that is one number.
    ///
    /// Rounding is monotonic, so it is enough that both ends round to the same number. The ends are computed with
    /// outward rounding. The result is `None` if an end is 0, which leaves the sign open.
    fn rounded(&self) -> Option<Bits> {
        let error = Float::with_val(2, Float::i_exp(1, self.error));
        let mut end = Float::new(self.centre.prec() + 2);
        end.assign_round(&self.centre - &error, Round::Down);
        let low = Digits::of(&end)?;
        end.assign_round(&self.centre + &error, Round::Up);
        let high = Digits::of(&end)?;
        let mut bits = [0; 4];
        for (bits, format) in bits.iter_mut().zip(&FORMATS) {
            *bits = format.nearest(&low);
            if *bits != format.nearest(&high) {
                return None;
            }
        }
        Some(bits)
    }
}

/// The factor of all entries.
pub enum Amplitude {
    Given(f64),
    /// One over the root of a number that is at least 1/2.
    RootOf(Float),
    Attention(Attention),
}

impl Amplitude {
    fn is_zero(&self) -> bool {
        matches!(self, Self::Given(0.0))
    }

    /// Returns the amplitude, and whether it is exact. If not, its error is less than a unit in the last place.
    fn with_precision(&self, precision: u32) -> (Float, bool) {
        match self {
            Self::Given(amplitude) => (Float::with_val(53, amplitude), true),
            Self::RootOf(number) => {
                let (root, order) = Float::with_val_round(precision, number.recip_sqrt_ref(), Round::Nearest);
                (root, order == Ordering::Equal)
            }
            Self::Attention(attention) => (attention.with_precision(precision), false),
        }
    }

    /// Returns the rounded amplitude, which is the entry of the cosine of 0.
    fn rounded(&self) -> Bits {
        if self.is_zero() {
            return [0; 4];
        }
        let mut precision = FIRST;
        loop {
            let (amplitude, exact) = self.with_precision(precision);
            if exact {
                let digits = Digits::of(&amplitude).expect("not 0");
                return FORMATS.each_ref().map(|format| format.nearest(&digits));
            }
            if let Some(bits) = Interval::around(amplitude, i32::MIN).rounded() {
                return bits;
            }
            precision *= 2;
            assert!(precision <= LAST, "an amplitude is not decided by {LAST} bits");
        }
    }

    /// Returns the product with a number of the interval.
    ///
    /// With amplitude `a` and its error `e`, value `v` and its error `f`, the error of the product is at most
    /// `|a| f + |v| e + e f`, since the product of the centres is exact. `|a| < 2^A` and `|v| < 2^V`, with MPFR's
    /// exponents, and `e` is below `2^(A - precision)`. The third term is smaller than the first, so four times
    /// the larger of the first two is enough.
    fn times(&self, value: &Interval) -> Interval {
        let precision = value.centre.prec();
        let (amplitude, exact) = self.with_precision(precision);
        let exponent = |x: &Float| x.get_exp().expect("not 0");
        let mut error = exponent(&amplitude) + value.error;
        if !exact {
            error = error.max(exponent(&amplitude) + exponent(&value.centre) - precision.cast_signed()) + 2;
        }
        let centre = Float::with_val(precision + amplitude.prec(), &value.centre * &amplitude);
        Interval { centre, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// The formula as written, in 6000 bits.
    fn naive(base: f64, exponent: f64, scale: f64, position: f64, amplitude: f64) -> [Bits; 2] {
        let wide = |x: f64| Float::with_val(6000, x);
        let angle = wide(position) * wide(scale) * rug::ops::Pow::pow(wide(base), -wide(exponent));
        let (sin, cos) = angle.sin_cos(Float::new(6000));
        [sin, cos].map(|value| {
            let value = Digits::of(&(value * amplitude)).expect("not 0");
            FORMATS.each_ref().map(|format| format.nearest(&value))
        })
    }

    #[test]
    fn intervals_agree_with_the_formula_in_6000_bits() {
        let mut rng = Rng::of_block(3, 3);
        for round in 0..3000 {
            let reach = if round % 10 == 0 { 900 } else { 40 };
            let base = rng.of_any_size(-reach, reach);
            let exponent = f64::from(i32::try_from(rng.integer(0, 128)).expect("small")) / 64.0;
            let scale = rng.of_any_size(-reach / 2, reach / 4);
            let position = rng.of_any_size(-20, 60);
            let position = if rng.percent(50) { position.ceil() } else { position };
            let position = rng.sign(position);
            let amplitude = rng.of_any_size(-12, 8);
            let source = Source::Power { base, exponent: Rational::from_f64(exponent).expect("finite") };
            let found = Frequency::new(&source, Factors { scale, ..Factors::ONE }).at(
                position,
                &Amplitude::Given(amplitude),
                &mut 0,
            );
            let wanted = naive(base, exponent, scale, position, amplitude);
            assert_eq!(found, wanted, "{base:e}^-{exponent} * {scale:e} * {position:e}, times {amplitude:e}");
        }
    }

    #[test]
    fn roots_agree_with_those_in_2000_bits() {
        for d in 1..5000 {
            for number in [Float::with_val(64, d), Float::with_val(64, d) / 2] {
                let root = Digits::of(&Float::with_val(2000, number.recip_sqrt_ref())).expect("not 0");
                let wanted = FORMATS.each_ref().map(|format| format.nearest(&root));
                assert_eq!(Amplitude::RootOf(number).rounded(), wanted, "{d}");
            }
        }
    }

    #[test]
    fn a_cosine_close_to_half_way_is_decided() {
        // The cosine is below 1 by 2^-2001. So the product is that much below the midpoint of 1 and 1 + 2^-23, and
        // below the midpoint of that number and 1 + 2^-22. Ties would go to the even numbers, 1 and 1 + 2^-22.
        let source = Source::Given(2f64.powi(-1000));
        let amplitude = Amplitude::Given(1.0 + 2f64.powi(-24));
        let mut repeated = 0;
        let [sin, cos] = Frequency::new(&source, Factors::ONE).at(1.0, &amplitude, &mut repeated);
        assert_eq!((cos[0], sin[0]), (u64::from(1f32.to_bits()), 0));
        assert!(repeated > 3);
        let amplitude = Amplitude::Given(1.0 + 3.0 * 2f64.powi(-24));
        let [_, cos] = Frequency::new(&source, Factors::ONE).at(1.0, &amplitude, &mut repeated);
        assert_eq!(cos[0], u64::from(1f32.to_bits()) + 1);
    }

    #[test]
    fn zeros_have_no_sign_unless_rounded() {
        let zero = Source::Given(0.0);
        let minus_one = Amplitude::Given(-1.0);
        let one = FORMATS.each_ref().map(|format| format.one() | 1 << (format.width - 1));
        assert_eq!(
            Frequency::new(&zero, Factors { scale: -1.0, ..Factors::ONE }).at(-5.0, &minus_one, &mut 0),
            [[0; 4], one]
        );
        let one_over_huge = Source::Given(1e-300);
        let [sin, _] = Frequency::new(&one_over_huge, Factors { scale: 1e-300, ..Factors::ONE }).at(
            -1.0,
            &Amplitude::Given(1.0),
            &mut 0,
        );
        assert_eq!(sin, [1 << 31, 1 << 63, 1 << 15, 1 << 15]);
    }
}
