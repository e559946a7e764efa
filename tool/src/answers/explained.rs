//! The answer of `posenc explain`.

use std::cmp::Ordering;

use posenc::explain::{Explanation, Function, Neighbour, Scaled, Stages};
use posenc_files::element::Entry;
use serde::Serialize;

use super::JsonNumber;

/// How an entry is computed. Exact values are text, because they have more digits than a number in most programs.
#[derive(Serialize)]
pub(crate) struct Explained {
    d_model: usize,
    column: usize,
    /// The axis of a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    axis: Option<usize>,
    position: f64,
    dtype: &'static str,
    stages: Option<ExplainedStages>,
    value: String,
    below: ExplainedNeighbour,
    above: ExplainedNeighbour,
    from_middle: String,
    result: JsonNumber,
    rounded: &'static str,
}

#[derive(Serialize)]
struct ExplainedStages {
    function: &'static str,
    frequency_index: usize,
    formula: String,
    scaled: Option<ExplainedScaling>,
    frequency: String,
    frequency_in_turns: String,
    wavelength: Option<String>,
    angle: String,
    whole_turns: String,
    phase: String,
    quadrant: u8,
    unscaled: String,
    amplitude: String,
}

#[derive(Serialize)]
struct ExplainedScaling {
    rule: String,
    /// `null` for a frequency of zero, which is divided by infinity.
    divisor: Option<f64>,
    turns: Option<f64>,
    context: Option<usize>,
}

#[derive(Serialize)]
struct ExplainedNeighbour {
    #[serde(flatten)]
    number: JsonNumber,
    decimal: String,
    distance: String,
}

impl Explained {
    pub(crate) fn of<T: Entry>(explanation: &Explanation<T>) -> Self {
        let Explanation { d_model, column, axis, position, stages, value, below, above, from_middle, result, .. } =
            explanation;
        Self {
            d_model: *d_model,
            column: *column,
            axis: *axis,
            position: *position,
            dtype: T::DTYPE,
            stages: stages.as_ref().map(ExplainedStages::of),
            value: value.to_string(),
            below: ExplainedNeighbour::of(below),
            above: ExplainedNeighbour::of(above),
            from_middle: from_middle.to_string(),
            result: JsonNumber::of(*result),
            rounded: match explanation.rounded() {
                Ordering::Less => "down",
                Ordering::Equal => "exact",
                Ordering::Greater => "up",
            },
        }
    }
}

impl ExplainedStages {
    fn of(stages: &Stages) -> Self {
        Self {
            function: match stages.function {
                Function::Sine => "sine",
                Function::Cosine => "cosine",
            },
            frequency_index: stages.frequency_index,
            formula: stages.formula.clone(),
            scaled: stages.scaled.as_ref().map(ExplainedScaling::of),
            frequency: stages.frequency.to_string(),
            frequency_in_turns: stages.frequency_in_turns.to_string(),
            wavelength: stages.wavelength.as_ref().map(ToString::to_string),
            angle: stages.angle.to_string(),
            whole_turns: stages.whole_turns.to_string(),
            phase: stages.phase.to_string(),
            quadrant: stages.quadrant,
            unscaled: stages.unscaled.to_string(),
            amplitude: stages.amplitude.to_string(),
        }
    }
}

impl ExplainedScaling {
    fn of(scaled: &Scaled) -> Self {
        Self {
            rule: scaled.rule.clone(),
            divisor: scaled.divisor.is_finite().then_some(scaled.divisor),
            turns: scaled.turns.map(|(turns, _)| turns),
            context: scaled.turns.map(|(_, context)| context),
        }
    }
}

impl ExplainedNeighbour {
    fn of<T: Entry>(neighbour: &Neighbour<T>) -> Self {
        Self {
            number: JsonNumber::of(neighbour.value),
            decimal: neighbour.decimal.to_string(),
            distance: neighbour.distance.to_string(),
        }
    }
}
