//! The tables of grids: which preset, and which shape.

use std::ops::Range;

use posenc::GridPreset;
use posenc::reflection::Value;

use crate::answer::{Answer, Candidate, Distance, Found, Named, Outcome};
use crate::any_grid::AnyGrid;
use crate::element::{Dtype, FloatType};
use crate::entries::{Stop, entries};
use crate::exact;
use crate::grid_base;
use crate::numbers::Number;
use crate::rounding::{Precision, UNIT_DOUBLE, UNIT_SINGLE, off_before_rounding};
use crate::rows::Table;
use crate::sample::Numbers;
use crate::undetermined::Undetermined;

/// The longest side of a guessed grid in terms of the shorter one.
const LONGEST: usize = 4;

/// How the entries of a table are compared with those of a grid.
pub(crate) trait Entries {
    /// Reads consecutive rows.
    fn read(&self, rows: Range<usize>) -> Result<Vec<f64>, Stop>;

    /// Adds the distance of consecutive rows, or returns `None` if the grid cannot have one of their entries.
    fn add(&self, distance: &mut Distance, grid: &AnyGrid, first: usize, found: &[f64]) -> Option<()>;

    /// Returns whether the table is near that of a grid, in all its rows.
    fn is_near(&self, distance: &Distance) -> bool;

    /// Returns the grid with the scale of the entries.
    fn quantised(&self, grid: &AnyGrid) -> AnyGrid;

    /// Returns the element type of the table.
    fn dtype(&self) -> Dtype;
}

/// Returns the answer if the table is that of a grid of known models. The shape is guessed if it is not given.
pub(crate) fn answer(
    table: &Table,
    numbers: &Numbers,
    shape: Option<&[usize]>,
) -> Result<Option<Answer<'static>>, Stop> {
    identified(&Floats { table, numbers }, table, numbers, shape)
}

/// As [`answer`], given how entries are compared.
pub(crate) fn identified(
    entries: &dyn Entries,
    table: &Table,
    numbers: &Numbers,
    shape: Option<&[usize]>,
) -> Result<Option<Answer<'static>>, Stop> {
    let grids = match shape {
        None => (0..=1).flat_map(|zero_rows| guessed(numbers, zero_rows)).collect(),
        Some(shape) => given(numbers, shape).into_iter().collect(),
    };
    of(entries, table, numbers, grids)
}

/// The shape of a grid, and the number of rows of zeros before its points.
type Shape = (Vec<usize>, usize);

/// Returns the shapes of two axes after this many rows of zeros: squares first, then others.
fn guessed(numbers: &Numbers, zero_rows: usize) -> Vec<Shape> {
    let points = numbers.seq_len.saturating_sub(zero_rows);
    let divides = |h: &usize| points.is_multiple_of(*h) && points / h <= LONGEST * h && points / h >= *h;
    let mut heights: Vec<_> = (2..=points.isqrt()).filter(divides).collect();
    heights.reverse();
    let both = heights.into_iter().flat_map(|h| [[h, points / h], [points / h, h]]);
    let mut shapes: Vec<_> = both.map(|shape| (shape.to_vec(), zero_rows)).collect();
    shapes.dedup();
    shapes
}

/// Returns the given shape, with as many rows of zeros as remain.
fn given(numbers: &Numbers, shape: &[usize]) -> Option<Shape> {
    let points = shape.iter().try_fold(1_usize, |points, size| points.checked_mul(*size));
    let zero_rows = points.filter(|&points| points > 0).and_then(|points| numbers.seq_len.checked_sub(points));
    zero_rows.map(|zero_rows| (shape.to_vec(), zero_rows))
}

/// A grid that fits.
struct FoundGrid {
    grid: AnyGrid,
    preset: GridPreset,
    further: Option<Further>,
    /// The base that the entries show, if it is not the one above.
    base: Option<f64>,
    zero_rows: usize,
    distance: Distance,
}

/// A parameter that models set beside the preset.
#[derive(Clone, Copy)]
enum Further {
    Extent(i64),
    Base(f64),
}

fn of(
    entries: &dyn Entries,
    table: &Table,
    numbers: &Numbers,
    shapes: Vec<Shape>,
) -> Result<Option<Answer<'static>>, Stop> {
    let mut fits = fits(entries, numbers, shapes);
    let Some(best) = fits.first() else { return Ok(None) };
    let (other, undetermined) = best.with_other_base(entries, numbers);
    if let Some(other) = other {
        fits.insert(0, other);
    }
    let best = &fits[0];
    let mut distance = Distance::EXACT;
    for rows in table.pieces() {
        let there = entries.read(rows.clone())?;
        if entries.add(&mut distance, &best.grid, rows.start, &there).is_none() {
            return Ok(None);
        }
    }
    if !entries.is_near(&distance) {
        return Ok(None);
    }
    let mut presets: Vec<_> = fits.iter().filter(|fit| fit.grid == best.grid).map(FoundGrid::named).collect();
    presets.dedup_by_key(|named| named.preset);
    let candidate = |fit: &FoundGrid, presets, distance, is_same| Candidate {
        found: Found::Grid { grid: entries.quantised(&fit.grid), presets },
        dtype: entries.dtype(),
        distance,
        is_same,
    };
    // Squares have the same shape in both orders, but others do not.
    let others = fits.iter().filter(|fit| fit.grid != best.grid);
    let mut others: Vec<_> = others.filter(|other| key(&other.distance) <= key(&best.distance)).collect();
    others.dedup_by(|other, before| other.grid == before.grid);
    let others = others.into_iter().take(3).map(|other| candidate(other, vec![other.named()], other.distance, false));
    Ok(Some(Answer {
        outcome: if undetermined.is_some() { Outcome::Several } else { Outcome::Identified },
        candidates: std::iter::once(candidate(best, presets, distance, true)).chain(others).collect(),
        twin: None,
        notes: Vec::new(),
        undetermined: undetermined.into_iter().collect(),
        miss: None,
    }))
}

/// Returns the grids that fit a sample of the entries: the exact one, or else the nearest, is the first.
fn fits(entries: &dyn Entries, numbers: &Numbers, shapes: Vec<Shape>) -> Vec<FoundGrid> {
    let mut fits: Vec<FoundGrid> = Vec::new();
    for (shape, zero_rows) in shapes {
        for &preset in GridPreset::ALL {
            let Some(grid) = AnyGrid::preset(preset, &shape, numbers.d_model) else { continue };
            for further in Further::of_models(preset) {
                let grid = grid.zero_rows(zero_rows);
                let grid = further.map_or(grid, |further| further.set(&grid));
                // A few rows rule out most of them.
                if distance_of(entries, &grid, numbers, numbers.parts(2)).is_none() {
                    continue;
                }
                let distance = distance_of(entries, &grid, numbers, numbers.ranges());
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
    fits.sort_by(|a, b| key(&a.distance).partial_cmp(&key(&b.distance)).expect("no distance is NaN"));
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

    fn set(self, grid: &AnyGrid) -> AnyGrid {
        match self {
            Self::Extent(extent) => grid.extent(extent),
            Self::Base(base) => grid.base(base),
        }
    }

    /// Returns the key and the value.
    fn pair(self) -> (&'static str, Value<'static>) {
        match self {
            Self::Extent(extent) => ("extent", Value::Integer(extent)),
            Self::Base(base) => ("base", Value::Number(base)),
        }
    }
}

impl FoundGrid {
    /// Returns the grid with a base that `f64` explains, if the entries are `f64` and this one takes the errors of `f32`.
    fn with_other_base(&self, entries: &dyn Entries, numbers: &Numbers) -> (Option<Self>, Option<Undetermined>) {
        if !(is_single(&self.distance) && numbers.is_double()) {
            return (None, None);
        }
        let explained = |grid: &AnyGrid| {
            distance_of(entries, grid, numbers, numbers.ranges()).filter(|distance| !is_single(distance))
        };
        let Some(range) = grid_base::nearest(&self.grid, numbers, |grid| explained(grid).is_some()) else {
            return (None, None);
        };
        let usual = range.usual(false, false);
        let digits = if usual.is_some() { None } else { range.digits() };
        let base = usual.map_or_else(|| digits.map_or(range.middle(), |digits| range.rounded(digits)), Number::value);
        let grid = self.grid.base(base);
        let distance = explained(&self.grid.base(range.near)).unwrap_or(self.distance);
        let found = Self { grid, base: Some(base), distance, ..*self };
        (Some(found), digits.map(|digits| Undetermined::number("base", digits)))
    }

    /// Returns the preset with the parameters that are not its own.
    fn named(&self) -> Named<'static, GridPreset> {
        // The base that the entries show replaces that of models.
        let further = self.further.filter(|further| self.base.is_none() || !matches!(further, Further::Base(_)));
        let mut changed: Vec<_> = further.into_iter().chain(self.base.map(Further::Base)).map(Further::pair).collect();
        // This preset has a row of zeros of its own.
        let is_set = self.zero_rows > 0 || self.preset == GridPreset::MocoV3;
        changed
            .extend(is_set.then(|| ("zero_rows", Value::Integer(i64::try_from(self.zero_rows).unwrap_or(i64::MAX)))));
        Named { preset: self.preset, changed }
    }
}

/// Returns the distance in some rows of the sample, or `None` if the grid cannot have one of their entries.
fn distance_of(
    entries: &dyn Entries,
    grid: &AnyGrid,
    numbers: &Numbers,
    rows: impl IntoIterator<Item = Range<usize>>,
) -> Option<Distance> {
    let mut distance = Distance::EXACT;
    for rows in rows {
        entries.add(&mut distance, grid, rows.start, numbers.rows_in(&rows))?;
    }
    Some(distance)
}

/// Returns the order of distances.
fn key(distance: &Distance) -> (f64, usize) {
    (distance.largest, distance.inexact)
}

/// Returns whether only the errors of `f32` explain the distance.
fn is_single(distance: &Distance) -> bool {
    distance.precision == Some(Precision::Single)
}

/// Floats, with the errors of an arithmetic.
struct Floats<'a> {
    table: &'a Table<'a>,
    numbers: &'a Numbers,
}

impl Entries for Floats<'_> {
    fn read(&self, rows: Range<usize>) -> Result<Vec<f64>, Stop> {
        entries(self.table, rows)
    }

    fn add(&self, distance: &mut Distance, grid: &AnyGrid, first: usize, found: &[f64]) -> Option<()> {
        let exact = exact::entries_of_grid(self.dtype(), grid, first, found.len())?;
        distance.entries += found.len();
        distance.is_identical &= exact.iter().zip(found).all(|(exact, found)| exact.to_bits() == found.to_bits());
        if exact == found {
            return Some(());
        }
        let values = exact::entries_of_grid(Dtype::Float(FloatType::F64), grid, first, found.len())?;
        // The largest angle: positions are up to the size of an axis, or 2 pi.
        let angle = (grid.longest() as f64).max(7.0);
        // A larger error would let any entry fit.
        let bound = |unit: f64| ((8.0 * angle + 4.0) * unit).min(1.0 / 8.0);
        for ((&exact, &value), &found) in exact.iter().zip(&values).zip(found) {
            let apart = (exact - found).abs();
            let off = off_before_rounding(value, found, self.numbers.rounding) - self.numbers.tolerance;
            if off > bound(UNIT_SINGLE) {
                return None;
            }
            let precision = match off {
                _ if apart == 0.0 && off <= bound(UNIT_DOUBLE) => Precision::Exact,
                off if off > bound(UNIT_DOUBLE) => Precision::Single,
                _ => Precision::Double,
            };
            distance.precision = distance.precision.max(Some(precision));
            distance.inexact += usize::from(apart != 0.0);
            distance.largest = distance.largest.max(apart);
        }
        Some(())
    }

    fn is_near(&self, _: &Distance) -> bool {
        true
    }

    fn quantised(&self, grid: &AnyGrid) -> AnyGrid {
        *grid
    }

    fn dtype(&self) -> Dtype {
        self.numbers.dtype()
    }
}
