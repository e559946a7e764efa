//! What each column of a table holds.

use posenc::explain::Function;
use posenc::{Repeat, Spec};
use posenc_text::request::Request;
use serde::Serialize;

use posenc_web_shared::request::Wish;

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
    const EMPTY: Self = Self { function: None, index: 0, axis: None, frequency: 0.0, amplitude: 0.0 };

    pub(crate) fn function(&self) -> Option<Function> {
        self.function.map(|name| if name == "sine" { Function::Sine } else { Function::Cosine })
    }
}

pub(crate) fn columns(wish: &Wish) -> Result<Vec<Column>, String> {
    let request = wish.request()?;
    if let Some(spec) = request.packed()? {
        return of_spec(&request, &spec);
    }
    let count = request.rows::<f64>().map(|rows| rows.shape()[1])?;
    (0..count).map(|column| of(&request, column)).collect()
}

/// Returns what the columns of a table of one axis hold. All of them have the same amplitude.
fn of_spec(request: &Request, spec: &Spec) -> Result<Vec<Column>, String> {
    let frequencies: Vec<f64> = spec.angular_frequencies().map_err(|error| error.to_string())?.collect();
    let count = frequencies.len();
    let repeat = spec.parameters().repeat;
    let mut columns = vec![Column::EMPTY; spec.d_model()];
    let pairs: Vec<_> = spec.repeat(Repeat::None).sin_cos_columns().collect();
    let any = pairs.iter().find_map(|pair| pair.sin.or(pair.cos));
    let amplitude = any.map_or(Ok(0.0), |column| of(request, column).map(|column| column.amplitude))?;
    for (pair, of_pair) in pairs.iter().enumerate() {
        let index = if repeat == Repeat::Pairs { pair / 2 } else { pair % count };
        for (name, column) in [("sine", of_pair.sin), ("cosine", of_pair.cos)] {
            if let Some(column) = column {
                let frequency = frequencies[index];
                columns[column] = Column { function: Some(name), index, frequency, amplitude, ..Column::EMPTY };
            }
        }
    }
    Ok(columns)
}

/// Returns what a column holds.
pub(crate) fn of(request: &Request, column: usize) -> Result<Column, String> {
    // The value is not used, and is simplest at the origin.
    let point = vec![0.0; request.axes()];
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
        None => Column { axis: explained.axis, ..Column::EMPTY },
    })
}
