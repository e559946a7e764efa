//! `posenc identify`: which preset and parameters made a table?
//!
//! The angles of all frequencies are read from the entries, in every arrangement that the columns may have, and the parameters
//! from the angles. Whatever comes of it is made and held against the table: only what fits is an answer.

mod angles;
mod answer;
mod fit;
mod numbers;
mod structure;

use std::cmp::Ordering;
use std::process::ExitCode;

use posenc::Spec;

use crate::args::IdentifyArgs;
use crate::entry::Entry;
use crate::failure::{Failure, Outcome, print};
use crate::input::{self, Matrix, with_found};
use angles::Numbers;
use structure::Structure;

pub(crate) fn run(args: &IdentifyArgs) -> Outcome {
    let found = input::read(&args.file)?;
    with_found!(found, identify())
}

fn identify<T: Entry>(found: &Matrix<T>) -> Outcome {
    if found.seq_len() == 0 {
        return Err(Failure::new("the table has no rows, so nothing tells what made it; give one with rows"));
    }
    if let Some(entry) = found.entries.iter().position(|&entry| !entry.into().is_finite()) {
        let (row, column) = (entry / found.d_model, entry % found.d_model);
        return Err(Failure::new(format_args!("row {row}, column {column} is not finite, so this is no table")));
    }
    let fits = fits(found);
    let accepted = accepted::<T>(found, &fits);
    let text = match accepted.split_first() {
        Some((best, others)) => answer::identified(found, best, others)?,
        None => answer::nothing(found, fits.first()),
    };
    print(&text)?;
    Ok(ExitCode::from(u8::from(accepted.is_empty())))
}

/// A spec, and how far its table is from the one found.
#[derive(Clone, Debug)]
struct Fit {
    spec: Spec<'static>,
    distance: Distance,
}

/// How far a table is from another one.
#[derive(Clone, Copy, Debug, Default)]
struct Distance {
    /// Entries that differ in value.
    differing: usize,
    /// The root of the mean square.
    mean: f64,
    largest: f64,
}

/// All that the table may be, the nearest first.
fn fits<T: Entry>(found: &Matrix<T>) -> Vec<Fit> {
    let mut specs: Vec<Spec> = Vec::new();
    for zero_row in zero_rows(found) {
        let numbers = numbers(found, zero_row);
        for structure in Structure::all(found.d_model) {
            for spec in fit::specs(&numbers, &structure) {
                let spec = zero_row.map_or(spec, |row| spec.zero_row(row));
                if !specs.contains(&spec) {
                    specs.push(spec);
                }
            }
        }
    }
    // A few rows tell what is far off.
    let mut fits = measured(specs, found, 4);
    fits.truncate(64);
    measured(fits.into_iter().map(|fit| fit.spec), found, SAMPLE)
}

/// The specs by their distance from the table in a sample of rows.
fn measured<T: Entry>(specs: impl IntoIterator<Item = Spec<'static>>, found: &Matrix<T>, part: usize) -> Vec<Fit> {
    let sample = sample(found.seq_len(), part);
    let fit = |spec| Some(Fit { spec, distance: distance(&spec, found, &sample)? });
    let mut fits: Vec<_> = specs.into_iter().filter_map(fit).collect();
    fits.sort_by(|a, b| a.distance.mean.total_cmp(&b.distance.mean));
    fits
}

/// Rows of each part of a sample.
const SAMPLE: usize = 24;

/// The row of zeros that the table may have. A row of sines at position 0 is one by nature.
fn zero_rows<T: Entry>(found: &Matrix<T>) -> Vec<Option<usize>> {
    let is_zero = |&row: &usize| found.row(row).iter().all(|&entry| entry.into() == 0.0);
    let mut rows = (0..found.seq_len()).filter(is_zero);
    match (rows.next(), rows.next()) {
        (Some(row), None) if found.seq_len() > 1 => vec![None, Some(row)],
        _ => vec![None],
    }
}

/// The size of the largest entry.
fn largest<T: Entry>(found: &Matrix<T>) -> f64 {
    found.entries.iter().fold(0.0, |largest, &entry| largest.max(entry.into().abs()))
}

fn numbers<T: Entry>(found: &Matrix<T>, zero_row: Option<usize>) -> Numbers {
    let entries: Vec<f64> = found.entries.iter().map(|&entry| entry.into()).collect();
    let largest = largest(found);
    Numbers { entries, d_model: found.d_model, seq_len: found.seq_len(), largest, rounding: T::ROUNDING, zero_row }
}

/// Rows that many specs are held against: some at both ends and in the middle.
fn sample(seq_len: usize, part: usize) -> Vec<(usize, usize)> {
    if seq_len <= 3 * part {
        return vec![(0, seq_len)];
    }
    [0, (seq_len - part) / 2, seq_len - part].map(|first| (first, part)).into()
}

/// The exact table in a sample of rows; nothing where there is no such table.
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

/// All rows, in pieces.
fn all(seq_len: usize) -> Vec<(usize, usize)> {
    const PART: usize = 256;
    (0..seq_len).step_by(PART).map(|first| (first, PART.min(seq_len - first))).collect()
}

/// How far the exact table is from the one found in these rows; nothing where there is no such table.
fn distance<T: Entry>(spec: &Spec, found: &Matrix<T>, rows: &[(usize, usize)]) -> Option<Distance> {
    spec.check_table::<T>(found.seq_len(), isize::MAX as usize).ok()?;
    let mut distance = Distance::default();
    let (mut squares, mut count) = (0.0, 0_usize);
    for &(first, rows) in rows {
        let mut exact = vec![T::default(); rows * found.d_model];
        spec.fill(first.., &mut exact).ok()?;
        let there = &found.entries[first * found.d_model..][..exact.len()];
        for (&exact, &there) in exact.iter().zip(there) {
            let apart: f64 = (exact.into() - there.into()).abs();
            distance.differing += usize::from(apart != 0.0);
            distance.largest = distance.largest.max(apart);
            squares += apart * apart;
        }
        count += exact.len();
    }
    distance.mean = (squares / count as f64).sqrt();
    Some(distance)
}

/// The specs that fit, the best first: the simplest of those that are as near as a framework's roundings let anything be.
fn accepted<T: Entry>(found: &Matrix<T>, fits: &[Fit]) -> Vec<Fit> {
    let size = largest(found);
    let allowed = size * 3e-3_f64.max(4.0 * T::ROUNDING);
    let Some(nearest) = fits.first().map(|fit| fit.distance.mean) else { return Vec::new() };
    if nearest > allowed {
        return Vec::new();
    }
    // Frequencies computed in f32 are off by some 1e-7, and the angles grow with the rows. An exact table has no such excuse.
    let noise = |fit: &Fit| size * (T::ROUNDING / 4.0 + 1e-7 * turned(&fit.spec, found.seq_len()));
    let within = |fit: &&Fit| match nearest {
        0.0 => fit.distance.mean == 0.0,
        _ => fit.distance.mean <= noise(fit).min(allowed).max(1.1 * nearest),
    };
    let mut near: Vec<_> = fits.iter().filter(within).cloned().collect();
    near.sort_by(simpler);
    near
}

/// The largest angle, roughly.
fn turned(spec: &Spec, seq_len: usize) -> f64 {
    let keys = crate::text::keys(&spec.to_string());
    let value = |name: &str| keys.iter().find(|(key, _)| key == name).and_then(|(_, value)| value.parse::<f64>().ok());
    let (start, step) = (value("start").unwrap_or(0.0), value("step").unwrap_or(1.0));
    let last = start + step * seq_len as f64;
    start.abs().max(last.abs()) * value("scale").unwrap_or(1.0).abs()
}

/// A preset is simpler than what is none, and then what takes fewer letters to say. The same table may be said in several
/// ways.
fn simpler(a: &Fit, b: &Fit) -> Ordering {
    let rank = |fit: &Fit| {
        let text = fit.spec.to_string();
        (!answer::is_preset(&fit.spec), text.contains("base"), text.len())
    };
    rank(a).cmp(&rank(b)).then(a.distance.mean.total_cmp(&b.distance.mean))
}
