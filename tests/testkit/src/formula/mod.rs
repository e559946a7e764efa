//! The formula of a table, evaluated in arbitrary precision.
//!
//! Nothing is taken from the library but the names of parameters. Enclosures decide almost all roundings: they shrink
//! until both ends round to the same bits.

mod frequency;
mod rounded;
mod rule;

use std::collections::HashMap;

use dashu_float::round::mode::HalfEven;
use dashu_float::{ConstCache, Context};
use posenc::Amplitude;

use crate::case::{Case, Function};
use crate::number::Number;
use crate::real::{Ieee, Real, exactly, finite, magnitude, product, signed, sum};

/// Evaluates a case, and keeps constants and frequencies.
pub struct Formula<'a> {
    case: &'a Case,
    constants: ConstCache,
    /// The frequencies, each with its precision.
    frequencies: HashMap<usize, (usize, Real)>,
    /// The frequencies or periods that are rounded.
    stored: HashMap<usize, Real>,
    /// The number of frequencies that were a midpoint of two floats.
    pub ties: usize,
}

impl<'a> Formula<'a> {
    /// Creates the formula of a case.
    pub fn new(case: &'a Case) -> Self {
        Self { case, constants: ConstCache::new(), frequencies: HashMap::new(), stored: HashMap::new(), ties: 0 }
    }

    /// Returns the bits of the entry in a column of the row of a position.
    pub fn entry_bits<T: Number>(&mut self, position: f64, column: usize) -> u64 {
        match self.case.column(column) {
            Some((function, k)) => self.value_bits::<T>(function, k, position),
            None => self.zero_bits::<T>(),
        }
    }

    /// Returns the bits of an entry that is exactly zero.
    pub fn zero_bits<T: Number>(&self) -> u64 {
        T::nearest(&Real::ZERO, self.case)
    }

    /// Returns the bits of the `T`s nearest to the cosine and the sine of frequency `k` times `distance`.
    pub fn pair_bits<T: Ieee>(&mut self, k: usize, distance: f64) -> [u64; 2] {
        [Function::Cosine, Function::Sine].map(|function| self.value_bits::<T>(function, k, distance))
    }

    /// Returns the bits of an entry: increases the precision until both ends of the enclosure round to the same bits.
    ///
    /// Such a precision exists. A nonzero angle is algebraic, so its sine and cosine are transcendental, and so are
    /// their products with a nonzero amplitude. (For the rules of which that is not proved, random digits do not end.)
    fn value_bits<T: Number>(&mut self, function: Function, k: usize, position: f64) -> u64 {
        let case = self.case;
        if case.amplitude == Amplitude::Value(0.0) {
            return self.zero_bits::<T>();
        }
        if position == 0.0 || self.is_zero(k) {
            return match function {
                Function::Sine => self.zero_bits::<T>(),
                // The square of the amplitude in units is a quotient of about 200 bits. Unless the amplitude is a tie, it
                // is farther from all ties than these digits say; and a tie has fewer digits.
                Function::Cosine => T::nearest(&self.amplitude::<T>(512).with_precision(400).value(), case),
            };
        }
        let mut precision = 64 + T::SIGNIFICANT;
        loop {
            let [low, high] = self.enclosure::<T>(function, k, position, precision).map(|end| T::nearest(&end, case));
            if low == high {
                return low;
            }
            precision *= 2;
        }
    }

    /// Returns the ends of an enclosure of an entry in units of its type.
    ///
    /// The error is 2^-`precision`, relative to the amplitude times the larger of the sine (or cosine) and the angle
    /// (at most 1). The three roundings after the angle add 2^-31 of it each.
    fn enclosure<T: Number>(&mut self, function: Function, k: usize, position: f64, precision: usize) -> [Real; 2] {
        let angle = self.angle(k, position, precision);
        let value = self.function(function, &angle, precision + 32);
        let share = magnitude(&value).max(magnitude(&angle).min(1));
        let amplitude = self.amplitude::<T>(precision + 32);
        let value = product(&value, &amplitude);
        let error = Real::ONE << (share + magnitude(&amplitude) - signed(precision));
        [sum(&value, &-&error), sum(&value, &error)]
    }

    /// Returns a sine or a cosine.
    pub fn function(&mut self, function: Function, angle: &Real, precision: usize) -> Real {
        let context = Context::<HalfEven>::new(precision);
        let constants = Some(&mut self.constants);
        finite(match function {
            Function::Sine => context.sin(angle.repr(), constants),
            Function::Cosine => context.cos(angle.repr(), constants),
        })
    }

    /// Returns the amplitude in units of a type, with a relative error of at most 2^(3 - `precision`).
    ///
    /// Amplitudes that are numbers are exact if the units are powers of two.
    pub fn amplitude<T: Number>(&mut self, precision: usize) -> Real {
        let context = Context::<HalfEven>::new(precision);
        let root = |numerator: usize| {
            let square = finite(context.div(Real::from(numerator).repr(), Real::from(self.case.d_model).repr()));
            finite(context.sqrt(square.repr()))
        };
        let amplitude = match self.case.amplitude {
            Amplitude::Value(value) => exactly(value),
            Amplitude::RsqrtD => root(1),
            Amplitude::Sqrt2OverD => root(2),
            Amplitude::AttentionFactor => self.attention_factor(precision),
        };
        let [units, over] = T::units(self.case).map(exactly);
        if over == Real::ONE {
            product(&amplitude, &units)
        } else {
            finite(context.div(product(&amplitude, &units).repr(), over.repr()))
        }
    }
}
