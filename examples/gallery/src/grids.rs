//! Tables of grids: what a column, a row and a patch look like on the image.

use posenc::{Grid, GridPreset, Table};

use crate::canvas::{
    Backend, Canvas, Outcome, Scale, Side, columns, diverging, figure, heat_map, panel, viridis, with_bar,
};

const SIDE: usize = 14;
const D_MODEL: usize = 768;

/// The columns of the small multiples: sines of two frequencies of the first axis, and of the second.
const COLUMNS: [usize; 4] = [0, 36, 384, 420];

/// The columns of MAE's table as images, and beside them those of the other order of the axes.
pub fn orders<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    let canvas = figure(canvas, "Columns of a grid of 14 x 14 patches, d = 768: the same shape, other axes")?;
    let (left, right) = columns(&canvas, 0.5);
    let orders =
        [(left, "mae: the width first", GridPreset::Mae), (right, "hf_2d: the height first", GridPreset::Hf2d)];
    for (canvas, title, preset) in orders {
        let table = Grid::preset(preset, [SIDE, SIDE], D_MODEL).table::<f64>()?;
        let canvas = panel(&canvas, title)?;
        for (canvas, column) in canvas.split_evenly((2, COLUMNS.len() / 2)).iter().zip(COLUMNS) {
            let scale = Scale { name: "entry", range: -1.0..1.0, map: diverging };
            let canvas = panel(canvas, &format!("column {column}"))?;
            on_the_image(&canvas, &scale, |row| table.row(row)[column])?;
        }
    }
    Ok(())
}

/// How similar some patches are to all others.
pub fn similarity<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    let canvas = figure(canvas, "Similarity of one patch to all others: the cosine of their rows, MAE, d = 768")?;
    let table = Grid::preset(GridPreset::Mae, [SIDE, SIDE], D_MODEL).table::<f64>()?;
    let patches = [(0, 0), (4, 9), (7, 7)];
    for (canvas, (row, column)) in canvas.split_evenly((1, patches.len())).iter().zip(patches) {
        let scale = Scale { name: "cosine", range: 0.5..1.0, map: viridis };
        let canvas = with_bar(&panel(canvas, &format!("patch ({row}, {column})"))?, &scale)?;
        on_the_image(&canvas, &scale, |other| cosine(&table, row * SIDE + column, other))?;
    }
    Ok(())
}

/// Draws a number of each patch where the patch is.
fn on_the_image<DB: Backend>(canvas: &Canvas<DB>, scale: &Scale, of_row: impl Fn(usize) -> f64) -> Outcome {
    let (x, y) = (Side::new("w", SIDE), Side::new("h", SIDE).downwards());
    heat_map(canvas, &x, &y, scale, |w, h| of_row(h * SIDE + w))
}

fn cosine(table: &Table<f64>, a: usize, b: usize) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (a, b) = (table.row(a), table.row(b));
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}
