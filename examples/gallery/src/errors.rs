//! The errors of the usual recipe, computed in f32.

use plotters::prelude::*;
use posenc::Spec;

use crate::canvas::{
    Backend, Canvas, FIRST, Outcome, SECOND, Scale, Side, THIRD, chart, curve, figure, heat_map, legend, panel,
    viridis, with_bar,
};

const D_MODEL: usize = 512;

/// A recipe in f32: product, sine and cosine are rounded.
pub struct Recipe {
    pub frequencies: Vec<f32>,
}

impl Recipe {
    /// The recipe of most tutorials.
    fn usual() -> Self {
        let div_term = |k| (-((2 * k) as f32) * (10_000f32.ln() / D_MODEL as f32)).exp();
        Self { frequencies: (0..D_MODEL / 2).map(div_term).collect() }
    }

    fn row(&self, position: usize) -> impl Iterator<Item = f32> {
        self.frequencies.iter().flat_map(move |frequency| {
            let (sin, cos) = (position as f32 * frequency).sin_cos();
            [sin, cos]
        })
    }
}

pub fn map<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    const POSITIONS: usize = 4096;
    const BLOCK: (usize, usize) = (8, 2);
    let (exact, recipe) = (Spec::new(D_MODEL).table::<f32>(POSITIONS)?, Recipe::usual());
    let mut largest = vec![[0f32; D_MODEL / BLOCK.1]; POSITIONS / BLOCK.0];
    for position in 0..POSITIONS {
        for (column, (exact, made)) in exact.row(position).iter().zip(recipe.row(position)).enumerate() {
            let cell = &mut largest[position / BLOCK.0][column / BLOCK.1];
            *cell = cell.max((exact - made).abs());
        }
    }

    let canvas = figure(canvas, "Errors of the usual f32 recipe against the correctly rounded table, d = 512")?;
    let canvas = panel(&canvas, "Largest error in each block of 8 positions by 2 dimensions (white: all correct)")?;
    let scale = Scale { name: "log10 of the error", range: -8.0..-3.0, map: viridis };
    let canvas = with_bar(&canvas, &scale)?;
    let x = Side::new("position", POSITIONS / BLOCK.0).blocks(BLOCK.0);
    let y = Side::new("dimension", D_MODEL / BLOCK.1).blocks(BLOCK.1);
    heat_map(&canvas, &x, &y, &scale, |x, y| f64::from(largest[x][y]).log10())
}

pub fn by_position<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    const POSITIONS: usize = 65_536;
    const END: f64 = POSITIONS as f64;
    const MARK: f64 = 1e-3;
    let errors = largest_errors(Spec::new(D_MODEL), &Recipe::usual(), POSITIONS)?;
    let canvas = figure(canvas, "Largest error of the usual f32 recipe by position, d = 512")?;
    let axes = (("position", (1.0..END).log_scale()), ("largest error in the row", (1e-8..1e-1).log_scale()));
    let mut chart = chart(&canvas, axes.0, axes.1)?;
    curve(&mut chart, in_blocks(&errors), FIRST, "f32 recipe: maximum of each block, 16 blocks per octave")?;
    let bound = 2f64.powi(-25);
    curve(&mut chart, [(1.0, bound), (END, bound)], THIRD, "posenc in f32: at most 2^-25")?;
    let first = errors.iter().position(|error| *error > MARK).ok_or("no error exceeds the mark")? as f64;
    let name = format!("1e-3: first exceeded at position {first}");
    curve(&mut chart, [(1.0, MARK), (first, MARK), (first, 1e-8)], SECOND, &name)?;
    legend(&mut chart, SeriesLabelPosition::UpperLeft)
}

/// Returns the largest error in every row of the recipe's table.
pub fn largest_errors(spec: Spec, recipe: &Recipe, positions: usize) -> Outcome<Vec<f64>> {
    let encoder = spec.prepare::<f64>(positions)?;
    let mut exact = vec![0.0; 2 * recipe.frequencies.len()];
    let row = |position| {
        encoder.encode_row(position, &mut exact)?;
        Ok(exact
            .iter()
            .zip(recipe.row(position))
            .map(|(exact, made)| (exact - f64::from(made)).abs())
            .fold(0.0, f64::max))
    };
    (0..positions).map(row).collect()
}

/// Returns the largest error in each block, with blocks of equal width on a logarithmic axis.
pub fn in_blocks(errors: &[f64]) -> Vec<(f64, f64)> {
    let last = 16 * errors.len().ilog2();
    let mut edges: Vec<usize> = (0..=last).map(|i| 2f64.powf(f64::from(i) / 16.0) as usize).collect();
    edges.dedup();
    let largest = |block: &[usize]| errors[block[0]..block[1]].iter().copied().fold(0.0, f64::max);
    edges.windows(2).map(|block| (block[0] as f64, largest(block))).collect()
}
