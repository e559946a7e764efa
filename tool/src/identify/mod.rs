//! `posenc identify`: which preset and parameters made a table?
//!
//! All searches use a [sample](sample) of the rows. The candidates are the presets and rotary caches of models, and the specs with
//! likely numbers near those that are [fitted](fit) to the angles of all frequencies. If there are none, the rule of a
//! [rotary cache](rotary) is looked for, then the parameters of known models are [tried](known) in every arrangement of columns,
//! and at last a list of frequencies. The table of each candidate is then computed and compared. It is
//! accepted only if the difference can be explained by the [arithmetic](noise) of a framework. The most [usual](rank) one of
//! these is the answer, with its [factors](factors) to the digits that are determined, and those that are nearly as usual are
//! told too.

mod angles;
mod answer;
mod checkpoint;
mod chosen;
mod distance;
mod explained;
mod factors;
mod fit;
mod grids;
mod integers;
mod known;
mod line;
mod linear;
mod misses;
mod model;
mod noise;
mod nothing;
mod numbers;
mod products;
mod rank;
mod reading;
mod recurrence;
mod rotary;
mod sample;
mod structure;

use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

use posenc::{Preset, Spec};

use crate::args::IdentifyArgs;
use crate::entry::Entry;
use crate::entry::with_entry;
use crate::failure::{Failure, Outcome, print};
use crate::grid::List;
use crate::input::{FileType, Table};
use crate::json;
use answer::Answer;
use chosen::Chosen;
use distance::{Comparison, Distance, Fit, distance};
use factors::Rounded;
use known::Reach;
use noise::{Precision, UNIT_SINGLE};
use sample::Numbers;
use structure::Structure;

pub use checkpoint::candidates;
pub(crate) use explained::{Arithmetic, explained};

pub(crate) fn run(args: &IdentifyArgs) -> Outcome {
    match Chosen::of(args)? {
        Chosen::One(table) => one(&table, args),
        Chosen::All(files) => checkpoint::run(files, args),
    }
}

/// Returns the file that the commands of answers write, which is not one of those in question.
fn output<'a>(files: impl Iterator<Item = &'a Path>) -> &'static str {
    const OUTPUTS: [&str; 3] = ["exact.safetensors", "exact-table.safetensors", "posenc-table.safetensors"];
    let names: Vec<_> = files.filter_map(Path::file_name).collect();
    let is_free = |output: &&str| names.iter().all(|name| name != output);
    OUTPUTS.into_iter().find(is_free).unwrap_or("exact-posenc-table.safetensors")
}

/// Prints all that is known of a table.
fn one(found: &Table, args: &IdentifyArgs) -> Outcome {
    let answer = answer(found, args, output(std::iter::once(found.path())))?;
    let status = status(answer.outcome);
    if args.answer.json {
        json::print(&answer.json(found.shape(), found.dtype().name()))?;
    } else if !args.answer.quiet {
        print(&answer.text())?;
    }
    Ok(ExitCode::from(status))
}

/// Returns all that is known of a table. The commands write to the file `output`.
fn answer(found: &Table, args: &IdentifyArgs, output: &str) -> Result<Answer, Failure> {
    if found.shape()[0] == 0 {
        return Err(Failure::new("the table has no rows, so its parameters cannot be identified"));
    }
    let answer = match found.dtype() {
        FileType::Float(dtype) => with_entry!(dtype, T => identify::<T>(found, args, output)),
        FileType::Integer(integer) => integers::identify(found, integer, args, output),
    };
    answer.or_else(|stop| match stop {
        Stop::NotFinite { row, column } => Ok(nothing::not_finite(found, row, column)),
        Stop::Failed(failure) => Err(failure),
    })
}

/// Why a table cannot be identified.
#[derive(Debug)]
enum Stop {
    Failed(Failure),
    NotFinite { row: usize, column: usize },
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Returns the exit status. Several tables fit if none of them is much more usual than the others, or digits are not determined.
fn status(outcome: json::Outcome) -> u8 {
    match outcome {
        json::Outcome::Identified => 0,
        json::Outcome::Nothing => 1,
        json::Outcome::Several => 3,
    }
}

fn identify<T: Entry>(found: &Table, args: &IdentifyArgs, output: &str) -> Result<Answer, Stop> {
    let numbers = numbers::<T>(found)?.with_tolerance(args.tolerance.unwrap_or(0.0));
    let shape = args.shape.as_ref().map(|List(shape)| shape.as_slice());
    let fits = fits::<T>(&numbers);
    let mut accepted = accepted::<T>(found, &numbers, &fits)?.into_iter();
    if let Some(best) = accepted.next() {
        return Ok(answer::identified::<T>(&numbers, &settled::<T>(found, &numbers, best, accepted)?, output));
    }
    if let Some(answer) = grids::answer::<T>(found, &numbers, shape, output)? {
        return Ok(answer);
    }
    // If the sample fits, other rows are wrong.
    let is_found = fits.iter().any(Fit::is_explained);
    let near = if is_found { Vec::new() } else { misses::lines::<T>(&numbers) };
    Ok(nothing::tried::<T>(&numbers, near, nearest::<T>(found, &numbers, &fits)?.as_ref()))
}

/// Reads a sample of the rows.
fn numbers<T: Entry>(found: &Table) -> Result<Numbers, Stop> {
    let [seq_len, d_model] = found.shape();
    let windows = sample::windows(seq_len, d_model).into_iter();
    let windows = windows.map(|rows| Ok((rows.clone(), entries::<T>(found, rows)?))).collect::<Result<_, Stop>>()?;
    Ok(Numbers::new(windows, found.shape(), T::ROUNDING))
}

/// Reads consecutive rows as `f64`.
fn entries<T: Entry>(found: &Table, rows: Range<usize>) -> Result<Vec<f64>, Stop> {
    let entries: Vec<f64> = found.rows::<T>(rows.clone())?.into_iter().map(Into::into).collect();
    let Some(entry) = entries.iter().position(|entry| !entry.is_finite()) else { return Ok(entries) };
    let [_, d_model] = found.shape();
    Err(Stop::NotFinite { row: rows.start + entry / d_model, column: entry % d_model })
}

/// Returns all candidates for the table, the nearest first.
fn fits<T: Entry>(numbers: &Numbers) -> Vec<Fit> {
    let mut all = Vec::new();
    // A row of sines at position 0 is zero anyway.
    for zero_row in numbers.rows_of_zeros() {
        let fits = fits_with::<T>(&numbers.with_zero_row(zero_row));
        let is_found = fits.iter().any(Fit::is_explained);
        all.extend(fits);
        if is_found {
            break;
        }
    }
    let by_distance = |a: &Fit, b: &Fit| a.distance.mean.total_cmp(&b.distance.mean);
    all.sort_by(by_distance);
    // A factor with many digits is so far only near.
    let most = if numbers.is_double() { Precision::Double } else { Precision::Single };
    let is_found = |all: &[Fit]| all.iter().any(|fit| fit.is_explained_by(most));
    if !is_found(&all) {
        let near = all.iter().take_while(|fit| fit.distance.mean < NEAR * numbers.largest);
        let found = factors::nearest(near.map(|fit| &fit.spec), numbers);
        all.extend(measured::<T>(found.into_iter().map(|refined| refined.spec), numbers, PART));
    }
    for zero_row in numbers.rows_of_zeros() {
        if !is_found(&all) {
            let numbers = numbers.with_zero_row(zero_row);
            all.extend(best::<T>(rotary::lists::specs(&numbers), &numbers));
        }
    }
    all.sort_by(by_distance);
    all
}

/// How near a candidate is to the entries for its factors to be refined, relative to the largest entry.
const NEAR: f64 = 1e-3;

/// Returns the candidates with a given row of zeros, or without one.
fn fits_with<T: Entry>(numbers: &Numbers) -> Vec<Fit> {
    let is_certain = |fit: &Fit| fit.distance.precision == Some(Precision::Exact) && rank::is_preset(&fit.spec);
    let mut fits = best::<T>(rotary::specs(numbers).into_iter().chain(presets::<T>(numbers)), numbers);
    if fits.iter().any(is_certain) && !numbers.is_small() {
        return fits;
    }
    let (paired, others): (Vec<_>, Vec<_>) =
        Structure::all(numbers.d_model).into_iter().partition(Structure::is_paired);
    // No table is both.
    for structures in [paired, others] {
        let specs: Vec<_> = structures.iter().flat_map(|structure| fit::specs(numbers, structure)).collect();
        let is_found = !specs.is_empty();
        fits.extend(best::<T>(specs, numbers));
        if is_found {
            break;
        }
    }
    // The errors of `f32` explain numbers that are only near. Entries of 16 bits hardly tell both arithmetics apart.
    let is_fine = numbers.rounding <= UNIT_SINGLE && numbers.tolerance == 0.0;
    let most = if is_fine { Precision::Double } else { Precision::Single };
    if !fits.iter().any(|fit| fit.is_explained_by(most)) {
        fits.extend(best::<T>(rotary::fitted(numbers), numbers));
    }
    for reach in [Reach::Usual, Reach::Far] {
        // A few rows do not determine the angles.
        if !fits.iter().any(Fit::is_explained) || (reach == Reach::Usual && numbers.seq_len <= FEW_ROWS) {
            fits.extend(best::<T>(known::specs(numbers, reach), numbers));
        }
    }
    fits
}

/// Returns the specs that fit best.
fn best<T: Entry>(specs: impl IntoIterator<Item = Spec<'static>>, numbers: &Numbers) -> Vec<Fit> {
    let mut all: Vec<Spec> = Vec::new();
    for spec in specs {
        let spec = numbers.zero_row.map_or(spec, |row| spec.zero_row(row));
        if !all.contains(&spec) {
            all.push(spec);
        }
    }
    // A few rows suffice to rule out most candidates.
    let (mut explained, others): (Vec<_>, Vec<_>) =
        measured::<T>(all, numbers, 4).into_iter().partition(Fit::is_explained);
    explained.sort_by_cached_key(|fit| rank::of(&fit.spec));
    let kept = explained.into_iter().take(MOST_EXPLAINED).chain(others.into_iter().take(MOST_OTHERS));
    measured::<T>(kept.map(|fit| fit.spec), numbers, PART)
}

/// The number of candidates that are compared in more than a few rows: those that fit these, and others.
const MOST_EXPLAINED: usize = 64;
const MOST_OTHERS: usize = 16;

/// The number of rows in each part of a sample.
const PART: usize = 24;

const FEW_ROWS: usize = 8;

/// Returns the specs, sorted by their distance from the table in some rows.
fn measured<T: Entry>(specs: impl IntoIterator<Item = Spec<'static>>, numbers: &Numbers, part: usize) -> Vec<Fit> {
    let rows = numbers.parts(part);
    let fit = |spec| Some(Fit { spec, distance: distance::<T>(&spec, numbers, rows.iter().cloned())? });
    let mut fits: Vec<_> = specs.into_iter().filter_map(fit).collect();
    fits.sort_by(|a, b| a.distance.mean.total_cmp(&b.distance.mean));
    fits
}

/// Returns the exact table in some rows, or `None` if the spec is invalid.
fn sampled<T: Entry>(spec: &Spec, numbers: &Numbers, part: usize) -> Option<Vec<T>> {
    spec.check_table::<T>(numbers.seq_len, isize::MAX as usize).ok()?;
    let mut entries = Vec::new();
    for rows in numbers.parts(part) {
        let mut piece = vec![T::default(); rows.len() * numbers.d_model];
        spec.fill(rows.start.., &mut piece).ok()?;
        entries.append(&mut piece);
    }
    Some(entries)
}

/// Returns the distance from the table found in all its rows, or `None` if the spec is invalid.
fn distance_of_all<T: Entry>(spec: &Spec<'static>, found: &Table, numbers: &Numbers) -> Result<Option<Distance>, Stop> {
    Comparison::of::<T>(spec, numbers).map_or(Ok(None), |comparison| comparison.of_all::<T>(found))
}

/// The number of alternatives to the best fit.
const OTHERS: usize = 12;

/// Returns the specs that fit, the most likely first.
fn accepted<T: Entry>(found: &Table, numbers: &Numbers, fits: &[Fit]) -> Result<Vec<Fit>, Stop> {
    let mut near: Vec<_> = fits.iter().filter(|fit| fit.is_explained()).cloned().collect();
    if numbers.is_double() && near.iter().any(|fit| fit.is_explained_by(Precision::Double)) {
        near.retain(|fit| fit.is_explained_by(Precision::Double));
    }
    if numbers.is_too_small() {
        near.retain(|fit| rank::is_preset(&fit.spec));
    }
    near.sort_by(|a, b| a.distance.mean.total_cmp(&b.distance.mean));
    near.sort_by_cached_key(|fit| rank::with_bits(&fit.spec, fit.bits()));
    // Two searches may find the same spec.
    near.dedup_by(|a, b| a.spec == b.spec);
    // So far only a sample was compared. A spec must fit in all rows.
    let mut accepted: Vec<Fit> = Vec::new();
    let mut least = None;
    for fit in near {
        let bits = fit.bits();
        if least.is_some_and(|least| bits > least + rank::TOLD) || accepted.len() == OTHERS {
            break;
        }
        let distance = distance_of_all::<T>(&fit.spec, found, numbers)?;
        if let Some(distance) = distance.filter(|all| all.precision.is_some()) {
            least = least.or(Some(bits));
            accepted.push(Fit { distance, ..fit });
        }
    }
    Ok(accepted)
}

/// What is told of a table: the best spec, and others.
struct Settled {
    /// It has no more digits than the entries determine. Its distance is that of the factors nearest to them.
    best: Fit,
    rounded: Vec<Rounded>,
    others: Vec<Fit>,
}

/// Returns the best spec with the factors that the entries determine.
fn settled<T: Entry>(
    found: &Table,
    numbers: &Numbers,
    best: Fit,
    others: impl Iterator<Item = Fit>,
) -> Result<Settled, Stop> {
    let precision = best.distance.precision.filter(|_| !numbers.is_too_small());
    let refined = precision.and_then(|precision| factors::determined(&best.spec, numbers, precision));
    let Some(refined) = refined else {
        return Ok(Settled { best, rounded: Vec::new(), others: others.collect() });
    };
    let distance = distance_of_all::<T>(&refined.spec, found, numbers)?;
    let is_as_good = |distance: &Distance| {
        distance.precision.is_some_and(|precision| best.distance.precision.is_some_and(|best| precision <= best))
    };
    let distance = distance.filter(is_as_good).unwrap_or(best.distance);
    let best = Fit { spec: refined.told(), distance };
    let others = others.filter(|other| other.spec != best.spec && !refined.covers(&other.spec)).collect();
    Ok(Settled { best, rounded: refined.rounded, others })
}

/// Returns the presets. Those without a start get the starts that their models use.
fn presets<T: Entry>(numbers: &Numbers) -> Vec<Spec<'static>> {
    let n = i64::try_from(numbers.seq_len).unwrap_or(i64::MAX);
    let mut specs: Vec<Spec> = Vec::new();
    for preset in Preset::ALL {
        let own = rank::own(*preset, numbers.d_model);
        if own.check_parameters::<T>().is_err() {
            continue;
        }
        let left_open = own.parameters().start.is_none();
        let all = if left_open { vec![own.start(n - 1), own.start(n / 2), own.start(n)] } else { vec![own] };
        for spec in all {
            if !specs.contains(&spec) {
                specs.push(spec);
            }
        }
    }
    specs
}

/// Returns the nearest spec if none fits: one that fits most rows, or else the nearest on average.
fn nearest<T: Entry>(found: &Table, numbers: &Numbers, fits: &[Fit]) -> Result<Option<Fit>, Stop> {
    let mut specs = presets::<T>(numbers);
    specs.extend(fits.iter().take(OTHERS).map(|fit| fit.spec));
    // Single rows from all over the sample, because overwritten rows may be anywhere.
    const ROWS: usize = 64;
    let step = numbers.rows().count().div_ceil(ROWS);
    let rows: Vec<_> = numbers.rows().step_by(step).map(|row| row..row + 1).collect();
    let measure = |spec| Some(Fit { spec, distance: distance::<T>(&spec, numbers, rows.iter().cloned())? });
    let measured: Vec<Fit> = specs.into_iter().filter_map(measure).collect();
    let mean = |fit: &&Fit| fit.distance.mean;
    let least = measured.iter().map(|fit| fit.distance.mean).fold(f64::INFINITY, f64::min);
    let most_fit = measured.iter().filter(|fit| 2 * fit.distance.rows_off < fit.distance.rows);
    let best = most_fit.min_by_key(|fit| (fit.distance.rows_off, rank::of(&fit.spec)));
    // Noise can make other parameters slightly nearer than the right ones, by far less than a tenth.
    let near = measured.iter().filter(|fit| fit.distance.mean <= 1.1 * least);
    let best = best
        .or_else(|| near.min_by(|a, b| rank::of(&a.spec).cmp(&rank::of(&b.spec)).then(mean(a).total_cmp(&mean(b)))));
    // Unrelated tables are almost never this near.
    let is_near =
        |distance: &Distance| distance.mean < numbers.mean_size() / 2.0 || 2 * distance.rows_off < distance.rows;
    let Some(best) = best.filter(|best| is_near(&best.distance)) else { return Ok(None) };
    let distance = distance_of_all::<T>(&best.spec, found, numbers)?;
    Ok(distance.filter(is_near).map(|distance| Fit { spec: best.spec, distance }))
}
