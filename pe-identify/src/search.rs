//! The candidates for a table: likely specs near its entries, with their distances from a sample.

use posenc::{Preset, Spec};

use crate::ascending::sort_by_number;
use crate::distance::{Fit, distance};
use crate::lists::Lists;
use crate::places::Scope;
use crate::rounding::{Precision, UNIT_SINGLE};
use crate::sample::{Numbers, PART};
use crate::structure::Structure;
use crate::{exact, factors, fit, known, rank, rotary};

/// Returns all candidates for the table, the nearest first.
pub(crate) fn fits<'a>(numbers: &Numbers, lists: &'a Lists) -> Vec<Fit<'a>> {
    let mut all = Vec::new();
    // A row of sines at position 0 is zero anyway.
    for zero_row in numbers.rows_of_zeros() {
        let fits = fits_with(&numbers.with_zero_row(zero_row));
        let is_found = fits.iter().any(Fit::is_explained);
        all.extend(fits);
        if is_found {
            break;
        }
    }
    sort_by_number(&mut all, Fit::mean_distance);
    // A factor with many digits is so far only near.
    let most = if numbers.is_double() { Precision::Double } else { Precision::Single };
    let is_found = |all: &[Fit]| all.iter().any(|fit| fit.is_explained_by(most));
    if !is_found(&all) {
        let error = NEAR.max(4.0 * numbers.relative_error());
        let near = all.iter().take_while(|fit| fit.distance.mean < error * numbers.largest);
        let found = factors::nearest(near.map(|fit| fit.spec), numbers);
        all.extend(measured(found.into_iter().map(|refined| refined.spec), numbers, PART));
    }
    for zero_row in numbers.rows_of_zeros() {
        if !is_found(&all) {
            let numbers = numbers.with_zero_row(zero_row);
            all.extend(best(rotary::lists::specs(&numbers, lists), &numbers));
        }
    }
    sort_by_number(&mut all, Fit::mean_distance);
    all
}

/// How near a candidate is to the entries for its factors to be refined, relative to the largest entry, if these have no larger errors.
const NEAR: f64 = 1e-3;

/// Returns the candidates with a given row of zeros, or without one.
fn fits_with(numbers: &Numbers) -> Vec<Fit<'static>> {
    let is_certain = |fit: &Fit| fit.distance.precision == Some(Precision::Exact) && rank::is_preset(&fit.spec);
    let mut fits = best(rotary::specs(numbers).into_iter().chain(presets(numbers)), numbers);
    if fits.iter().any(is_certain) && !numbers.is_small() {
        return fits;
    }
    let (paired, others): (Vec<_>, Vec<_>) =
        Structure::all(numbers.d_model).into_iter().partition(Structure::is_paired);
    // No table is both.
    for structures in [paired, others] {
        let specs: Vec<_> = structures.iter().flat_map(|structure| fit::specs(numbers, structure)).collect();
        let is_found = !specs.is_empty();
        fits.extend(best(specs, numbers));
        if is_found {
            break;
        }
    }
    // The errors of `f32` explain numbers that are only near. Entries of 16 bits hardly tell both arithmetics apart.
    let is_fine = numbers.rounding <= UNIT_SINGLE && numbers.tolerance == 0.0;
    let most = if is_fine { Precision::Double } else { Precision::Single };
    if !fits.iter().any(|fit| fit.is_explained_by(most)) {
        let mut caches = rotary::fitted(numbers);
        caches.sort_by_cached_key(rank::of);
        caches.truncate(MOST_CACHES);
        fits.extend(best(caches, numbers));
    }
    for scope in [Scope::Common, Scope::Far] {
        // A few rows do not determine the angles.
        if !fits.iter().any(Fit::is_explained) || (scope == Scope::Common && numbers.seq_len <= FEW_ROWS) {
            fits.extend(best(known::specs(numbers, scope), numbers));
        }
    }
    fits
}

/// Returns the specs that fit best.
fn best<'a>(specs: impl IntoIterator<Item = Spec<'a>>, numbers: &Numbers) -> Vec<Fit<'a>> {
    let mut all: Vec<Spec> = Vec::new();
    for spec in specs {
        let spec = numbers.zero_row.map_or(spec, |row| spec.zero_row(row));
        if !all.contains(&spec) {
            all.push(spec);
        }
    }
    // A few rows suffice to rule out most candidates.
    let (mut explained, others): (Vec<_>, Vec<_>) = measured(all, numbers, 4).into_iter().partition(Fit::is_explained);
    explained.sort_by_cached_key(|fit| rank::of(&fit.spec));
    let kept = explained.into_iter().take(MOST_EXPLAINED).chain(others.into_iter().take(MOST_OTHERS));
    measured(kept.map(|fit| fit.spec), numbers, PART)
}

/// The number of candidates that are compared in more than a few rows: those that fit these, and others.
const MOST_EXPLAINED: usize = 64;
const MOST_OTHERS: usize = 16;

const FEW_ROWS: usize = 8;

/// The most caches with fitted frequencies that are compared with the table.
const MOST_CACHES: usize = 12;

/// Returns the specs, sorted by their distance from the table in some rows.
pub(crate) fn measured<'a>(specs: impl IntoIterator<Item = Spec<'a>>, numbers: &Numbers, part: usize) -> Vec<Fit<'a>> {
    let rows = numbers.parts(part);
    let fit = |spec| Some(Fit { spec, distance: distance(&spec, numbers, rows.iter().cloned())? });
    let mut fits: Vec<_> = specs.into_iter().filter_map(fit).collect();
    sort_by_number(&mut fits, Fit::mean_distance);
    fits
}

/// Returns the exact table in some rows, or `None` if the spec is invalid.
pub(crate) fn sampled(spec: &Spec, numbers: &Numbers, part: usize) -> Option<Vec<f64>> {
    if !exact::has_table(numbers.dtype(), spec, numbers.seq_len) {
        return None;
    }
    let mut entries = Vec::new();
    for rows in numbers.parts(part) {
        entries.append(&mut exact::entries(numbers.dtype(), spec, rows.start, rows.len() * numbers.d_model)?);
    }
    Some(entries)
}

/// Returns the presets. Those without a start get the starts that their models use.
pub(crate) fn presets(numbers: &Numbers) -> Vec<Spec<'static>> {
    let n = i64::try_from(numbers.seq_len).unwrap_or(i64::MAX);
    let mut specs: Vec<Spec> = Vec::new();
    for preset in Preset::ALL {
        let own = rank::own(*preset, numbers.d_model);
        if !exact::has_parameters(numbers.dtype(), &own) {
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
