//! The first position at which a recipe has a large error.

use posenc_text::request::Request;

use crate::columns::Column;
use crate::deviations::{deviations, exact};
use crate::recipe::Recipe;

/// The error that is looked for.
const LIMIT: f64 = 1e-3;
/// The last position: the end of the chart.
const LAST: u32 = 1 << 20;
/// The positions for which the columns are chosen together.
const BLOCK: u32 = 1 << 12;
/// The most angles of a search, so that it ends soon.
const MOST: usize = 1 << 26;
/// More than the rounding of an entry of amplitude 1, at most 2^-25, and the error of a subnormal angle, at most 2^-25.
const SLACK: f64 = 1.0 / 4_194_304.0;

/// Returns the first position from 1 on at which an error of the recipe is above the limit, and the last position that was
/// searched.
///
/// Most columns have a bound below the limit, and are skipped. The others are compared in `f64`, and each row that may be
/// above the limit is then compared with the exact row.
pub(crate) fn first(request: &Request, recipe: Recipe, columns: &[Column]) -> Result<(Option<u32>, u32), String> {
    let mut left = MOST;
    let mut from = 1;
    while from <= LAST {
        let to = LAST.min(from + BLOCK - 1);
        let close: Vec<&Column> = columns.iter().filter(|column| bound(recipe, column, to.into()) > LIMIT).collect();
        let work = close.len() * BLOCK as usize;
        if work > left {
            return Ok((None, from - 1));
        }
        left -= work;
        for position in
            (from..=to).filter(|position| close.iter().any(|column| may(recipe, column, (*position).into())))
        {
            let at = [f64::from(position)];
            if deviations(recipe, columns, &at, &exact(request, &at, columns.len())?).largest[0] > LIMIT {
                return Ok((Some(position), position));
            }
        }
        from = to + 1;
    }
    Ok((None, LAST))
}

/// Returns a bound on the errors of a column at all positions up to this one.
fn bound(recipe: Recipe, column: &Column, position: f64) -> f64 {
    let angle = (column.frequency * position).abs();
    let of_angle = (recipe.precision(angle) * angle).min(2.0);
    if column.function.is_some() { column.amplitude.abs() * (of_angle + SLACK) } else { 0.0 }
}

/// Returns whether the error of an entry may be above the limit. An infinite angle has no sine and no cosine.
fn may(recipe: Recipe, column: &Column, position: f64) -> bool {
    let exact = column.frequency * position;
    let (amplitude, slack) = (column.amplitude.abs(), exact.abs() * 2f64.powi(-51) + 2f64.powi(-50));
    let of_angle = (recipe.angle(column.frequency, position) - exact).abs();
    if amplitude * (of_angle + slack + SLACK) <= LIMIT {
        return false;
    }
    let Some(function) = column.function() else { return false };
    let error = (recipe.entry(function, column.frequency, position) - Recipe::F64.entry(function, exact, 1.0)).abs();
    error.is_nan() || amplitude * (error + slack) > LIMIT
}
