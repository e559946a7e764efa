//! The tables of grids: which preset, and which shape.

use posenc::GridPreset;
use posenc::reflection::Value;

use crate::answer::{Answer, Candidate, Distance, Found, Named, Outcome};
use crate::any_grid::AnyGrid;
use crate::entries::Stop;
use crate::grid_base;
use crate::grid_distance::{Entries, distance_of, distance_of_all, key};
use crate::numbers::Number;
use crate::rounding::Precision;
use crate::rows::Table;
use crate::sample::Numbers;
use crate::shapes::Shape;
use crate::undetermined::Undetermined;

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

/// Returns the answer if known models have the table as a grid.
pub(crate) fn identified(
    entries: &dyn Entries,
    table: &Table,
    numbers: &Numbers,
    shapes: &[Shape],
) -> Result<Option<Answer<'static>>, Stop> {
    let mut fits = fits(entries, numbers, shapes);
    let Some(best) = fits.first() else { return Ok(None) };
    let (other, undetermined) = best.with_other_base(entries, numbers);
    if let Some(other) = other {
        fits.insert(0, other);
    }
    let best = &fits[0];
    let Some(distance) = distance_of_all(entries, table, &best.grid)? else { return Ok(None) };
    let mut presets: Vec<_> = fits.iter().filter(|fit| fit.grid == best.grid).map(FoundGrid::named).collect();
    presets.dedup_by_key(|named| named.preset);
    let candidate = |fit: &FoundGrid, presets, distance, is_same| Candidate {
        found: Found::Grid { grid: fit.grid.with_quantiser(entries.quantiser()), presets },
        dtype: entries.dtype(),
        distance,
        is_same,
    };
    // Squares have the same shape in both orders, but others do not.
    let others = fits.iter().filter(|fit| fit.grid != best.grid);
    let mut others: Vec<_> = others.filter(|other| key(&other.distance) <= key(&best.distance)).collect();
    others.dedup_by(|other, before| other.grid == before.grid);
    let others = others.into_iter().take(3).map(|other| candidate(other, vec![other.named()], other.distance, false));
    let outcome = if undetermined.is_some() { Outcome::Several } else { Outcome::Identified };
    let candidates = std::iter::once(candidate(best, presets, distance, true)).chain(others).collect();
    Ok(Some(Answer { undetermined: undetermined.into_iter().collect(), ..Answer::of(outcome, candidates) }))
}

/// Returns the grids that fit a sample of the entries: the exact one, or else the nearest, is the first.
fn fits(entries: &dyn Entries, numbers: &Numbers, shapes: &[Shape]) -> Vec<FoundGrid> {
    let mut fits: Vec<FoundGrid> = Vec::new();
    for &(ref shape, zero_rows) in shapes {
        for &preset in GridPreset::ALL {
            let Some(grid) = AnyGrid::preset(preset, shape, numbers.d_model) else { continue };
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
        let common = range.common(false, false, 1);
        let digits = if common.is_some() { None } else { range.digits() };
        let base = common.map_or_else(|| digits.map_or(range.middle(), |digits| range.rounded(digits)), Number::value);
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

/// Returns whether only the errors of `f32` explain the distance.
fn is_single(distance: &Distance) -> bool {
    distance.precision == Some(Precision::Single)
}
