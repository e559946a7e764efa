//! Tables of integers. Their scale and zero point are not in the file, so common ones are tried.

use std::ops::Range;

use posenc::{Quantiser, Spec};

use crate::answer::{self, Answer, Distance, Found, Miss, Note, Outcome};
use crate::any_grid::AnyGrid;
use crate::ascending::sort_by_number;
use crate::determined::undetermined;
use crate::distance::Fit;
use crate::element::{Dtype, ElementType, FloatType};
use crate::entries::Stop;
use crate::grid_distance::Entries;
use crate::lists::Lists;
use crate::noise::{Error, Noise};
use crate::options::Options;
use crate::reading::{Reading, Scale, Window};
use crate::rounding::Precision;
use crate::rows::Table;
use crate::sample::{self, Numbers};
use crate::search::fits;
use crate::undetermined::{Undetermined, UndeterminedKind};
use crate::{exact, factors, rank, several_axes};

pub(crate) fn identify<'a>(table: &Table, options: &Options, lists: &'a Lists) -> Result<Answer<'a>, Stop> {
    let kinds = match table.element_type() {
        ElementType::U8 => {
            vec![scaled(Dtype::U8, &[(1, 127, 128), (1, 128, 128), (2, 255, 128), (2, 255, 127)])]
        }
        ElementType::I16 => {
            vec![fixed(Dtype::Q15, 15), scaled(Dtype::I16, &[(1, 32767, 0), (1, 32768, 0)])]
        }
        ElementType::I32 => vec![fixed(Dtype::Q31, 31)],
        // The function is not called for floats.
        _ => vec![fixed(Dtype::Q7, 7), scaled(Dtype::I8, &[(1, 127, 0), (1, 128, 0)])],
    };
    let sample = &IntegerSample::of(table)?;
    let ways = || kinds.iter().flat_map(|kind| sample.readings(kind).into_iter().map(move |way| (kind.dtype, way)));
    let (mut searches, mut candidates): (Vec<Search>, Vec<_>) = (Vec::new(), Vec::new());
    for (dtype, reading) in ways() {
        // Fixed-point numbers may have the scale of other integers.
        let known = searches.iter().position(|search| search.scale == reading.scale).unwrap_or_else(|| {
            searches.push(Search::new(sample, &reading, options, lists));
            searches.len() - 1
        });
        candidates.append(&mut Candidate::all(dtype.with(reading.scale), &searches[known], sample, reading, options)?);
    }
    sort_by_number(&mut candidates, |candidate| candidate.cost);
    if let Some((best, others)) = candidates.split_first() {
        return Ok(best.answer(others));
    }
    let mut grids = Vec::new();
    for (dtype, reading) in ways() {
        grids.extend(grid(dtype, &reading, sample, options)?);
    }
    let best = grids.into_iter().min_by_key(|answer| answer.candidates[0].distance.inexact);
    Ok(best.unwrap_or_else(|| Answer::nothing(Miss::Integers)))
}

/// An element type, with the ways to read it.
struct IntegerKind {
    dtype: DtypeOf,
    readings: Vec<Reading>,
}

/// The type of entries, which may have any scale.
#[derive(Clone, Copy)]
enum DtypeOf {
    Fixed(Dtype),
    Scaled(fn(Quantiser) -> Dtype),
}

impl DtypeOf {
    fn with(self, scale: Scale) -> Dtype {
        match self {
            Self::Fixed(dtype) => dtype,
            Self::Scaled(dtype) => dtype(scale.quantiser()),
        }
    }
}

fn fixed(dtype: Dtype, fraction_bits: u32) -> IntegerKind {
    IntegerKind { dtype: DtypeOf::Fixed(dtype), readings: vec![Reading::fixed(fraction_bits)] }
}

fn scaled(dtype: fn(Quantiser) -> Dtype, common: &[(i64, i64, i32)]) -> IntegerKind {
    let readings = common.iter().map(|&(over, under, zero_point)| Reading::new((over, under), zero_point)).collect();
    IntegerKind { dtype: DtypeOf::Scaled(dtype), readings }
}

/// A spec with a way to read the integers, and its cost.
struct Candidate<'a> {
    dtype: Dtype,
    reading: Reading,
    spec: Spec<'a>,
    /// Its numbers of which the integers determine only some digits.
    undetermined: Vec<Undetermined>,
    distance: Distance,
    /// About the cost, in bits, of the spec and of saying which integers differ from its own.
    cost: f64,
}

/// The number of specs that are compared with all integers, for each way to read these.
const MOST: usize = 4;

/// A sample of the integers of a table.
struct IntegerSample<'a> {
    table: &'a Table<'a>,
    windows: Vec<Window>,
}

impl<'a> IntegerSample<'a> {
    fn of(table: &'a Table<'a>) -> Result<Self, Stop> {
        let [seq_len, d_model] = table.shape();
        let windows = sample::windows(seq_len, d_model).into_iter();
        let windows = windows.map(|rows| Ok((rows.clone(), table.rows(rows)?)));
        Ok(Self { table, windows: windows.collect::<Result<_, Stop>>()? })
    }

    /// Returns the ways to read the integers: the common ones, then those that the extremes tell.
    fn readings(&self, kind: &IntegerKind) -> Vec<Reading> {
        let is_free = matches!(kind.dtype, DtypeOf::Scaled(_));
        let others = if is_free { Reading::of_extremes(&self.windows) } else { Vec::new() };
        let is_new = |other: &Reading| kind.readings.iter().all(|common| common.scale != other.scale);
        kind.readings.iter().copied().chain(others.into_iter().filter(is_new)).collect()
    }

    /// Returns the numbers that a function makes of the integers.
    fn numbers(&self, value: impl Fn(f64) -> f64) -> Numbers {
        let values = |(rows, numbers): &Window| (rows.clone(), numbers.iter().map(|&number| value(number)).collect());
        Numbers::new(self.windows.iter().map(values).collect(), self.table.shape(), FloatType::F64)
    }
}

/// The likely specs of integers with this scale.
struct Search<'a> {
    scale: Scale,
    numbers: Numbers,
    fits: Vec<Fit<'a>>,
}

impl<'a> Search<'a> {
    fn new(sample: &IntegerSample, reading: &Reading, options: &Options, lists: &'a Lists) -> Self {
        // With a power of two the largest entry is clamped, by up to a step.
        let clamped = if reading.scale.denominator.count_ones() == 1 { 1.0 } else { 0.5 + 1e-9 };
        let tolerance = reading.scale.step() * clamped + options.tolerance;
        let numbers = sample.numbers(|number| reading.value(number)).with_tolerance(tolerance);
        let mut fits: Vec<_> = fits(&numbers, lists).into_iter().filter(Fit::is_explained).collect();
        // Few integers tell little: other parameters make them too.
        fits.retain(|fit| !(numbers.is_small() || numbers.is_too_small()) || rank::is_preset(&fit.spec));
        sort_by_number(&mut fits, Fit::cost);
        fits.dedup_by(|a, b| a.spec == b.spec);
        fits.truncate(MOST);
        Self { scale: reading.scale, numbers, fits }
    }
}

impl<'a> Candidate<'a> {
    /// Returns the most likely specs for a way to read the integers.
    fn all(
        dtype: Dtype,
        Search { numbers, fits, .. }: &Search<'a>,
        sample: &IntegerSample,
        reading: Reading,
        options: &Options,
    ) -> Result<Vec<Self>, Stop> {
        let mut all: Vec<Self> = Vec::new();
        let mut most = f64::INFINITY;
        for fit in fits {
            if fit.cost() > most {
                break;
            }
            if let Some(candidate) = Self::of(fit, dtype, numbers, sample, reading, options)? {
                most = most.min(fit.cost() + rank::MENTIONED);
                if !all.iter().any(|other| other.spec == candidate.spec) {
                    all.push(candidate);
                }
            }
        }
        Ok(all)
    }

    /// Returns the spec that fits, with the digits that the integers determine, or `None` if it does not explain them.
    fn of(
        fit: &Fit<'a>,
        dtype: Dtype,
        numbers: &Numbers,
        sample: &IntegerSample,
        reading: Reading,
        options: &Options,
    ) -> Result<Option<Self>, Stop> {
        let explained = |spec: &Spec| explained(sample.table, spec, dtype, &reading, options.tolerance);
        let told = |spec, undetermined, distance: Distance| {
            let cost = rank::cost(&spec) + distance.cost_of_inexact();
            Self { dtype, reading, spec, undetermined, distance, cost }
        };
        // The numbers nearest to the integers may be the only ones that make all of them.
        if let Some(refined) = factors::determined(&fit.spec, numbers, Precision::Double)
            && let Some(nearest) = explained(&refined.spec)?
        {
            let spec = refined.rounded_spec();
            let undetermined: Vec<_> = refined.rounded.iter().map(Undetermined::from).collect();
            // With fewer digits, other integers may differ.
            let of_rounded =
                if undetermined.is_empty() { None } else { distance(sample.table, &spec, dtype, &reading)? };
            return Ok(Some(told(spec, undetermined, of_rounded.unwrap_or(nearest))));
        }
        let undetermined = || undetermined(&fit.spec, numbers, Precision::Double);
        Ok(explained(&fit.spec)?.map(|distance| told(fit.spec, undetermined(), distance)))
    }

    fn answer(&self, others: &[Self]) -> Answer<'a> {
        // The same spec with another scale is no other guess about the parameters.
        let others = others.iter().filter(|other| other.spec != self.spec && other.cost <= self.cost + rank::CERTAIN);
        let others: Vec<_> = others.take(3).map(|other| other.candidate(false)).collect();
        // A list makes the integers with any digits, but other tables make them too.
        let is_without_effect = |number: &Undetermined| number.kind == UndeterminedKind::WithoutEffect;
        let is_certain = others.is_empty() && self.undetermined.iter().all(is_without_effect);
        let outcome = if is_certain { Outcome::Identified } else { Outcome::Several };
        let notes = if others.is_empty() { Vec::new() } else { vec![Note::SeveralFit] };
        let candidates = std::iter::once(self.candidate(true)).chain(others).collect();
        Answer { notes, undetermined: self.undetermined.clone(), ..Answer::of(outcome, candidates) }
    }

    fn candidate(&self, is_same: bool) -> answer::Candidate<'a> {
        answer::Candidate {
            found: Found::Sinusoidal { spec: self.reading.quantised(&self.spec), presets: Vec::new() },
            dtype: self.dtype,
            distance: self.distance,
            is_same,
        }
    }
}

/// Returns the distance of all rows, or `None` if the spec has no such table.
fn distance(table: &Table, spec: &Spec, dtype: Dtype, reading: &Reading) -> Result<Option<Distance>, Stop> {
    let quantised = reading.quantised(spec);
    let mut distance = Distance::EXACT;
    for rows in table.pieces() {
        let there = table.rows(rows.clone())?;
        let Some(exact) = exact::entries(dtype, &quantised, rows.start, there.len()) else { return Ok(None) };
        add(&mut distance, &exact, &there);
    }
    Ok(Some(distance))
}

/// Returns the distance of all rows, or `None` if the spec has no such table, or rounding errors do not explain the integers.
fn explained(
    table: &Table,
    spec: &Spec,
    dtype: Dtype,
    reading: &Reading,
    tolerance: f64,
) -> Result<Option<Distance>, Stop> {
    let quantised = reading.quantised(spec);
    let Some(mut noise) = Noise::new(spec, 0.0, f64::INFINITY) else { return Ok(None) };
    noise.tolerance = tolerance;
    let mut distance = Distance::EXACT;
    for rows in table.pieces() {
        let there = table.rows(rows.clone())?;
        let Some(exact) = exact::entries(dtype, &quantised, rows.start, there.len()) else { return Ok(None) };
        let before = distance.inexact;
        add(&mut distance, &exact, &there);
        if distance.inexact > before && !are_explained(spec, reading, &mut noise, rows.start, &exact, &there) {
            return Ok(None);
        }
    }
    Ok(Some(distance).filter(is_near))
}

/// Returns whether the errors of a computation explain the integers of consecutive rows: values next to a tie are rounded to
/// the other side.
fn are_explained(
    spec: &Spec,
    reading: &Reading,
    noise: &mut Noise,
    first: usize,
    exact: &[f64],
    there: &[f64],
) -> bool {
    let d_model = spec.d_model();
    let Some(values) = exact::entries(Dtype::Float(FloatType::F64), spec, first, exact.len()) else { return false };
    exact.iter().zip(there).zip(values).enumerate().all(|(i, ((&exact, &there), value))| {
        let tie = reading.value(exact.midpoint(there));
        let error = Error { is_exact: exact == there, value, found: tie };
        (exact - there).abs() <= 1.0 && noise.precision(first + i / d_model, i % d_model, error).is_some()
    })
}

/// Adds the distance of integers, in steps.
fn add(distance: &mut Distance, exact: &[f64], there: &[f64]) {
    distance.entries += exact.len();
    for (exact, there) in exact.iter().zip(there) {
        let steps = (exact - there).abs();
        distance.inexact += usize::from(steps != 0.0);
        distance.is_identical &= steps == 0.0;
        distance.largest = distance.largest.max(steps);
    }
}

/// Returns whether the errors of a computation before rounding explain the integers: few are on the other side.
fn is_near(distance: &Distance) -> bool {
    distance.largest <= 1.0 && distance.inexact.saturating_mul(100) <= distance.entries
}

/// Integers that are read in one way, compared with the integers of grids.
struct Integers<'a> {
    table: &'a Table<'a>,
    dtype: Dtype,
    reading: &'a Reading,
}

/// Returns the grid with these integers, if they are read in this way.
fn grid(
    dtype: DtypeOf,
    reading: &Reading,
    sample: &IntegerSample,
    options: &Options,
) -> Result<Option<Answer<'static>>, Stop> {
    let integers = Integers { table: sample.table, dtype: dtype.with(reading.scale), reading };
    several_axes::identified(&integers, sample.table, &sample.numbers(|number| number), options.shape)
}

impl Entries for Integers<'_> {
    fn read(&self, rows: Range<usize>) -> Result<Vec<f64>, Stop> {
        Ok(self.table.rows(rows)?)
    }

    fn add(&self, distance: &mut Distance, grid: &AnyGrid, first: usize, found: &[f64]) -> Option<()> {
        add(
            distance,
            &exact::entries_of_grid(self.dtype, &grid.with_quantiser(self.quantiser()), first, found.len())?,
            found,
        );
        (distance.largest <= 1.0).then_some(())
    }

    fn is_near(&self, distance: &Distance) -> bool {
        is_near(distance)
    }

    fn quantiser(&self) -> Option<Quantiser> {
        self.reading.quantiser
    }

    fn dtype(&self) -> Dtype {
        self.dtype
    }
}
