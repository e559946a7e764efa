//! The frequencies of a spec and values derived from them, evaluated in arbitrary precision and rounded once.
//!
//! Integer arithmetic decides whether a number is a midpoint of two floats. Everything else is decided by enclosures,
//! which shrink until both ends round to the same bits.

use dashu_float::round::mode::HalfEven;
use dashu_float::{ConstCache, Context};
use posenc::{Columns, Odd, Pairing, Spec};

use crate::real::{Ieee, Real, exactly, finite, magnitude, nearest, signed};

const INFINITY: u64 = f64::INFINITY.to_bits();

/// An upper bound of the degree of a rational root of the base.
///
/// The root is one of an odd number below 2^53 and also one of a power of two whose exponent has a magnitude of at most
/// 1074. (The base 1 has rational roots of every degree, but its frequencies equal the scale.)
const LARGEST_ROOT: u128 = 1100;

/// The parameters of a spec that determine its frequencies.
#[allow(missing_docs, reason = "the parameters of `Spec` have the same names")]
#[derive(Clone, Debug)]
pub struct Case {
    pub d_model: usize,
    pub base: f64,
    /// A multiple of 2^-20.
    pub freq_shift: f64,
    pub frequencies: Option<Vec<f64>>,
    pub scale: f64,
    pub columns: Columns,
    pub pairing: Pairing,
    pub odd: Odd,
}

/// The default parameters, with an odd last column.
pub const PAPER: Case = Case {
    d_model: 512,
    base: 10_000.0,
    freq_shift: 0.0,
    frequencies: None,
    scale: 1.0,
    columns: Columns::Both,
    pairing: Pairing::Paired,
    odd: Odd::LastSin,
};

impl Case {
    /// Creates a case of sine/cosine pairs with the given frequencies.
    pub fn list(frequencies: &[f64]) -> Self {
        Self { d_model: 2 * frequencies.len(), frequencies: Some(frequencies.to_vec()), ..PAPER }
    }

    /// Returns the spec with these parameters.
    pub fn spec(&self) -> Spec<'_> {
        let spec = Spec::new(self.d_model).scale(self.scale);
        let spec = spec.columns(self.columns).pairing(self.pairing).odd(self.odd);
        match &self.frequencies {
            Some(frequencies) => spec.frequencies(frequencies),
            None => spec.base(self.base).freq_shift(self.freq_shift),
        }
    }

    fn width(&self) -> usize {
        if self.odd == Odd::Zero { self.d_model / 2 * 2 } else { self.d_model }
    }

    /// Returns the number of frequencies of the spec.
    pub fn frequency_count(&self) -> usize {
        match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => self.width().div_ceil(2),
            _ => self.width(),
        }
    }

    /// Returns the exponent of 1/base in frequency `k`, as an exact fraction in lowest terms.
    fn exponent(&self, k: usize) -> (u128, u128) {
        #[expect(clippy::cast_possible_truncation, reason = "an integer")]
        let shift = (self.freq_shift * f64::from(1 << 20)) as i128;
        let unit = 1 << 20;
        let [k, width] = [k, self.width()].map(|count| i128::try_from(count).expect("small") * unit);
        let (numerator, denominator) = match (self.columns, self.pairing) {
            (Columns::Both, Pairing::Paired) => (2 * k, width - 2 * shift),
            (Columns::Both, Pairing::Unpaired) => (k, width - 2 * shift),
            _ => (k, width - shift),
        };
        let [numerator, denominator] = [numerator, denominator].map(i128::unsigned_abs);
        let common = divisor(numerator, denominator);
        (numerator / common, denominator / common)
    }

    fn is_zero(&self, k: usize) -> bool {
        self.scale == 0.0 || self.frequencies.as_ref().is_some_and(|list| list[k] == 0.0)
    }

    /// Returns whether the magnitude of the geometric frequency `k` is exactly `x`, which is positive.
    fn is_exactly(&self, k: usize, x: &Real) -> bool {
        let (numerator, denominator) = self.exponent(k);
        if denominator > LARGEST_ROOT {
            return false;
        }
        // x^denominator base^numerator = |scale|^denominator
        let [numerator, denominator] = [numerator, denominator].map(|power| usize::try_from(power).expect("small"));
        let (base, scale) = (exactly(self.base), exactly(self.scale.abs()));
        let power = |x: &Real, power| (x.repr().significand().pow(power), x.repr().exponent() * signed(power));
        let ((x, x_exponent), (base, base_exponent)) = (power(x, denominator), power(&base, numerator));
        let (scale, scale_exponent) = power(&scale, denominator);
        x * base == scale && x_exponent + base_exponent == scale_exponent
    }
}

fn divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// Evaluates cases, and caches constants.
#[derive(Default)]
pub struct Oracle {
    constants: ConstCache,
    /// The number of frequencies that were a midpoint of two floats.
    pub ties: usize,
}

impl Oracle {
    /// Returns the bits of the `f64` nearest to frequency `k`.
    pub fn frequency_bits(&mut self, case: &Case, k: usize) -> u64 {
        if case.is_zero(k) {
            return 0;
        }
        if let Some(frequencies) = &case.frequencies {
            let product = product(&exactly(frequencies[k]), &exactly(case.scale));
            self.ties += usize::from(nearest::<f64>(&above(&product)) != nearest::<f64>(&below(&product)));
            return nearest::<f64>(&product);
        }
        let mut precision = 128;
        loop {
            let value = self.frequency(case, k, precision);
            let (low, high) = around(&value, magnitude(&value) + 14 - signed(precision));
            let (low, high) = (nearest::<f64>(&low), nearest::<f64>(&high));
            if low == high {
                return low;
            }
            let sign = low & 1 << 63;
            let middle = sum(&number(low & !sign), &number(high & !sign)) >> 1;
            if case.is_exactly(k, &middle) {
                self.ties += 1;
                return sign | nearest::<f64>(&middle);
            }
            precision *= 2;
        }
    }

    /// Returns the bits of the `f64` nearest to 2π / |frequency `k`|, which is transcendental.
    pub fn wavelength_bits(&mut self, case: &Case, k: usize) -> u64 {
        if case.is_zero(k) {
            return INFINITY;
        }
        let mut precision = 128;
        loop {
            let context = Context::<HalfEven>::new(precision);
            let turn: Real = context.pi(Some(&mut self.constants)).value() << 1;
            let value = finite(context.div(turn.repr(), self.frequency(case, k, precision).repr()));
            let value = if value < Real::ZERO { -value } else { value };
            let (low, high) = around(&value, magnitude(&value) + 15 - signed(precision));
            if nearest::<f64>(&low) == nearest::<f64>(&high) {
                return nearest::<f64>(&low);
            }
            precision *= 2;
        }
    }

    /// Returns the bits of the `T`s nearest to the cosine and the sine of frequency `k` times `distance`.
    pub fn pair_bits<T: Ieee>(&mut self, case: &Case, k: usize, distance: f64) -> [u64; 2] {
        if distance == 0.0 || case.is_zero(k) {
            return [nearest::<T>(&Real::ONE), 0];
        }
        [Context::<HalfEven>::cos, Context::<HalfEven>::sin].map(|function| {
            let mut precision = 128;
            loop {
                let angle = self.angle(case, k, distance, precision);
                let constants = Some(&mut self.constants);
                let value = finite(function(&Context::new(precision + 32), angle.repr(), constants));
                let share = magnitude(&value).max(magnitude(&angle).min(1));
                let (low, high) = around(&value, share + 1 - signed(precision));
                if nearest::<T>(&low) == nearest::<T>(&high) {
                    return nearest::<T>(&low);
                }
                precision *= 2;
            }
        })
    }

    /// Returns the bits of the `f64` nearest to the sum of the cosines of all frequencies times `distance`.
    ///
    /// By the Lindemann-Weierstrass theorem the sum is transcendental, or, if all angles are zero, an integer.
    pub fn dot_product_bits(&mut self, case: &Case, distance: f64) -> u64 {
        let angles = (0..case.frequency_count()).filter(|&k| distance != 0.0 && !case.is_zero(k)).count();
        if angles == 0 {
            return nearest::<f64>(&Real::from(case.frequency_count()));
        }
        let mut precision = 128;
        loop {
            let value = self.cosines(case, distance, precision);
            let (low, high) = around(&value, magnitude(&Real::from(angles)) + 1 - signed(precision));
            if nearest::<f64>(&low) == nearest::<f64>(&high) {
                return nearest::<f64>(&low);
            }
            precision *= 2;
        }
    }

    /// Returns the sum of the cosines, each of which is within 2^(1 - `precision`).
    pub fn cosines(&mut self, case: &Case, distance: f64, precision: usize) -> Real {
        (0..case.frequency_count()).fold(Real::ZERO, |total, k| {
            if distance == 0.0 || case.is_zero(k) {
                return sum(&total, &Real::ONE);
            }
            let angle = self.angle(case, k, distance, precision);
            let context = Context::<HalfEven>::new(precision + 32);
            sum(&total, &finite(context.cos(angle.repr(), Some(&mut self.constants))))
        })
    }

    /// Returns frequency `k` times `distance`, both nonzero.
    ///
    /// The relative error is at most 2^-(`precision` + 16), and so is the absolute error if the angle exceeds 1.
    fn angle(&mut self, case: &Case, k: usize, distance: f64, precision: usize) -> Real {
        let distance = exactly(distance);
        let before_the_point = magnitude(&self.frequency(case, k, 64)) + 1 + magnitude(&distance);
        let frequency = self.frequency(case, k, precision + before_the_point.max(0).unsigned_abs() + 32);
        product(&frequency, &distance)
    }

    /// Returns frequency `k`, which is not zero, with a relative error of at most 2^(13 - `precision`).
    ///
    /// The exponent, at most 2, times ln `base` is below 2^11 and has a relative rounding error of 2^-`precision`.
    fn frequency(&mut self, case: &Case, k: usize, precision: usize) -> Real {
        let own = match &case.frequencies {
            Some(frequencies) => exactly(frequencies[k]),
            None if k == 0 => Real::ONE,
            None => {
                let context = Context::<HalfEven>::new(precision);
                let (numerator, denominator) = case.exponent(k);
                let exponent = -finite(context.div(Real::from(numerator).repr(), Real::from(denominator).repr()));
                finite(context.powf(exactly(case.base).repr(), exponent.repr(), Some(&mut self.constants)))
            }
        };
        product(&own, &exactly(case.scale))
    }
}

/// Adds exactly, as all operations without a precision do.
pub fn sum(a: &Real, b: &Real) -> Real {
    finite(Context::<HalfEven>::new(0).add(a.repr(), b.repr()))
}

fn product(a: &Real, b: &Real) -> Real {
    finite(Context::<HalfEven>::new(0).mul(a.repr(), b.repr()))
}

fn around(x: &Real, error: isize) -> (Real, Real) {
    let error = Real::ONE << error;
    (sum(x, &-&error), sum(x, &error))
}

fn above(x: &Real) -> Real {
    around(x, magnitude(x) - 256).1
}

fn below(x: &Real) -> Real {
    around(x, magnitude(x) - 256).0
}

/// Converts bits to a number. The bits of infinity stand for the power of two just above the largest number.
fn number(bits: u64) -> Real {
    if bits == INFINITY { Real::ONE << 1024 } else { exactly(f64::from_bits(bits)) }
}
