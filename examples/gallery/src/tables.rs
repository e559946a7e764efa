//! Tables as pictures.

use posenc::{Layout, Spec};

use crate::canvas::{
    Backend, Canvas, FIRST, Outcome, Scale, Side, chart, columns, figure, heat_map, line, panel, with_bar,
};

pub fn long<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    let canvas = figure(canvas, "The paper's encoding: 1024 positions, d = 64")?;
    lying(&canvas, 1024, 64)
}

pub fn map_and_row<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    const ROW: usize = 49;
    let table = Spec::new(64).table::<f64>(64)?;
    let canvas = figure(canvas, "The paper's encoding: 64 positions, d = 64")?;
    let (left, right) = columns(&canvas, 0.54);
    let left = with_bar(&panel(&left, "Each row encodes one position")?, &Scale::ENTRIES)?;
    let (x, y) = (Side::new("dimension", 64), Side::new("position", 64).downwards());
    heat_map(&left, &x, &y, &Scale::ENTRIES, |dimension, position| table[(position, dimension)])?;

    let right = panel(&right, &format!("Position {ROW}: sine, cosine, sine, cosine ..."))?;
    let mut chart = chart(&right, ("dimension", 0.0..64.0), ("entry", -1.1..1.1))?;
    line(&mut chart, (0..64).map(|dimension| (f64::from(dimension), table[(ROW, dimension as usize)])), FIRST)
}

pub fn slow_column<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    const COLUMN: usize = 127;
    let wavelength = Spec::new(128).wavelengths()?.next_back().ok_or("no wavelength")?;
    let canvas = figure(canvas, "No column is constant: 100 positions, d = 128, and the slowest cosine")?;
    let (above, below) = canvas.split_vertically(480);
    lying(&above, 100, 128)?;

    let (left, right) = columns(&below, 0.5);
    let near = panel(&left, "Dimension 127, the top row above, magnified")?;
    let mut chart_near = chart(&near, ("position", 0.0..100.0), ("entry", 0.99993..1.000_002))?;
    line(&mut chart_near, wave(COLUMN, 100.0)?, FIRST)?;
    let far = panel(&right, &format!("Dimension 127 over its wavelength of {wavelength:.0} positions"))?;
    let mut chart_far = chart(&far, ("position", 0.0..wavelength), ("entry", -1.1..1.1))?;
    line(&mut chart_far, wave(COLUMN, wavelength)?, FIRST)
}

/// Returns a column of the encoding of width 128, at positions from 0 to `end`.
fn wave(column: usize, end: f64) -> Outcome<Vec<(f64, f64)>> {
    let positions: Vec<f64> = (0..=500).map(|i| end * f64::from(i) / 500.0).collect();
    let mut rows = vec![[0.0; 128]; positions.len()];
    Spec::new(128).fill_positions(&positions, rows.as_flattened_mut())?;
    Ok(positions.into_iter().zip(rows).map(|(position, row)| (position, row[column])).collect())
}

/// Draws a table on its side: positions from left to right, the first dimension at the bottom.
fn lying<DB: Backend>(canvas: &Canvas<DB>, seq_len: usize, d_model: usize) -> Outcome {
    let table = Spec::new(d_model).table::<f64>(seq_len)?;
    let (x, y) = (Side::new("position", seq_len), Side::new("dimension", d_model));
    let canvas = with_bar(canvas, &Scale::ENTRIES)?;
    heat_map(&canvas, &x, &y, &Scale::ENTRIES, |position, dimension| table[(position, dimension)])
}

pub fn layouts<DB: Backend>(canvas: &Canvas<DB>) -> Outcome {
    let canvas = figure(canvas, "The same numbers in two layouts: 100 positions, d = 64")?;
    let (left, right) = columns(&canvas, 0.5);
    layout(&left, "Interleaved: sine, cosine, sine, cosine ...", Layout::Interleaved)?;
    layout(&right, "Halves: all sines, then all cosines", Layout::Halves)
}

fn layout<DB: Backend>(canvas: &Canvas<DB>, title: &str, layout: Layout) -> Outcome {
    let table = Spec::new(64).layout(layout).table::<f64>(100)?;
    let (x, y) = (Side::new("dimension", 64), Side::new("position", 100).downwards());
    let canvas = with_bar(&panel(canvas, title)?, &Scale::ENTRIES)?;
    heat_map(&canvas, &x, &y, &Scale::ENTRIES, |dimension, position| table[(position, dimension)])
}
