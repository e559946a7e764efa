//! The integer element types, as the documentation of `Quantiser` and `Q15` describes them.

use posenc::Quantiser;
use rug::float::Round;
use rug::ops::AssignRound;
use rug::{Float, Rational};

use crate::rounding::Digits;

/// An element type with integers.
#[derive(Debug, PartialEq)]
pub struct Integers {
    /// The name of the element type.
    pub name: &'static str,
    /// The least and the greatest integer.
    pub range: [i64; 2],
    /// The number of bits, including the sign.
    pub width: u32,
    /// Whether the zero point must be 0.
    symmetric: bool,
}

const fn signed(name: &'static str, width: u32, symmetric: bool) -> Integers {
    Integers { name, range: [-1 << (width - 1), (1 << (width - 1)) - 1], width, symmetric }
}

/// The integer types, in the order of all arrays in this program. The first three have a fixed scale, and the others a
/// quantiser.
pub static INTEGERS: [Integers; 6] = [
    signed("q7", 8, true),
    signed("q15", 16, true),
    signed("q31", 32, true),
    signed("i8", 8, false),
    signed("i16", 16, true),
    Integers { name: "u8", range: [0, 255], width: 8, symmetric: false },
];

/// The difference of the numbers that two consecutive integers stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    Number(f64),
    Quotient(i64, i64),
    /// `2^exponent`, which belongs to the type.
    Fixed(i32),
}

/// An integer type with its scale and its zero point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    pub of: &'static Integers,
    pub scale: Scale,
    pub zero_point: i64,
}

impl Integers {
    /// Returns the least and the greatest zero point that are allowed.
    pub fn zero_points(&self) -> [i64; 2] {
        if self.symmetric { [0; 2] } else { self.range }
    }

    /// Returns the most steps that entries may be away from the zero point on both sides. One step more than the
    /// integers of the type is clamped.
    pub fn most(&self, zero_point: i64) -> i64 {
        let [least, greatest] = self.range;
        (greatest + 1 - zero_point).min(zero_point - (least - 1))
    }
}

impl Scale {
    pub fn exactly(self) -> Rational {
        match self {
            Self::Number(scale) => Rational::from_f64(scale).expect("finite"),
            Self::Quotient(numerator, denominator) => Rational::from((numerator, denominator)),
            Self::Fixed(exponent) => Rational::from(1) << exponent,
        }
    }

    /// Returns the integer nearest to the number, which is given in two forms, in units of this scale. The quotient, if
    /// it is not exact, is rounded in one direction before.
    ///
    /// Returns `None` if the quotient is 0.
    fn divide(self, x: &Float, digits: &Digits, round: Round) -> Option<i64> {
        let quotient = |x: &Float, divisor: f64| {
            let mut quotient = Float::new(x.prec());
            quotient.assign_round(x / divisor, round);
            Digits::of(&quotient).map(|digits| digits.integer(0))
        };
        match self {
            Self::Number(scale) => quotient(x, scale),
            Self::Quotient(numerator, denominator) => {
                let product = Float::with_val(x.prec() + 53, x * denominator);
                quotient(&product, numerator as f64)
            }
            Self::Fixed(exponent) => Some(digits.integer(exponent)),
        }
    }
}

impl Steps {
    /// Returns the types with their fixed scales, followed by those with these quantisers.
    pub fn all(quantised: [Self; 3]) -> [Self; 6] {
        let fixed = [-7, -15, -31].map(Scale::Fixed);
        let [q7, q15, q31] = [0, 1, 2].map(|i| Self { of: &INTEGERS[i], scale: fixed[i], zero_point: 0 });
        let [i8, i16, u8] = quantised;
        [q7, q15, q31, i8, i16, u8]
    }

    /// Returns quantisers for amplitudes up to 1: `1/127`, `1/32767`, and `1/127` with the zero point 128.
    pub fn usual() -> [Self; 3] {
        [(127, 0), (32_767, 0), (127, 128)].map({
            let mut types = INTEGERS[3..].iter();
            move |(denominator, zero_point)| {
                let of = types.next().expect("three types");
                Self { of, scale: Scale::Quotient(1, denominator), zero_point }
            }
        })
    }

    /// Returns the quantiser of a type that has one.
    pub fn quantiser(&self) -> Option<Quantiser> {
        let quantiser = match self.scale {
            Scale::Number(scale) => Quantiser::new(scale),
            Scale::Quotient(numerator, denominator) => Quantiser::quotient(numerator, denominator),
            Scale::Fixed(_) => return None,
        };
        Some(quantiser.zero_point(i32::try_from(self.zero_point).expect("an integer of the type")))
    }

    /// Returns the bits of the entry that is so many steps away from the zero point.
    pub fn bits(&self, steps: i64) -> u64 {
        let [least, greatest] = self.of.range;
        let entry = (steps + self.zero_point).clamp(least, greatest);
        entry.cast_unsigned() & ((1 << self.of.width) - 1)
    }

    /// Returns the bits of the entry of an end of an interval, which is the same as that of the real number if the other
    /// end's is. `round` leads away from the interval.
    pub fn entry(&self, end: &Float, digits: &Digits, round: Round) -> u64 {
        self.bits(self.scale.divide(end, digits, round).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_clamped_and_zero_extended() {
        let [q7, _, _, _, _, u8] = Steps::all(Steps::usual());
        assert_eq!([-128, -127, -1, 0, 1, 127, 128].map(|steps| q7.bits(steps)), [128, 129, 255, 0, 1, 127, 127]);
        assert_eq!([-129, -128, -127, 0, 127, 128].map(|steps| u8.bits(steps)), [0, 0, 1, 128, 255, 255]);
        assert_eq!([-128, -1, 0, 1, 127].map(|zero_point| INTEGERS[3].most(zero_point)), [1, 128, 128, 127, 1]);
        assert_eq!([0, 1, 127, 128, 255].map(|zero_point| INTEGERS[5].most(zero_point)), [1, 2, 128, 128, 1]);
    }

    /// Returns a number in units of a scale, rounded down and up before.
    fn divide(x: u64, scale: Scale) -> [Option<i64>; 2] {
        let x = Float::with_val(60, x);
        let digits = Digits::of(&x).expect("not 0");
        [Round::Down, Round::Up].map(|round| scale.divide(&x, &digits, round))
    }

    #[test]
    fn quotients_are_rounded_outwards() {
        let quotient = ((1 << 60) - 1) / 3;
        assert_eq!(divide((1 << 60) - 1, Scale::Number(3.0)), [Some(quotient); 2]);
        let [down, up] = divide((1 << 60) - 1, Scale::Number(0.7));
        assert!(down < up, "{down:?}, {up:?}");
        assert_eq!(
            [3, 5, 7].map(|count| divide(1, Scale::Quotient(2, count))),
            [[Some(2); 2], [Some(2); 2], [Some(4); 2]]
        );
        assert_eq!([9, 11].map(|count| divide(count, Scale::Fixed(1))), [[Some(4); 2], [Some(6); 2]]);
    }
}
