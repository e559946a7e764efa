//! Positions around the limits of the ways to evaluate an angle, of the element types, and of `f64`.

use posenc::Amplitude;
use rug::Float;
use rug::float::Constant;

use super::checks::check_positions;
use super::progressions::frequency;
use crate::params::Params;
use crate::rng::Rng;
use crate::tally::Tally;

/// The base and the scale of the tables, of 16 columns.
const TABLES: [(f64, f64); 6] =
    [(10_000.0, 1.0), (1e9, -1.0), (2.0, std::f64::consts::TAU), (500_000.0, 1e-3), (0.01, 1.0), (10_000.0, 1e150)];
const WAVES: usize = 8;

/// The exponents of two of angles, in turns.
///
/// Beyond `2^40` and below `2^-400` turns, posenc evaluates differently. The others are the smallest normal and the
/// smallest subnormal number of an element type, and the angles whose cosine is a unit of its last place below 1.
const TURNS: [i32; 14] = [40, 41, 53, -400, -401, -14, -24, -126, -149, -133, -1022, -1074, -12, -26];

const NUMBERS: [f64; 10] =
    [9_007_199_254_740_992.0, 1e15, 1e12, 1e300, f64::MAX, 1e-300, f64::MIN_POSITIVE, 1e-310, 5e-324, 0.0];

/// The blocks of each table: one for each amplitude and each kind of position.
const AMPLITUDES: u64 = 4;
const KINDS: u64 = 4;

pub fn blocks() -> u64 {
    AMPLITUDES * KINDS * u64::try_from(TABLES.len()).expect("small")
}

pub fn run(block: u64, tally: &mut Tally) {
    let mut rng = Rng::of_block(8, block);
    let (base, scale) = TABLES[usize::try_from(block / KINDS / AMPLITUDES).expect("small")];
    let amplitude = match block / KINDS % AMPLITUDES {
        0 => Amplitude::Value(1.0),
        1 => Amplitude::Value(-1.0),
        2 => Amplitude::RsqrtD,
        _ => Amplitude::Value(rng.of_any_size(-12, 12)),
    };
    let params = Params { base, scale, amplitude, ..Params::paper(2 * WAVES) };
    let waves: Vec<_> = (0..WAVES).collect();
    let wave = match block % KINDS {
        0 => {
            return NUMBERS.iter().for_each(|&number| check_positions(&params, around(number), &waves, tally));
        }
        1 => 0,
        2 => WAVES - 1,
        _ => rng.size(1, WAVES - 2),
    };
    for turns in TURNS {
        let position = at_turns(&params, wave, turns);
        if position.is_finite() && position != 0.0 {
            check_positions(&params, around(position), &waves, tally);
            let near = (0..8).map(|_| position * (0.5 + rng.fraction())).filter(|position| position.is_finite());
            check_positions(&params, near.collect(), &waves, tally);
        }
    }
}

/// Returns the position at which the angle is `2^exponent` turns, or infinity or 0 if it is out of range.
fn at_turns(params: &Params, wave: usize, exponent: i32) -> f64 {
    let turn = Float::with_val(400, Constant::Pi) * 2u32;
    ((turn << exponent) / frequency(params, wave)).to_f64()
}

/// Returns a number and its neighbours, of both signs.
fn around(number: f64) -> Vec<f64> {
    let mut positions = vec![number];
    let (mut below, mut above) = (number, number);
    for _ in 0..4 {
        (below, above) = (below.next_down(), above.next_up());
        positions.extend([below, above]);
    }
    positions.retain(|position| position.is_finite());
    positions.iter().flat_map(|&position| [position, -position]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_angle_at_a_position_is_the_number_of_turns() {
        let params = Params { scale: 0.25, ..Params::paper(2 * WAVES) };
        assert_eq!(at_turns(&params, 0, 40), 2f64.powi(42) * std::f64::consts::TAU);
        assert_eq!(at_turns(&params, 0, 1022), f64::INFINITY);
        assert_eq!(at_turns(&params, 0, -1100), 0.0);
        assert!(around(f64::MAX).len() < around(1.0).len());
    }
}
