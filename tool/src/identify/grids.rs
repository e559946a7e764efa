//! The tables of grids: which preset, and which shape.

use std::marker::PhantomData;
use std::ops::Range;

use posenc::{Grid, GridPreset};

use super::answer::Answer;
use super::entries::{Stop, entries};
use super::grid_base;
use super::numbers::Number;
use super::rounding::{UNIT_DOUBLE, UNIT_SINGLE, off_before_rounding};
use super::sample::Numbers;
use super::undetermined::Undetermined;
use crate::entry::Entry;
use crate::input::Table;
use crate::json::Identification;
use crate::text::{grid_call, is_default};

/// The longest side of a guessed grid in terms of the shorter one.
const LONGEST: usize = 4;

/// How the entries of a table are compared with those of a grid.
pub(super) trait Entries {
    /// Reads consecutive rows.
    fn read(&self, rows: Range<usize>) -> Result<Vec<f64>, Stop>;

    /// Adds the distance of consecutive rows, or returns `None` if the grid cannot have one of their entries.
    fn add<const A: usize>(
        &self,
        distance: &mut GridDistance,
        grid: &Grid<'static, A>,
        first: usize,
        found: &[f64],
    ) -> Option<()>;

    /// Says how far the table is from that of a grid, or returns `None` if it is too far.
    fn text(&self, distance: &GridDistance) -> Option<String>;

    /// Returns the macro call that makes the table of a grid.
    fn call<const A: usize>(&self, grid: &Grid<'static, A>) -> String;

    /// Returns the value of `--dtype`, unless it is the default.
    fn dtype(&self) -> Option<String>;
}

/// Returns the answer if the table is that of a grid of known models. The shape is guessed if it is not given.
pub(super) fn answer<T: Entry>(
    found: &Table,
    numbers: &Numbers,
    shape: Option<&[usize]>,
    output: &str,
) -> Result<Option<Answer>, Stop> {
    let floats = Floats { found, numbers, entry: PhantomData::<T> };
    Ok(identified(&floats, found, numbers, shape, output)?.map(|identified| identified.answer))
}

/// A table that is that of a grid.
pub(super) struct IdentifiedGrid {
    /// The number of entries that are not the exact ones.
    pub(super) inexact: usize,
    pub(super) answer: Answer,
}

/// As [`answer`], given how entries are compared.
pub(super) fn identified(
    entries: &impl Entries,
    found: &Table,
    numbers: &Numbers,
    shape: Option<&[usize]>,
    output: &str,
) -> Result<Option<IdentifiedGrid>, Stop> {
    match shape {
        None => {
            let shapes = (0..=1).flat_map(|zero_rows| shapes(numbers.seq_len, zero_rows)).collect();
            of::<2>(entries, found, numbers, shapes, output)
        }
        Some(&[n]) => of::<1>(entries, found, numbers, given(numbers, [n]), output),
        Some(&[h, w]) => of::<2>(entries, found, numbers, given(numbers, [h, w]), output),
        Some(&[t, h, w]) => of::<3>(entries, found, numbers, given(numbers, [t, h, w]), output),
        Some(&[a, b, c, d]) => of::<4>(entries, found, numbers, given(numbers, [a, b, c, d]), output),
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
    let zero_rows = points.filter(|&points| points > 0).and_then(|points| numbers.seq_len.checked_sub(points));
    zero_rows.map(|zero_rows| (shape, zero_rows)).into_iter().collect()
}

/// A grid that fits.
struct FoundGrid<const A: usize> {
    grid: Grid<'static, A>,
    preset: GridPreset,
    further: Option<Further>,
    /// The base that the entries show, if it is not the one above.
    base: Option<f64>,
    zero_rows: usize,
    distance: GridDistance,
}

/// A parameter that models set beside the preset.
#[derive(Clone, Copy)]
enum Further {
    Extent(i64),
    Base(f64),
}

fn of<const A: usize>(
    entries: &impl Entries,
    found: &Table,
    numbers: &Numbers,
    shapes: Vec<([usize; A], usize)>,
    output: &str,
) -> Result<Option<IdentifiedGrid>, Stop> {
    let mut fits = fits(entries, numbers, shapes);
    let Some(best) = fits.first() else { return Ok(None) };
    let (other, undetermined) = best.with_other_base(entries, numbers);
    if let Some(other) = other {
        fits.insert(0, other);
    }
    let best = &fits[0];
    let mut all = GridDistance::default();
    for rows in found.pieces() {
        let there = entries.read(rows.clone())?;
        if entries.add(&mut all, &best.grid, rows.start, &there).is_none() {
            return Ok(None);
        }
    }
    let Some(text) = entries.text(&all) else { return Ok(None) };
    let same = fits.iter().filter(|fit| fit.grid == best.grid);
    let mut presets: Vec<_> = same.map(|fit| fit.preset.to_string()).collect();
    presets.dedup();
    let [seq_len, d_model] = found.shape();
    let mut lines = vec![
        ("table", format!("{seq_len} x {d_model} {}, {text}", found.dtype().name())),
        ("presets", presets.join(", ")),
        ("command", best.command(entries.dtype(), output)),
    ];
    // Squares have the same shape in both orders, but others do not.
    let others = fits.iter().filter(|fit| fit.grid != best.grid);
    let mut others: Vec<_> = others.filter(|other| other.distance.key() <= best.distance.key()).collect();
    others.dedup_by(|other, before| other.grid == before.grid);
    lines.extend(others.iter().take(3).map(|other| ("or", format!("{}, fits too", entries.call(&other.grid)))));
    lines.extend(undetermined.iter().map(|number| ("note", number.text())));
    let outcome = if undetermined.is_some() { Identification::Several } else { Identification::Identified };
    let undetermined = undetermined.into_iter().collect();
    let title = entries.call(&best.grid);
    let short = Some(format!("{}, {text}", if best.is_preset() { presets.join(", ") } else { title.clone() }));
    let answer = Answer { outcome, title, short, lines, undetermined };
    Ok(Some(IdentifiedGrid { inexact: all.inexact, answer }))
}

/// Returns the grids that fit a sample of the entries: the exact one, or else the nearest, is the first.
fn fits<const A: usize>(
    entries: &impl Entries,
    numbers: &Numbers,
    shapes: Vec<([usize; A], usize)>,
) -> Vec<FoundGrid<A>> {
    let mut fits: Vec<FoundGrid<A>> = Vec::new();
    for (shape, zero_rows) in shapes {
        for &preset in GridPreset::ALL {
            for further in Further::of_models(preset) {
                let grid = Grid::preset(preset, shape, numbers.d_model).zero_rows(zero_rows);
                let grid = further.map_or(grid, |further| further.set(grid));
                // A few rows rule out most of them.
                if GridDistance::of(entries, &grid, numbers, numbers.parts(2)).is_none() {
                    continue;
                }
                let distance = GridDistance::of(entries, &grid, numbers, numbers.ranges());
                fits.extend(distance.map(|distance| FoundGrid {
                    grid,
                    preset,
                    further,
                    base: None,
                    zero_rows,
                    distance,
                }));
            }
        }
    }
    fits.sort_by(|a, b| a.distance.key().partial_cmp(&b.distance.key()).expect("no distance is NaN"));
    fits
}

impl Further {
    /// Returns what the models of a preset set: the only one without an extent needs one, and DAB-DETR has base 20.
    fn of_models(preset: GridPreset) -> Vec<Option<Self>> {
        match preset {
            GridPreset::PixArt => [16, 32, 64, 128].map(|extent| Some(Self::Extent(extent))).into(),
            GridPreset::DetrNormalized => vec![None, Some(Self::Base(20.0))],
            _ => vec![None],
        }
    }

    fn set<const A: usize>(self, grid: Grid<'static, A>) -> Grid<'static, A> {
        match self {
            Self::Extent(extent) => grid.extent(extent, 1),
            Self::Base(base) => grid.base([base; A]),
        }
    }

    /// Returns the option of the command.
    fn option(self) -> String {
        match self {
            Self::Extent(extent) => format!("--extent {extent}"),
            Self::Base(base) => format!("--base {base}"),
        }
    }
}

impl<const A: usize> FoundGrid<A> {
    /// Returns the grid with a base that `f64` explains, if the entries are `f64` and this one takes the errors of `f32`.
    fn with_other_base(&self, entries: &impl Entries, numbers: &Numbers) -> (Option<Self>, Option<Undetermined>) {
        if !(self.distance.is_single && numbers.is_double()) {
            return (None, None);
        }
        let explained = |grid: &Grid<'static, A>| {
            GridDistance::of(entries, grid, numbers, numbers.ranges()).filter(|distance| !distance.is_single)
        };
        let Some(range) = grid_base::nearest(&self.grid, numbers, |grid| explained(grid).is_some()) else {
            return (None, None);
        };
        let usual = range.usual(false, false);
        let digits = if usual.is_some() { None } else { range.digits() };
        let base = usual.map_or_else(|| digits.map_or(range.middle(), |digits| range.rounded(digits)), Number::value);
        let grid = self.grid.base([base; A]);
        let distance = explained(&self.grid.base([range.near; A])).unwrap_or(self.distance);
        let found = Self { grid, base: Some(base), distance, ..*self };
        (Some(found), digits.map(|digits| Undetermined::number("base", digits)))
    }

    /// Returns whether the grid is that of the preset.
    fn is_preset(&self) -> bool {
        self.further.is_none() && self.base.is_none()
    }

    fn command(&self, dtype: Option<String>, output: &str) -> String {
        let shape = self.grid.shape().map(|size| size.to_string()).join("x");
        let mut words = vec![format!("posenc grid --preset {} --shape {shape}", self.preset)];
        words.push(format!("--d-model {}", self.grid.d_model()));
        words.extend(self.further.into_iter().chain(self.base.map(Further::Base)).map(Further::option));
        // This preset has a row of zeros of its own.
        let is_set = self.zero_rows > 0 || self.preset == GridPreset::MocoV3;
        words.extend(is_set.then(|| format!("--zero-rows {}", self.zero_rows)));
        words.extend(dtype.map(|dtype| format!("--dtype {dtype}")));
        words.push(format!("-o {output}"));
        words.join(" ")
    }
}

/// How far a table is from that of a grid.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GridDistance {
    pub(super) entries: usize,
    pub(super) inexact: usize,
    pub(super) largest: f64,
    is_single: bool,
}

impl GridDistance {
    /// Returns the distance in some rows of the sample, or `None` if the grid cannot have one of their entries.
    fn of<const A: usize>(
        entries: &impl Entries,
        grid: &Grid<'static, A>,
        numbers: &Numbers,
        rows: impl IntoIterator<Item = Range<usize>>,
    ) -> Option<Self> {
        let mut distance = Self::default();
        for rows in rows {
            entries.add(&mut distance, grid, rows.start, numbers.rows_in(&rows))?;
        }
        Some(distance)
    }

    /// Returns the order of distances.
    fn key(&self) -> (f64, usize) {
        (self.largest, self.inexact)
    }
}

/// Floats, with the errors of an arithmetic.
struct Floats<'a, T> {
    found: &'a Table,
    numbers: &'a Numbers,
    entry: PhantomData<T>,
}

impl<T: Entry> Entries for Floats<'_, T> {
    fn read(&self, rows: Range<usize>) -> Result<Vec<f64>, Stop> {
        entries::<T>(self.found, rows)
    }

    fn add<const A: usize>(
        &self,
        distance: &mut GridDistance,
        grid: &Grid<'static, A>,
        first: usize,
        found: &[f64],
    ) -> Option<()> {
        let mut exact = vec![T::default(); found.len()];
        grid.fill(first.., &mut exact).ok()?;
        let mut values: Vec<f64> = exact.iter().map(|&entry| entry.into()).collect();
        distance.entries += found.len();
        if values == found {
            return Some(());
        }
        grid.fill(first.., &mut values).ok()?;
        // The largest angle: positions are up to the size of an axis, or 2 pi.
        let angle = grid.shape().into_iter().fold(7.0, |angle: f64, size| angle.max(size as f64));
        // A larger error would let any entry fit.
        let bound = |unit: f64| ((8.0 * angle + 4.0) * unit).min(1.0 / 8.0);
        for ((&exact, &value), &found) in exact.iter().zip(&values).zip(found) {
            let apart = (exact.into() - found).abs();
            let off = off_before_rounding(value, found, self.numbers.rounding) - self.numbers.tolerance;
            if off > bound(UNIT_SINGLE) {
                return None;
            }
            distance.is_single |= off > bound(UNIT_DOUBLE);
            distance.inexact += usize::from(apart != 0.0);
            distance.largest = distance.largest.max(apart);
        }
        Some(())
    }

    fn text(&self, distance: &GridDistance) -> Option<String> {
        if distance.inexact == 0 {
            return Some("equal to the exact table".to_owned());
        }
        let share = 100.0 * distance.inexact as f64 / distance.entries as f64;
        let why = match (self.numbers.tolerance, distance.is_single) {
            (tolerance, _) if tolerance > 0.0 => format!("within {tolerance:e}"),
            (_, true) => "as computed in f32".to_owned(),
            (_, false) => "as computed in f64".to_owned(),
        };
        Some(format!("{why}: {share:.1} % of the entries differ, by at most {:.1e}", distance.largest))
    }

    fn call<const A: usize>(&self, grid: &Grid<'static, A>) -> String {
        grid_call::<T, A>(grid).to_string()
    }

    fn dtype(&self) -> Option<String> {
        (!is_default::<T>()).then(|| T::DTYPE.to_owned())
    }
}
