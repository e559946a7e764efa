//! Checking positions through random entry points.

use posenc::MAX_POSITION;

use crate::case::Case;
use crate::entries::TYPES;
use crate::params::Params;
use crate::rng::Rng;
use crate::rows::{EntryPoint, POSITION_ENTRY_POINTS, Rows, TABLE_ENTRY_POINTS};
use crate::tally::Tally;

/// Returns an entry point for positions for each element type.
pub fn position_entry_points(rng: &mut Rng) -> [EntryPoint; TYPES] {
    [(); TYPES].map(|()| rng.pick(&POSITION_ENTRY_POINTS))
}

/// Checks a list of positions. Each type uses its own entry point.
pub fn check_positions(params: &Params, positions: Vec<f64>, waves: &[usize], tally: &mut Tally) {
    let mut rng = Rng::of_block(positions.first().map_or(0, |position| position.to_bits()), tally.total());
    let case = Case { params: params.clone(), rows: Rows::Positions(positions) };
    let rows: Vec<_> = (0..case.count()).collect();
    case.check(position_entry_points(&mut rng), &rows, waves, tally);
}

/// Checks the position and its neighbours as rows of a table.
///
/// The number of rows varies from few to many, and each type uses its own entry point.
pub fn check_rows_around(params: &Params, position: i64, waves: &[usize], tally: &mut Tally) {
    let mut rng = Rng::of_block(position.unsigned_abs(), tally.total());
    let count = rng.pick(&[5, 5, 9, 33, 70]);
    let before = rng.size(2, count - 3);
    let distance = |rows: usize| i64::try_from(rows).expect("small");
    let mut params = params.clone();
    params.start = (position - distance(before)).clamp(-MAX_POSITION, MAX_POSITION - distance(count - 1));
    let row = usize::try_from(position - params.start).expect("in the table");
    let rows: Vec<_> = (row.saturating_sub(1)..=row + 1).filter(|&row| row < count).collect();
    let case = Case { params, rows: Rows::Table { first: 0, count } };
    case.check([(); TYPES].map(|()| rng.pick(&TABLE_ENTRY_POINTS)), &rows, waves, tally);
}
