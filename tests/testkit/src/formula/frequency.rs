//! Frequencies and angles.

use dashu_float::Context;
use dashu_float::round::mode::HalfEven;
use posenc::{Bf16Bits, F16Bits, FrequencyDtype, Scaling};

use crate::case::Case;
use crate::formula::Formula;
use crate::real::{Ieee, Real, exactly, finite, magnitude, nearest, product, signed, sum};

/// An upper bound of the degree of a rational root of the base.
///
/// The root is one of an odd number below 2^53 and also one of a power of two whose exponent has a magnitude of at most
/// 1074. (The base 1 has rational roots of every degree, but its frequencies equal the scale.)
const LARGEST_ROOT: u128 = 1100;

impl Formula<'_> {
    /// Returns whether frequency `k` is zero.
    pub fn is_zero(&mut self, k: usize) -> bool {
        self.case.scale == 0.0 || self.is_zero_before_rounding(k) || self.stored(k).is_some_and(|own| own == Real::ZERO)
    }

    fn is_zero_before_rounding(&self, k: usize) -> bool {
        let list = self.case.frequencies.as_ref();
        list.is_some_and(|list| list[k] == 0.0) || self.stands_still(k)
    }

    /// Returns what models store of frequency `k`, which is not zero before it is rounded, or `None` if it is not rounded.
    ///
    /// It is zero if it is a frequency that rounds to zero, or the reciprocal of one that rounds to infinity.
    fn stored(&mut self, k: usize) -> Option<Real> {
        if let Some(stored) = self.stored.get(&k) {
            return Some(stored.clone());
        }
        let round = match self.case.frequency_dtype {
            FrequencyDtype::Exact => return None,
            FrequencyDtype::F16 => rounded::<F16Bits>,
            FrequencyDtype::Bf16 | FrequencyDtype::Bf16Period => rounded::<Bf16Bits>,
        };
        let mut precision = 128;
        let stored = loop {
            let value = self.own(k, precision);
            let value = if self.case.frequency_dtype == FrequencyDtype::Bf16Period {
                finite(Context::<HalfEven>::new(precision).div(Real::ONE.repr(), value.repr()))
            } else {
                value
            };
            let error = Real::ONE << (magnitude(&value) + 14 - signed(precision));
            let [low, high] = [sum(&value, &-&error), sum(&value, &error)].map(|end| round(&end));
            // What so many bits do not tell from a midpoint is one.
            if low == high || precision == 2048 {
                break if low == high { low } else { round(&value.with_precision(1024).value()) };
            }
            precision *= 2;
        };
        self.stored.insert(k, stored.clone());
        Some(stored)
    }

    /// Returns frequency `k` before it is rounded and multiplied.
    fn own(&mut self, k: usize, precision: usize) -> Real {
        match &self.case.frequencies {
            Some(frequencies) => exactly(frequencies[k]),
            None => self.scaled(k, precision),
        }
    }

    /// Returns frequency `k` times scale and unit, with a relative error of at most 2^(13 - `precision`).
    ///
    /// The exponent, at most 2, times ln `base` is below 2^11 and has a relative rounding error of 2^-`precision`.
    pub fn frequency(&mut self, k: usize, precision: usize) -> Real {
        if self.is_zero(k) {
            return Real::ZERO;
        }
        if let Some((kept, value)) = self.frequencies.get(&k)
            && *kept >= precision
        {
            return value.clone();
        }
        let own = match self.stored(k) {
            None => self.own(k, precision),
            Some(period) if self.case.frequency_dtype == FrequencyDtype::Bf16Period => {
                finite(Context::<HalfEven>::new(precision).div(Real::ONE.repr(), period.repr()))
            }
            Some(stored) => stored,
        };
        let (numerator, denominator) = self.case.unit;
        let value = product(&product(&own, &exactly(self.case.scale)), &Real::from(numerator));
        let value = if denominator == 1 {
            value
        } else {
            finite(Context::<HalfEven>::new(precision).div(value.repr(), Real::from(denominator).repr()))
        };
        self.frequencies.insert(k, (precision, value.clone()));
        value
    }

    /// Returns frequency `k` times `position`, both nonzero.
    ///
    /// The relative error is at most 2^-(`precision` + 16), and so is the absolute error if the angle exceeds 1.
    pub fn angle(&mut self, k: usize, position: f64, precision: usize) -> Real {
        let position = exactly(position);
        let before_the_point = magnitude(&self.frequency(k, 64)) + 1 + magnitude(&position);
        let working = precision + before_the_point.max(0).unsigned_abs() + 32;
        finite(Context::<HalfEven>::new(working).mul(self.frequency(k, working).repr(), position.repr()))
    }

    /// Returns a power of the base with the exponent of frequency `k`, in the same precision.
    pub(super) fn power(&mut self, k: usize, precision: usize) -> Real {
        let (numerator, denominator) = self.case.exponent(k);
        if numerator == 0 {
            return Real::ONE;
        }
        self.root(&exactly(self.case.base), numerator, denominator, precision)
    }

    /// Returns `x^(-numerator / denominator)`.
    pub(super) fn root(&mut self, x: &Real, numerator: u128, denominator: u128, precision: usize) -> Real {
        let context = Context::<HalfEven>::new(precision);
        let exponent = -finite(context.div(Real::from(numerator).repr(), Real::from(denominator).repr()));
        finite(context.powf(x.repr(), exponent.repr(), Some(&mut self.constants)))
    }
}

/// Returns the nearest number of a type, and zero for what is beyond the numbers of a type of periods.
fn rounded<T: Ieee>(x: &Real) -> Real {
    let bits = nearest::<T>(x);
    if bits & !T::SIGN == T::INFINITY { Real::ZERO } else { exactly(T::value(bits)) }
}

impl Case {
    /// Returns whether the magnitude of the geometric frequency `k` is exactly `x`, which is positive.
    pub(super) fn is_exactly(&self, k: usize, x: &Real) -> bool {
        assert!(self.scaling == Scaling::None, "a rule may have ties of its own");
        let (numerator, denominator) = self.exponent(k);
        if denominator > LARGEST_ROOT {
            return false;
        }
        // (x over)^denominator base^numerator = |scale times|^denominator
        let [numerator, denominator] = [numerator, denominator].map(|power| usize::try_from(power).expect("small"));
        let x = product(x, &Real::from(self.unit.1));
        let scale = product(&exactly(self.scale.abs()), &Real::from(self.unit.0));
        let power = |x: &Real, power| (x.repr().significand().pow(power), x.repr().exponent() * signed(power));
        let ((x, x_exponent), (scale, scale_exponent)) = (power(&x, denominator), power(&scale, denominator));
        let (base, base_exponent) = power(&exactly(self.base), numerator);
        x * base == scale && x_exponent + base_exponent == scale_exponent
    }
}
