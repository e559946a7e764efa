//! All integer positions below `2^20`, for the bases in use, with the entry points for positions in turn.
//!
//! The positions of a list are in random order. `fill_positions` would otherwise recognise the rows of a table.

use super::checks::position_entry_points;
use crate::case::Case;
use crate::params::Params;
use crate::rng::Rng;
use crate::rows::Rows;
use crate::tally::Tally;

const BASES: [f64; 5] = [10_000.0, 500_000.0, 1e6, 2.0, 1e9];
const POSITIONS: u64 = 1 << 20;
const POSITIONS_OF_BLOCK: u64 = 512;

pub fn blocks() -> u64 {
    POSITIONS / POSITIONS_OF_BLOCK * u64::try_from(BASES.len()).expect("small")
}

pub fn run(block: u64, tally: &mut Tally) {
    let of_base = POSITIONS / POSITIONS_OF_BLOCK;
    let params = Params { base: BASES[usize::try_from(block / of_base).expect("small")], ..Params::paper(64) };
    let first = block % of_base * POSITIONS_OF_BLOCK;
    let mut rng = Rng::of_block(6, block);
    let mut positions: Vec<_> = (first..first + POSITIONS_OF_BLOCK).map(|position| position as f64).collect();
    rng.shuffle(&mut positions);
    let case = Case { params, rows: Rows::Positions(positions) };
    let rows: Vec<_> = (0..case.count()).collect();
    case.check(position_entry_points(&mut rng), &rows, &rows[..32], tally);
}
