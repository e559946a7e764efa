//! The factor of all entries, and how many steps of an integer type it is.

use rug::{Float, Integer, Rational};

use crate::integers::Scale;
use crate::interval::Interval;
use crate::scaling::Attention;

/// The precision of the first attempt: 53 bits and about 50 more, in two limbs.
pub const FIRST: u32 = 104;
/// Never reached. The smallest angle, with a base and exponent that make `2^-2048`, a scale and a position of `2^-1074`,
/// and a unit of `2^-53`, is `2^-4249`, and its cosine differs from 1 by `2^-8499`.
pub const LAST: u32 = 1 << 15;

/// The factor of all entries.
#[derive(Debug)]
pub enum Amplitude {
    Given(f64),
    /// The root of a positive number. It is not dyadic.
    Root(Rational),
    /// A transcendental number.
    Attention(Attention),
}

impl Amplitude {
    /// Returns the root of a positive number.
    pub fn root(square: Rational) -> Self {
        let (above, below) = (square.numer(), square.denom());
        if above.is_perfect_square() && below.is_perfect_square() && below.is_power_of_two() {
            return Self::Given(above.clone().sqrt().to_f64() / below.clone().sqrt().to_f64());
        }
        Self::Root(square)
    }

    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Given(0.0))
    }

    /// Returns the amplitude, and whether it is exact. If not, its error is less than a unit in the last place.
    ///
    /// The conversion of a square has an error of half a unit of 32 bits more, and its root has half of that and its
    /// own.
    pub fn with_precision(&self, precision: u32) -> (Float, bool) {
        match self {
            Self::Given(amplitude) => (Float::with_val(53, amplitude), true),
            Self::Root(square) => {
                let root = Float::with_val(precision + 32, square).sqrt();
                (Float::with_val(precision, root), false)
            }
            Self::Attention(attention) => (attention.with_precision(precision), false),
        }
    }

    /// Returns the product with a number of the interval.
    ///
    /// With amplitude `a` and its error `e`, value `v` and its error `f`, the error of the product is at most
    /// `|a| f + |v| e + e f`, since the product of the centres is exact. `|a| < 2^A` and `|v| < 2^V`, with MPFR's
    /// exponents, and `e` is below `2^(A - precision)`. The third term is smaller than the first, so four times
    /// the larger of the first two is enough.
    pub fn times(&self, value: &Interval) -> Interval {
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

    /// Returns the amplitude in units of a scale, to nearest, ties to even. More than 2^36 may be any number above.
    ///
    /// A number whose square is rational is rounded by its square. The others are transcendental, so they are no ties,
    /// and some precision decides them.
    pub fn steps(&self, scale: Scale) -> i64 {
        let scale = scale.exactly();
        let (size, negative) = match self {
            Self::Given(amplitude) => {
                let square = Rational::from_f64(*amplitude).expect("finite").square();
                (nearest_to_root(square / scale.square()), *amplitude < 0.0)
            }
            Self::Root(square) => (nearest_to_root(square / scale.square()), false),
            Self::Attention(_) => (self.decided(&scale), false),
        };
        let size = size.to_i64().unwrap_or(i64::MAX);
        if negative { -size } else { size }
    }

    /// Returns the steps of an amplitude that is positive and not a tie, by both ends of an interval.
    fn decided(&self, scale: &Rational) -> Integer {
        let mut precision = FIRST;
        loop {
            let ends = Interval::around(self.with_precision(precision).0, i32::MIN).ends();
            let [low, high] = ends.map(|end| (end.to_rational().expect("finite") / scale).round().into_numer_denom().0);
            if low == high {
                return low;
            }
            precision *= 2;
            assert!(precision <= LAST, "the steps of {self:?} are not decided by {LAST} bits");
        }
    }
}

/// Returns the integer nearest to the root of a number, and the even one of two.
///
/// The number of halves in the root is the integer root of four times the number, rounded down.
fn nearest_to_root(square: Rational) -> Integer {
    let four = square * 4u32;
    let halves = four.clone().floor().into_numer_denom().0.sqrt();
    let below = Integer::from(&halves >> 1u32);
    if halves.is_even() {
        return below;
    }
    let is_tie = halves.square() == four;
    if is_tie && below.is_even() { below } else { below + 1u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_even_and_their_neighbours_do_not() {
        for steps in 0..3000 {
            let tie = f64::from(steps) + 0.5;
            let even = i64::from(steps + steps % 2);
            let found = [tie.next_down(), tie, tie.next_up()].map(|x| Amplitude::Given(x).steps(Scale::Number(1.0)));
            assert_eq!(found, [i64::from(steps), even, i64::from(steps) + 1]);
            let negative = Amplitude::Given(-tie).steps(Scale::Quotient(1, 1));
            assert_eq!(negative, -even);
            // The root of 1/9 in units of 2/(3 * odd) is half an odd number.
            let odd = 2 * i64::from(steps) + 1;
            assert_eq!(Amplitude::root(Rational::from((1, 9))).steps(Scale::Quotient(2, 3 * odd)), even);
        }
    }

    #[test]
    fn steps_are_those_of_the_digits() {
        let attention = || Amplitude::Attention(Attention::Quotient { factor: 40.0, above: 1.0, below: 0.0 });
        let (digits, _) = attention().with_precision(53);
        for denominator in 1..20_000 {
            let wanted = (digits.to_f64() * denominator as f64).round_ties_even();
            assert_eq!(attention().steps(Scale::Quotient(1, denominator)) as f64, wanted);
            let wanted = (2f64.sqrt() * denominator as f64).round_ties_even();
            assert_eq!(Amplitude::root(Rational::from(2)).steps(Scale::Quotient(1, denominator)) as f64, wanted);
        }
    }

    #[test]
    fn enormous_steps_are_not_exact() {
        assert_eq!(Amplitude::Given(-1.0).steps(Scale::Number(5e-324)), -i64::MAX);
        assert_eq!(Amplitude::Given(5e-324).steps(Scale::Number(f64::MAX)), 0);
        assert_eq!(Amplitude::Given(0.0).steps(Scale::Number(5e-324)), 0);
    }

    #[test]
    fn dyadic_roots_are_given() {
        assert!(matches!(Amplitude::root(Rational::from((25, 16))), Amplitude::Given(1.25)));
        assert!(matches!(Amplitude::root(Rational::from((1, 64))), Amplitude::Given(0.125)));
        assert!(matches!(Amplitude::root(Rational::from((16, 9))), Amplitude::Root(_)));
    }
}
