//! The errors of a recipe at given positions.

use posenc_text::request::Request;
use serde::Serialize;

use crate::columns::Column;
use crate::entries::at_positions;
use crate::recipe::Recipe;

/// The errors of a recipe at each position. An infinite one is `null`.
#[derive(Serialize)]
pub(crate) struct Deviations {
    pub(crate) largest: Vec<f64>,
    mean: Vec<f64>,
}

/// Returns the errors of a recipe, beside the exact entries of the rows at these positions. The error of an entry that is
/// not a number is infinite.
pub(crate) fn deviations(recipe: Recipe, columns: &[Column], positions: &[f64], exact: &[f64]) -> Deviations {
    let mut answer = Deviations { largest: Vec::new(), mean: Vec::new() };
    for (position, row) in positions.iter().zip(exact.chunks_exact(columns.len().max(1))) {
        let error = |(column, exact): (&Column, &f64)| {
            let entry = column.function().map(|function| recipe.entry(function, column.frequency, *position));
            let error = entry.map(|entry| (column.amplitude * entry - exact).abs());
            error.map(|error| if error.is_nan() { f64::INFINITY } else { error })
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
