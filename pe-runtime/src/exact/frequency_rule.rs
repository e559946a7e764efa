//! The frequencies of a table as a rule: a family, a scaling rule, a rounding and factors.

use crate::error_bounds::POWER_ERROR_BITS;
use crate::exact::division;
use crate::exact::format::{Format, decompose};
use crate::exact::limbs;
use crate::exact::logarithm::{Base, Ratio};
use crate::exact::power::power_in;
use crate::exact::product::Product;
use crate::exact::scaling::{LoweredScaling, THERE_ARE_RULES};
#[cfg(feature = "alloc")]
use crate::float_bits::power_of_two;
use crate::float_bits::{is_zero, sign};

/// The frequencies of a table, in radians per position before `scale`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Family<'a> {
    /// Frequency `i` is `base^-x`, with exponent `x` number `i`.
    Geometric {
        /// Finite and greater than 0.
        base: f64,
        exponents: Exponents,
    },
    /// Finite numbers.
    Given(&'a [f64]),
}

/// Exponents from 0 to 2: number `i` is `(first + i stride) step`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exponents {
    pub(crate) step: Ratio,
    pub(crate) first: usize,
    pub(crate) stride: usize,
}

impl Exponents {
    /// Returns the multiples of `step` from 0 on.
    pub(crate) const fn multiples(step: Ratio) -> Self {
        Self { step, first: 0, stride: 1 }
    }

    pub(crate) const fn at(&self, i: usize) -> Ratio {
        self.step.times(if THERE_ARE_RULES { self.first + i * self.stride } else { i })
    }
}

/// All frequencies of a table: a family, changed by a scaling rule and perhaps rounded, times `scale` and `unit`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrequencyRule<'a> {
    pub(crate) family: Family<'a>,
    pub(crate) scaling: LoweredScaling<'a>,
    pub(crate) rounding: FrequencyRounding,
    pub(crate) scale: f64,
    pub(crate) unit: Unit,
}

/// A quotient of two integers from 1 to `2^53`, which are exact as floats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub(super) numerator: f64,
    pub(super) denominator: f64,
}

impl Unit {
    pub(crate) const ONE: Self = Self { numerator: 1.0, denominator: 1.0 };

    /// Returns the quotient of two integers from 1 to `2^53`.
    pub(crate) const fn of((numerator, denominator): (i64, i64)) -> Self {
        Self { numerator: numerator as f64, denominator: denominator as f64 }
    }

    pub(crate) const fn is_one(&self) -> bool {
        self.numerator == 1.0 && self.denominator == 1.0
    }

    /// Returns about the exponent of two.
    pub(crate) const fn octaves(&self) -> i32 {
        decompose(self.numerator).1 - decompose(self.denominator).1
    }

    /// Multiplies a fraction of at least 1/2, and returns what is to be added to its exponent.
    ///
    /// The other number is memory. The relative error is below `2^(4 - 64 L)`.
    pub(super) const fn times(&self, out: &mut [u64], number: &mut [u64]) -> i32 {
        if self.is_one() {
            return 0;
        }
        let numerator = limbs::set_f64(number, self.numerator);
        limbs::multiply(out, number);
        numerator - limbs::normalise(out) + division::divide_f64(out, self.denominator)
    }
}

impl Family<'_> {
    /// Returns about the exponent of two of frequency `i`. It is least for a frequency of zero.
    const fn octaves(&self, i: usize) -> i32 {
        match *self {
            Family::Given(frequencies) if is_zero(frequencies[i]) => -1100,
            Family::Given(frequencies) => decompose(frequencies[i]).1,
            Family::Geometric { base, exponents } => {
                let Ratio { numerator, denominator } = exponents.at(i);
                // Below 2^109, and at most 2 in units of 2^-10.
                let (numerator, denominator) = if denominator >> 64 == 0 {
                    (numerator, denominator)
                } else {
                    (numerator >> 32, denominator >> 32)
                };
                -(decompose(base).1 * ((numerator << 10) / denominator) as i32) >> 10
            }
        }
    }
}

/// What is rounded after the scaling rule, and to which format.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FrequencyRounding {
    None,
    /// Each frequency.
    Frequency(Format),
    /// The reciprocal of each frequency.
    Period(Format),
}

impl FrequencyRounding {
    pub(crate) const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

impl FrequencyRule<'_> {
    /// Returns 1, 0 or -1 if frequency `i` is positive, zero or negative before it is rounded.
    #[inline]
    pub(crate) const fn unrounded_sign(&self, i: usize) -> i32 {
        if self.scaling.is_zero(i) {
            return 0;
        }
        match self.family {
            Family::Geometric { .. } => sign(self.scale),
            Family::Given(frequencies) => sign(self.scale) * sign(frequencies[i]),
        }
    }

    /// Returns whether the magnitudes of all frequencies are known to be below `2^64` radians per position.
    #[cfg(feature = "alloc")]
    #[allow(clippy::float_arithmetic, reason = "the limit of the factors is half of what would do")]
    pub(crate) fn are_below_2_64(&self) -> bool {
        const LIMIT: f64 = power_of_two(32);
        let family_is_below = match self.family {
            Family::Geometric { base, .. } => base >= 1.0,
            Family::Given(frequencies) => frequencies.iter().all(|frequency| frequency.abs() < LIMIT),
        };
        let is_scaled_down = match self.scaling {
            LoweredScaling::Each(divisors) => divisors.iter().all(|&divisor| divisor >= 1.0),
            _ => true,
        };
        let factors = self.scale.abs() * self.unit.numerator / self.unit.denominator;
        family_is_below && is_scaled_down && factors < LIMIT / 2.0
    }

    /// Returns the error bits of a frequency that is computed [on its own](Self::of).
    ///
    /// A rule that multiplies by another power adds less than `2^16` ulp to the `2^15.6` of a power. Together they are below
    /// `2^16.9`.
    pub(crate) const fn error_bits(&self) -> u32 {
        self.scaling.error_bits(POWER_ERROR_BITS + 1)
    }

    /// Sets the first of the numbers to the fraction of frequency `i` before it is rounded and multiplied, in radians per position,
    /// and returns the exponent.
    ///
    /// The relative error is that of `power`, `2^(POWER_ERROR_BITS - 64 L)`, plus that of the scaling rule.
    pub(crate) const fn unrounded_in(&self, i: usize, numbers: [&mut [u64]; 7]) -> i32 {
        let [out, one, two, three, four, five, six] = numbers;
        let exponent = match self.family {
            Family::Geometric { base, exponents } => {
                power_in(&Base::of(base), exponents.at(i), [out, one, two, three, four, five]).0
            }
            Family::Given(frequencies) => limbs::set_f64(out, or_one(frequencies[i])),
        };
        self.scaling.scale_in(i, exponent, [out, one, two, three, four, five, six])
    }

    /// Returns about the exponent of two of frequency `i` before `scale` and rounding. It is least for a frequency of zero.
    ///
    /// A rule that divides by powers or by sums of others counts as none. Without one it is off by less than 4.
    pub(crate) const fn octaves(&self, i: usize) -> i32 {
        let divisor = match self.scaling.divisor(i) {
            Some(divisor) => decompose(divisor).1,
            None => 0,
        };
        self.family.octaves(i) - divisor
    }

    /// Multiplies a product by frequency `i` before it is rounded and multiplied, and returns whether the frequency is rational and
    /// known to be. If it is not, the product is not meaningful, and neither is it for a frequency of zero.
    pub(crate) const fn multiply_unrounded(&self, i: usize, product: &mut Product) -> bool {
        let Some(divisor) = self.scaling.divisor(i) else { return false };
        product.over(divisor);
        match self.family {
            Family::Given(frequencies) => {
                product.times(or_one(frequencies[i]));
                true
            }
            Family::Geometric { base, exponents } => product.over_power(base, exponents.at(i)),
        }
    }
}

/// Returns the factor, or 1 if it is 0. A frequency of zero is recognised by its sign, and its value is not used.
pub(super) const fn or_one(factor: f64) -> f64 {
    if is_zero(factor) { 1.0 } else { factor }
}
