//! Tables of integers. Their scale and zero point are not in the file, so usual ones are tried.

use std::marker::PhantomData;
use std::ops::Range;

use posenc::{Grid, Q7, Q15, Q31, Spec};

use super::answer::Answer;
use super::determined::undetermined;
use super::distance::Fit;
use super::entries::Stop;
use super::grids::{self, Entries, GridDistance, IdentifiedGrid};
use super::noise::{Error, Noise};
use super::reading::{Reading, Window};
use super::rounding::Precision;
use super::sample::{self, Numbers};
use super::search::fits;
use super::undetermined::Undetermined;
use super::{answer, factors, rank};
use crate::args::IdentifyArgs;
use crate::grid::List;
use crate::input::{IntegerType, Table};
use crate::json::Identification;
use crate::stored::Integer;
use crate::text::{macro_call, option};

pub(super) fn identify(found: &Table, integer: IntegerType, args: &IdentifyArgs, output: &str) -> Result<Answer, Stop> {
    match integer {
        IntegerType::I8 => {
            of(found, args, output, &[fixed::<Q7>("q7", 7), scaled::<i8>("i8", &[(1, 127, 0), (1, 128, 0)])])
        }
        IntegerType::U8 => {
            let usual = [(1, 127, 128), (1, 128, 128), (2, 255, 128), (2, 255, 127)];
            of(found, args, output, &[scaled::<u8>("u8", &usual)])
        }
        IntegerType::I16 => {
            let usual = [(1, 32767, 0), (1, 32768, 0)];
            of(found, args, output, &[fixed::<Q15>("q15", 15), scaled::<i16>("i16", &usual)])
        }
        IntegerType::I32 => of(found, args, output, &[fixed::<Q31>("q31", 31)]),
    }
}

/// An element type, with the ways to read it, and how the table of a spec is compared.
struct IntegerKind {
    name: &'static str,
    read: fn(&Table, Range<usize>) -> Result<Vec<i32>, Stop>,
    readings: Vec<Reading>,
    /// Whether the scale may be another one.
    is_free: bool,
    compare: Compare,
    call: fn(&Spec, usize) -> String,
    grid: FindGrid,
}

/// Compares all rows with those of a spec, with a tolerance.
type Compare = fn(&Table, &Spec<'static>, &Reading, f64) -> Result<Option<ComparedIntegers>, Stop>;

type FindGrid = fn(&Reading, &IntegerSample, &IdentifyArgs, &str) -> Result<Option<IdentifiedGrid>, Stop>;

fn fixed<T: Integer>(name: &'static str, fraction_bits: u32) -> IntegerKind {
    let readings = vec![Reading { scale: (1, 1 << fraction_bits), zero_point: 0, quantiser: None }];
    IntegerKind {
        name,
        read: read::<T>,
        readings,
        is_free: false,
        compare: compared::<T>,
        call: call::<T>,
        grid: grid::<T>,
    }
}

fn scaled<T: Integer>(name: &'static str, usual: &[(i64, i64, i32)]) -> IntegerKind {
    let readings = usual.iter().map(|&(over, under, zero_point)| Reading::new((over, under), zero_point)).collect();
    IntegerKind {
        name,
        read: read::<T>,
        readings,
        is_free: true,
        compare: compared::<T>,
        call: call::<T>,
        grid: grid::<T>,
    }
}

/// A spec with a way to read the integers, and its cost.
struct Candidate<'a> {
    kind: &'a IntegerKind,
    reading: Reading,
    spec: Spec<'static>,
    /// Its numbers of which the integers determine only some digits.
    undetermined: Vec<Undetermined>,
    compared: ComparedIntegers,
    cost: f64,
}

/// The number of specs that are compared with all integers, for each way to read these.
const MOST: usize = 4;

/// A sample of the integers of a table.
struct IntegerSample<'a> {
    found: &'a Table,
    windows: Vec<Window>,
}

impl<'a> IntegerSample<'a> {
    fn of(found: &'a Table, kind: &IntegerKind) -> Result<Self, Stop> {
        let [seq_len, d_model] = found.shape();
        let windows = sample::windows(seq_len, d_model).into_iter();
        let windows = windows.map(|rows| Ok((rows.clone(), (kind.read)(found, rows)?)));
        Ok(Self { found, windows: windows.collect::<Result<_, Stop>>()? })
    }

    /// Returns the ways to read the integers: the usual ones, then those that the extremes tell.
    fn readings(&self, kind: &IntegerKind) -> Vec<Reading> {
        let others = if kind.is_free { Reading::of_extremes(&self.windows) } else { Vec::new() };
        let is_new = |other: &Reading| {
            kind.readings.iter().all(|usual| (usual.scale, usual.zero_point) != (other.scale, other.zero_point))
        };
        kind.readings.iter().copied().chain(others.into_iter().filter(is_new)).collect()
    }

    /// Returns the numbers that a function makes of the integers.
    fn numbers(&self, value: impl Fn(f64) -> f64) -> Numbers {
        let values =
            |(rows, numbers): &Window| (rows.clone(), numbers.iter().map(|&number| value(number.into())).collect());
        Numbers::new(self.windows.iter().map(values).collect(), self.found.shape(), f64::EPSILON / 2.0)
    }
}

fn of(found: &Table, args: &IdentifyArgs, output: &str, kinds: &[IntegerKind]) -> Result<Answer, Stop> {
    let [seq_len, d_model] = found.shape();
    let samples =
        kinds.iter().map(|kind| Ok((kind, IntegerSample::of(found, kind)?))).collect::<Result<Vec<_>, Stop>>()?;
    let ways = || {
        samples.iter().flat_map(|(kind, sample)| sample.readings(kind).into_iter().map(move |way| (*kind, sample, way)))
    };
    let mut candidates = Vec::new();
    for (kind, sample, reading) in ways() {
        candidates.append(&mut Candidate::all(kind, sample, reading, args)?);
    }
    candidates.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    if let Some((best, others)) = candidates.split_first() {
        return Ok(best.answer(found, others, output));
    }
    let mut grids = Vec::new();
    for (kind, sample, reading) in ways() {
        grids.extend((kind.grid)(&reading, sample, args, output)?);
    }
    if let Some(best) = grids.into_iter().min_by_key(|grid| grid.inexact) {
        return Ok(best.answer);
    }
    let title = format!("nothing fits this table of {seq_len} x {d_model} {} entries", found.dtype().name());
    let tried = "q7, q15 or q31, usual scales and zero points, and those with which the extremes are -1 and 1";
    let lines = vec![("tried", tried.to_owned())];
    Ok(Answer { outcome: Identification::Nothing, title, short: None, lines, undetermined: Vec::new() })
}

impl<'a> Candidate<'a> {
    /// Returns the most likely specs for a way to read the integers.
    fn all(
        kind: &'a IntegerKind,
        sample: &IntegerSample,
        reading: Reading,
        args: &IdentifyArgs,
    ) -> Result<Vec<Self>, Stop> {
        let value = |number| (number - f64::from(reading.zero_point)) * reading.step();
        // With a power of two the largest entry is clamped, by up to a step.
        let clamped = if reading.scale.1.count_ones() == 1 { 1.0 } else { 0.5 + 1e-9 };
        let tolerance = reading.step() * clamped + args.tolerance.unwrap_or(0.0);
        let numbers = sample.numbers(value).with_tolerance(tolerance);
        let mut fits: Vec<_> = fits::<f64>(&numbers).into_iter().filter(Fit::is_explained).collect();
        // Few integers tell little: other parameters make them too.
        fits.retain(|fit| !(numbers.is_small() || numbers.is_too_small()) || rank::is_preset(&fit.spec));
        fits.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
        fits.dedup_by(|a, b| a.spec == b.spec);
        let mut all: Vec<Self> = Vec::new();
        for fit in fits.into_iter().take(MOST) {
            if all.first().is_some_and(|first| fit.cost() > first.cost + rank::MENTIONED) {
                break;
            }
            let compared = |spec: &Spec<'static>| {
                let compared = (kind.compare)(sample.found, spec, &reading, args.tolerance.unwrap_or(0.0));
                compared.map(|compared| compared.filter(ComparedIntegers::is_near))
            };
            // The numbers nearest to the integers may be the only ones that make all of them.
            let refined = factors::determined(&fit.spec, &numbers, Precision::Double);
            let nearest = refined.as_ref().map_or(Ok(None), |refined| compared(&refined.spec))?;
            let (compared, spec, undetermined) = if let (Some(refined), Some(nearest)) = (refined, nearest) {
                (nearest, refined.rounded_spec(), refined.rounded.iter().map(Undetermined::from).collect())
            } else {
                let Some(compared) = compared(&fit.spec)? else { continue };
                (compared, fit.spec, undetermined::<f64>(&fit.spec, &numbers, Precision::Double))
            };
            // An integer that differs is a sign of another scale.
            let cost = fit.cost() + compared.inexact as f64;
            all.push(Self { kind, reading, spec, undetermined, compared, cost });
        }
        Ok(all)
    }

    fn call(&self, seq_len: usize) -> String {
        (self.kind.call)(&self.reading.quantised(&self.spec), seq_len)
    }

    fn answer(&self, found: &Table, others: &[Self], output: &str) -> Answer {
        let [seq_len, d_model] = found.shape();
        let name = found.dtype().name();
        let mut words = vec![format!("posenc table --seq-len {seq_len} --d-model {d_model}")];
        words.extend(self.spec.keys().map(|key| option(&key)));
        words.push(format!("--dtype {} -o {output}", self.reading.text(self.kind.name)));
        let mut lines = vec![
            ("table", format!("{seq_len} x {d_model} {name}, {}", self.compared.text())),
            ("command", words.join(" ")),
        ];
        let (title, text) = (self.call(seq_len), self.compared.text());
        // The same spec with another scale is no other guess about the parameters.
        let others = others.iter().filter(|other| other.spec != self.spec && other.cost <= self.cost + rank::CERTAIN);
        lines.extend(others.take(3).map(|other| ("or", format!("{}, {}", other.call(seq_len), other.compared.text()))));
        let is_alone = lines.len() == 2;
        let guess = if is_alone { "" } else { answer::OR_ANOTHER };
        lines.extend((!is_alone).then(|| ("note", answer::SEVERAL.to_owned())));
        lines.extend(self.undetermined.iter().map(|number| ("note", number.text())));
        let is_certain = is_alone && !self.undetermined.iter().any(|number| number.is_open);
        let outcome = if is_certain { Identification::Identified } else { Identification::Several };
        let (short, undetermined) = (Some(format!("{title}{guess}, {text}")), self.undetermined.clone());
        Answer { outcome, title, short, lines, undetermined }
    }
}

/// Reads consecutive rows, without their scale.
fn read<T: Integer>(found: &Table, rows: Range<usize>) -> Result<Vec<i32>, Stop> {
    Ok(found.decoded(rows, T::decode)?.into_iter().map(Integer::number).collect())
}

fn call<T: Integer>(spec: &Spec, seq_len: usize) -> String {
    macro_call::<T>(spec, seq_len).to_string()
}

/// How far a table of integers is from the exact one.
#[derive(Default)]
struct ComparedIntegers {
    entries: usize,
    inexact: usize,
    /// The largest difference from the exact entry, in steps.
    steps: f64,
}

/// Compares all rows. Returns `None` if the spec has no such table, or rounding errors do not explain an integer.
fn compared<T: Integer>(
    found: &Table,
    spec: &Spec<'static>,
    reading: &Reading,
    tolerance: f64,
) -> Result<Option<ComparedIntegers>, Stop> {
    let quantised = reading.quantised(spec);
    let Some(mut noise) = Noise::new(spec, 0.0, f64::INFINITY) else { return Ok(None) };
    noise.tolerance = tolerance;
    let mut compared = ComparedIntegers::default();
    for rows in found.pieces() {
        let there = read::<T>(found, rows.clone())?;
        let mut exact = vec![T::default(); there.len()];
        if quantised.fill(rows.start.., &mut exact).is_err() {
            return Ok(None);
        }
        let before = compared.inexact;
        compared.add(&exact, there.iter().copied().map(f64::from));
        if compared.inexact > before && !are_explained(spec, reading, &mut noise, rows.start, &exact, &there) {
            return Ok(None);
        }
    }
    Ok(Some(compared))
}

/// Returns whether the errors of a computation explain the integers of consecutive rows: values next to a tie are rounded to
/// the other side.
fn are_explained<T: Integer>(
    spec: &Spec<'static>,
    reading: &Reading,
    noise: &mut Noise,
    first: usize,
    exact: &[T],
    there: &[i32],
) -> bool {
    let mut values = vec![0.0_f64; exact.len()];
    let d_model = spec.d_model();
    spec.fill(first.., &mut values).is_ok()
        && exact.iter().zip(there).zip(values).enumerate().all(|(i, ((exact, &there), value))| {
            let (exact, there) = (f64::from(exact.number()), f64::from(there));
            let tie = (exact.midpoint(there) - f64::from(reading.zero_point)) * reading.step();
            let error = Error { is_exact: exact == there, value, found: tie };
            (exact - there).abs() <= 1.0 && noise.precision(first + i / d_model, i % d_model, error).is_some()
        })
}

impl ComparedIntegers {
    fn add<T: Integer>(&mut self, exact: &[T], there: impl Iterator<Item = f64>) {
        self.entries += exact.len();
        for (exact, there) in exact.iter().zip(there) {
            let steps = (f64::from(exact.number()) - there).abs();
            self.inexact += usize::from(steps != 0.0);
            self.steps = self.steps.max(steps);
        }
    }

    /// Returns whether the errors of a computation before rounding explain the integers: few are on the other side.
    fn is_near(&self) -> bool {
        self.steps <= 1.0 && self.inexact.saturating_mul(100) <= self.entries
    }

    fn text(&self) -> String {
        if self.inexact == 0 {
            return "equal to the exact table".to_owned();
        }
        // It is near, so the distance is one step.
        format!("{:.1} % of the entries differ, by 1 step", 100.0 * self.inexact as f64 / self.entries as f64)
    }
}

/// Integers that are read in one way, compared with those of grids.
struct Integers<'a, T> {
    found: &'a Table,
    reading: &'a Reading,
    entry: PhantomData<T>,
}

/// Returns the grid with these integers, if they are read in this way.
fn grid<T: Integer>(
    reading: &Reading,
    sample: &IntegerSample,
    args: &IdentifyArgs,
    output: &str,
) -> Result<Option<IdentifiedGrid>, Stop> {
    let integers = Integers { found: sample.found, reading, entry: PhantomData::<T> };
    let shape = args.shape.as_ref().map(|List(shape)| shape.as_slice());
    grids::identified(&integers, sample.found, &sample.numbers(|number| number), shape, output)
}

impl<T: Integer> Integers<'_, T> {
    fn quantised<const A: usize>(&self, grid: &Grid<'static, A>) -> Grid<'static, A> {
        self.reading.quantiser.into_iter().fold(*grid, Grid::quantiser)
    }
}

impl<T: Integer> Entries for Integers<'_, T> {
    fn read(&self, rows: Range<usize>) -> Result<Vec<f64>, Stop> {
        Ok(read::<T>(self.found, rows)?.into_iter().map(f64::from).collect())
    }

    fn add<const A: usize>(
        &self,
        distance: &mut GridDistance,
        grid: &Grid<'static, A>,
        first: usize,
        found: &[f64],
    ) -> Option<()> {
        let mut exact = vec![T::default(); found.len()];
        self.quantised(grid).fill(first.., &mut exact).ok()?;
        let mut compared = ComparedIntegers::default();
        compared.add(&exact, found.iter().copied());
        distance.entries += compared.entries;
        distance.inexact += compared.inexact;
        distance.largest = distance.largest.max(compared.steps);
        (compared.steps <= 1.0).then_some(())
    }

    fn text(&self, &GridDistance { entries, inexact, largest, .. }: &GridDistance) -> Option<String> {
        let compared = ComparedIntegers { entries, inexact, steps: largest };
        compared.is_near().then(|| compared.text())
    }

    fn call<const A: usize>(&self, grid: &Grid<'static, A>) -> String {
        self.quantised(grid).macro_call().dtype::<T>().to_string()
    }

    fn dtype(&self) -> Option<String> {
        Some(self.reading.text(T::DTYPE))
    }
}
