//! A decoder with the rotary embeddings of Llama 2 at its first positions, and of Llama 3.1 at its last positions.

use std::ops::Range;

use candle_core::{Result, Tensor};
use posenc::{Columns, Rope, RopePreset};

use crate::blocks::{Positions, Sizes, Style};
use crate::fallible::Fallible;
use crate::tables::{Formula, Recipe, SinCos};
use crate::trial::{NOISE, Row, Trial, Variant, tensor};

const TOKENS: usize = 512;
const HEAD_DIM: usize = 128;
const SIZES: Sizes = Sizes { style: Style::Decoder, width: 512, heads: 4, layers: 4, vocabulary: 2000, sharpness: 1.0 };

/// The rows of a text that starts at a position.
pub struct Text {
    pub title: String,
    pub rows: Vec<Row>,
}

pub fn run() -> Fallible<[Text; 2]> {
    let trial = Trial::new(SIZES, TOKENS, 3)?;
    let llama2 = Formula::rotary(HEAD_DIM, 1e4)?;
    let llama3 = llama3_1()?;
    let unruled = Formula::rotary(HEAD_DIM, 5e5)?;
    let wrong2 = [("base 500,000, not 10,000", &unruled)];
    let wrong3 = [("the rule forgotten", &unruled), ("base 10,000, and no rule", &llama2)];
    Ok([
        text(&trial, "base 10,000", &llama2, 0, &wrong2)?,
        text(&trial, "Llama 3.1's base and rule", &llama3, 131_072 - TOKENS, &wrong3)?,
    ])
}

fn text(trial: &Trial, model: &str, own: &Formula, start: usize, wrong: &[(&str, &Formula)]) -> Fallible<Text> {
    let positions = start..start + TOKENS;
    let exact = own.rows(Recipe::EXACT, positions.clone())?;
    let mut variants = Vec::new();
    // The recurrence has no place for a rule.
    for (name, recipe) in
        Recipe::ALL.into_iter().filter(|(_, recipe)| wrong.len() == 1 || *recipe != Recipe::Recurrence)
    {
        variants.push(variant(name, &exact, &own.rows(recipe, positions.clone())?)?);
    }
    variants.push(variant(NOISE, &exact, &exact.with_errors(1e-4))?);
    for (name, formula) in wrong {
        variants.push(variant(name, &exact, &formula.rows(Recipe::EXACT, positions.clone())?)?);
    }
    variants.push(Variant {
        name: "adjacent columns, not halves".to_owned(),
        error: Some(0.0),
        positions: Positions::Adjacent(tensors(&exact)?),
    });
    variants.push(Variant { error: None, ..variant("no rotation", &exact, &identity(exact.pairs, TOKENS))? });
    let rows = trial.run(&Positions::Halves(tensors(&exact)?), &variants)?;
    Ok(Text { title: title(model, &positions), rows })
}

fn title(model: &str, positions: &Range<usize>) -> String {
    format!("Decoder, {model}, positions {} to {}:", positions.start, positions.end - 1)
}

fn variant(name: &str, exact: &SinCos, table: &SinCos) -> Result<Variant> {
    Ok(Variant {
        name: name.to_owned(),
        error: Some(exact.apart(table)),
        positions: Positions::Halves(tensors(table)?),
    })
}

/// A table that rotates nothing.
pub fn identity(pairs: usize, rows: usize) -> SinCos {
    SinCos { pairs, sin: vec![0.0; pairs * rows], cos: vec![1.0; pairs * rows] }
}

pub fn tensors(table: &SinCos) -> Result<[Tensor; 2]> {
    Ok([tensor(table.sin.clone(), table.pairs)?, tensor(table.cos.clone(), table.pairs)?])
}

/// Llama 3.1's frequencies: base 500,000, with the rule `llama3` for eight times the original context.
fn llama3_1() -> Fallible<Formula> {
    let (factor, low, high, original) = (8f32, 1f32, 4f32, 8192f32);
    let ruled = |frequency: f32| {
        let turns = original * frequency / std::f32::consts::TAU;
        let keep = ((turns - low) / (high - low)).clamp(0.0, 1.0);
        (1.0 - keep) * frequency / factor + keep * frequency
    };
    let plain = Formula::rotary(HEAD_DIM, 5e5)?.frequencies;
    let spec = Rope::preset(RopePreset::Llama3_1).spec(Columns::Sin)?;
    Ok(Formula { spec, frequencies: plain.into_iter().map(ruled).collect() })
}
