//! The angle of a column at a position, reduced by whole turns exactly: integers are left to wrap.

use crate::fixed::Fixed;
use crate::frequency::Frequency;
use crate::rounding::Enclosure;

/// An angle as whole quarter turns and a rest of at most half a quarter, counted from the nearer end of its quarter.
#[derive(Clone, Copy)]
pub(crate) struct Phase<const L: usize> {
    quadrant: u64,
    /// The rest is counted backwards, from the end of the quadrant.
    folded: bool,
    /// The rest is `quarter 2^exponent` quarter turns, below 1/2.
    pub(crate) quarter: Fixed<L>,
    /// Never positive.
    pub(crate) exponent: i32,
    /// `quarter` is off by less than `2^error_bits` ulp.
    pub(crate) error_bits: u32,
}

impl<const L: usize> Phase<L> {
    /// `position` turns of `frequency`, for `1 <= position <= 2^53`. `None` if so many whole turns have to go that `L` limbs
    /// keep nothing of the rest.
    ///
    /// The product with `position` is exact but for its last limb, which is dropped: 1 ulp, beside the error of
    /// the frequency times `position / 2^64`. Shifting whole turns out scales both.
    pub(crate) const fn new(position: u64, frequency: &Frequency<L>) -> Option<Self> {
        let (whole, part) = frequency.turns.fraction.mul_small(position);
        let mut turns = part.shr(64);
        turns.0[0] = whole;
        let scale = frequency.turns.exponent + 64;

        let position_bits = u64::BITS - position.leading_zeros();
        let mut error_bits = (position_bits + frequency.error_bits).saturating_sub(64) + 1;
        if scale > 0 {
            error_bits += scale as u32;
            // 2 bits for the quarter, 1 for the fold.
            if error_bits + 3 >= Fixed::<L>::BITS {
                return None;
            }
            turns = turns.shl(scale as u32);
        }
        let quadrant = turns.0[0] >> 62;
        let mut quarter = turns.shl(2);
        let folded = quarter.0[0] >> 63 == 1;
        if folded {
            quarter = quarter.complement();
        }
        let exponent = if scale < 0 { scale } else { 0 };
        Some(Self { quadrant, folded, quarter, exponent, error_bits: error_bits + 3 })
    }

    /// Sine and cosine of the whole angle from those of the rest.
    pub(crate) const fn unfold(&self, sin: Enclosure, cos: Enclosure) -> (Enclosure, Enclosure) {
        let (sin, cos) = if self.folded { (cos, sin) } else { (sin, cos) };
        match self.quadrant {
            0 => (sin, cos),
            1 => (cos, sin.negated()),
            2 => (sin.negated(), cos.negated()),
            _ => (cos.negated(), sin),
        }
    }
}
