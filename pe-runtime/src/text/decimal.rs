//! The shortest decimal digits that identify an `f64`, as in Rust's `{:?}`, computed by `const fn`.
//!
//! The algorithm is that of Steele and White, *How to print floating-point numbers accurately* (1990), with integers of
//! sufficient width. It produces the digits of the number one by one, until the remainder is less than the distance to
//! where another `f64` begins.

use crate::exact::format::Format;
use crate::exact::format::places;

/// The significant digits of a number: `0.d1 d2 ... * 10^exponent`.
pub(crate) struct Digits {
    values: [u8; MAX_DIGITS],
    len: usize,
    exponent: i32,
}

/// The largest number of digits that an `f64` needs.
const MAX_DIGITS: usize = 17;

impl Digits {
    /// Returns the digits of the absolute value of a finite number other than 0.
    pub(crate) const fn of(value: f64) -> Self {
        let mut fraction = Fraction::of(value);
        let mut found = Self { values: [0; MAX_DIGITS], len: 0, exponent: fraction.exponent };
        loop {
            let (digit, rest) = fraction.next_digit();
            (found.values[found.len], found.len) = (digit, found.len + 1);
            match rest {
                Rest::Counts => {}
                Rest::Below => return found,
                Rest::Above => return found.next_up(),
            }
        }
    }

    /// Adds one to the last digit.
    const fn next_up(mut self) -> Self {
        while self.len > 0 && self.values[self.len - 1] == 9 {
            self.len -= 1;
        }
        if self.len == 0 {
            return Self { values: [1; MAX_DIGITS], len: 1, exponent: self.exponent + 1 };
        }
        self.values[self.len - 1] += 1;
        self
    }

    /// Returns the digit at `10^(-place)` of the fraction, which is 0 after the last digit and before the first.
    pub(crate) const fn at(&self, place: i32) -> u8 {
        if place >= 1 && place as usize <= self.len { self.values[place as usize - 1] } else { 0 }
    }

    pub(crate) const fn len(&self) -> i32 {
        self.len as i32
    }

    pub(crate) const fn exponent(&self) -> i32 {
        self.exponent
    }
}

/// A fraction `value / scale` in about `[1/10, 1)`, and the distances to the ends of the interval that rounds to the
/// same `f64`.
struct Fraction {
    value: Big,
    to_lower: Big,
    to_upper: Big,
    scale: Big,
    /// Whether the ends round to the `f64` as well.
    inclusive: bool,
    exponent: i32,
}

/// What remains after a digit.
enum Rest {
    /// More than zero and less than another digit: more digits are needed.
    Counts,
    /// The digits so far identify the number.
    Below,
    /// The digits so far identify the number after one is added to the last.
    Above,
}

impl Fraction {
    const fn of(value: f64) -> Self {
        let (mantissa, exponent) = places(value);
        // In quarters of a last place. The numbers below a power of two are twice as close, except below the least
        // normal number.
        let power_of_two = mantissa == 1 << 52 && exponent > Format::F64.min_quantum;
        let (lower, upper) = (if power_of_two { 1 } else { 2 }, 2);
        let exponent = exponent - 2;

        // digits = bits log10(2), which is too low by at most one.
        let bits = 64 - (4 * mantissa + upper - 1).leading_zeros() as i64 + exponent as i64;
        let digits = (bits * 1_292_913_986) >> 32;
        let up = if exponent > 0 { exponent as u32 } else { 0 };
        let (mut value, mut to_lower, mut to_upper) =
            (Big::of(4 * mantissa).shl(up), Big::of(lower).shl(up), Big::of(upper).shl(up));
        let mut scale = Big::of(1).shl(if exponent < 0 { exponent.unsigned_abs() } else { 0 });
        let mut i = 0;
        while i < digits.unsigned_abs() {
            if digits > 0 {
                scale = scale.times_ten();
            } else {
                (value, to_lower, to_upper) = (value.times_ten(), to_lower.times_ten(), to_upper.times_ten());
            }
            i += 1;
        }
        let inclusive = mantissa % 2 == 0;
        let mut fraction = Self { value, to_lower, to_upper, scale, inclusive, exponent: digits as i32 };
        if fraction.reaches_scale() {
            (fraction.scale, fraction.exponent) = (fraction.scale.times_ten(), fraction.exponent + 1);
        }
        fraction
    }

    /// Returns whether the upper end is at least 1.
    const fn reaches_scale(&self) -> bool {
        match self.value.plus(&self.to_upper).compare(&self.scale) {
            0 => self.inclusive,
            order => order > 0,
        }
    }

    const fn next_digit(&mut self) -> (u8, Rest) {
        self.value = self.value.times_ten();
        self.to_lower = self.to_lower.times_ten();
        self.to_upper = self.to_upper.times_ten();
        let mut digit = 0;
        while self.value.compare(&self.scale) >= 0 {
            self.value = self.value.minus(&self.scale);
            digit += 1;
        }
        let below = match self.value.compare(&self.to_lower) {
            0 => self.inclusive,
            order => order < 0,
        };
        let rest = match (below, self.reaches_scale()) {
            (false, false) => Rest::Counts,
            (true, false) => Rest::Below,
            (true, true) if self.value.shl(1).compare(&self.scale) < 0 => Rest::Below,
            (_, true) => Rest::Above,
        };
        (digit, rest)
    }
}

/// An integer of 1280 bits, lowest limb first. The largest values needed are `2^1076 10^18` and 40 times the largest
/// `f64`.
#[derive(Clone, Copy)]
struct Big([u64; 20]);

impl Big {
    const fn of(value: u64) -> Self {
        let mut limbs = [0; 20];
        limbs[0] = value;
        Self(limbs)
    }

    const fn shl(self, bits: u32) -> Self {
        let (whole, part) = ((bits / 64) as usize, bits % 64);
        let mut limbs = [0; 20];
        let mut i = whole;
        while i < 20 {
            let carried = if i > whole && part > 0 { self.0[i - whole - 1] >> (64 - part) } else { 0 };
            limbs[i] = self.0[i - whole] << part | carried;
            i += 1;
        }
        Self(limbs)
    }

    const fn times_ten(mut self) -> Self {
        let mut carry = 0;
        let mut i = 0;
        while i < 20 {
            let product = self.0[i] as u128 * 10 + carry;
            (self.0[i], carry) = (product as u64, product >> 64);
            i += 1;
        }
        self
    }

    const fn plus(mut self, other: &Self) -> Self {
        let mut carry = 0;
        let mut i = 0;
        while i < 20 {
            let sum = self.0[i] as u128 + other.0[i] as u128 + carry;
            (self.0[i], carry) = (sum as u64, sum >> 64);
            i += 1;
        }
        self
    }

    /// Returns `self - other`, which must not be negative.
    const fn minus(mut self, other: &Self) -> Self {
        let mut borrow = false;
        let mut i = 0;
        while i < 20 {
            let (difference, under) = self.0[i].overflowing_sub(other.0[i]);
            let (difference, under_again) = difference.overflowing_sub(borrow as u64);
            (self.0[i], borrow) = (difference, under | under_again);
            i += 1;
        }
        self
    }

    /// Returns 1, 0 or -1 if `self` is greater than, equal to or less than `other`.
    const fn compare(&self, other: &Self) -> i32 {
        let mut i = 20;
        while i > 0 {
            i -= 1;
            if self.0[i] != other.0[i] {
                return if self.0[i] > other.0[i] { 1 } else { -1 };
            }
        }
        0
    }
}
