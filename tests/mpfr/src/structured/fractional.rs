//! Random positions in every binade, timesteps and other fractions, in tables with all kinds of amplitudes, frequencies
//! and scales.

use posenc::Amplitude;
use std::f64::consts::{PI, TAU};

use super::checks::check_positions;
use crate::params::Params;
use crate::rng::Rng;
use crate::tally::Tally;

/// The exponents of the positions in a list. Other lists are of `OTHER_KINDS`.
const BINADES: std::ops::Range<i32> = -60..53;
const OTHER_KINDS: [fn(&mut Rng) -> f64; 6] = [timestep, single, half, third, decimal, around_an_integer];
/// Blocks of each binade and other kind.
const ROUNDS: u64 = 30;
const POSITIONS: usize = 40;
const WIDTH: usize = 64;

fn kinds() -> u64 {
    u64::try_from(BINADES.len() + OTHER_KINDS.len()).expect("small")
}

pub fn blocks() -> u64 {
    kinds() * ROUNDS
}

pub fn run(block: u64, tally: &mut Tally) {
    let mut rng = Rng::of_block(7, block);
    let params = table(&mut rng);
    let kind = usize::try_from(block % kinds()).expect("small");
    let positions = (0..POSITIONS).map(|_| {
        let size = match BINADES.clone().nth(kind) {
            Some(exponent) => rng.of_any_size(exponent.into(), exponent.into()),
            None => OTHER_KINDS[kind - BINADES.len()](&mut rng),
        };
        rng.sign(size)
    });
    let waves: Vec<_> = (0..WIDTH / 2).collect();
    check_positions(&params, positions.collect(), &waves, tally);
}

/// Draws a table: in half of the cases with a base alone, otherwise with any amplitude, scale and list of frequencies.
fn table(rng: &mut Rng) -> Params {
    let base = rng.pick(&[10_000.0, 500_000.0, 1e6, 2.0, 1e9, 0.5, 1.000_1]);
    let mut params = Params { base, ..Params::paper(WIDTH) };
    if rng.percent(50) {
        return params;
    }
    let size = rng.of_any_size(-20, 10);
    let given = rng.sign(size);
    params.amplitude = match rng.integer(0, 4) {
        0 => Amplitude::RsqrtD,
        1 => Amplitude::Sqrt2OverD,
        2 => Amplitude::Value(rng.pick(&[-1.0, 0.5, -0.1, 3.0])),
        _ => Amplitude::Value(given),
    };
    let size = rng.of_any_size(-20, 10);
    params.scale = rng.pick(&[1.0, -1.0, 1000.0, 0.015_625, TAU, -0.3, size, -size]);
    if rng.percent(60) {
        params.base = 10_000.0;
        params.frequencies = Some((0..WIDTH / 2).map(|_| frequency(rng)).collect());
    }
    params
}

fn frequency(rng: &mut Rng) -> f64 {
    let size = match rng.integer(0, 9) {
        0 => 0.0,
        1 => rng.pick(&[1.0, 0.5, 2.0, PI, TAU, 1.0 / TAU, 0.1]),
        2 => rng.of_any_size(-500, -20),
        3 => f64::from(f32::MIN_POSITIVE) * rng.fraction(),
        _ => rng.of_any_size(-40, 10),
    };
    rng.sign(size)
}

/// Draws a timestep of a diffusion model whose steps are not whole.
fn timestep(rng: &mut Rng) -> f64 {
    rng.integer(0, 1000) as f64 * rng.pick(&[0.997, 0.999, 1000.0 / 1001.0, 0.02])
}

/// Draws an `f32`.
fn single(rng: &mut Rng) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "an `f32` is wanted")]
    let single = rng.of_any_size(-30, 30) as f32;
    single.into()
}

fn half(rng: &mut Rng) -> f64 {
    rng.integer_of_any_size(40) as f64 + 0.5
}

fn third(rng: &mut Rng) -> f64 {
    rng.integer_of_any_size(40) as f64 / 3.0
}

fn decimal(rng: &mut Rng) -> f64 {
    rng.integer_of_any_size(40) as f64 / rng.pick(&[10.0, 100.0, 1000.0])
}

/// Draws a neighbour of an integer.
fn around_an_integer(rng: &mut Rng) -> f64 {
    let integer = rng.integer_of_any_size(40) as f64;
    rng.pick(&[integer.next_down(), integer.next_up()])
}
