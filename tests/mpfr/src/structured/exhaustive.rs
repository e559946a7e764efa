//! All positions below 65536, for the bases in use, with the entry points for tables in turn.

use std::array;

use crate::case::Case;
use crate::params::Params;
use crate::rows::{Rows, TABLE_ENTRY_POINTS};
use crate::tally::Tally;

const BASES: [f64; 6] = [10_000.0, 500_000.0, 2.0, 65_536.0, 1e9, 1.5];
const ROWS: usize = 65_536;
const ROWS_OF_BLOCK: usize = 1024;

fn blocks_of_base() -> usize {
    ROWS / ROWS_OF_BLOCK
}

pub fn blocks() -> u64 {
    u64::try_from(BASES.len() * blocks_of_base()).expect("small")
}

pub fn run(block: u64, tally: &mut Tally) {
    let block = usize::try_from(block).expect("small");
    let base = block / blocks_of_base();
    let params = Params { base: BASES[base], ..Params::paper(64) };
    let rows = Rows::Table { first: block % blocks_of_base() * ROWS_OF_BLOCK, count: ROWS_OF_BLOCK };
    let all: Vec<_> = (0..ROWS_OF_BLOCK).collect();
    // The order shifts with every base, so that each entry point has its turn even in a third of the blocks.
    let entry_points = array::from_fn(|dtype| TABLE_ENTRY_POINTS[(block + base + dtype) % TABLE_ENTRY_POINTS.len()]);
    Case { params, rows }.check(entry_points, &all, &all[..32], tally);
}
