//! The answer about one table.

use std::io;

use posenc::Spec;

use crate::accepted::{accepted, nearest, settled};
use crate::answer::{Answer, Distance, Miss, Note};
use crate::distance::{Comparison, Fit};
use crate::element::FloatType;
use crate::entries::{Stop, entries, numbers};
use crate::grid_distance::Floats;
use crate::identified::{candidate, identified};
use crate::lists::Lists;
use crate::options::Options;
use crate::rows::{Rows, Table};
use crate::search::fits;
use crate::{integers, misses, rank, recurrence, several_axes};

/// Returns which preset and parameters made a table.
///
/// # Errors
///
/// Returns an error if the table has no rows, no columns or more than 2^24 of them, if the tolerance is negative or not a
/// number, or if rows cannot be read.
///
/// # Examples
///
/// ```
/// use posenc::Preset;
/// use posenc_identify::{Found, Lists, Options, Outcome, Slice, identify};
///
/// // A table as a framework computes it in `f32`.
/// let frequency = |k: i32| (-(10_000.0_f32.ln()) * (2 * k) as f32 / 64.0).exp();
/// let row = |i: i32| (0..32).flat_map(move |k| [(i as f32 * frequency(k)).sin(), (i as f32 * frequency(k)).cos()]);
/// let table: Vec<f32> = (0..200).flat_map(row).collect();
///
/// let lists = Lists::default();
/// let answer = identify(&Slice::new(&table, 64), &Options::default(), &lists)?;
/// assert_eq!(answer.outcome, Outcome::Identified);
/// let Found::Sinusoidal { presets, .. } = &answer.candidates[0].found else { panic!("it is a 1-D table") };
/// assert_eq!(presets[0].preset, Preset::Paper);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn identify<'a>(rows: &dyn Rows, options: &Options, lists: &'a Lists) -> io::Result<Answer<'a>> {
    let table = &Table::new(rows)?;
    let tolerance = options.tolerance;
    if tolerance.is_nan() || tolerance < 0.0 {
        let sentence = format!("the tolerance is {tolerance}, but must be 0 or more");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, sentence));
    }
    let answer = match table.element_type().float() {
        Some(float) => of(table, float, options, lists),
        None => integers::identify(table, options, lists),
    };
    answer.or_else(|stop| match stop {
        Stop::NotFinite { row, column } => Ok(Answer::nothing(Miss::NotFinite { row, column })),
        Stop::Failed(error) => Err(error),
    })
}

fn of<'a>(table: &Table, float: FloatType, options: &Options, lists: &'a Lists) -> Result<Answer<'a>, Stop> {
    let numbers = numbers(table, float)?.with_tolerance(options.tolerance);
    let fits = fits(&numbers, lists);
    let mut accepted = accepted(table, &numbers, &fits)?.into_iter();
    if let Some(best) = accepted.next() {
        return Ok(identified(&numbers, &settled(table, &numbers, best, accepted)?));
    }
    let floats = Floats { table, numbers: &numbers };
    if let Some(answer) = several_axes::identified(&floats, table, &numbers, options.shape)? {
        return Ok(answer);
    }
    // If the sample fits, other rows are wrong.
    let is_found = fits.iter().any(Fit::is_explained);
    if let Some(change) = if is_found { None } else { misses::change(&numbers, lists) } {
        return Ok(Answer::nothing(Miss::Changed(change)));
    }
    let nearest = nearest(table, &numbers, &fits)?
        .map(|fit| Miss::Nearest { candidate: candidate(&fit, &numbers, false), preset: rank::name(&fit.spec) });
    let notes = if numbers.is_too_small() { vec![Note::TooSmall] } else { Vec::new() };
    Ok(Answer { notes, ..Answer::nothing(nearest.unwrap_or(Miss::Far)) })
}

/// Returns whether a tensor may be a table or the transpose of one, judged by a few of its rows.
///
/// Use it to skip the weights of a checkpoint. It returns `false` for tensors of fewer than 5 rows or 4 columns,
/// because many parameters would fit them.
///
/// # Errors
///
/// Returns an error if rows cannot be read.
///
/// # Examples
///
/// ```
/// use posenc_identify::{Slice, may_be_table};
///
/// let table = posenc::Spec::new(64).table::<f32>(100)?;
/// assert!(may_be_table(&Slice::new(table.as_slice(), 64), 0.0)?);
/// let weights: Vec<f32> = (0..6400).map(|i| ((i * i) % 97) as f32).collect();
/// assert!(!may_be_table(&Slice::new(&weights, 64), 0.0)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn may_be_table(rows: &dyn Rows, tolerance: f64) -> io::Result<bool> {
    let [seq_len, d_model] = rows.shape();
    if seq_len == 0 || d_model == 0 { Ok(false) } else { recurrence::may_be_table(&Table::new(rows)?, tolerance) }
}

/// Returns the distance of a table from the table of a spec, and the arithmetic that explains it.
///
/// Returns `None` if the spec has no such table, if entries are not finite, or if the errors of an arithmetic are not
/// known for these parameters.
///
/// # Errors
///
/// Returns an error if the table has no rows or has integers, or if rows cannot be read.
///
/// # Examples
///
/// ```
/// use posenc::Spec;
/// use posenc_identify::{Precision, Slice, distance};
///
/// let table = Spec::new(64).table::<f32>(100)?;
/// let distance = distance(&Spec::new(64), &Slice::new(table.as_slice(), 64))?;
/// assert_eq!(distance.and_then(|distance| distance.precision), Some(Precision::Exact));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(spec: &Spec, rows: &dyn Rows) -> io::Result<Option<Distance>> {
    let table = &Table::new(rows)?;
    let Some(float) = table.element_type().float() else {
        let sentence = format!("the table has entries of type {}, but must have floats", table.element_type().name());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, sentence));
    };
    match distance_of_all(spec, table, float) {
        Ok(distance) => Ok(distance),
        Err(Stop::NotFinite { .. }) => Ok(None),
        Err(Stop::Failed(error)) => Err(error),
    }
}

fn distance_of_all(spec: &Spec, table: &Table, float: FloatType) -> Result<Option<Distance>, Stop> {
    let mut largest = 0.0_f64;
    for rows in table.pieces() {
        largest = entries(table, rows)?.into_iter().fold(largest, |largest, entry| largest.max(entry.abs()));
    }
    let [seq_len, _] = table.shape();
    Comparison::new(spec, float, seq_len, largest).map_or(Ok(None), |comparison| comparison.of_all(table))
}
