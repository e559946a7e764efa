//! What each column of a table holds.

use posenc::explain::Function;
use posenc_text::request::{Request, Wanted};
use serde::Serialize;

use crate::request::Wish;

/// What a column holds, or that it holds zeros or ones.
#[derive(Clone, Serialize)]
pub(crate) struct Column {
    /// `sine`, `cosine`, or `None` for a column without an angle.
    pub(crate) function: Option<&'static str>,
    /// The index of the frequency.
    pub(crate) index: usize,
    /// The axis of a grid, by its place in the shape.
    pub(crate) axis: Option<usize>,
    /// The `f64` nearest to the frequency in radians per position.
    pub(crate) frequency: f64,
    /// The factor of the entries.
    pub(crate) amplitude: f64,
}

impl Column {
    pub(crate) fn function(&self) -> Option<Function> {
        self.function.map(|name| if name == "sine" { Function::Sine } else { Function::Cosine })
    }
}

pub(crate) fn columns(wish: &Wish) -> Result<Vec<Column>, String> {
    let request = wish.request()?;
    let count = request.rows::<f64>().map(|rows| rows.shape()[1])?;
    (0..count).map(|column| of(&request, column)).collect()
}

/// Returns what a column holds.
pub(crate) fn of(request: &Request, column: usize) -> Result<Column, String> {
    // The value is not used, and is simplest at the origin.
    let point = vec![0.0; axes(request)];
    let explained = request.explain::<f64>(&point, column)?;
    let number = |text: String| text.parse().unwrap_or(f64::NAN);
    Ok(match explained.stages {
        Some(stages) => Column {
            function: Some(match stages.function {
                Function::Sine => "sine",
                Function::Cosine => "cosine",
            }),
            index: stages.frequency_index,
            axis: explained.axis,
            frequency: number(stages.frequency.to_string()),
            amplitude: number(stages.amplitude.to_string()),
        },
        None => Column { function: None, index: 0, axis: explained.axis, frequency: 0.0, amplitude: 0.0 },
    })
}

/// Returns the number of coordinates of a position.
pub(crate) fn axes(request: &Request) -> usize {
    match &request.wanted {
        Wanted::Sinusoidal { .. } | Wanted::Rotary { .. } => 1,
        Wanted::Grid { shape, .. } | Wanted::Axial { shape, .. } => shape.len(),
    }
}
