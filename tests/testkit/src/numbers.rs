//! Random values of parameters. Many of them are hard: limits, subnormal numbers, exact ties, and all magnitudes.

use posenc::Amplitude;

use crate::Lcg;
use crate::real::{Ieee, exactly, magnitude, power_of_two, signed};

pub(crate) const LARGEST_SHIFT: f64 = 16_777_216.0;

/// Numbers at the limits of parameters and of types, some beyond, and common ones.
const HARD: [f64; 29] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    10_000.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    1.0 + f64::EPSILON,
    1.0 - f64::EPSILON / 2.0,
    f32::MAX as f64,
    65_504.0,
    65_505.0,
    9_007_199_254_740_992.0, // the last position
    9_007_199_254_740_994.0,
    LARGEST_SHIFT,
    16_777_218.0,
    1e60,
    1e-60,
    1e300,
    1e-300,
    std::f64::consts::PI,
    std::f64::consts::TAU,
];

const LARGE_BASES: [f64; 7] = [10000.0, 500_000.0, 1e6, 1e9, 65536.0, 1e300, f64::MAX];
const SMALL_BASES: [f64; 7] = [2.0, 10.0, 16.0, 1.5, 0.5, 0.1, 1.0];

impl Lcg {
    /// Returns any positive base, mostly a plausible one.
    pub fn base(&mut self) -> f64 {
        match self.below(16) {
            0 => f64::from_bits(1 + self.below(f64::MAX.to_bits())),
            1 => f64::from_bits((1023 + self.below(1000)) << 52), // powers of two have dyadic frequencies
            2..8 => self.of(SMALL_BASES),
            _ => self.of(LARGE_BASES),
        }
    }

    /// Returns a base whose frequencies have at most a few dozen bits before the binary point.
    pub(crate) fn moderate_base(&mut self) -> f64 {
        match self.below(4) {
            0 => self.of([2.0, 500_000.0]),
            1 => self.between(1e-9, 1.0),
            2 => self.between(0.1, 1e9),
            _ => 10_000.0,
        }
    }

    /// Returns a position from a random binade up to 2^53; one in four is negative.
    pub fn position(&mut self) -> i64 {
        let binade = self.below(54);
        let magnitude = i64::try_from(self.bits(binade)).expect("below 2^53");
        if self.one_in(4) { -magnitude } else { magnitude }
    }

    /// Returns a position that need not be an integer.
    pub fn float_position(&mut self, extreme: bool) -> f64 {
        match self.below(8) {
            _ if extreme => self.any(),
            0..2 => self.below(100_000) as f64 / 100.0, // like those of a sampler
            2 => self.real(53, 100),
            3 => self.of([0.5, -0.0, 0.1, 1e-3]),
            _ => self.real(-40, 53),
        }
    }

    /// Returns a step for which, from any start, 2^9 rows stay within the range in one direction.
    pub fn step(&mut self) -> i64 {
        match self.below(8) {
            0..3 => -1,
            3 => self.of([0, 2, -2, 7]),
            _ => self.position() >> 9,
        }
    }

    /// Returns a factor of all angles.
    pub fn scale(&mut self, extreme: bool) -> f64 {
        match self.below(16) {
            _ if extreme => self.any(),
            0..3 => 1000.0,
            3..6 => 0.25,
            6..9 => -1.0,
            9 => self.of([0.0, -0.0]),
            10 => self.real(-1074, -1000),
            _ => self.real(-60, 40),
        }
    }

    /// Returns a quotient of integers of any sizes.
    pub fn quotient(&mut self) -> (i64, i64) {
        let mut number = || {
            let bits = 1 + self.below(53);
            1 + self.below(1 << bits).cast_signed()
        };
        (number(), number())
    }

    /// Returns a frequency of a list.
    pub fn frequency(&mut self, extreme: bool) -> f64 {
        match self.below(16) {
            _ if extreme => self.any(),
            0 => self.of([0.0, -0.0]),
            1 => self.of([1.0, 0.5, 10000.0, -1.0, 1e-4, 1e-300]),
            _ => self.real(-40, 30),
        }
    }

    /// Returns a shift up to the largest one of a width.
    pub(crate) fn freq_shift(&mut self, largest: f64) -> f64 {
        let drawn = match self.below(16) {
            0..6 => 1.0,
            6 => 0.5,
            7 => -3.0,
            8 => 0.1,
            9 => -LARGEST_SHIFT,
            10 => largest,
            11..13 => largest * self.real(-8, -1).abs(),
            _ => self.real(-42, 23),
        };
        drawn.min(largest)
    }

    /// Returns an amplitude from the type's largest number down to below its smallest.
    ///
    /// The small ones often give subnormal results.
    pub fn amplitude<T: Ieee>(&mut self) -> Amplitude {
        let least = T::LEAST_EXPONENT.max(-1070) - 4;
        let most = magnitude(&exactly(T::MAX)) - 1;
        Amplitude::Value(match self.below(16) {
            0..3 => return Amplitude::RsqrtD,
            3..6 => return Amplitude::Sqrt2OverD,
            6 => -1.0,
            7 => self.of([0.5, T::MAX]),
            8 => self.of([0.0, -0.0]),
            9..12 => self.real(least, least + T::SIGNIFICAND_BITS + 8),
            _ => self.real(least, most).clamp(-T::MAX, T::MAX),
        })
    }

    /// Returns a number from a random binade in the range.
    ///
    /// One in four is negative, and one in two has few digits, to produce ties.
    pub fn real(&mut self, least: isize, most: isize) -> f64 {
        let exponent = least + signed(self.index((most - least).unsigned_abs() + 1));
        let zeros = if self.one_in(2) { self.below(52) } else { 0 };
        let fraction = f64::from_bits(1023 << 52 | self.bits(52) >> zeros << zeros);
        let magnitude = fraction * power_of_two(exponent);
        if self.one_in(4) { -magnitude } else { magnitude }
    }

    /// Returns any finite number.
    pub fn any(&mut self) -> f64 {
        let magnitude = match self.below(8) {
            0 => self.of([f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), 1e308]),
            _ => f64::from_bits(self.below(f64::MAX.to_bits() + 1)),
        };
        if self.one_in(4) { -magnitude } else { magnitude }
    }

    /// Returns any number, often one that no parameter may be.
    pub fn wild(&mut self) -> f64 {
        match self.below(4) {
            0 => self.of(HARD),
            1 => self.any(),
            2 => f64::from_bits(self.next_bits()),
            _ => self.between(-4.0, 4.0),
        }
    }

    /// Returns any integer, often one at the limit of positions.
    pub fn wild_integer(&mut self) -> i64 {
        match self.below(3) {
            0 => self.below(100).cast_signed() - 50,
            1 => self.next_bits().cast_signed(),
            _ => ((1 << 53) - 9 + self.below(18).cast_signed()) * self.of([1, -1]),
        }
    }
}
