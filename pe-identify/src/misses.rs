//! Tables that are nearly a table of the formula, and how they differ from it.

use posenc::Repeat;

use crate::answer::Change;
use crate::distance::Fit;
use crate::identified::candidate;
use crate::lists::Lists;
use crate::sample::{Numbers, PART};
use crate::search::{fits, measured, presets, sampled};

/// The number of entries up to which a table is turned around.
const MOST: usize = 1 << 20;

/// The columns of a table that are the two copies of a column.
type Copies = fn(usize, usize) -> [usize; 2];

/// Returns what was done to a table of the formula, if that makes it this one.
pub(crate) fn change<'a>(numbers: &Numbers, lists: &'a Lists) -> Option<Change<'a>> {
    // The first one suffices: the others would describe the same in another way.
    let turned = transposed(numbers, lists).or_else(|| stacked(numbers, lists));
    turned.or_else(|| repeated(numbers, lists)).or_else(|| permuted(numbers))
}

/// Returns the most likely table that fits.
fn found<'a>(numbers: &Numbers, lists: &'a Lists) -> Option<Fit<'a>> {
    if numbers.is_small() || numbers.is_constant() || numbers.is_too_small() {
        return None;
    }
    let fits = fits(numbers, lists).into_iter().filter(Fit::is_explained);
    fits.min_by(|a, b| a.cost().total_cmp(&b.cost()))
}

/// Returns a table of some rows and columns of a sample that is the whole table.
fn part(numbers: &Numbers, shape: [usize; 2], entry: impl Fn(usize, usize) -> f64) -> Numbers {
    let [n, d] = shape;
    let entries = (0..n).flat_map(|i| (0..d).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect();
    Numbers::new(vec![(0..n, entries)], shape, numbers.float).with_tolerance(numbers.tolerance)
}

fn is_whole(numbers: &Numbers) -> bool {
    numbers.rows().count() == numbers.seq_len && numbers.seq_len * numbers.d_model <= MOST
}

fn transposed<'a>(numbers: &Numbers, lists: &'a Lists) -> Option<Change<'a>> {
    if !is_whole(numbers) {
        return None;
    }
    let fit = found(&part(numbers, [numbers.d_model, numbers.seq_len], |i, j| numbers.at(j, i)), lists)?;
    Some(Change::Transposed(candidate(&fit, numbers, true)))
}

/// Two tables, one below the other.
fn stacked<'a>(numbers: &Numbers, lists: &'a Lists) -> Option<Change<'a>> {
    let half = numbers.seq_len / 2;
    if !is_whole(numbers) || !numbers.seq_len.is_multiple_of(2) {
        return None;
    }
    let of = |first: usize| found(&part(numbers, [half, numbers.d_model], |i, j| numbers.at(first + i, j)), lists);
    let (upper, lower) = (of(0)?, of(half)?);
    let is_same = upper.spec == lower.spec;
    let [upper, lower] = [upper, lower].map(|fit| candidate(&fit, numbers, true));
    Some(Change::Stacked { upper, lower, is_same })
}

/// A table in which each column occurs twice, as in rotary caches.
fn repeated<'a>(numbers: &Numbers, lists: &'a Lists) -> Option<Change<'a>> {
    let d = numbers.d_model;
    if !d.is_multiple_of(2) {
        return None;
    }
    let ways: [(Repeat, Copies); 2] =
        [(Repeat::Halves, |j, d| [j, j + d / 2]), (Repeat::Pairs, |j, _| [2 * j, 2 * j + 1])];
    ways.into_iter().find_map(|(repeat, columns)| {
        let is_equal = |row: usize, j: usize| {
            let [one, other] = columns(j, d);
            numbers.at(row, one) == numbers.at(row, other)
        };
        let rows: Vec<_> = numbers.rows().take(64).collect();
        if !rows.iter().all(|&row| (0..d / 2).all(|j| is_equal(row, j))) {
            return None;
        }
        let once = numbers.with_columns(|j| columns(j, d)[0], d / 2);
        Some(Change::Repeated { repeat, once: candidate(&found(&once, lists)?, numbers, true) })
    })
}

/// The columns of a preset in another order.
fn permuted(numbers: &Numbers) -> Option<Change<'static>> {
    let d = numbers.d_model;
    if d > 4096 || numbers.seq_len < 8 {
        return None;
    }
    let rows: Vec<usize> = numbers.parts(8).into_iter().flatten().collect();
    // Far more than the errors of `f32` in these rows, and far less than the distance of columns.
    let allowed = (1e-7 * numbers.seq_len as f64 + 2.0 * numbers.rounding) * numbers.largest + numbers.tolerance;
    for spec in presets(numbers) {
        let Some(exact) = sampled(&spec, numbers, 8) else { continue };
        let is_near = |j: usize, other: usize| {
            rows.iter().enumerate().all(|(i, &row)| (numbers.at(row, j) - exact[i * d + other]).abs() <= allowed)
        };
        // In the same order it is another error, which is not in these rows.
        if (0..d).all(|j| is_near(j, j)) {
            return None;
        }
        let mut places: Vec<Option<usize>> = vec![None; d];
        for j in 0..d {
            let Some(place) = (0..d).find(|&place| places[place].is_none() && is_near(j, place)) else { break };
            places[place] = Some(j);
        }
        if places.iter().all(Option::is_some) {
            let fit = measured([spec], numbers, PART).pop()?;
            let columns = places.into_iter().flatten().collect();
            return Some(Change::Permuted { ordered: candidate(&fit, numbers, false), columns });
        }
    }
    None
}
