//! The errors of recipes by position.

use serde::{Deserialize, Serialize};

use crate::columns;
use crate::deviations::{Deviations, deviations, exact};
use crate::first::first;
use crate::recipe::Recipe;
use posenc_web_shared::request::{Wish, table_kind};

/// Which recipes, and at which positions.
#[derive(Deserialize)]
pub(crate) struct Range {
    table: Wish,
    recipes: Vec<Recipe>,
    positions: Vec<f64>,
}

/// The errors of a recipe.
#[derive(Serialize)]
pub(crate) struct OfRecipe {
    #[serde(flatten)]
    deviations: Deviations,
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
        Ok(OfRecipe { deviations: deviations(*recipe, &columns, &range.positions, &exact), first, searched })
    };
    range.recipes.iter().map(of).collect()
}
