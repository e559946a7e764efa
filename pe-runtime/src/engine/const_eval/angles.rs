//! Sines and cosines from which runs start, in floats.

use crate::engine::polynomials::SINE;
use crate::exact::float::Float;
use crate::exact::frequency::Frequency;
use crate::exact::sinusoid::Sinusoid;
use crate::float_bits::power_of_two;

/// A frequency in turns per position, less whole turns, in units of `2^-128`.
///
/// It is off by less than 2 units. (See [`CONST_EVAL_PHASE`](crate::error_bounds::CONST_EVAL_PHASE).)
#[derive(Clone, Copy)]
pub(super) struct Turns(u128);

impl Turns {
    /// Returns the frequency, or `None` from `2^128` turns per position on.
    pub(super) const fn of(sinusoid: &Sinusoid) -> Option<Self> {
        let Frequency { turns: Float { fraction, exponent }, .. } = sinusoid.turns;
        let turns = match exponent {
            ..-127 => 0,
            -127..0 => fraction.window(0) >> -exponent,
            0..=128 => fraction.window(exponent as u32),
            _ => return None,
        };
        Some(Self(match sinusoid.sign {
            0 => 0,
            1 => turns,
            _ => turns.wrapping_neg(),
        }))
    }

    /// Returns the sine and the cosine at a position.
    ///
    /// Each is precise relative to itself: see [`one_float`](crate::error_bounds::one_float).
    pub(super) const fn at(self, position: i64) -> (f64, f64) {
        let angle = self.0.wrapping_mul(position as i128 as u128);
        (sine(angle), sine(angle.wrapping_add(QUARTER_TURN)))
    }
}

const QUARTER_TURN: u128 = 1 << 126;

/// Returns the sine of an angle in units of `2^-128` turns.
///
/// The angle is reduced to a quarter turn of either sign, exactly. The polynomial is that of direct evaluation, without
/// calls, loops and indices.
const fn sine(angle: u128) -> f64 {
    let half_turns = angle.wrapping_add(QUARTER_TURN) >> 127;
    let x = angle.wrapping_sub(half_turns << 127) as i128 as f64 * power_of_two(-128);
    let y = x * x;
    let ratio = const { SINE[7] } * y + const { SINE[6] };
    let ratio = (ratio * y + const { SINE[5] }) * y + const { SINE[4] };
    let ratio = (ratio * y + const { SINE[3] }) * y + const { SINE[2] };
    let ratio = (ratio * y + const { SINE[1] }) * y + const { SINE[0] };
    if half_turns == 0 { x * ratio } else { -(x * ratio) }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::direct;
    use crate::properties;

    properties! {
        #![cases(256)]

        /// Sines of angles that are floats, which direct evaluation takes too.
        #[test]
        fn sines_are_those_of_direct_evaluation(turns in any::<i64>(), shift in 0u32..60) {
            // At most 53 bits, so the angle is a float, and so is the reduced angle.
            let turns = turns >> 11 >> shift;
            let of_direct = |offset| direct::sine::<false>(direct::phase::<false>(turns as f64 * power_of_two(-53), (1.0, 0.0), offset));
            let (sin, cos) = Turns((turns as i128 as u128) << 75).at(1);
            prop_assert_eq!((sin, cos), (of_direct(0.0), of_direct(0.25)));
        }
    }
}
