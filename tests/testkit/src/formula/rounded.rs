//! Frequencies, wavelengths and dot products, rounded once to `f64`.
//!
//! Integer arithmetic decides whether a frequency is a midpoint of two floats.

use dashu_float::Context;
use dashu_float::round::mode::HalfEven;

use posenc::FrequencyDtype;

use crate::case::Function;
use crate::formula::Formula;
use crate::real::{Real, exactly, finite, magnitude, nearest, signed, sum};

const INFINITY: u64 = f64::INFINITY.to_bits();

impl Formula<'_> {
    /// Returns the bits of the `f64` nearest to frequency `k`.
    pub fn frequency_bits(&mut self, k: usize) -> u64 {
        if self.is_zero(k) {
            return 0;
        }
        if self.case.frequencies.is_some() || self.case.frequency_dtype != FrequencyDtype::Exact {
            let value = self.frequency(k, 256);
            // The product of two floats is exact, and so is a tie of a quotient in so many bits.
            let [below, above] = around(&value, magnitude(&value) - 256);
            self.ties += usize::from(nearest::<f64>(&above) != nearest::<f64>(&below));
            return nearest::<f64>(&value);
        }
        let mut precision = 128;
        loop {
            let value = self.frequency(k, precision);
            let [low, high] = around(&value, magnitude(&value) + 14 - signed(precision));
            let (low, high) = (nearest::<f64>(&low), nearest::<f64>(&high));
            if low == high {
                return low;
            }
            let sign = low & 1 << 63;
            let middle = sum(&number(low & !sign), &number(high & !sign)) >> 1;
            if self.case.is_exactly(k, &middle) {
                self.ties += 1;
                return sign | nearest::<f64>(&middle);
            }
            precision *= 2;
        }
    }

    /// Returns the bits of the `f64` nearest to 2π / |frequency `k`|, which is transcendental.
    pub fn wavelength_bits(&mut self, k: usize) -> u64 {
        if self.is_zero(k) {
            return INFINITY;
        }
        decided(15, |precision| {
            let value = self.wavelength(k, precision);
            let size = magnitude(&value);
            (value, size)
        })
    }

    /// Returns 2π / |frequency `k`|, with a relative error of at most 2^(14 - `precision`).
    pub fn wavelength(&mut self, k: usize, precision: usize) -> Real {
        let (turn, frequency) = (self.turn(precision), self.frequency(k, precision));
        let value = finite(Context::<HalfEven>::new(precision).div(turn.repr(), frequency.repr()));
        if value < Real::ZERO { -value } else { value }
    }

    /// Returns the bits of the `f64` nearest to the sum of the cosines of all frequencies times `distance`.
    ///
    /// By the Lindemann-Weierstrass theorem the sum is transcendental, or, if all angles are zero, an integer.
    pub fn dot_product_bits(&mut self, distance: f64) -> u64 {
        let count = self.case.frequency_count();
        let angles = (0..count).filter(|&k| distance != 0.0 && !self.is_zero(k)).count();
        if angles == 0 {
            return nearest::<f64>(&Real::from(count));
        }
        decided(1, |precision| (self.cosines(distance, precision), magnitude(&Real::from(angles))))
    }

    /// Returns the sum of the cosines, each of which is within 2^(1 - `precision`).
    pub fn cosines(&mut self, distance: f64, precision: usize) -> Real {
        (0..self.case.frequency_count()).fold(Real::ZERO, |total, k| {
            if distance == 0.0 || self.is_zero(k) {
                return sum(&total, &Real::ONE);
            }
            let angle = self.angle(k, distance, precision);
            sum(&total, &self.function(Function::Cosine, &angle, precision + 32))
        })
    }
}

/// Increases the precision until a value is rounded, which is within 2^(size + `lost` - precision).
fn decided(lost: isize, mut value: impl FnMut(usize) -> (Real, isize)) -> u64 {
    let mut precision = 128;
    loop {
        let (value, size) = value(precision);
        let [low, high] = around(&value, size + lost - signed(precision)).map(|end| nearest::<f64>(&end));
        if low == high {
            return low;
        }
        precision *= 2;
    }
}

fn around(x: &Real, error: isize) -> [Real; 2] {
    let error = Real::ONE << error;
    [sum(x, &-&error), sum(x, &error)]
}

/// Converts bits to a number. The bits of infinity stand for the power of two just above the largest number.
fn number(bits: u64) -> Real {
    if bits == INFINITY { Real::ONE << 1024 } else { exactly(f64::from_bits(bits)) }
}
