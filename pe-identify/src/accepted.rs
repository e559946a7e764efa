//! The candidates whose distance from all rows of a table an arithmetic explains.

use posenc::Spec;

use crate::answer::Distance;
use crate::ascending::sort_by_number;
use crate::determined::undetermined;
use crate::distance::{Comparison, Fit, distance};
use crate::entries::Stop;
use crate::factors::Rounded;
use crate::rounding::Precision;
use crate::rows::Table;
use crate::sample::Numbers;
use crate::search::presets;
use crate::undetermined::Undetermined;
use crate::{factors, rank};

/// Returns the distance from the table found in all its rows, or `None` if the spec is invalid.
fn distance_of_all(spec: &Spec, found: &Table, numbers: &Numbers) -> Result<Option<Distance>, Stop> {
    Comparison::of(spec, numbers).map_or(Ok(None), |comparison| comparison.of_all(found))
}

/// The number of alternatives to the best fit.
const OTHERS: usize = 12;

/// Returns the specs that fit, the most likely first.
pub(crate) fn accepted<'a>(found: &Table, numbers: &Numbers, fits: &[Fit<'a>]) -> Result<Vec<Fit<'a>>, Stop> {
    let mut near: Vec<_> = fits.iter().filter(|fit| fit.is_explained()).cloned().collect();
    if numbers.is_double() && near.iter().any(|fit| fit.is_explained_by(Precision::Double)) {
        near.retain(|fit| fit.is_explained_by(Precision::Double));
    }
    if numbers.is_too_small() {
        near.retain(|fit| rank::is_preset(&fit.spec));
    }
    sort_by_number(&mut near, Fit::mean_distance);
    near.sort_by_cached_key(|fit| rank::with_cost(&fit.spec, fit.cost()));
    // Two searches may find the same spec.
    near.dedup_by(|a, b| a.spec == b.spec);
    // So far only a sample was compared. A spec must fit in all rows.
    let mut accepted: Vec<Fit> = Vec::new();
    let mut least = None;
    for fit in near {
        let cost = fit.cost();
        if least.is_some_and(|least| cost > least + rank::MENTIONED) || accepted.len() == OTHERS {
            break;
        }
        let distance = distance_of_all(&fit.spec, found, numbers)?;
        if let Some(distance) = distance.filter(|all| all.precision.is_some()) {
            least = least.or(Some(cost));
            accepted.push(Fit { distance, ..fit });
        }
    }
    Ok(accepted)
}

/// What is told of a table: the best spec, and others.
pub(crate) struct Settled<'a> {
    /// It has no more digits than the entries determine. Its distance is the distance of the factors nearest to the
    /// entries.
    pub(crate) best: Fit<'a>,
    /// The distance of the best spec itself, which may be much larger. Its arithmetic is that of the nearest factors.
    pub(crate) told: Distance,
    pub(crate) rounded: Vec<Rounded>,
    /// Its other numbers that are not determined.
    pub(crate) undetermined: Vec<Undetermined>,
    pub(crate) others: Vec<Fit<'a>>,
}

/// Returns the best spec with the factors that the entries determine.
pub(crate) fn settled<'a>(
    found: &Table,
    numbers: &Numbers,
    best: Fit<'a>,
    others: impl Iterator<Item = Fit<'a>>,
) -> Result<Settled<'a>, Stop> {
    let precision = best.distance.precision.filter(|_| !numbers.is_too_small());
    let refined = precision.and_then(|precision| factors::determined(&best.spec, numbers, precision));
    let numbers_of = |spec| precision.map(|precision| undetermined(spec, numbers, precision)).unwrap_or_default();
    let is_as_good = |distance: &Distance| distance.precision.is_some_and(|of| Some(of) <= best.distance.precision);
    let distance = match &refined {
        Some(refined) => distance_of_all(&refined.spec, found, numbers)?.filter(is_as_good),
        None => None,
    };
    // Numbers with all digits that do not explain all rows are not the right ones.
    let Some(refined) = refined.filter(|refined| distance.is_some() || !refined.rounded.is_empty()) else {
        let (undetermined, told) = (numbers_of(&best.spec), best.distance);
        return Ok(Settled { best, told, rounded: Vec::new(), undetermined, others: others.collect() });
    };
    let distance = distance.unwrap_or(best.distance);
    let best = Fit { spec: refined.rounded_spec(), distance };
    let of_rounded = if refined.rounded.is_empty() { None } else { distance_of_all(&best.spec, found, numbers)? };
    let told = of_rounded.map_or(distance, |told| Distance { precision: distance.precision, ..told });
    let others = others.filter(|other| other.spec != best.spec && !refined.covers(&other.spec)).collect();
    let mut undetermined = numbers_of(&refined.spec);
    undetermined.retain(|number| !refined.has_searched(number.key));
    Ok(Settled { best, told, rounded: refined.rounded, undetermined, others })
}

/// Returns the nearest spec if none fits: one that fits most rows, or else the nearest on average.
pub(crate) fn nearest<'a>(found: &Table, numbers: &Numbers, fits: &[Fit<'a>]) -> Result<Option<Fit<'a>>, Stop> {
    let mut specs = presets(numbers);
    specs.extend(fits.iter().take(OTHERS).map(|fit| fit.spec));
    // Single rows from all over the sample, because overwritten rows may be anywhere.
    const ROWS: usize = 64;
    let step = numbers.rows().count().div_ceil(ROWS);
    let rows: Vec<_> = numbers.rows().step_by(step).map(|row| row..row + 1).collect();
    let measure = |spec| Some(Fit { spec, distance: distance(&spec, numbers, rows.iter().cloned())? });
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
    let distance = distance_of_all(&best.spec, found, numbers)?;
    Ok(distance.filter(is_near).map(|distance| Fit { spec: best.spec, distance }))
}
