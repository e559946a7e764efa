//! Entries on the midpoint of two integers, and next to it.
//!
//! Every midpoint has an arc sine and an arc cosine, to which a quotient of two integers up to `2^53` comes closer than an
//! `f64`. If the amplitude is a midpoint, so is the cosine of 0, and the cosine of every tiny angle is just below it.

use posenc::{Amplitude, MAX_POSITION};
use rug::float::{Constant, Round};
use rug::{Float, Rational};

use super::checks::{check_positions, check_rows_around};
use crate::amplitude;
use crate::fractions::quotients;
use crate::integers::{INTEGERS, Scale, Steps};
use crate::params::Params;
use crate::quantisers::{quantisers, zero_point};
use crate::rng::Rng;
use crate::scaling::Rule;
use crate::tally::Tally;

/// Blocks of each kind.
const BLOCKS: u64 = 200;
const KINDS: [fn(&mut Rng, &mut Tally); 5] = [inverses, numbers, beside, roots, attention_factors];
/// The number of frequencies of tables whose width is not that of a root.
const WAVES: usize = 4;

pub fn blocks() -> u64 {
    BLOCKS * u64::try_from(KINDS.len()).expect("small")
}

pub fn run(block: u64, tally: &mut Tally) {
    let mut rng = Rng::of_block(11, block);
    KINDS[usize::try_from(block).expect("small") % KINDS.len()](&mut rng, tally);
}

/// Checks angles closest to the arc sines and arc cosines of midpoints, also several turns later.
fn inverses(rng: &mut Rng, tally: &mut Tally) {
    for _ in 0..6 {
        let any = rng.fraction() + 0.25;
        let size = rng.pick(&[1.0, 1.0, 0.75, any]);
        let given = amplitude::Amplitude::Given(size);
        let quantisers = if rng.percent(50) { Steps::usual() } else { quantisers(rng, &given) };
        let steps = rng.pick(&Steps::all(quantisers));
        let most = given.steps(steps.scale).min(steps.of.most(steps.zero_point));
        if most == 0 {
            continue;
        }
        let midpoint = Rational::from((2 * rng.integer(0, most - 1) + 1, 2)) * steps.scale.exactly();
        // The amplitude itself may be a midpoint.
        let share = (Float::with_val(500, midpoint) / size).min(&Float::with_val(2, 1));
        let angle = if rng.percent(50) { share.asin() } else { share.acos() };
        let turns = if rng.percent(50) { 0 } else { rng.integer_of_any_size(40) };
        let angle = angle + Float::with_val(500, Constant::Pi) * 2u32 * turns;
        let params = Params { amplitude: Amplitude::Value(rng.sign(size)), quantisers, ..Params::paper(2) };
        check_angle(&params, &angle, rng, tally);
    }
}

/// Checks the `f64` next to an angle, and rows whose angles are nearer.
fn check_angle(params: &Params, angle: &Float, rng: &mut Rng, tally: &mut Tally) {
    let beside = [Round::Down, Round::Up].map(|round| angle.to_f64_round(round));
    check_positions(params, beside.to_vec(), &[0], tally);
    let position = rng.integer_of_any_size(40);
    for unit in quotients(&Float::with_val(500, angle / position)).into_iter().rev().take(3) {
        let params = Params { unit, ..params.clone() };
        check_rows_around(&params, position, &[0], tally);
        check_positions(&params, vec![position as f64, -position as f64], &[0], tally);
    }
}

/// The least exponent of a scale. Powers of a base are slow in thousands of digits.
const LEAST_SCALE: i64 = -60;

/// Checks amplitudes that are numbers and midpoints of all types with a quantiser, and of one without.
fn numbers(rng: &mut Rng, tally: &mut Tally) {
    let places = rng.pick(&[7, 15, 31]);
    let (numerator, denominator) = (2 * some_steps(rng, 1 << places) + 1, 2 << places);
    let size = numerator as f64 / denominator as f64;
    let frequencies =
        [None, Some(-40), Some(-200), Some(-1000)].map(|least| least.map_or(0.0, |least| tiny(rng, least)));
    let params = Params {
        amplitude: Amplitude::Value(rng.sign(size)),
        frequencies: Some(frequencies.to_vec()),
        quantisers: ties(rng, numerator, denominator),
        ..Params::paper(2 * WAVES)
    };
    check_tiny(&params, &[0, 1, 2, 3], rng, tally);
}

/// Checks amplitudes just above midpoints of all types with a quantiser, and cosines of tiny angles that are next to these.
///
/// The amplitude is a relative `2^-64` to `2^-106` above its midpoint, as a quotient of integers up to `2^53` can make it, and
/// the cosines of angles of `2^-32` to `2^-53` on both sides of it.
fn beside(rng: &mut Rng, tally: &mut Tally) {
    let size = 0.25 + 0.75 * rng.fraction();
    let mut frequencies = vec![tiny_angle(rng)];
    let quantisers = [3, 4, 5].map(|i| {
        let of = &INTEGERS[i];
        let zero_point = zero_point(rng, of);
        let midpoint = Rational::from((2 * rng.integer(0, of.most(zero_point) - 1) + 1, 2));
        let scales = quotients(&(Float::with_val(500, size) / &midpoint));
        let last = scales.len() - rng.size(1, 10.min(scales.len()));
        let scale = Scale::Quotient(scales[last].0, scales[last].1);
        let angle = (Float::with_val(500, midpoint * scale.exactly()) / size).acos();
        let beside = angle.to_f64_round(rng.pick(&[Round::Down, Round::Up]));
        frequencies.push(if beside > 0.0 { beside } else { tiny_angle(rng) });
        Steps { of, scale, zero_point }
    });
    let params = Params {
        amplitude: Amplitude::Value(rng.sign(size)),
        frequencies: Some(frequencies),
        quantisers,
        ..Params::paper(2 * WAVES)
    };
    check_tiny(&params, &[0, 1, 2, 3], rng, tally);
}

/// Returns a frequency for which the cosine of position 1 may be on either side of a midpoint below the amplitude.
fn tiny_angle(rng: &mut Rng) -> f64 {
    rng.of_any_size(-60, -30)
}

/// Checks amplitudes that are roots of squares, and midpoints of all types with a quantiser.
fn roots(rng: &mut Rng, tally: &mut Tally) {
    let side = rng.integer(3, 7);
    let (times, amplitude) = rng.pick(&[(1, Amplitude::RsqrtD), (2, Amplitude::Sqrt2OverD)]);
    let d_model = usize::try_from(times * side * side).expect("small");
    let params =
        Params { amplitude, scale: tiny(rng, LEAST_SCALE), quantisers: ties(rng, 1, side), ..Params::paper(d_model) };
    check_tiny(&params, &[0, rng.size(1, d_model / 2 - 1)], rng, tally);
}

/// The factors and the lengths of `LongRoPE` for which the attention factor `sqrt(1 + ln(factor) / ln(length))` is a
/// quotient, and not dyadic.
const LONGROPE: [(f64, usize, (i64, i64)); 4] =
    [(128.0, 512, (4, 3)), (65_536.0, 512, (5, 3)), (2048.0, 1 << 25, (6, 5)), (8192.0, 1 << 36, (7, 6))];

/// Checks attention factors that are quotients, and midpoints of all types with a quantiser.
fn attention_factors(rng: &mut Rng, tally: &mut Tally) {
    let (factor, length, (numerator, denominator)) = rng.pick(&LONGROPE);
    let params = Params {
        rule: Rule::longrope(vec![1.0; WAVES], factor, length),
        amplitude: Amplitude::AttentionFactor,
        scale: tiny(rng, LEAST_SCALE),
        quantisers: ties(rng, numerator, denominator),
        ..Params::paper(2 * WAVES)
    };
    check_tiny(&params, &[0, WAVES - 1], rng, tally);
}

/// Returns a quantiser for each type that has one, of which the amplitude is a midpoint, or sometimes an integer.
fn ties(rng: &mut Rng, numerator: i64, denominator: i64) -> [Steps; 3] {
    [3, 4, 5].map(|i| {
        let of = &INTEGERS[i];
        let zero_point = zero_point(rng, of);
        let steps = some_steps(rng, of.most(zero_point));
        let halves = if steps > 0 && rng.percent(25) { 2 * steps } else { 2 * steps + 1 };
        Steps { of, scale: Scale::Quotient(2 * numerator, halves * denominator), zero_point }
    })
}

/// Returns the integer below a midpoint: any, or one at an end of the range.
///
/// The midpoint above the last one rounds to it, if it is even, or has to be refused.
fn some_steps(rng: &mut Rng, most: i64) -> i64 {
    let any = rng.integer(0, most);
    rng.pick(&[any, any, 0, most - 1, most])
}

/// Returns a factor of angles from `2^least` to `2^-11`, whose cosines differ from 1 by half of its square.
fn tiny(rng: &mut Rng, least: i64) -> f64 {
    let size = rng.of_any_size(least, -12);
    rng.sign(size)
}

/// Checks the angle 0 and tiny ones.
fn check_tiny(params: &Params, waves: &[usize], rng: &mut Rng, tally: &mut Tally) {
    check_rows_around(params, 0, waves, tally);
    check_rows_around(params, rng.integer(1, 8), waves, tally);
    check_positions(params, vec![0.0, 1.0, -3.0, 0.5, MAX_POSITION as f64], waves, tally);
}
