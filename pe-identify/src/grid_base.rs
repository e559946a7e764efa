//! The base of a grid whose entries are near those of a preset with its own base.

use posenc::{Frequencies, Grid};

use crate::numbers::Range;
use crate::sample::{Numbers, PART};

/// Returns the base nearest to the entries, with the range of bases that explain them, or `None` if it does not.
pub(crate) fn nearest<const A: usize>(
    grid: &Grid<'static, A>,
    numbers: &Numbers,
    explains: impl Fn(&Grid<'static, A>) -> bool,
) -> Option<Range> {
    const STEPS: usize = 4;
    /// The relative change of the base that shows how the entries change with it.
    const CHANGE: f64 = 1.0 / 1_048_576.0;
    let Frequencies::Geometric { mut base, .. } = grid.parameters().frequencies[0] else { return None };
    let parts = numbers.parts(PART);
    let values = |base: f64| {
        let mut values = Vec::new();
        for rows in &parts {
            let mut piece = vec![0.0_f64; numbers.rows_in(rows).len()];
            grid.base([base; A]).fill(rows.start.., &mut piece).ok()?;
            values.append(&mut piece);
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
    let explains = |base: f64| explains(&grid.base([base; A]));
    explains(base).then(|| Range::of(base, explains))
}
