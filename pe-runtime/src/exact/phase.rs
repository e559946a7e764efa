//! The angle of a column at a position, reduced exactly by whole turns with wrapping integers.

use crate::exact::fixed::Fixed;
use crate::exact::format::decompose;
use crate::exact::frequency::Frequency;
use crate::exact::limbs;

/// An angle as quarter turns and a rest of at most half a quarter turn, counted from the nearer end of its quadrant.
#[derive(Clone, Copy)]
pub(crate) struct Phase<const L: usize> {
    pub(crate) turn: Turn,
    /// The rest is `quarter 2^exponent` quarter turns, below 1/2.
    pub(crate) quarter: Fixed<L>,
}

/// All parts of a [`Phase`] except the fraction of its rest.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) quadrant: u32,
    /// Whether the rest is counted backwards, from the end of the quadrant.
    pub(crate) folded: bool,
    /// Never positive.
    pub(crate) exponent: i32,
    /// The fraction of the rest is off by less than `2^error_bits` ulp.
    pub(crate) error_bits: u32,
}

impl<const L: usize> Phase<L> {
    /// Returns the phase of `frequency` at `|position|`, for a finite `position` other than 0.
    ///
    /// Returns `None` if removing the whole turns leaves no correct bit of the rest in `L` limbs.
    pub(crate) const fn new(position: f64, frequency: &Frequency<L>) -> Option<Self> {
        let mut quarter = frequency.turns.fraction;
        match Turn::new(position, &mut quarter.0, frequency.turns.exponent, frequency.error_bits) {
            Some(turn) => Some(Self { turn, quarter }),
            None => None,
        }
    }
}

impl Turn {
    /// Implements [`Phase::new`], and replaces `turns`, the fraction of the frequency, by the fraction of the rest.
    ///
    /// The fraction of the position is shifted down by 3 bits, so that a product without whole turns lies in the first
    /// half of the first quadrant. The product is exact except for its last limb, which is dropped. That is an error of
    /// 1 ulp, to which the frequency adds an error that is at most its relative error. Shifting out whole turns scales
    /// both.
    ///
    /// This function and those it calls are inlined, because the narrow tier reduces every angle by it, and the
    /// compiler then knows the number of limbs.
    #[inline]
    pub(crate) const fn new(position: f64, turns: &mut [u64], exponent: i32, error_bits: u32) -> Option<Self> {
        let (mantissa, position_exponent) = decompose(position);
        limbs::multiply_down(turns, mantissa << 8);
        let scale = exponent + position_exponent + 4;
        let whole_bits = if scale > 0 { scale as u32 } else { 0 };

        // 1 bit for the product, 2 for the quarter, 1 for the fold.
        let error_bits = error_bits + whole_bits + 4;
        if error_bits >= limbs::bits(turns) {
            return None;
        }
        let quadrant = (limbs::window(turns, whole_bits) >> 126) as u32;
        limbs::shift_up(turns, whole_bits + 2);
        let folded = turns[0] >> 63 == 1;
        if folded {
            limbs::complement(turns);
        }
        let exponent = if scale < 0 { scale } else { 0 };
        Some(Self { quadrant, folded, exponent, error_bits })
    }

    /// Returns the sine and the cosine of the whole angle, given those of the rest.
    ///
    /// Each result is an absolute value, and whether the number is negative.
    pub(crate) const fn unfold<T: Copy>(&self, sin: T, cos: T) -> [(T, bool); 2] {
        let (sin, cos) = if self.folded { (cos, sin) } else { (sin, cos) };
        match self.quadrant {
            0 => [(sin, false), (cos, false)],
            1 => [(cos, false), (sin, true)],
            2 => [(sin, true), (cos, true)],
            _ => [(cos, true), (sin, false)],
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
#[allow(clippy::float_arithmetic, reason = "errors are measured")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::error_audit::{Goal, Worst, report, worst};
    use crate::exact::float::Float;
    use crate::exact::limbs::tests::limb;
    use crate::exact::power::tests::ulps;

    /// The frequencies are exact in 10 limbs, and cut to 5. What the product drops counts most if they lose next to nothing.
    #[test]
    fn rests_are_as_precise_as_stated() {
        let draw = || {
            let error_bits = prop_oneof![1u32..4, 4u32..200];
            (prop::array::uniform10(limb()), error_bits, -80i32..80, 1..1u64 << 53)
        };
        let look = |(mut limbs, error_bits, exponent, position): ([u64; 10], u32, i32, u64), worst: &mut Worst<1>| {
            limbs[0] |= 1 << 63;
            let exact = Fixed(limbs);
            // A fraction is at least 1/2, so that is a relative error below 2^error_bits ulp.
            let mut fraction = Fixed::<5>::from_prefix(&limbs);
            limbs::shift_down(&mut fraction.0, error_bits - 1);
            limbs::shift_up(&mut fraction.0, error_bits - 1);
            let narrow = Frequency { turns: Float { fraction, exponent }, error_bits };
            let wide = Frequency { turns: Float { fraction: exact, exponent }, error_bits: 0 };
            let (Some(phase), Some(exact)) = (Phase::new(position as f64, &narrow), Phase::new(position as f64, &wide))
            else {
                return;
            };
            if (phase.turn.quadrant, phase.turn.folded) == (exact.turn.quadrant, exact.turn.folded) {
                let share = ulps(&phase.quarter, &exact.quarter) / f64::powi(2.0, phase.turn.error_bits as i32);
                worst.shares[0] = worst.shares[0].max(share);
                worst.entries += 1;
            }
        };
        let Worst { shares: [share], entries } = worst(draw, Goal::of_share(20), look);
        report("exact, phases", share, entries, 0.04);
    }
}
