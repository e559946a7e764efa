//! Random quantisers: those of models, and those for which the amplitude is a tie or at the end of the range.

use posenc::MAX_POSITION;
use rug::Float;
use rug::float::Round;

use crate::amplitude::Amplitude;
use crate::fractions::quotients;
use crate::integers::{INTEGERS, Integers, Scale, Steps};
use crate::rng::Rng;

/// Returns a quantiser for each type that has one. Most allow the amplitude.
pub fn quantisers(rng: &mut Rng, amplitude: &Amplitude) -> [Steps; 3] {
    let [i8, i16, u8] = [3, 4, 5].map(|i| &INTEGERS[i]);
    [i8, i16, u8].map(|of| {
        let zero_point = zero_point(rng, of);
        let scale = if amplitude.is_zero() || rng.percent(10) {
            any(rng)
        } else {
            let size = amplitude.with_precision(400).0.abs();
            let scale = size / steps(rng, of.most(zero_point));
            near(rng, &scale)
        };
        Steps { of, scale, zero_point }
    })
}

/// Returns a zero point that is allowed.
pub fn zero_point(rng: &mut Rng, of: &Integers) -> i64 {
    let [least, greatest] = of.zero_points();
    match rng.integer(0, 9) {
        0..5 => least.midpoint(greatest).max(0) + rng.integer(-1, 1),
        5..7 => rng.pick(&[least, least + 1, greatest - 1, greatest]),
        _ => rng.integer(least, greatest),
    }
    .clamp(least, greatest)
}

/// Returns the number of steps that the amplitude is to have, which is positive.
fn steps(rng: &mut Rng, most: i64) -> f64 {
    match rng.integer(0, 9) {
        0..2 => rng.integer(1, most) as f64,
        2..5 => rng.integer(0, most) as f64 + 0.5,
        // Around the end of the range.
        5..7 => most as f64 + rng.pick(&[-0.5, 0.0, 0.5]),
        7 => most as f64 + rng.pick(&[1.0, 1.5, 100.0]),
        8 => rng.of_any_size(-30, 0),
        _ => most as f64 * (1.0 - rng.fraction()),
    }
}

/// Returns a scale that is a given number, if possible, or next to it.
pub fn near(rng: &mut Rng, scale: &Float) -> Scale {
    let round = rng.pick(&[Round::Nearest, Round::Down, Round::Up]);
    let number = scale.to_f64_round(round).clamp(5e-324, f64::MAX);
    let single = f64::from(scale.to_f32_round(round));
    match rng.integer(0, 9) {
        0..3 => Scale::Number(number),
        3..5 if single > 0.0 && single.is_finite() => Scale::Number(single),
        _ => quotients(scale)
            .pop()
            .map_or(Scale::Number(number), |(numerator, denominator)| Scale::Quotient(numerator, denominator)),
    }
}

/// Returns any scale.
fn any(rng: &mut Rng) -> Scale {
    match rng.integer(0, 5) {
        0 => Scale::Number(rng.pick(&[f64::MAX, 1e300, 1.0, f64::MIN_POSITIVE, 5e-324])),
        1 => Scale::Number(rng.of_any_size(-1074, 1022)),
        2 => Scale::Quotient(1, rng.pick(&[127, 128, 255, 32_767, 32_768])),
        3 => Scale::Quotient(rng.pick(&[1, MAX_POSITION]), rng.pick(&[1, MAX_POSITION - 1, MAX_POSITION])),
        _ => Scale::Quotient(rng.integer_of_any_size(53), rng.integer_of_any_size(53)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::Rational;

    #[test]
    fn most_quotients_make_ties() {
        let mut rng = Rng::of_block(12, 1);
        let (mut ties, mut refused) = (0, 0);
        for _ in 0..1000 {
            let root = Rational::from((1, 49));
            let cases = [
                (Amplitude::root(root.clone()), root, 1.0 / 7.0),
                (Amplitude::Given(0.75), Rational::from((9, 16)), 0.75),
            ];
            for (amplitude, square, nearest) in cases {
                assert_eq!(amplitude.with_precision(400).0.to_f64().to_bits(), f64::to_bits(nearest));
                for steps in quantisers(&mut rng, &amplitude) {
                    let halves = (square.clone() / steps.scale.exactly().square()) * 4u32;
                    let (halves, denominator) = halves.into_numer_denom();
                    ties += u32::from(denominator == 1 && halves.is_perfect_square() && halves.is_odd());
                    refused += u32::from(amplitude.steps(steps.scale) > steps.of.most(steps.zero_point));
                }
            }
        }
        assert!(ties > 600 && refused > 300 && refused < 3000, "{ties}, {refused}");
    }
}
