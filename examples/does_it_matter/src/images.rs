//! Square images with the axes of the table swapped.

use posenc::{AxialPreset, AxialRope, Grid, GridPreset, Table};

use crate::blocks::{Positions, Sizes};
use crate::decoder::tensors;
use crate::encoder::{SIZES, added};
use crate::fallible::Fallible;
use crate::tables::{SinCos, apart};
use crate::trial::{Row, Trial, Variant};

/// The patches on each side, as in `ViT` for 224 x 224 pixels.
const SIDE: usize = 14;
const HEAD_DIM: usize = 64;

pub fn run() -> Fallible<Vec<Row>> {
    let mut rows = added_grid()?;
    rows.extend(rotary_grid()?);
    Ok(rows)
}

/// MAE's table, which is added.
fn added_grid() -> Fallible<Vec<Row>> {
    let grid = Grid::preset(GridPreset::Mae, [SIDE, SIDE], SIZES.width);
    let own = entries(&grid.table::<f32>()?);
    let swapped = transposed(&own, SIZES.width);
    let error = Some(apart(&own, &swapped));
    let variant = Variant { name: "added, axes swapped".to_owned(), error, positions: added(swapped, SIZES.width)? };
    // The first two rows are the yardsticks, which are in the table of the encoder.
    Ok(Trial::new(SIZES, SIDE * SIDE, 5)?.run(&added(own, SIZES.width)?, &[variant])?.split_off(2))
}

/// The rotary table of Qwen2-VL's vision tower.
fn rotary_grid() -> Fallible<Vec<Row>> {
    let table = AxialRope::preset(AxialPreset::Qwen2VlVision, [SIDE, SIDE], HEAD_DIM).table::<f32>()?;
    let pairs = HEAD_DIM / 2;
    let own = SinCos { pairs, sin: entries(&table.sin), cos: entries(&table.cos) };
    let swapped = SinCos { pairs, sin: transposed(&own.sin, pairs), cos: transposed(&own.cos, pairs) };
    let variant = Variant {
        name: "rotary, axes swapped".to_owned(),
        error: Some(own.apart(&swapped)),
        positions: Positions::Halves(tensors(&swapped)?),
    };
    let trial = Trial::new(Sizes { heads: SIZES.width / HEAD_DIM, ..SIZES }, SIDE * SIDE, 5)?;
    Ok(trial.run(&Positions::Halves(tensors(&own)?), &[variant])?.split_off(2))
}

fn entries(table: &Table<f32>) -> Vec<f64> {
    table.as_slice().iter().copied().map(f64::from).collect()
}

/// Returns the row of each patch with height and width exchanged.
fn transposed(table: &[f64], columns: usize) -> Vec<f64> {
    let row = |patch: usize| &table[patch * columns..][..columns];
    let patches = (0..SIDE).flat_map(|h| (0..SIDE).map(move |w| w * SIDE + h));
    patches.flat_map(|patch| row(patch).iter().copied()).collect()
}
