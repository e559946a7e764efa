//! The frequencies of a table in floats, each a number and a rest.

#![allow(clippy::float_arithmetic, reason = "has a proven error bound, which is part of that of direct evaluation")]

use alloc::vec::Vec;

use crate::element::kernel::LANES;
use crate::engine::allocation::reserve;
use crate::engine::pairs::{product, renormalised};
use crate::engine::simd::{self, Job};
use crate::engine::split_float::number_and_rest;
use crate::exact::float::Float;
use crate::exact::frequency::{FrequencyRule, Progression};
use crate::exact::limbs::FOR_FLOATS;

/// Eight frequencies in a row, in turns per position.
#[derive(Clone, Copy)]
pub(super) struct Turns {
    pub(super) high: [f64; LANES],
    /// What `high` lacks.
    pub(super) low: [f64; LANES],
}

impl Turns {
    const ZEROS: Self = Self { high: [0.0; LANES], low: [0.0; LANES] };

    pub(super) fn get(&self, lane: usize) -> (f64, f64) {
        (self.high[lane], self.low[lane])
    }

    fn set(&mut self, lane: usize, (high, low): (f64, f64)) {
        (self.high[lane], self.low[lane]) = (high, low);
    }
}

/// All frequencies of a table, in blocks of eight.
///
/// The error of each, and the size of its rest, are derived at [`DIRECT_PHASE`](crate::error_bounds::DIRECT_PHASE).
pub(super) struct FloatFrequencies {
    pub(super) blocks: Vec<Turns>,
    /// The smallest and the largest absolute value other than zero. If a frequency is no such float, the largest is infinite,
    /// so that no position serves.
    pub(super) range: [f64; 2],
}

impl FloatFrequencies {
    /// Returns the first `count` frequencies, or `None` if allocation fails.
    pub(super) fn new(rule: &FrequencyRule, count: usize) -> Option<Self> {
        let mut frequencies = Self { blocks: reserve(count.div_ceil(LANES))?, range: [f64::INFINITY, 0.0] };
        let progression = Progression::<FOR_FLOATS>::new(rule);
        if count == 0 || rule.sign(0) == 0 || frequencies.set_products(&progression, rule.sign(0), count).is_none() {
            frequencies.blocks.clear();
            frequencies.set_each(progression, rule, count);
        }
        Some(frequencies)
    }

    /// Sets the frequencies of a geometric family to products of two powers of the ratio: one for the block and one for the
    /// lane.
    ///
    /// Returns `None` if the frequencies are none of such a family, or if a factor is beyond `2^±250`, so that a product
    /// might be beyond `2^±500`.
    fn set_products(&mut self, progression: &Progression<FOR_FLOATS>, sign: i32, count: usize) -> Option<()> {
        let (mut frequency, ratio) = progression.geometric()?;
        let (mut lanes, mut power) = (Turns::ZEROS, Float::from_f64(1.0));
        for lane in 0..LANES.min(count) {
            lanes.set(lane, factor(&power)?);
            power = power.mul(&ratio);
        }
        for _ in 0..count.div_ceil(LANES) {
            let (high, low) = factor(&frequency)?;
            let mut block = Turns::ZEROS;
            block.set(0, (f64::from(sign) * high, f64::from(sign) * low));
            self.blocks.push(block);
            frequency = frequency.mul(&power);
        }
        simd::run(Multiply { blocks: &mut self.blocks, lanes });
        let magnitude = |i: usize| self.blocks[i / LANES].high[i % LANES].abs();
        let ends = [magnitude(0), magnitude(count - 1)];
        self.range = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        Some(())
    }

    /// Sets one frequency after the other.
    fn set_each(&mut self, mut progression: Progression<FOR_FLOATS>, rule: &FrequencyRule, count: usize) {
        for i in 0..count {
            let (sign, turns) = (rule.sign(i), progression.advance().turns);
            let frequency = match number_and_rest(&turns) {
                _ if sign == 0 => (0.0, 0.0),
                Some((high, low)) => {
                    self.range = [self.range[0].min(high), self.range[1].max(high)];
                    (f64::from(sign) * high, f64::from(sign) * low)
                }
                None => {
                    self.range[1] = f64::INFINITY;
                    (0.0, 0.0)
                }
            };
            if i % LANES == 0 {
                self.blocks.push(Turns::ZEROS);
            }
            self.blocks[i / LANES].set(i % LANES, frequency);
        }
    }
}

/// Returns the nearest float and the rest.
fn factor(power: &Float<FOR_FLOATS>) -> Option<(f64, f64)> {
    const LIMIT: i32 = 250;
    if power.exponent.abs() > LIMIT {
        return None;
    }
    number_and_rest(power).map(|(high, low)| renormalised(high, low))
}

/// Multiplies the first lane of each block by eight factors, which become the lanes.
struct Multiply<'a> {
    blocks: &'a mut [Turns],
    lanes: Turns,
}

impl Job for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { blocks, lanes } = self;
        for block in blocks {
            let first = block.get(0);
            let mut i = 0;
            while i < LANES {
                let (high, low) = product::<FUSED>(first, (lanes.high[i], lanes.low[i]));
                (block.high[i], block.low[i]) = renormalised(high, low);
                i += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::simd::tests::with_each;
    use crate::exact::format::decompose;
    use crate::exact::frequency::tests::{any_unit, paired};
    use crate::exact::limbs::NARROW;
    use crate::properties;

    /// Returns the error of a frequency in units of `2^-106` of its power of two, given its absolute value more precisely.
    fn error((high, low): (f64, f64), sign: i32, exact: &Float<NARROW>) -> f64 {
        // All numbers in units of `2^(exponent - 160)` mod 2^128.
        let units = |x: f64| {
            let (mantissa, exponent) = decompose(x);
            let shift = exponent - 52 + 160 - exact.exponent;
            let magnitude = match shift {
                _ if mantissa == 0 => 0,
                128.. => 0,
                0.. => u128::from(mantissa) << shift,
                _ => u128::from(mantissa) >> shift.unsigned_abs().min(127),
            } as i128;
            if x < 0.0 { -magnitude } else { magnitude }
        };
        let found = units(high).wrapping_add(units(low)).wrapping_mul(sign.into());
        // The fraction is at least 1/2.
        found.wrapping_sub(exact.fraction.window(32) as i128).unsigned_abs() as f64 / f64::powi(2.0, 160 - 1 - 106)
    }

    properties! {
        #![cases(20)]

        /// Within the bound that `proofs/frequency.gappa` proves, and with rests that are at most half a unit in the last place.
        #[test]
        fn frequencies_are_as_precise_as_stated(
            base in prop_oneof![1.0..1e6, 1e-3..1e9], d_model in 1u64..1200, octave in -100i32..100, scale in 1.0..2.0, negative: bool, unit in any_unit(),
        ) {
            let sign = if negative { -1 } else { 1 };
            let rule = FrequencyRule { scale: f64::from(sign) * scale * f64::powi(2.0, octave), unit, ..paired(base, d_model) };
            let count = d_model.div_ceil(2) as usize;
            let exact: Vec<_> = (0..count).map(|i| rule.of::<NARROW>(i).turns).collect();
            with_each(|_, instructions| {
                let frequencies = FloatFrequencies::new(&rule, count).unwrap();
                for (i, exact) in exact.iter().enumerate() {
                    let (high, low) = frequencies.blocks[i / LANES].get(i % LANES);
                    let error = error((high, low), sign, exact);
                    assert!(error <= 19.0, "{i}: {error} units with {instructions:?}");
                    assert_eq!(high + low, high);
                    assert!((frequencies.range[0]..=frequencies.range[1]).contains(&high.abs()));
                }
            });
        }
    }

    /// Factors or frequencies of these are not floats of the tiers.
    #[test]
    fn frequencies_beyond_the_limits_are_computed_one_by_one() {
        for (base, scale, serves) in
            [(1e300, 1e-10, false), (1e300, 1.0, true), (1e-300, 1e10, false), (1e4, 1e100, true)]
        {
            let rule = FrequencyRule { scale, ..paired(base, 4) };
            let mut frequencies = FloatFrequencies { blocks: Vec::new(), range: [0.0; 2] };
            let products = frequencies.set_products(&Progression::new(&rule), 1, 2);
            assert!(products.is_none(), "{base}");
            let FloatFrequencies { blocks, range } = FloatFrequencies::new(&rule, 2).unwrap();
            assert_eq!(range[1].is_finite(), serves, "{base}");
            if serves {
                let exact = rule.of::<NARROW>(1).turns;
                assert!(error(blocks[0].get(1), 1, &exact) <= 4.0);
            }
        }
    }
}
