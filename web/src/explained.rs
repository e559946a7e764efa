//! An entry, digit by digit.

use std::cmp::Ordering;

use posenc::Element;
use posenc::explain::{Explanation, Neighbour};
use posenc_identify::Dtype;
use posenc_text::with_entry;
use serde::{Deserialize, Serialize};

use crate::columns;
use crate::recipe::Recipe;
use posenc_web_shared::request::Wish;

/// The entry that is asked for.
#[derive(Deserialize)]
pub(crate) struct Place {
    table: Wish,
    /// The position, a number for each axis.
    position: Vec<f64>,
    column: usize,
    recipe: Recipe,
}

/// How an entry is computed. Exact values are text.
#[derive(Serialize)]
pub(crate) struct Explained {
    function: Option<&'static str>,
    frequency_index: Option<usize>,
    axis: Option<usize>,
    formula: Option<String>,
    frequency: Option<String>,
    wavelength: Option<String>,
    angle: Option<String>,
    whole_turns: Option<String>,
    phase: Option<String>,
    quadrant: Option<u8>,
    rule: Option<String>,
    value: String,
    below: Beside,
    above: Beside,
    from_middle: String,
    result: Number,
    rounded: &'static str,
    recipe: Option<OfRecipe>,
}

/// A number of the type.
#[derive(Serialize)]
struct Number {
    value: f64,
    /// In hexadecimal.
    bits: String,
    width: usize,
}

/// A number next to the exact value.
#[derive(Serialize)]
struct Beside {
    #[serde(flatten)]
    number: Number,
    decimal: String,
    distance: String,
}

/// What a recipe gives, rounded to the type.
#[derive(Serialize)]
struct OfRecipe {
    #[serde(flatten)]
    number: Number,
    ulps: u64,
    error: f64,
}

/// A type of floats, as bits.
trait Bits: Element + Into<f64> {
    fn number(self) -> Number;
    fn nearest(value: f64) -> Self;
    /// The number of floats from zero to it, with its sign.
    fn steps(self) -> i64;
}

macro_rules! bits {
    ($($float:ty, $signed:ty, $nearest:expr;)*) => { $(
        impl Bits for $float {
            fn number(self) -> Number {
                let width = 8 * size_of::<Self>();
                Number { value: self.into(), bits: format!("{:0digits$x}", self.to_bits(), digits = width / 4), width }
            }

            fn nearest(value: f64) -> Self {
                let nearest: fn(f64) -> Self = $nearest;
                nearest(value)
            }

            fn steps(self) -> i64 {
                let bits = i64::from(self.to_bits().cast_signed() & <$signed>::MAX);
                if self.is_sign_negative() { -bits } else { bits }
            }
        }
    )* };
}

bits! {
    f32, i32, |value| { #[allow(clippy::cast_possible_truncation, reason = "it is rounded")] { value as f32 } };
    f64, i64, |value| value;
    posenc::half::f16, i16, posenc::half::f16::from_f64;
    posenc::half::bf16, i16, posenc::half::bf16::from_f64;
}

pub(crate) fn explain(place: &Place) -> Result<Explained, String> {
    let request = place.table.request()?;
    let Dtype::Float(float) = place.table.dtype()? else {
        return Err("the page explains only entries of floats; choose another element type".to_owned());
    };
    with_entry!(float, T => {
        let explained = request.explain::<T>(&place.position, place.column)?;
        let column = columns::of(&request, place.column)?;
        let recipe = column.function().map(|function| {
            let entry = column.amplitude * place.recipe.entry(function, column.frequency, explained.position);
            let found = T::nearest(entry);
            OfRecipe {
                number: found.number(),
                ulps: found.steps().abs_diff(explained.result.steps()),
                error: (Into::<f64>::into(found) - Into::<f64>::into(explained.result)).abs(),
            }
        });
        Ok(of(&explained, recipe))
    })
}

fn of<T: Bits>(explained: &Explanation<T>, recipe: Option<OfRecipe>) -> Explained {
    let stages = explained.stages.as_ref();
    let beside = |neighbour: &Neighbour<T>| Beside {
        number: neighbour.value.number(),
        decimal: neighbour.decimal.to_string(),
        distance: neighbour.distance.to_string(),
    };
    Explained {
        function: stages.map(|stages| match stages.function {
            posenc::explain::Function::Sine => "sine",
            posenc::explain::Function::Cosine => "cosine",
        }),
        frequency_index: stages.map(|stages| stages.frequency_index),
        axis: explained.axis,
        formula: stages.map(|stages| stages.formula.clone()),
        frequency: stages.map(|stages| stages.frequency.to_string()),
        wavelength: stages.and_then(|stages| stages.wavelength.as_ref().map(ToString::to_string)),
        angle: stages.map(|stages| stages.angle.to_string()),
        whole_turns: stages.map(|stages| stages.whole_turns.to_string()),
        phase: stages.map(|stages| stages.phase.to_string()),
        quadrant: stages.map(|stages| stages.quadrant),
        rule: stages.and_then(|stages| stages.scaled.as_ref().map(|scaled| scaled.rule.clone())),
        value: explained.value.to_string(),
        below: beside(&explained.below),
        above: beside(&explained.above),
        from_middle: explained.from_middle.to_string(),
        result: explained.result.number(),
        rounded: match explained.rounded() {
            Ordering::Less => "down",
            Ordering::Equal => "exact",
            Ordering::Greater => "up",
        },
        recipe,
    }
}
