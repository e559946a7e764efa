//! The angle of a column at a position, reduced to a quarter turn of either sign.

use crate::engine::pairs::{product_error, sum_and_error};
use crate::engine::simd::multiply_add;

/// An angle of at most about a quarter turn, in turns, and whether its sine is to be negated.
#[derive(Clone, Copy)]
pub(crate) struct Phase {
    /// The angle, rounded once, less `rest`.
    pub(super) turns: f64,
    /// The rounding error of `turns`.
    pub(super) error: f64,
    /// The rounding error of the product, and the product with the low part of the frequency.
    pub(super) rest: f64,
    /// The sign bit if the angle was reduced by an odd number of half turns, otherwise 0.
    pub(super) flip: u64,
}

/// Floats of this magnitude are multiples of 1/2.
const HALVES: f64 = 1.5 * (1u64 << 51) as f64;

/// Returns the phase of a frequency at `position`, plus `offset`, a multiple of a quarter turn.
///
/// The frequency is a number and a rest, in turns per position. The product must be at most
/// [`MAX_TURNS`](crate::error_bounds::MAX_TURNS).
///
/// The multiple of 1/2 that is nearest to the angle, `half_turns`, is found by adding [`HALVES`] and subtracting it. Its
/// difference from the offset is a multiple of 1/4 and exact. The product is reduced by that difference with one
/// rounding, which is exact if the two nearly cancel. So `turns` keeps its relative precision.
#[inline(always)]
pub(crate) fn phase<const FUSED: bool>(position: f64, (frequency, low): (f64, f64), offset: f64) -> Phase {
    let product = position * frequency;
    let rest = multiply_add::<FUSED>(position, low, product_error::<FUSED>(position, frequency, product));
    let shifted = (product + offset) + HALVES;
    let half_turns = shifted - HALVES;
    let (turns, error) = sum_and_error(product, offset - half_turns);
    // The last bit of the sum counts half turns.
    Phase { turns, error, rest, flip: shifted.to_bits() << 63 }
}
