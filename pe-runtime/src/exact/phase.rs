//! The angle of a column at a position, reduced by whole turns exactly: integers are left to wrap.

use crate::exact::fixed::Fixed;
use crate::exact::format::decompose;
use crate::exact::frequency::Frequency;
use crate::exact::limbs;

/// An angle as whole quarter turns and a rest of at most half a quarter, counted from the nearer end of its quarter.
#[derive(Clone, Copy)]
pub(crate) struct Phase<const L: usize> {
    pub(crate) turn: Turn,
    /// The rest is `quarter 2^exponent` quarter turns, below 1/2.
    pub(crate) quarter: Fixed<L>,
}

/// All of a [`Phase`] but the fraction of its rest.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) quadrant: u32,
    /// The rest is counted backwards, from the end of the quadrant.
    pub(crate) folded: bool,
    /// Never positive.
    pub(crate) exponent: i32,
    /// The fraction of the rest is off by less than `2^error_bits` ulp.
    pub(crate) error_bits: u32,
}

impl<const L: usize> Phase<L> {
    /// Returns as many turns of `frequency` as the size of `position` says, a finite number other than 0. `None` if so
    /// many whole turns have to go that `L` limbs keep nothing of the rest.
    pub(crate) const fn new(position: f64, frequency: &Frequency<L>) -> Option<Self> {
        let mut quarter = frequency.turns.fraction;
        match Turn::new(position, &mut quarter.0, frequency.turns.exponent, frequency.error_bits) {
            Some(turn) => Some(Self { turn, quarter }),
            None => None,
        }
    }
}

impl Turn {
    /// The body of [`Phase::new`]: leaves the fraction of the rest in the place of the frequency's, `turns`.
    ///
    /// The position's fraction is shifted by 3 bits, so that a product without whole turns lies in the first quadrant's first
    /// half. The product is exact but for its last limb, which is dropped: 1 ulp, beside the frequency's error, which is not
    /// more than its relative one. Shifting whole turns out scales both.
    ///
    /// Inlined, as are the functions that it calls: the narrow tier reduces every angle by it, in a number of limbs
    /// that the compiler then knows.
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

    /// Returns sine and cosine of the whole angle, made of those of the rest: the size of each, and whether it is negative.
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
