//! Angle addition in floats, eight columns at a time, with a proven error bound.
//!
//! The entries of a column are `A sin(angle)`. The angle is that of the column's frequency, plus a quarter turn for a
//! cosine. Adding two angles is a product of two vectors (sine, cosine), and of the last product only the sine is
//! needed.

#![allow(clippy::float_arithmetic, reason = "has a proven error bound, by which undecided entries are found")]

use crate::element::kernel::{Block, FloatEnclosure, FrequencyBlock, Kernel, LANES, Lanes};
use crate::element::{Bf16Bits, F16Bits, Q7, Q15, Q31};
use crate::engine::direct;
use crate::engine::pairs::product;
use crate::engine::simd::{multiply_add, sum_of_products};
use crate::engine::split_float::{float, multiple_and_rest};
use crate::engine::ziv;
use crate::error_bounds::{
    DIRECT_ONE_FLOAT, DIRECT_TWO_FLOATS, LEAST_ONE_FLOAT, LEAST_TWO_FLOATS, Tier, one_float, two_floats,
};
use crate::exact::rotation::Rotation;
use crate::float_bits::power_of_two;

/// The rest of a number that is one `f64`. Adding the negative zero to a number does not change it, even to another zero,
/// so the compiler leaves the addition out.
const NO_REST: f64 = -0.0;

/// One `f64` per number, which is precise enough for elements of up to 32 bits.
///
/// Its error bound is derived at [`one_float`].
#[derive(Clone, Copy)]
pub struct OneFloat {
    sin: Lanes,
    cos: Lanes,
}

impl Block for OneFloat {
    const ZERO: Self = Self { sin: Lanes::ZEROS, cos: Lanes::ZEROS };
    const IDENTITY: Self = Self { sin: Lanes::ZEROS, cos: Lanes([1.0; LANES]) };
    const ERROR: f64 = one_float(Tier::Fast);
    const DIRECT_ERROR: f64 = DIRECT_ONE_FLOAT;
    const LEAST_ERROR: f64 = LEAST_ONE_FLOAT;
    const EACH_ANGLE: bool = false;

    fn set(&mut self, column: usize, Rotation { sin, cos }: Rotation, exponent: i32) {
        let size = power_of_two(exponent);
        (self.sin.0[column], self.cos.0[column]) = (float(sin, size), float(cos, size));
    }

    #[inline(always)]
    fn set_floats(&mut self, column: usize, sin: (f64, f64), cos: (f64, f64), _: i32) {
        (self.sin.0[column], self.cos.0[column]) = (sin.0, cos.0);
    }

    #[inline(always)]
    fn sine_at<const FUSED: bool>(position: f64, frequencies: &FrequencyBlock, i: usize, offset: f64) -> (f64, f64) {
        let frequency = (frequencies.high.0[i], frequencies.low.0[i]);
        (direct::sine::<FUSED>(direct::phase::<FUSED>(position, frequency, offset)), NO_REST)
    }

    #[inline(always)]
    fn scaled<const FUSED: bool>((sine, _): (f64, f64), (amplitude, _): (f64, f64)) -> (f64, f64) {
        (sine * amplitude, NO_REST)
    }

    #[inline(always)]
    fn turned<const FUSED: bool>(&self, by: &Self, _: i32) -> Self {
        let mut turned = Self::ZERO;
        let mut i = 0;
        while i < LANES {
            let (sin, cos) = (self.sin.0[i], self.cos.0[i]);
            turned.sin.0[i] = sum_of_products::<FUSED>(sin, by.cos.0[i], cos, by.sin.0[i]);
            turned.cos.0[i] = sum_of_products::<FUSED>(cos, by.cos.0[i], -sin, by.sin.0[i]);
            i += 1;
        }
        turned
    }

    #[inline(always)]
    fn sine_of_sum<const FUSED: bool>(&self, by: &Self, i: usize, offset: f64) -> (f64, f64) {
        let second = multiply_add::<FUSED>(self.cos.0[i], by.sin.0[i], offset);
        (multiply_add::<FUSED>(self.sin.0[i], by.cos.0[i], second), NO_REST)
    }
}

/// Two floats per number, a multiple of `2^-26` amplitudes and a rest of at most half of that: precise enough for
/// `f64`.
///
/// The multiples have no more than 26 bits, so their products, and the sum of two of these, are exact. This takes
/// neither fused operations nor compensation.
///
/// Its error bound is derived at [`two_floats`].
#[derive(Clone, Copy)]
pub struct TwoFloats {
    sin: Parts,
    cos: Parts,
}

#[derive(Clone, Copy)]
struct Parts {
    high: Lanes,
    low: Lanes,
}

impl Parts {
    const ZERO: Self = Self { high: Lanes::ZEROS, low: Lanes::ZEROS };

    fn set(&mut self, column: usize, value: i128, exponent: i32) {
        (self.high.0[column], self.low.0[column]) = multiple_and_rest(value, power_of_two(exponent));
    }

    #[inline(always)]
    fn set_floats(&mut self, column: usize, (number, rest): (f64, f64), exponent: i32) {
        let rounder = multiples(exponent);
        let high = (number + rounder) - rounder;
        (self.high.0[column], self.low.0[column]) = (high, (number - high) + rest);
    }
}

/// Returns the number to be added and subtracted to round to multiples of `2^-26` amplitudes.
///
/// Floats of this magnitude are such multiples.
#[inline(always)]
fn multiples(exponent: i32) -> f64 {
    1.5 * power_of_two(exponent + 26)
}

impl TwoFloats {
    /// Returns `a b + c d + offset` as the sum of the products of the multiples, which is exact, and the rest.
    #[inline(always)]
    fn sum_of_products<const FUSED: bool>(
        (a_high, a_low): (f64, f64),
        (b_high, b_low): (f64, f64),
        (c_high, c_low): (f64, f64),
        (d_high, d_low): (f64, f64),
        offset: f64,
    ) -> (f64, f64) {
        let high = sum_of_products::<FUSED>(a_high, b_high, c_high, d_high);
        let rest = multiply_add::<FUSED>(a_low, b_high, offset);
        let rest = multiply_add::<FUSED>(a_high + a_low, b_low, rest);
        let rest = multiply_add::<FUSED>(c_low, d_high, rest);
        (high, multiply_add::<FUSED>(c_high + c_low, d_low, rest))
    }
}

impl Block for TwoFloats {
    const ZERO: Self = Self { sin: Parts::ZERO, cos: Parts::ZERO };
    const IDENTITY: Self = Self { sin: Parts::ZERO, cos: Parts { high: Lanes([1.0; LANES]), low: Lanes::ZEROS } };
    const ERROR: f64 = two_floats(Tier::Fast);
    const DIRECT_ERROR: f64 = DIRECT_TWO_FLOATS;
    const LEAST_ERROR: f64 = LEAST_TWO_FLOATS;
    const EACH_ANGLE: bool = true;

    fn set(&mut self, column: usize, Rotation { sin, cos }: Rotation, exponent: i32) {
        self.sin.set(column, sin, exponent);
        self.cos.set(column, cos, exponent);
    }

    #[inline(always)]
    fn set_floats(&mut self, column: usize, sin: (f64, f64), cos: (f64, f64), exponent: i32) {
        self.sin.set_floats(column, sin, exponent);
        self.cos.set_floats(column, cos, exponent);
    }

    #[inline(always)]
    fn sine_at<const FUSED: bool>(position: f64, frequencies: &FrequencyBlock, i: usize, offset: f64) -> (f64, f64) {
        let frequency = (frequencies.high.0[i], frequencies.low.0[i]);
        direct::precise_sine::<FUSED>(direct::phase::<FUSED>(position, frequency, offset))
    }

    #[inline(always)]
    fn scaled<const FUSED: bool>(sine: (f64, f64), amplitude: (f64, f64)) -> (f64, f64) {
        product::<FUSED>(sine, amplitude)
    }

    #[inline(always)]
    fn turned<const FUSED: bool>(&self, by: &Self, exponent: i32) -> Self {
        let rounder = multiples(exponent);
        let mut turned = Self::ZERO;
        let mut i = 0;
        while i < LANES {
            let (sin, cos) = ((self.sin.high.0[i], self.sin.low.0[i]), (self.cos.high.0[i], self.cos.low.0[i]));
            let (by_sin, by_cos) = ((by.sin.high.0[i], by.sin.low.0[i]), (by.cos.high.0[i], by.cos.low.0[i]));
            let (high, rest) = Self::sum_of_products::<FUSED>(sin, by_cos, cos, by_sin, NO_REST);
            turned.sin.high.0[i] = (high + rest + rounder) - rounder;
            turned.sin.low.0[i] = (high - turned.sin.high.0[i]) + rest;
            let (high, rest) = Self::sum_of_products::<FUSED>(cos, by_cos, (-sin.0, -sin.1), by_sin, NO_REST);
            turned.cos.high.0[i] = (high + rest + rounder) - rounder;
            turned.cos.low.0[i] = (high - turned.cos.high.0[i]) + rest;
            i += 1;
        }
        turned
    }

    #[inline(always)]
    fn sine_of_sum<const FUSED: bool>(&self, by: &Self, i: usize, offset: f64) -> (f64, f64) {
        let (sin, cos) = ((self.sin.high.0[i], self.sin.low.0[i]), (self.cos.high.0[i], self.cos.low.0[i]));
        let (by_sin, by_cos) = ((by.sin.high.0[i], by.sin.low.0[i]), (by.cos.high.0[i], by.cos.low.0[i]));
        Self::sum_of_products::<FUSED>(sin, by_cos, cos, by_sin, offset)
    }
}

macro_rules! block {
    (F64) => {
        TwoFloats
    };
    ($format:ident) => {
        OneFloat
    };
}

macro_rules! kernels {
    ($($dtype:ident $([$feature:literal])?: $element:ty as $bits:ty, $format:ident, $elsewhere:tt;)*) => { $(
        $(#[cfg(feature = $feature)])?
        impl Kernel for $element {
            type Block = block!($format);

            #[inline(always)]
            fn round(value: FloatEnclosure, rounder: f64) -> (Self, u32) {
                ziv::$dtype(value, rounder)
            }
        }
    )* };
}

crate::for_each_element!(kernels);

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::exact::frequency::tests::{advanced, paired};
    use crate::exact::sinusoid::{PreparedAmplitude, Sinusoid};

    /// Adds angles by products and compares the sum with that of the exact tier.
    ///
    /// Returns the difference in units of `2^-126`, and the number of products, the last of which gives the sine alone.
    fn difference<B: Block, const FUSED: bool>(positions: &[i32], exponent: i32) -> (i128, usize) {
        let frequencies = paired(10_000.0, 64);
        let turns = advanced(&frequencies, 1);
        let sinusoid = Sinusoid::new(&frequencies, 1, turns, &PreparedAmplitude::ONE);
        let rotation = |position: i32| sinusoid.rotation(position.into(), 0).unwrap();
        let block = |position, exponent| {
            let mut block = B::ZERO;
            (0..LANES).for_each(|column| block.set(column, rotation(position), exponent));
            block
        };

        let (last, rest) = positions.split_last().unwrap();
        let (first, rest) = rest.split_first().unwrap();
        let product = rest
            .iter()
            .fold(block(*first, exponent), |product, &position| product.turned::<FUSED>(&block(position, 0), exponent));
        let (high, low) = product.sine_of_sum::<FUSED>(&block(*last, 0), 3, 0.0);
        // Multiples of 2^-126, or nearly so.
        let units = |part: f64| (part * power_of_two(Rotation::BITS - exponent)) as i128;
        (units(high) + units(low) - rotation(positions.iter().sum()).sin, positions.len() - 1)
    }

    /// Returns the largest difference as a share of the claimed error, over many random products.
    fn largest_share<B: Block>() -> f64 {
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let mut largest = 0.0f64;
        let strategy = (prop::collection::vec(-1_000_000i32..1_000_000, 2..30), any::<bool>(), -40i32..40);
        runner
            .run(&strategy, |(positions, fused, exponent)| {
                let difference = if fused { difference::<B, true> } else { difference::<B, false> };
                let (difference, products) = difference(&positions, exponent);
                let claimed = (products + 2) as f64 * B::ERROR * power_of_two(Rotation::BITS);
                let share = difference.unsigned_abs() as f64 / claimed;
                prop_assert!(share < 1.0, "{} products, {} of the error", products, share);
                Ok(())
            })
            .unwrap();
        for seed in 0..2000 {
            let positions: Vec<i32> = (1..4 + seed % 9).map(|i| (seed * 7_919 + i * 104_729) % 1_000_003).collect();
            let (difference, products) = difference::<B, false>(&positions, 0);
            let claimed = (products + 2) as f64 * B::ERROR * power_of_two(Rotation::BITS);
            largest = largest.max(difference.unsigned_abs() as f64 / claimed);
        }
        largest
    }

    /// The differences are within the claimed errors, which are not far too large: a thirtieth or a fiftieth of them
    /// would not suffice. (The vectors here are from the exact tier.)
    #[test]
    fn products_are_as_precise_as_stated() {
        let (plain, split) = (largest_share::<OneFloat>(), largest_share::<TwoFloats>());
        assert!((0.03..1.0).contains(&plain) && (0.02..1.0).contains(&split), "{plain} {split}");
    }
}
