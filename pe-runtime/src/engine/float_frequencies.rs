//! The frequencies of a table in floats, each a number and a rest.

#![allow(clippy::float_arithmetic, reason = "has a proven error bound, which is part of that of direct evaluation")]

use alloc::vec::Vec;
use core::hint::black_box;

use crate::element::kernel::LANES;
use crate::engine::allocation::reserve;
use crate::engine::pairs::{product, quotient, renormalised};
use crate::engine::simd::{self, Job};
use crate::engine::split_float::number_and_rest;
use crate::exact::apply_scaling::PreparedScaling;
use crate::exact::float::Float;
use crate::exact::frequency_rule::FrequencyRule;
use crate::exact::limbs::FOR_FLOATS;
use crate::exact::progression::{Geometric, Progression};
use crate::exact::scaling::{Blend, LoweredScaling};

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
        if frequencies.set_products(&progression, rule, count).is_none() {
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
    fn set_products(
        &mut self,
        progression: &Progression<FOR_FLOATS>,
        rule: &FrequencyRule,
        count: usize,
    ) -> Option<()> {
        let Geometric { first: mut frequency, ratio, blended } = progression.geometric()?;
        let (sign, nonzero) = (rule.sign(0), rule.scaling.count_nonzero(count));
        if nonzero == 0 || sign == 0 {
            return None;
        }
        if let Some(blended) = blended {
            return self.set_blended([frequency, ratio], blended, sign, count);
        }
        let (mut lanes, mut power, of_lane) = (Turns::ZEROS, Float::from_f64(1.0), ratio.truncated::<SHORT>());
        for lane in 0..LANES.min(nonzero) {
            lanes.set(lane, factor(&power)?);
            power = power.mul(&of_lane);
        }
        let of_block = squared(ratio, LANES.ilog2());
        let (short, blocks) = (of_block.truncated::<SHORT>(), nonzero.div_ceil(LANES));
        for start in (0..blocks).step_by(RUN) {
            let mut power = frequency.truncated::<SHORT>();
            for _ in start..blocks.min(start + RUN) {
                self.push_first(&power, sign)?;
                power = power.mul(&short);
            }
            if start + RUN < blocks {
                frequency = frequency.mul(&squared(of_block, RUN.ilog2()));
            }
        }
        simd::run(Multiply { blocks: &mut self.blocks, lanes });
        if let LoweredScaling::Each(divisors) = rule.scaling {
            // A rule has divisors from 2^-32 to 2^32 only, so no quotient is beyond the limits of floats.
            simd::run(Divide { blocks: &mut self.blocks, divisors });
            self.set_range(0..count);
        } else {
            self.set_range([0, nonzero - 1]);
        }
        if nonzero < count {
            self.blocks.resize(count.div_ceil(LANES), Turns::ZEROS);
            for i in nonzero..count.min(nonzero.next_multiple_of(LANES)) {
                self.blocks[i / LANES].set(i % LANES, (0.0, 0.0));
            }
        }
        Some(())
    }

    /// Does the same if a rule blends. In blocks in which it does not do the same to all frequencies, the factors of the
    /// lanes contain what it multiplies them by.
    #[inline(never)]
    fn set_blended(
        &mut self,
        [mut first, ratio]: [Float<FOR_FLOATS>; 2],
        (rule, unit): (&PreparedScaling<FOR_FLOATS>, Float<FOR_FLOATS>),
        sign: i32,
        count: usize,
    ) -> Option<()> {
        let (unit, mut powers) = (unit.truncated::<SHORT>(), [Float::from_f64(1.0); LANES + 1]);
        let (mut lanes, mut units) = (Turns::ZEROS, [unit; LANES]);
        for lane in 0..LANES.min(count) {
            units[lane] = powers[lane].truncated().mul(&unit);
            lanes.set(lane, factor(&units[lane])?);
            powers[lane + 1] = powers[lane].mul(&ratio);
        }
        let divided = rule.reciprocal();
        let mut single = 0;
        for i in (0..count).step_by(LANES) {
            let len = LANES.min(count - i);
            match (rule.blend(i), rule.blend(i + len - 1)) {
                (Blend::Kept, Blend::Kept) => self.push_first(&first, sign)?,
                (Blend::Divided, Blend::Divided) => self.push_first(&first.truncated().mul(&divided), sign)?,
                _ => {
                    simd::run(Multiply { blocks: &mut self.blocks[single..], lanes });
                    let (block, mut lanes) = (self.blocks.len(), lanes);
                    self.push_first(&first, sign)?;
                    for lane in 0..len {
                        let multiplier = match rule.blend(i + lane) {
                            Blend::Kept => continue,
                            Blend::Divided => divided,
                            Blend::By => rule.multiplier(i + lane, || first.mul(&powers[lane])),
                        };
                        lanes.set(lane, factor(&units[lane].mul(&multiplier))?);
                    }
                    simd::run(Multiply { blocks: &mut self.blocks[block..], lanes });
                    single = self.blocks.len();
                }
            }
            first = first.mul(&powers[LANES]);
        }
        simd::run(Multiply { blocks: &mut self.blocks[single..], lanes });
        // With a rule that blends, frequencies fall, and so do their multipliers.
        self.set_range([0, count - 1]);
        Some(())
    }

    /// Adds a block of which the first frequency is set.
    fn push_first<const L: usize>(&mut self, frequency: &Float<L>, sign: i32) -> Option<()> {
        let mut block = Turns::ZEROS;
        block.set(0, signed(sign, factor(frequency)?));
        self.blocks.push(block);
        Some(())
    }

    /// Sets the range to that of some of the frequencies.
    fn set_range(&mut self, indices: impl IntoIterator<Item = usize>) {
        let [mut least, mut most] = self.range;
        for i in indices {
            let magnitude = self.blocks[i / LANES].high[i % LANES].abs();
            // Quicker than `min` and `max`, which also handle NaN.
            least = if magnitude < least { magnitude } else { least };
            most = if magnitude > most { magnitude } else { most };
        }
        self.range = [least, most];
    }

    /// Sets one frequency after the other.
    #[inline(never)]
    fn set_each(&mut self, mut progression: Progression<FOR_FLOATS>, rule: &FrequencyRule, count: usize) {
        for i in 0..count {
            let (sign, turns) = (rule.sign(i), progression.advance().turns);
            let frequency = match number_and_rest(&turns) {
                _ if sign == 0 => (0.0, 0.0),
                Some((high, low)) => {
                    self.range = [self.range[0].min(high), self.range[1].max(high)];
                    signed(sign, (high, low))
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

/// Factors are from `2^-LIMIT` to `2^LIMIT`.
const LIMIT: i32 = 250;

/// The limbs of the powers that become floats.
///
/// A power is truncated, as are the factors of its products, and so is each product: together that is a relative error below
/// `6 2^-128` per product. After `RUN` products it is below `2^-117`, which is negligible. A lane with the multiplier
/// of a rule is a product of three numbers, off by less than `22 2^-128`, and the multiplier itself by less than `2^-124`
/// (`PROGRESSION_ERROR_BITS` and `BAND_ERROR_BITS` are 68 of 192 bits).
const SHORT: usize = 2;

/// The number of blocks after which a power is computed anew, with more limbs.
const RUN: usize = 256;

/// Returns `power^(2^times)`.
#[inline(never)]
fn squared(mut power: Float<FOR_FLOATS>, times: u32) -> Float<FOR_FLOATS> {
    for _ in 0..times {
        power = power.mul(&power);
    }
    power
}

/// Returns a number and its rest times 1 or -1.
fn signed(sign: i32, (high, low): (f64, f64)) -> (f64, f64) {
    (f64::from(sign) * high, f64::from(sign) * low)
}

/// Returns the nearest float and the rest.
fn factor<const L: usize>(power: &Float<L>) -> Option<(f64, f64)> {
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
            // The lanes of one block are a vector. LLVM would take eight blocks at a time instead, and scatter their lanes
            // in memory, but not if it does not see where they are.
            let (block, mut products, mut i) = (black_box(block), Turns::ZEROS, 0);
            let first = block.get(0);
            while i < LANES {
                let (high, low) = product::<FUSED>(first, (lanes.high[i], lanes.low[i]));
                products.set(i, renormalised(high, low));
                i += 1;
            }
            *block = products;
        }
    }
}

/// Divides each frequency by a number of its own.
struct Divide<'a> {
    blocks: &'a mut [Turns],
    divisors: &'a [f64],
}

impl Job for Divide<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { blocks, divisors } = self;
        for (block, divisors) in blocks.iter_mut().zip(divisors.chunks(LANES)) {
            let mut of_block = [1.0; LANES];
            of_block[..divisors.len()].copy_from_slice(divisors);
            let mut i = 0;
            while i < LANES {
                (block.high[i], block.low[i]) = quotient::<FUSED>(block.get(i), of_block[i]);
                i += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use proptest::prelude::*;

    use super::*;
    use crate::engine::simd::tests::with_each;
    use crate::exact::apply_scaling::tests::rule;
    use crate::exact::format::decompose;
    use crate::exact::frequency::tests::{any_unit, paired};
    use crate::exact::limbs::NARROW;
    use crate::exact::logarithm::{Base, Ratio};
    use crate::exact::scaling::Divisor;
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
            if x < 0.0 { magnitude.wrapping_neg() } else { magnitude }
        };
        let found = units(high).wrapping_add(units(low)).wrapping_mul(sign.into());
        // The fraction is at least 1/2.
        found.wrapping_sub(exact.fraction.window(32) as i128).unsigned_abs() as f64 / f64::powi(2.0, 160 - 1 - 106)
    }

    /// Returns frequencies in pairs, and their number.
    fn plain((base, d_model): (f64, u64)) -> (FrequencyRule<'static>, usize) {
        (paired(base, d_model), d_model.div_ceil(2) as usize)
    }

    fn scaled((scaling, base, count): (LoweredScaling<'static>, f64, usize)) -> (FrequencyRule<'static>, usize) {
        (FrequencyRule { scaling, ..paired(base, 2 * count as u64) }, count)
    }

    properties! {
        #![cases(60)]

        /// Within the bounds that `proofs/frequency.gappa` and `proofs/quotient.gappa` prove, and with rests that are at most
        /// half a unit in the last place.
        #[test]
        fn frequencies_are_as_precise_as_stated(
            (family, count) in prop_oneof![(1.0..1e6, 1u64..1200).prop_map(plain), (1e-3..1e9, 1u64..1200).prop_map(plain), rule().prop_map(scaled)],
            octave in -100i32..100, scale in 1.0..2.0, negative: bool, unit in any_unit(),
        ) {
            let sign = if negative { -1 } else { 1 };
            let rule = FrequencyRule { scale: f64::from(sign) * scale * f64::powi(2.0, octave), unit, ..family };
            let bound = if matches!(rule.scaling, LoweredScaling::Each(_)) { 29.0 } else { 19.0 };
            let exact: Vec<_> = (0..count).map(|i| rule.of::<NARROW>(i).turns).collect();
            with_each(|_, instructions| {
                let frequencies = FloatFrequencies::new(&rule, count).unwrap();
                assert_eq!(frequencies.blocks.len(), count.div_ceil(LANES));
                for (i, exact) in exact.iter().enumerate() {
                    let (high, low) = frequencies.blocks[i / LANES].get(i % LANES);
                    if rule.sign(i) == 0 {
                        assert_eq!([high, low], [0.0; 2]);
                        continue;
                    }
                    let error = error((high, low), sign, exact);
                    assert!(error <= bound, "{i}: {error} units with {instructions:?}");
                    assert_eq!(high + low, high);
                    assert!((frequencies.range[0]..=frequencies.range[1]).contains(&high.abs()));
                }
            });
        }
    }

    /// Powers are computed anew after `RUN` blocks.
    #[test]
    fn many_frequencies_are_as_precise() {
        const MOST: usize = 20_000;
        let divisors = vec![1.75; MOST];
        for count in [2047, 2048, 2049, 2057, 4097, MOST] {
            let step = Ratio { numerator: 1, denominator: count as u128 };
            for scaling in [
                LoweredScaling::None,
                LoweredScaling::Linear(3.0),
                LoweredScaling::First { count: count - 1, factor: 3.0 },
                LoweredScaling::Each(&divisors[..count]),
                LoweredScaling::Power { base: Base::of(5.0), step },
                LoweredScaling::Ramp { factor: Divisor::of(8.0), low: count / 3, high: count + 7 },
            ] {
                let rule = FrequencyRule { scaling, ..paired(10_000.0, 2 * count as u64) };
                let frequencies = FloatFrequencies::new(&rule, count).unwrap();
                let near = |i: usize| [i.saturating_sub(1), i, i + 7, i + 8];
                for i in (0..=count).step_by(LANES * RUN).chain([count - 1]).flat_map(near).filter(|&i| i < count) {
                    let (high, low) = frequencies.blocks[i / LANES].get(i % LANES);
                    if rule.sign(i) == 0 {
                        assert_eq!([high, low], [0.0; 2]);
                    } else {
                        let error = error((high, low), 1, &rule.of::<NARROW>(i).turns);
                        assert!(error <= 29.0, "{scaling:?} {i} of {count}: {error}");
                    }
                }
            }
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
            let products = frequencies.set_products(&Progression::new(&rule), &rule, 2);
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
