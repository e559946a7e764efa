//! The base of a grid whose entries are near the entries of a preset with its own base.

use posenc::Frequencies;

use crate::any_grid::AnyGrid;
use crate::element::{Dtype, FloatType};
use crate::exact;
use crate::numbers::Range;
use crate::sample::{Numbers, PART};

/// Returns the base nearest to the entries, with the range of bases that explain them, or `None` if it does not.
pub(crate) fn nearest(grid: &AnyGrid, numbers: &Numbers, explains: impl Fn(&AnyGrid) -> bool) -> Option<Range> {
    const STEPS: usize = 4;
    /// The relative change of the base that shows how the entries change with it.
    const CHANGE: f64 = 1.0 / 1_048_576.0;
    let Frequencies::Geometric { mut base, .. } = grid.frequencies() else { return None };
    let (parts, of_double) = (numbers.parts(PART), Dtype::Float(FloatType::F64));
    let values = |base: f64| {
        let (mut values, grid) = (Vec::new(), grid.base(base));
        for rows in &parts {
            let len = numbers.rows_in(rows).len();
            values.append(&mut exact::entries_of_grid(of_double, &grid, rows.start, len)?);
        }
        Some(values)
    };
    let found: Vec<f64> = parts.iter().flat_map(|rows| numbers.rows_in(rows)).copied().collect();
    for _ in 0..STEPS {
        let (here, there) = (values(base)?, values(base + base * CHANGE)?);
        let (mut squares, mut product) = (0.0, 0.0);
        for ((here, there), found) in here.iter().zip(there).zip(&found) {
            let slope = (there - here) / CHANGE;
            squares += slope * slope;
            product += slope * (found - here);
        }
        base += base * (product / squares).clamp(-0.1, 0.1);
    }
    let explains = |base: f64| explains(&grid.base(base));
    explains(base).then(|| Range::of(base, explains))
}
