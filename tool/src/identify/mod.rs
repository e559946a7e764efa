//! `posenc identify`: which preset and parameters made a table?
//!
//! First, the parameters of known models are compared with the table, in every arrangement of columns. If none fits,
//! the angles of all frequencies are estimated from the entries, and the parameters from the angles. The table of each
//! candidate is then computed and compared. A candidate is accepted only if the difference can be explained by the
//! arithmetic of a framework.

mod angles;
mod answer;
mod fit;
mod known;
mod noise;
mod numbers;
mod rank;
mod rotary;
mod structure;

use std::process::ExitCode;

use posenc::{Preset, Spec};

use crate::args::IdentifyArgs;
use crate::entry::Entry;
use crate::entry::with_found;
use crate::failure::{Failure, Outcome, print};
use crate::input::{self, Matrix};
use angles::Numbers;
use known::Reach;
use noise::{Error, Noise, Precision};
use structure::Structure;

pub(crate) fn run(args: &IdentifyArgs) -> Outcome {
    let found = input::read(&args.file)?;
    // The command in the answer must not overwrite the file in question.
    let is_taken = args.file.file.file_name().is_some_and(|name| name == "exact.safetensors");
    let output = if is_taken { "exact-table.safetensors" } else { "exact.safetensors" };
    with_found!(found, matrix => identify(&matrix, output))
}

fn identify<T: Entry>(found: &Matrix<T>, output: &str) -> Outcome {
    if found.seq_len() == 0 {
        return Err(Failure::new("the table has no rows, so its parameters cannot be identified"));
    }
    if let Some(entry) = found.entries.iter().position(|&entry| !entry.into().is_finite()) {
        let (row, column) = (entry / found.d_model, entry % found.d_model);
        return Err(Failure::new(format_args!(
            "the entry in row {row}, column {column} is not finite, so this is not a sinusoidal table"
        )));
    }
    let fits = fits(found);
    let accepted = accepted(found, &fits);
    let text = match accepted.split_first() {
        Some((best, others)) => answer::identified(found, best, others, output)?,
        None => answer::nothing(found, nearest(found, &fits).as_ref()),
    };
    print(&text)?;
    Ok(ExitCode::from(u8::from(accepted.is_empty())))
}

/// A spec, and the distance of its table from the table found.
#[derive(Clone, Debug)]
struct Fit {
    spec: Spec<'static>,
    distance: Distance,
}

/// The distance between two tables.
#[derive(Clone, Copy, Debug)]
struct Distance {
    /// The root mean square of the differences.
    mean: f64,
    largest: f64,
    /// The most precise computation that explains the distance, if any does.
    precision: Option<Precision>,
    /// The number of rows that no computation explains.
    rows_off: usize,
    /// The first of these rows.
    first_off: Option<usize>,
    /// The number of rows compared.
    rows: usize,
}

/// Returns all candidates for the table, the nearest first.
fn fits<T: Entry>(found: &Matrix<T>) -> Vec<Fit> {
    let zero_rows = zero_rows(found);
    let numbers: Vec<_> = zero_rows.iter().map(|&zero_row| (zero_row, numbers(found, zero_row))).collect();
    let collect = |specs: &dyn Fn(&Numbers) -> Vec<Spec<'static>>| {
        let mut all: Vec<Spec> = Vec::new();
        for (zero_row, numbers) in &numbers {
            for spec in specs(numbers) {
                let spec = zero_row.map_or(spec, |row| spec.zero_row(row));
                if !all.contains(&spec) {
                    all.push(spec);
                }
            }
        }
        // A few rows suffice to rule out most candidates.
        let mut fits = measured(all, found, 4);
        fits.truncate(64);
        measured(fits.into_iter().map(|fit| fit.spec), found, SAMPLE)
    };
    let mut fits = collect(&|numbers| {
        let specs = rotary::specs(numbers).into_iter().chain(presets(found));
        specs.chain(known::specs(numbers, Reach::Usual)).collect()
    });
    if fits.iter().all(|fit| fit.distance.precision.is_none()) {
        fits.extend(collect(&|numbers| known::specs(numbers, Reach::Far)));
    }
    // A near fit may still not be the exact table.
    if fits.iter().all(|fit| fit.distance.precision != Some(Precision::Exact)) {
        fits.extend(collect(&|numbers| {
            Structure::all(found.d_model).iter().flat_map(|structure| fit::specs(numbers, structure)).collect()
        }));
    }
    fits.sort_by(|a, b| a.distance.mean.total_cmp(&b.distance.mean));
    fits
}

/// Returns the specs, sorted by their distance from the table in a sample of rows.
fn measured<T: Entry>(specs: impl IntoIterator<Item = Spec<'static>>, found: &Matrix<T>, part: usize) -> Vec<Fit> {
    let sample = sample(found.seq_len(), part);
    let largest = largest(found);
    let fit = |spec| Some(Fit { spec, distance: distance(&spec, found, &sample, largest)? });
    let mut fits: Vec<_> = specs.into_iter().filter_map(fit).collect();
    fits.sort_by(|a, b| a.distance.mean.total_cmp(&b.distance.mean));
    fits
}

/// The number of rows in each part of a sample.
const SAMPLE: usize = 24;

/// Returns the possible values of `zero_row`. A row of sines at position 0 is zero anyway.
fn zero_rows<T: Entry>(found: &Matrix<T>) -> Vec<Option<usize>> {
    let is_zero = |&row: &usize| found.row(row).iter().all(|&entry| entry.into() == 0.0);
    let mut rows = (0..found.seq_len()).filter(is_zero);
    match (rows.next(), rows.next()) {
        (Some(row), None) if found.seq_len() > 1 => vec![None, Some(row)],
        _ => vec![None],
    }
}

/// Returns the largest magnitude of an entry.
fn largest<T: Entry>(found: &Matrix<T>) -> f64 {
    found.entries.iter().fold(0.0, |largest, &entry| largest.max(entry.into().abs()))
}

fn numbers<T: Entry>(found: &Matrix<T>, zero_row: Option<usize>) -> Numbers {
    let entries: Vec<f64> = found.entries.iter().map(|&entry| entry.into()).collect();
    let largest = largest(found);
    Numbers { entries, d_model: found.d_model, seq_len: found.seq_len(), largest, rounding: T::ROUNDING, zero_row }
}

/// Returns the ranges of rows in a sample: some at both ends and in the middle.
fn sample(seq_len: usize, part: usize) -> Vec<(usize, usize)> {
    if seq_len <= 3 * part {
        return vec![(0, seq_len)];
    }
    [0, (seq_len - part) / 2, seq_len - part].map(|first| (first, part)).into()
}

/// Returns the exact table in a sample of rows, or `None` if the spec is invalid.
fn sampled<T: Entry>(spec: &Spec, found: &Matrix<T>) -> Option<Vec<T>> {
    spec.check_table::<T>(found.seq_len(), isize::MAX as usize).ok()?;
    let rows = sample(found.seq_len(), SAMPLE);
    let mut entries = vec![T::default(); rows.iter().map(|(_, rows)| rows * found.d_model).sum()];
    let mut rest = entries.as_mut_slice();
    for (first, rows) in rows {
        let (piece, others) = rest.split_at_mut(rows * found.d_model);
        spec.fill(first.., piece).ok()?;
        rest = others;
    }
    Some(entries)
}

/// Returns all rows as ranges of limited length.
fn all(seq_len: usize) -> Vec<(usize, usize)> {
    const PART: usize = 256;
    (0..seq_len).step_by(PART).map(|first| (first, PART.min(seq_len - first))).collect()
}

/// Returns the distance of the exact table from the table found in these rows, or `None` if the spec is invalid.
fn distance<T: Entry>(spec: &Spec, found: &Matrix<T>, rows: &[(usize, usize)], largest: f64) -> Option<Distance> {
    spec.check_table::<T>(found.seq_len(), isize::MAX as usize).ok()?;
    let noise = Noise::new(spec, T::ROUNDING, largest);
    let mut distance =
        Distance { mean: 0.0, largest: 0.0, precision: Some(Precision::Exact), rows_off: 0, first_off: None, rows: 0 };
    let (mut squares, mut count) = (0.0, 0_usize);
    let is_cache = rotary::is_cache(spec);
    for &(first, rows) in rows {
        let mut exact = vec![T::default(); rows * found.d_model];
        spec.fill(first.., &mut exact).ok()?;
        let mut values: Vec<f64> = exact.iter().map(|&entry| entry.into()).collect();
        if is_cache {
            spec.fill(first.., &mut values).ok()?;
        }
        for (i, exact) in exact.chunks(found.d_model).enumerate() {
            let row = first + i;
            let values = &values[i * found.d_model..];
            let (mut off, mut precision) = (0.0_f64, Some(Precision::Exact));
            for (column, (&exact, &there)) in exact.iter().zip(found.row(row)).enumerate() {
                let apart: f64 = (exact.into() - there.into()).abs();
                off = off.max(apart);
                squares += apart * apart;
                let error = Error { off: apart, value: values[column], found: there.into() };
                precision = least_precise(precision, noise.precision(row, column, error));
            }
            distance.add_row(row, off, precision);
        }
        count += exact.len();
    }
    distance.mean = (squares / count as f64).sqrt();
    Some(distance)
}

impl Distance {
    fn add_row(&mut self, row: usize, largest: f64, precision: Option<Precision>) {
        self.rows += 1;
        self.largest = self.largest.max(largest);
        if precision.is_none() {
            self.rows_off += 1;
            self.first_off.get_or_insert(row);
        }
        self.precision = least_precise(self.precision, precision);
    }
}

/// Returns the precision that explains both, if there is one.
fn least_precise(one: Option<Precision>, other: Option<Precision>) -> Option<Precision> {
    Some(one?.max(other?))
}

/// With fewer entries than this, four free parameters can fit a table by chance. Only presets are then accepted.
const FEW: usize = 8;

/// Returns whether the entries are too few, or all equal, so that many parameters fit.
fn is_too_small<T: Entry>(found: &Matrix<T>) -> bool {
    found.entries.len() < FEW || found.entries.iter().all(|&entry| entry.into() == found.entries[0].into())
}

/// The number of alternatives to the best fit.
const OTHERS: usize = 12;

/// Returns the specs that fit, the best first: the simplest of those that the most precise computation explains.
fn accepted<T: Entry>(found: &Matrix<T>, fits: &[Fit]) -> Vec<Fit> {
    let Some(finest) = fits.iter().filter_map(|fit| fit.distance.precision).min() else { return Vec::new() };
    let mut near: Vec<_> = fits.iter().filter(|fit| fit.distance.precision == Some(finest)).cloned().collect();
    if is_too_small(found) {
        near.retain(|fit| rank::is_preset(&fit.spec));
    }
    near.sort_by(|a, b| a.distance.mean.total_cmp(&b.distance.mean));
    near.sort_by_cached_key(|fit| rank::of(&fit.spec));
    // Two searches may find the same spec.
    near.dedup_by(|a, b| a.spec == b.spec);
    let Some(best) = near.first().map(|fit| fit.spec) else { return near };
    near.retain(|fit| rank::is_as_simple(&fit.spec, &best));
    near.truncate(OTHERS);
    let largest = largest(found);
    // So far only a sample was compared. A spec must fit in all rows.
    near.retain(|fit| {
        distance(&fit.spec, found, &all(found.seq_len()), largest).is_some_and(|all| all.precision.is_some())
    });
    near
}

/// Returns the presets. Those without a start get the starts that their models use.
fn presets<T: Entry>(found: &Matrix<T>) -> Vec<Spec<'static>> {
    let n = i64::try_from(found.seq_len()).unwrap_or(i64::MAX);
    let mut specs: Vec<Spec> = Vec::new();
    for preset in Preset::ALL {
        let own = rank::own(*preset, found.d_model);
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
fn nearest<T: Entry>(found: &Matrix<T>, fits: &[Fit]) -> Option<Fit> {
    let largest = largest(found);
    let mut specs = presets(found);
    specs.extend(fits.iter().take(OTHERS).map(|fit| fit.spec));
    // Single rows from all over the table, because overwritten rows may be anywhere.
    const ROWS: usize = 64;
    let step = found.seq_len().div_ceil(ROWS);
    let rows: Vec<_> = (0..found.seq_len()).step_by(step).map(|row| (row, 1)).collect();
    let measure = |spec| Some(Fit { spec, distance: distance(&spec, found, &rows, largest)? });
    let measured: Vec<Fit> = specs.into_iter().filter_map(measure).collect();
    let mean = |fit: &&Fit| fit.distance.mean;
    let least = measured.iter().map(|fit| fit.distance.mean).fold(f64::INFINITY, f64::min);
    let most_fit = measured.iter().filter(|fit| 2 * fit.distance.rows_off < fit.distance.rows);
    let best = most_fit.min_by_key(|fit| (fit.distance.rows_off, rank::of(&fit.spec)));
    // Noise can make other parameters slightly nearer than the right ones, by far less than a tenth.
    let near = measured.iter().filter(|fit| fit.distance.mean <= 1.1 * least);
    let best = best
        .or_else(|| near.min_by(|a, b| rank::of(&a.spec).cmp(&rank::of(&b.spec)).then(mean(a).total_cmp(&mean(b)))));
    let best = best?;
    let distance = distance(&best.spec, found, &all(found.seq_len()), largest)?;
    // Unrelated tables are almost never this near.
    let is_near = distance.mean < mean_size(found) / 2.0 || 2 * distance.rows_off < distance.rows;
    is_near.then_some(Fit { spec: best.spec, distance })
}

/// Returns the root mean square of the entries.
fn mean_size<T: Entry>(found: &Matrix<T>) -> f64 {
    let squares: f64 = found.entries.iter().map(|&entry| entry.into().powi(2)).sum();
    (squares / found.entries.len() as f64).sqrt()
}
