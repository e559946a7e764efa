//! The rotary tables of images and videos: which preset, or which base and order of axes, and how their columns are arranged.

use posenc::reflection::Value;
use posenc::{AxialNest, AxialPreset, Packing, Repeat};

use crate::answer::{Answer, Candidate, Distance, Found, Named, Outcome};
use crate::any_axial::AnyAxial;
use crate::any_grid::AnyGrid;
use crate::element::Dtype;
use crate::entries::Stop;
use crate::grid_distance::{Entries, distance_of, distance_of_all, key};
use crate::rounding::UNIT_SINGLE;
use crate::rows::Table;
use crate::sample::Numbers;
use crate::shapes::Shape;

/// So many guesses that fit the sample are compared with the whole table.
const MOST_COMPARED: usize = 8;

/// A table that may be the one.
#[derive(Clone, Copy)]
struct Guess {
    rope: AnyAxial,
    source: Source,
    packing: Packing,
}

/// Where the parameters of a guess are from.
#[derive(Clone, Copy)]
enum Source {
    /// A preset, perhaps with the extent that it requires.
    Preset(AxialPreset, Option<i64>),
    /// A preset in which the last two axes exchange their columns.
    Swapped(AxialPreset),
    /// Common bases, starts and orders.
    Common,
}

/// A guess that fits.
struct Fit {
    guess: Guess,
    grid: AnyGrid,
    distance: Distance,
}

/// Returns the answer if the table is a rotary one of several axes.
pub(crate) fn identified(
    entries: &dyn Entries,
    table: &Table,
    numbers: &Numbers,
    shapes: &[Shape],
) -> Result<Option<Answer<'static>>, Stop> {
    // With all columns on an axis of one point, many presets would have this table.
    if numbers.is_constant() {
        return Ok(None);
    }
    let mut fits: Vec<_> = shapes.iter().flat_map(|(shape, _)| fits(entries, numbers, shape)).collect();
    fits.sort_by(|a, b| key(&a.distance).partial_cmp(&key(&b.distance)).expect("no distance is NaN"));
    let mut found = None;
    for (i, fit) in fits.iter().enumerate().take(MOST_COMPARED) {
        if let Some(distance) = distance_of_all(entries, table, &fit.grid)? {
            found = Some((i, distance));
            break;
        }
    }
    let Some((i, distance)) = found else { return Ok(None) };
    // Those before it fit only the sample.
    let (best, fits) = (&fits[i], &fits[i..]);
    let (same, others): (Vec<_>, Vec<_>) = fits.iter().partition(|fit| fit.grid.is_same_table(&best.grid));
    let mut different: Vec<&Fit> = Vec::new();
    for other in others.into_iter().take_while(|other| key(&other.distance) <= key(&best.distance)) {
        if !different.iter().any(|fit| fit.grid.is_same_table(&other.grid)) {
            different.push(other);
        }
    }
    let others = different.into_iter().take(3).map(|other| other.candidate(entries, &[other], other.distance, false));
    let best = same[0].candidate(entries, &same, distance, true);
    Ok(Some(Answer::of(Outcome::Identified, std::iter::once(best).chain(others).collect())))
}

/// Returns the guesses that fit a sample of the entries, presets first.
fn fits(entries: &dyn Entries, numbers: &Numbers, shape: &[usize]) -> Vec<Fit> {
    let fit = |guess: Guess| {
        let grid = guess.rope.packed(guess.packing)?;
        if [grid.rows(), grid.d_model()] != [numbers.seq_len, numbers.d_model] {
            return None;
        }
        // A few rows rule out most of them.
        distance_of(entries, &grid, numbers, numbers.parts(2))?;
        let distance = distance_of(entries, &grid, numbers, numbers.ranges())?;
        Some(Fit { guess, grid, distance })
    };
    let is_float = matches!(entries.dtype(), Dtype::Float(_));
    let arranged = arrangements(numbers.d_model).filter(|arrangement| arrangement.may_be_of(numbers, is_float));
    arranged.flat_map(|arrangement| guesses(shape, arrangement)).filter_map(fit).collect()
}

/// How the columns of a table are arranged, and the width of a head.
#[derive(Clone, Copy)]
struct Arrangement {
    packing: Packing,
    repeat: Repeat,
    head_dim: usize,
}

impl Arrangement {
    /// Returns whether a few rows have equal columns where they are repeated, and pairs on a circle if they are floats.
    ///
    /// This holds for all presets, so it rules out most arrangements at once.
    fn may_be_of(&self, numbers: &Numbers, is_float: bool) -> bool {
        const ROWS: usize = 16;
        let d = numbers.d_model;
        let halves = |block: usize| (0..d).filter(move |j| j % block < block / 2).map(move |j| [j, j + block / 2]);
        let equal: Vec<[usize; 2]> = match (self.repeat, self.packing) {
            (Repeat::None | Repeat::AxisHalves, _) => Vec::new(),
            (Repeat::Pairs, Packing::Complex) => halves(4).collect(),
            (Repeat::Pairs, _) => halves(2).collect(),
            (Repeat::Halves, Packing::CosSin | Packing::SinCos) => halves(d / 2).collect(),
            (Repeat::Halves, _) => halves(d).collect(),
        };
        let pairs: Vec<[usize; 2]> = match self.packing {
            Packing::Complex if is_float => halves(2).collect(),
            Packing::CosSin | Packing::SinCos if is_float => halves(d).collect(),
            _ => Vec::new(),
        };
        let allowed = 8.0 * numbers.rounding.max(UNIT_SINGLE) + 4.0 * numbers.tolerance;
        numbers.rows().take(ROWS).all(|row| {
            let [at, other] = [0, 1].map(|i| move |columns: &[usize; 2]| numbers.at(row, columns[i]));
            equal.iter().all(|columns| at(columns) == other(columns))
                && pairs.iter().all(|columns| (at(columns).powi(2) + other(columns).powi(2) - 1.0).abs() <= allowed)
        })
    }
}

/// Returns all arrangements of so many columns.
fn arrangements(d_model: usize) -> impl Iterator<Item = Arrangement> {
    let all = Packing::ALL.iter().flat_map(|&packing| Repeat::ALL.iter().map(move |&repeat| (packing, repeat)));
    all.filter_map(move |(packing, repeat)| {
        let functions = if matches!(packing, Packing::Cos | Packing::Sin) { 1 } else { 2 };
        let columns_of_pair = functions * if repeat == Repeat::None { 1 } else { 2 };
        d_model.is_multiple_of(columns_of_pair).then_some(Arrangement {
            packing,
            repeat,
            head_dim: 2 * d_model / columns_of_pair,
        })
    })
}

/// Returns the guesses for a shape: presets, and then common parameters.
fn guesses(shape: &[usize], Arrangement { packing, repeat, head_dim }: Arrangement) -> impl Iterator<Item = Guess> {
    let arranged = move |(rope, source): (AnyAxial, Source)| {
        [1, 2].map(|merge| Guess { rope: rope.repeat(repeat).merge(merge), source, packing })
    };
    of_presets(shape, head_dim).chain(common(shape, head_dim)).flat_map(arranged)
}

/// Returns the tables of presets. Those of an image are also tried as a video of one frame.
fn of_presets(shape: &[usize], head_dim: usize) -> impl Iterator<Item = (AnyAxial, Source)> {
    let mut shapes = vec![shape.to_vec()];
    if let [h, w] = *shape {
        shapes.extend([vec![1, h, w], vec![1, h, w, 1]]);
    }
    shapes.into_iter().flat_map(move |shape| {
        AxialPreset::ALL.iter().flat_map(move |&preset| {
            let rope = AnyAxial::preset(preset, &shape, head_dim);
            rope.into_iter().flat_map(move |rope| {
                extents(preset).iter().flat_map(move |&extent| {
                    let rope = extent.map_or(rope, |extent| rope.extent(extent));
                    [(rope, Source::Preset(preset, extent)), (rope.swapped(), Source::Swapped(preset))]
                })
            })
        })
    })
}

/// Returns the extents with which the models of a preset were trained, if it requires one.
fn extents(preset: AxialPreset) -> &'static [Option<i64>] {
    match preset {
        AxialPreset::Eva02 => &[Some(14), Some(16), Some(24), Some(32)],
        _ => &[None],
    }
}

/// Returns tables with common parameters: axes in order or with the last two exchanged, in blocks or alternating.
fn common(shape: &[usize], head_dim: usize) -> impl Iterator<Item = (AnyAxial, Source)> {
    const BASES: [f64; 8] = [10_000.0, 100.0, 1000.0, 256.0, 2000.0, 1e5, 5e5, 1e6];
    let orders = AnyAxial::new(shape, head_dim).into_iter().flat_map(|rope| [rope, rope.swapped()]);
    let nests = orders.flat_map(|rope| AxialNest::ALL.iter().map(move |&nest| rope.nest(nest)));
    let starts = nests.flat_map(|rope| [0, 1].map(|start| rope.start(start)));
    starts.flat_map(|rope| BASES.map(|base| (rope.base(base), Source::Common)))
}

impl Fit {
    /// Returns the candidate, with the names of all that make the same table.
    fn candidate(
        &self,
        entries: &dyn Entries,
        same: &[&Self],
        distance: Distance,
        is_same: bool,
    ) -> Candidate<'static> {
        let (mut presets, mut swapped) = (Vec::new(), Vec::new());
        for Self { guess, .. } in same {
            match guess.source {
                Source::Preset(preset, extent) => presets.push(Named { preset, changed: guess.changed(extent) }),
                Source::Swapped(preset) => swapped.push(preset),
                Source::Common => {}
            }
        }
        presets.dedup_by_key(|named| named.preset);
        swapped.dedup();
        // If the exchange changes nothing, the preset itself makes the table.
        swapped.retain(|preset| !presets.iter().any(|named: &Named<AxialPreset>| named.preset == *preset));
        let Guess { rope, packing, .. } = self.guess;
        let found = Found::Axial { rope: rope.with_quantiser(entries.quantiser()), packing, presets, swapped };
        Candidate { found, dtype: entries.dtype(), distance, is_same }
    }
}

impl Guess {
    /// Returns the parameters that are set beside a preset.
    fn changed(&self, extent: Option<i64>) -> Vec<(&'static str, Value<'static>)> {
        let (merge, repeat) = self.rope.merge_and_repeat();
        let extent = extent.map(|extent| ("extent", Value::Integer(extent)));
        let merge = (merge > 1).then_some(("merge", Value::Size(merge)));
        let repeat = (repeat != Repeat::None).then(|| ("repeat", Value::Word(repeat.name())));
        extent.into_iter().chain(merge).chain(repeat).collect()
    }
}
