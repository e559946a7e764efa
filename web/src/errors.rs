//! The errors of recipes by position.

use posenc_text::request::Request;
use serde::{Deserialize, Serialize};

use crate::columns::{self, Column};
use crate::entries::at_positions;
use crate::first::first;
use crate::recipe::Recipe;
use crate::request::{Wish, table_kind};

/// Which recipes, and at which positions.
#[derive(Deserialize)]
pub(crate) struct Range {
    table: Wish,
    recipes: Vec<Recipe>,
    positions: Vec<f64>,
}

/// The errors of a recipe at each position.
#[derive(Serialize)]
pub(crate) struct Errors {
    pub(crate) largest: Vec<f64>,
    mean: Vec<f64>,
}

/// The errors of a recipe.
#[derive(Serialize)]
pub(crate) struct OfRecipe {
    #[serde(flatten)]
    errors: Errors,
    /// The first position from 1 on with an error above 1e-3.
    first: Option<u32>,
    /// The last position at which it was looked for.
    searched: u32,
}

/// The most products of positions and columns that are computed at once.
const MOST: usize = 1 << 21;

pub(crate) fn errors(range: &Range) -> Result<Vec<OfRecipe>, String> {
    let request = range.table.request()?;
    if table_kind(&range.table.kind)?.has_axes() {
        return Err("errors by position are shown for tables of one axis".to_owned());
    }
    let columns = columns::columns(&range.table)?;
    if range.positions.len().saturating_mul(columns.len()) > MOST {
        return Err("the table has too many columns for the chart".to_owned());
    }
    let exact = exact(&request, &range.positions, columns.len())?;
    let of = |recipe: &Recipe| {
        let (first, searched) = first(&request, *recipe, &columns)?;
        Ok(OfRecipe { errors: errors_of(*recipe, &columns, &range.positions, &exact), first, searched })
    };
    range.recipes.iter().map(of).collect()
}

pub(crate) fn errors_of(recipe: Recipe, columns: &[Column], positions: &[f64], exact: &[f64]) -> Errors {
    let mut answer = Errors { largest: Vec::new(), mean: Vec::new() };
    for (position, row) in positions.iter().zip(exact.chunks_exact(columns.len().max(1))) {
        let error = |(column, exact): (&Column, &f64)| {
            let entry = column.function().map(|function| recipe.entry(function, column.frequency, *position));
            entry.map(|entry| (column.amplitude * entry - exact).abs())
        };
        let found: Vec<f64> = columns.iter().zip(row).filter_map(error).collect();
        answer.largest.push(found.iter().copied().fold(0.0, f64::max));
        answer.mean.push(found.iter().sum::<f64>() / found.len().max(1) as f64);
    }
    answer
}

/// Returns the exact entries, rounded to `f64`.
pub(crate) fn exact(request: &Request, positions: &[f64], columns: usize) -> Result<Vec<f64>, String> {
    let request = Request { quantiser: None, ..request.clone() };
    let mut entries = vec![0.0; positions.len() * columns];
    at_positions(&request, positions, &mut entries)?;
    Ok(entries)
}
