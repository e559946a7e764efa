//! The frequencies for which hard positions are computed.

use rug::{Float, Integer};

use crate::params::Params;

/// Base, `d_model` and scale.
const PROGRESSIONS: [(f64, usize, f64); 16] = [
    (10_000.0, 4, 1.0),
    (10_000.0, 64, 1.0),
    (10_000.0, 256, 1.0),
    (500_000.0, 64, 1.0),
    (1e6, 16, 1.0),
    (1e9, 32, 1.0),
    (65_536.0, 8, 1.0),
    (2.0, 8, 1.0),
    (16.0, 8, 1.0),
    (10.0, 16, 1.0),
    (1.5, 8, 1.0),
    (0.5, 8, 1.0),
    (0.1, 8, 1.0),
    (10_000.0, 16, std::f64::consts::TAU),
    (10_000.0, 16, 0.015_625),
    (10_000.0, 16, 1000.0),
];

fn waves(d_model: usize) -> u64 {
    u64::try_from(d_model / 2).expect("small")
}

/// Returns the number of blocks, one for each frequency.
pub fn blocks() -> u64 {
    PROGRESSIONS.iter().map(|&(_, d_model, _)| waves(d_model)).sum()
}

/// Returns the table and the frequency of a block.
pub fn of_block(block: u64) -> (Params, usize) {
    let mut before = 0;
    for (base, d_model, scale) in PROGRESSIONS {
        if block < before + waves(d_model) {
            let wave = usize::try_from(block - before).expect("small");
            return (Params { base, scale, ..Params::paper(d_model) }, wave);
        }
        before += waves(d_model);
    }
    unreachable!("no such block");
}

/// Returns the frequency, including the scale, to about 380 bits.
pub fn frequency(params: &Params, wave: usize) -> Float {
    params.wave(wave).source.frequency(params.factors(), 400)
}

/// Returns the frequency in units of `pi / parts` per position.
pub fn in_parts_of_pi(params: &Params, wave: usize, parts: u32) -> Float {
    frequency(params, wave) * parts / Float::with_val(400, rug::float::Constant::Pi)
}

/// Returns the integer as a position, if it is in range.
pub fn position(q: &Integer) -> Option<i64> {
    q.to_i64().filter(|q| q.abs() <= posenc::MAX_POSITION)
}
