//! Positions that bring an angle closest to a multiple of pi or pi/2.
//!
//! Close to a multiple of pi, the sine is closest to 0. The sine of `q w` is small if `q w / pi` is close to an
//! integer. That is so if `q` is the denominator of a convergent of `w / pi`, or of a fraction between two convergents.
//! `w / (pi / 2)` covers the cosine as well. With `w 2^e` instead of `w`, the positions are multiples of `2^e`.

use posenc::MAX_POSITION;
use rug::Integer;

use super::checks::{check_positions, check_rows_around};
use super::progressions::{in_parts_of_pi, of_block, position};
use crate::case::Case;
use crate::entries::TYPES;
use crate::fractions::convergents;
use crate::params::Params;
use crate::rng::Rng;
use crate::rows::{Rows, TABLE_ENTRY_POINTS};
use crate::tally::Tally;

/// Returns how many steps to go from the earlier of two convergents to the later, for fractions between them.
fn between(quotient: &Integer) -> Vec<Integer> {
    let mut steps: Vec<_> = [1u32, 2, 3].into_iter().map(Integer::from).collect();
    steps.extend([
        Integer::from(quotient / 2u32),
        Integer::from(quotient / 2u32) + 1u32,
        Integer::from(quotient - 1u32),
    ]);
    steps.retain(|step| *step > 0 && step < quotient);
    steps.sort();
    steps.dedup();
    steps
}

/// The maximum width for `check_multiples`, which computes whole tables to check a few entries.
const MOST_COLUMNS: usize = 16;

/// Checks rows whose positions are multiples of one position.
///
/// All entries of a column are then close to 0, or to 1 and -1. There are up to 12 rows, so that the fast tiers use
/// floats.
fn check_multiples(params: &Params, step: i64, wave: usize, tally: &mut Tally) {
    if params.d_model > MOST_COLUMNS {
        return;
    }
    let count = usize::try_from(MAX_POSITION / step).expect("a number of rows").min(12);
    let mut rng = Rng::of_block(step.unsigned_abs(), tally.total());
    let case = Case { params: Params { step, ..params.clone() }, rows: Rows::Table { first: 0, count } };
    let rows: Vec<_> = (0..count).collect();
    case.check([(); TYPES].map(|()| rng.pick(&TABLE_ENTRY_POINTS)), &rows, &[wave], tally);
}

pub fn run(block: u64, tally: &mut Tally) {
    let (params, wave) = of_block(block);
    let mut hard = Vec::new();
    for parts in [1, 2] {
        let found = convergents(&in_parts_of_pi(&params, wave, parts));
        for (i, (quotient, fraction)) in found.iter().enumerate() {
            let q = &fraction.denominator;
            hard.push(q.clone());
            hard.extend([2u32, 3, 5, 7].map(|times| Integer::from(q * times)));
            // The largest multiple in range.
            hard.push(Integer::from(MAX_POSITION) / q * q);
            if i >= 2 {
                let (before, last) = (&found[i - 2].1, &found[i - 1].1);
                hard.extend(between(quotient).iter().map(|step| before.plus(last, step).denominator));
            }
        }
    }
    hard.sort();
    hard.dedup();
    let positions: Vec<_> = hard.iter().filter_map(position).collect();
    for &q in &positions {
        check_rows_around(&params, q, &[wave], tally);
        check_rows_around(&params, -q, &[wave], tally);
        check_multiples(&params, q, wave, tally);
        let beside = [q - 1, q, q + 1].into_iter().filter(|q| *q <= MAX_POSITION);
        check_positions(&params, beside.flat_map(|q| [q as f64, -q as f64]).collect(), &[wave], tally);
    }
    for positions in multiples_of_powers(block, &params, wave).chunks(16) {
        check_positions(&params, positions.to_vec(), &[wave], tally);
    }
}

/// Returns the multiples of powers of two whose angles are closest to multiples of pi or pi/2.
///
/// All are `f64`, because the multiples are at most `2^53`.
fn multiples_of_powers(block: u64, params: &Params, wave: usize) -> Vec<f64> {
    let mut rng = Rng::of_block(9, block);
    let first = rng.integer(-64, -61);
    let exponents = (first..24).step_by(4).map(|exponent| i32::try_from(exponent).expect("small"));
    let positions = exponents.flat_map(|exponent| {
        let found = [1, 2].map(|parts| convergents(&(in_parts_of_pi(params, wave, parts) << exponent)));
        let multiples = found.into_iter().flatten().filter_map(|(_, fraction)| position(&fraction.denominator));
        multiples.map(|multiple| multiple as f64 * 2f64.powi(exponent)).collect::<Vec<_>>()
    });
    positions.map(|position| rng.sign(position)).collect()
}
