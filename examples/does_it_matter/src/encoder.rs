//! An encoder of the size of Whisper tiny, with other tables than its own.

use candle_core::Result;

use crate::blocks::{Positions, Sizes, Style};
use crate::fallible::Fallible;
use crate::tables::{Formula, Recipe, apart};
use crate::trial::{InEightBits, NOISE, Row, Trial, Variant, tensor};

/// Half of Whisper's positions.
const ROWS: usize = 750;
pub const SIZES: Sizes =
    Sizes { style: Style::Encoder, width: 384, heads: 6, layers: 4, vocabulary: 2000, sharpness: 1.0 };

pub struct Results {
    pub rows: Vec<Row>,
    /// The share of logits whose bits differ with the recipe in `f32`, if the network is in `f32` too.
    pub other_bits: f64,
    /// What the recipe in `f32` changes if the network is in 8 bits.
    pub in_8_bits: [InEightBits; 2],
}

pub fn run() -> Fallible<Results> {
    // Whisper's own: exponents k/(h-1), sines and then cosines.
    let own = Formula::added(SIZES.width, 1);
    let paper = Formula::added(SIZES.width, 0);
    let right = own.rows(Recipe::EXACT, 0..ROWS)?;
    let exact = right.halves();
    let mut variants = Vec::new();
    let mut add = |name: &str, table: Vec<f64>| -> Result<()> {
        let error = Some(apart(&exact, &table));
        variants.push(Variant { name: name.to_owned(), error, positions: added(table, SIZES.width)? });
        Ok(())
    };
    for (name, recipe) in Recipe::ALL {
        add(name, own.rows(recipe, 0..ROWS)?.halves())?;
    }
    add(NOISE, right.with_errors(1e-4).halves())?;
    add("one row too late", own.rows(Recipe::EXACT, 1..ROWS + 1)?.halves())?;
    add("exponents k/h, not k/(h-1)", paper.rows(Recipe::EXACT, 0..ROWS)?.halves())?;
    add("columns interleaved, not in halves", right.interleaved())?;
    let nothing = added(vec![0.0; exact.len()], SIZES.width)?;
    variants.push(Variant { name: "no table".to_owned(), error: None, positions: nothing });
    let trial = Trial::new(SIZES, ROWS, 1)?;
    let expected = added(exact, SIZES.width)?;
    Ok(Results {
        other_bits: trial.other_bits(&expected, &variants[0].positions)?,
        in_8_bits: trial.in_8_bits(&expected, &variants[0].positions)?,
        rows: trial.run(&expected, &variants)?,
    })
}

/// A table to be added, of this width.
pub fn added(table: Vec<f64>, width: usize) -> Result<Positions> {
    Ok(Positions::Added(tensor(table, width)?))
}
