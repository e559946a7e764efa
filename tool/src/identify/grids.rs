//! The tables of grids: which preset, and which shape.

use std::ops::Range;

use posenc::__private::Source;
use posenc::{Element, Grid, GridPreset};

use super::answer::Answer;
use super::noise::{UNIT_DOUBLE, UNIT_SINGLE, off_before_rounding};
use super::sample::Numbers;
use super::{Stop, entries};
use crate::entry::Entry;
use crate::input::Table;
use crate::json::Outcome;

/// The longest side of a guessed grid in terms of the shorter one.
const LONGEST: usize = 4;

/// Returns the answer if the table is that of a grid of known models. The shape is guessed if it is not given.
pub(super) fn answer<T: Entry>(
    found: &Table,
    numbers: &Numbers,
    shape: Option<&[usize]>,
    output: &str,
) -> Result<Option<Answer>, Stop> {
    match shape {
        None => {
            let shapes = (0..=1).flat_map(|zero_rows| shapes(numbers.seq_len, zero_rows)).collect();
            of::<T, 2>(found, numbers, shapes, output)
        }
        Some(&[n]) => of::<T, 1>(found, numbers, given(numbers, [n]), output),
        Some(&[h, w]) => of::<T, 2>(found, numbers, given(numbers, [h, w]), output),
        Some(&[t, h, w]) => of::<T, 3>(found, numbers, given(numbers, [t, h, w]), output),
        Some(&[a, b, c, d]) => of::<T, 4>(found, numbers, given(numbers, [a, b, c, d]), output),
        Some(_) => Ok(None),
    }
}

/// Returns the shapes of this many rows after the rows of zeros: squares first, then others.
fn shapes(seq_len: usize, zero_rows: usize) -> Vec<([usize; 2], usize)> {
    let points = seq_len.saturating_sub(zero_rows);
    let divides = |h: &usize| points.is_multiple_of(*h) && points / h <= LONGEST * h && points / h >= *h;
    let mut heights: Vec<_> = (2..=points.isqrt()).filter(divides).collect();
    heights.reverse();
    let both = heights.into_iter().flat_map(|h| [[h, points / h], [points / h, h]]);
    let mut shapes: Vec<_> = both.map(|shape| (shape, zero_rows)).collect();
    shapes.dedup();
    shapes
}

/// Returns the given shape, with as many rows of zeros as remain.
fn given<const A: usize>(numbers: &Numbers, shape: [usize; A]) -> Vec<([usize; A], usize)> {
    let points = shape.iter().try_fold(1_usize, |points, size| points.checked_mul(*size));
    let zero_rows = points.and_then(|points| numbers.seq_len.checked_sub(points));
    zero_rows.map(|zero_rows| (shape, zero_rows)).into_iter().collect()
}

/// A grid that fits.
struct Found<const A: usize> {
    grid: Grid<'static, A>,
    preset: GridPreset,
    extent: Option<(i64, i64)>,
    zero_rows: usize,
    distance: Distance,
}

fn of<T: Entry, const A: usize>(
    found: &Table,
    numbers: &Numbers,
    shapes: Vec<([usize; A], usize)>,
    output: &str,
) -> Result<Option<Answer>, Stop> {
    let mut fits: Vec<Found<A>> = Vec::new();
    for (shape, zero_rows) in shapes {
        for &preset in GridPreset::ALL {
            for extent in extents(preset) {
                let grid = Grid::preset(preset, shape, numbers.d_model).zero_rows(zero_rows);
                let grid = extent.into_iter().fold(grid, |grid, (over, under)| grid.extent(over, under));
                // A few rows rule out most of them.
                if distance::<T, A>(&grid, numbers, &numbers.parts(2)).is_none() {
                    continue;
                }
                let all: Vec<_> = numbers.ranges().collect();
                let distance = distance::<T, A>(&grid, numbers, &all);
                fits.extend(distance.map(|distance| Found { grid, preset, extent, zero_rows, distance }));
            }
        }
    }
    // The exact table, or else the nearest.
    fits.sort_by(|a, b| a.distance.largest.total_cmp(&b.distance.largest));
    let Some(best) = fits.first() else { return Ok(None) };
    let mut all = Distance::default();
    for rows in found.pieces() {
        let there = entries::<T>(found, rows.clone())?;
        if all.add::<T, A>(&best.grid, rows.start, &there, numbers).is_none() {
            return Ok(None);
        }
    }
    let same = fits.iter().filter(|fit| fit.grid.to_string() == best.grid.to_string());
    let mut presets: Vec<_> = same.map(|fit| fit.preset.to_string()).collect();
    presets.dedup();
    let [seq_len, d_model] = [numbers.seq_len, numbers.d_model];
    let is_single = T::DTYPE == <f32 as Element>::DTYPE;
    let call = if is_single { best.grid.to_string() } else { best.grid.call::<T>() };
    let mut lines = vec![
        ("table", format!("{seq_len} x {d_model} {}, {}", T::DTYPE, all.text())),
        ("presets", presets.join(", ")),
        ("command", best.command::<T>(output)),
    ];
    // Squares have the same shape in both orders, but others do not.
    let others = fits.iter().filter(|fit| fit.grid.to_string() != best.grid.to_string());
    let mut others: Vec<_> = others.filter(|other| other.distance.largest <= best.distance.largest).collect();
    others.dedup_by_key(|other| other.grid.to_string());
    lines.extend(others.iter().take(3).map(|other| ("or", format!("{}, fits too", other.grid))));
    let short =
        Some(format!("{}, {}", if best.extent.is_none() { presets.join(", ") } else { call.clone() }, all.text()));
    Ok(Some(Answer { outcome: Outcome::Identified, title: call, short, lines }))
}

/// Returns the extents to try: those of the models of the only preset that has none.
fn extents(preset: GridPreset) -> Vec<Option<(i64, i64)>> {
    match preset {
        GridPreset::PixArt => [16, 32, 64, 128].map(|extent| Some((extent, 1))).into(),
        _ => vec![None],
    }
}

impl<const A: usize> Found<A> {
    fn command<T: Entry>(&self, output: &str) -> String {
        let shape = self.grid.shape().map(|size| size.to_string()).join("x");
        let mut words = vec![format!("posenc grid --preset {} --shape {shape}", self.preset)];
        words.push(format!("--d-model {}", self.grid.d_model()));
        words.extend(self.extent.map(|(over, under)| format!("--extent {over}/{under}")));
        // This preset has a row of zeros of its own.
        let is_set = self.zero_rows > 0 || self.preset == GridPreset::MocoV3;
        words.extend(is_set.then(|| format!("--zero-rows {}", self.zero_rows)));
        words.extend((T::DTYPE != <f32 as Element>::DTYPE).then(|| format!("--dtype {}", T::DTYPE)));
        words.push(format!("-o {output}"));
        words.join(" ")
    }
}

/// How far a table is from that of a grid.
#[derive(Clone, Copy, Debug, Default)]
struct Distance {
    entries: usize,
    inexact: usize,
    largest: f64,
    is_single: bool,
}

fn distance<T: Entry, const A: usize>(
    grid: &Grid<'static, A>,
    numbers: &Numbers,
    rows: &[Range<usize>],
) -> Option<Distance> {
    let mut distance = Distance::default();
    for rows in rows {
        distance.add::<T, A>(grid, rows.start, numbers.rows_in(rows), numbers)?;
    }
    Some(distance)
}

impl Distance {
    /// Compares consecutive rows. Returns `None` if arithmetic in `f32` does not explain them.
    fn add<T: Entry, const A: usize>(
        &mut self,
        grid: &Grid<'static, A>,
        first: usize,
        found: &[f64],
        numbers: &Numbers,
    ) -> Option<()> {
        let mut exact = vec![T::default(); found.len()];
        grid.fill(first.., &mut exact).ok()?;
        let mut values: Vec<f64> = exact.iter().map(|&entry| entry.into()).collect();
        self.entries += found.len();
        if values == found {
            return Some(());
        }
        grid.fill(first.., &mut values).ok()?;
        // The largest angle: positions are up to the size of an axis, or 2 pi.
        let angle = grid.shape().into_iter().fold(7.0, |angle: f64, size| angle.max(size as f64));
        for ((&exact, &value), &found) in exact.iter().zip(&values).zip(found) {
            let apart = (exact.into() - found).abs();
            let off = off_before_rounding(value, found, numbers.rounding) - numbers.tolerance;
            if off > (8.0 * angle + 4.0) * UNIT_SINGLE {
                return None;
            }
            self.is_single |= off > (8.0 * angle + 4.0) * UNIT_DOUBLE;
            self.inexact += usize::from(apart != 0.0);
            self.largest = self.largest.max(apart);
        }
        Some(())
    }

    fn text(&self) -> String {
        if self.inexact == 0 {
            return "equal to the exact table".to_owned();
        }
        let share = 100.0 * self.inexact as f64 / self.entries as f64;
        let arithmetic = if self.is_single { "f32" } else { "f64" };
        format!("as computed in {arithmetic}: {share:.1} % of the entries differ, by at most {:.1e}", self.largest)
    }
}
