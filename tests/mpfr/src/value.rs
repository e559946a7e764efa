//! The formula in intervals that contain the real number, made narrower until they round to one number.
//!
//! MPFR's functions are correctly rounded to nearest: a result of `P` bits has a relative error of at most `2^-P`.
//! Below, `u = 2^-P` and `P >= 64`, so each bound has enough slack for products of errors.

use rug::{Assign, Float, Rational};

use crate::amplitude::{FIRST, LAST};
use crate::change::Change;
use crate::entries::{Bits, Entries};
use crate::interval::Interval;
use crate::stored::Stored;

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
    /// A frequency of another source, rounded.
    Stored {
        number: Stored,
        negative: bool,
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
    /// additional bits, and the rounding to `precision` adds `u`. The reciprocal of a period adds `u`.
    pub fn frequency(&self, factors: Factors, precision: u32) -> Float {
        let unscaled = match self {
            Self::Given(frequency) => Float::with_val(precision, frequency),
            Self::Power { base, exponent } => power(*base, exponent, precision),
            Self::Scaled { base, exponent, change } => {
                Float::with_val(precision, change.of(&power(*base, exponent, precision + CHANGED)))
            }
            Self::Stored { number, negative } => {
                let frequency = number.frequency(precision);
                if *negative { -frequency } else { frequency }
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
        let is_zero = match self.source {
            Source::Given(frequency) => *frequency == 0.0,
            Source::Stored { number: Stored::Frequency(frequency), .. } => frequency.is_zero(),
            _ => false,
        };
        self.factors.scale == 0.0 || is_zero
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

    /// Returns the entries of the sine and the cosine at a position.
    pub fn at(&mut self, position: f64, entries: &Entries, repeated: &mut u64) -> [Bits; 2] {
        if position == 0.0 || self.is_zero() {
            return entries.at_zero();
        }
        if entries.are_zero() {
            return [entries.zero; 2];
        }
        let mut precision = FIRST;
        loop {
            let (angle, error) = self.angle(position, precision);
            let (mut sin, mut cos) = (Float::new(precision), Float::new(precision));
            (&mut sin, &mut cos).assign(angle.sin_cos_ref());
            // Neither function changes by more than its argument does.
            let [sin, cos] = [sin, cos].map(|value| entries.of(&Interval::around(value, error)));
            if let (Some(sin), Some(cos)) = (sin, cos) {
                return [sin, cos];
            }
            precision *= 2;
            *repeated += 1;
            assert!(precision <= LAST, "not decided by {LAST} bits: position {position:e}, {:?}", self.source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amplitude::Amplitude;
    use crate::integers::{Scale, Steps};
    use crate::quantisers::quantisers;
    use crate::rng::Rng;
    use crate::rounding::{Digits, FORMATS};

    const F: usize = FORMATS.len();

    fn entries(amplitude: f64) -> Entries {
        Entries::new(Amplitude::Given(amplitude), Steps::all(Steps::usual()))
    }

    /// The formula as written, in 6000 bits.
    fn naive(base: f64, exponent: f64, scale: f64, position: f64, amplitude: f64, steps: [Steps; 6]) -> [Bits; 2] {
        let wide = |x: f64| Float::with_val(6000, x);
        let angle = wide(position) * wide(scale) * rug::ops::Pow::pow(wide(base), -wide(exponent));
        let (sin, cos) = angle.sin_cos(Float::new(6000));
        [sin, cos].map(|value| {
            let value = value * amplitude;
            let digits = Digits::of(&value).expect("not 0");
            let mut bits = [0; 10];
            bits[..F].copy_from_slice(&FORMATS.each_ref().map(|format| format.nearest(&digits)));
            for (bits, steps) in bits[F..].iter_mut().zip(steps) {
                let [least, greatest] = steps.of.range;
                let entry = (value.to_rational().unwrap() / steps.scale.exactly()).round().to_f64();
                #[expect(clippy::cast_possible_truncation, reason = "an integer")]
                let entry = (entry as i64).saturating_add(steps.zero_point).clamp(least, greatest);
                let least_bytes = &entry.to_le_bytes()[..usize::try_from(steps.of.width / 8).unwrap()];
                *bits = least_bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            }
            bits
        })
    }

    #[test]
    fn intervals_agree_with_the_formula_in_6000_bits() {
        let mut rng = Rng::of_block(3, 3);
        let mut integers = 0;
        for round in 0..3000 {
            let reach = if round % 10 == 0 { 900 } else { 40 };
            let base = rng.of_any_size(-reach, reach);
            let exponent = f64::from(i32::try_from(rng.integer(0, 128)).expect("small")) / 64.0;
            let scale = rng.of_any_size(-reach / 2, reach / 4);
            let position = rng.of_any_size(-20, 60);
            let position = if rng.percent(50) { position.ceil() } else { position };
            let position = rng.sign(position);
            let amplitude = if rng.percent(50) { rng.fraction() } else { rng.of_any_size(-12, 8) };
            let steps = Steps::all(quantisers(&mut rng, &Amplitude::Given(amplitude)));
            let source = Source::Power { base, exponent: Rational::from_f64(exponent).expect("finite") };
            let entries = Entries::new(Amplitude::Given(amplitude), steps);
            let found = Frequency::new(&source, Factors { scale, ..Factors::ONE }).at(position, &entries, &mut 0);
            let wanted = naive(base, exponent, scale, position, amplitude, steps);
            for dtype in (0..10).filter(|&dtype| entries.refusal(dtype).is_none()) {
                assert_eq!(
                    found.map(|bits| bits[dtype]),
                    wanted.map(|bits| bits[dtype]),
                    "{base:e}^-{exponent} * {scale:e} * {position:e}, times {amplitude:e}, {dtype}, {steps:?}"
                );
                integers += usize::from(dtype >= F);
            }
        }
        assert!(integers > 8000, "{integers}");
    }

    #[test]
    fn roots_agree_with_those_in_2000_bits() {
        for d in 1..5000 {
            for square in [Rational::from((1, d)), Rational::from((2, d))] {
                let root = Digits::of(&Float::with_val(2000, &square).sqrt()).expect("not 0");
                let wanted = FORMATS.each_ref().map(|format| format.nearest(&root));
                let [_, found] = Entries::new(Amplitude::root(square), Steps::all(Steps::usual())).at_zero();
                assert_eq!(found[..F], wanted, "{d}");
            }
        }
    }

    #[test]
    fn a_cosine_close_to_half_way_is_decided() {
        // The cosine is below 1 by 2^-2001. So the product is that much below the midpoint of 1 and 1 + 2^-23, and
        // below the midpoint of that number and 1 + 2^-22. Ties would go to the even numbers, 1 and 1 + 2^-22.
        let source = Source::Given(2f64.powi(-1000));
        let mut repeated = 0;
        let mut at = |entries: &Entries| Frequency::new(&source, Factors::ONE).at(1.0, entries, &mut repeated);
        let [sin, cos] = at(&entries(1.0 + 2f64.powi(-24)));
        assert_eq!((cos[0], sin[0]), (u64::from(1f32.to_bits()), 0));
        let [_, cos] = at(&entries(1.0 + 3.0 * 2f64.powi(-24)));
        assert_eq!(cos[0], u64::from(1f32.to_bits()) + 1);
        // So are the midpoints of two integers: at the angle 0 they go to even, and here down.
        for (amplitude, even) in [(2.5, 2), (3.5, 4), (-2.5, 254), (-3.5, 252)] {
            let mut steps = Steps::all(Steps::usual());
            steps[3].scale = Scale::Number(1.0);
            let entries = Entries::new(Amplitude::Given(amplitude), steps);
            assert_eq!(entries.at_zero()[1][F + 3], even, "{amplitude}");
            let towards_zero = if amplitude > 0.0 { amplitude - 0.5 } else { amplitude + 256.5 };
            assert_eq!(at(&entries)[1][F + 3] as f64, towards_zero, "{amplitude}");
        }
        assert!(repeated > 3);
    }

    #[test]
    fn zeros_have_no_sign_unless_rounded() {
        let zero = Source::Given(0.0);
        let one = FORMATS.each_ref().map(|format| format.one() | 1 << (format.width - 1));
        let [sin, cos] =
            Frequency::new(&zero, Factors { scale: -1.0, ..Factors::ONE }).at(-5.0, &entries(-1.0), &mut 0);
        assert_eq!((&sin, &cos[..F]), (&[0, 0, 0, 0, 0, 0, 0, 0, 0, 128], &one[..]));
        assert_eq!(cos[F..], [0x80, 0x8000, 0x8000_0000, 0x81, 0x8001, 1]);
        let one_over_huge = Source::Given(1e-300);
        let [sin, _] =
            Frequency::new(&one_over_huge, Factors { scale: 1e-300, ..Factors::ONE }).at(-1.0, &entries(1.0), &mut 0);
        assert_eq!(sin, [1 << 31, 1 << 63, 1 << 15, 1 << 15, 0, 0, 0, 0, 0, 128]);
    }
}
