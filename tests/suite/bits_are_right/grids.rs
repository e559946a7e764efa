//! Compares the tables of the presets of grids with the formulas of their models, entry by entry.
//!
//! All axes have different sizes, because a square grid hides an exchange of its axes.

use std::f64::consts::TAU;

use posenc::{Grid, GridPreset, Nest};

use testkit::bits_of;
use testkit::case::{Case, PAPER};
use testkit::grid::{Axis, GridCase};

/// An axis of positions 0, 1, 2 and so on, with the default frequencies.
fn plain(points: usize, d_model: usize) -> Axis {
    Axis { points, case: Case { d_model, ..PAPER }, positions: None }
}

/// Says where two tables differ first.
fn assert_same(got: &[u64], wanted: &[u64], d_model: usize, of: &str) {
    assert_eq!(got.len(), wanted.len(), "{of}: lengths");
    if let Some(at) = (0..got.len()).find(|&at| got[at] != wanted[at]) {
        let (row, column) = (at / d_model, at % d_model);
        panic!("{of}: row {row}, column {column}: got {:x}, wanted {:x}", got[at], wanted[at]);
    }
}

/// Checks the table of a preset against its formula.
fn assert_preset<const A: usize>(preset: GridPreset, formula: &GridCase) {
    let shape = std::array::from_fn::<_, A, _>(|i| formula.axes[i].points);
    let grid = Grid::preset(preset, shape, formula.d_model);
    // Positions from 0 to below 8.
    let grid = if preset == GridPreset::PixArt { grid.extent(16, 2) } else { grid };
    let table = grid.table::<f32>().unwrap_or_else(|error| panic!("{preset}: {error}"));
    assert_same(&bits_of(table.as_slice()), &formula.table::<f32>(), formula.d_model, preset.name());
    let table = grid.table::<f64>().unwrap_or_else(|error| panic!("{preset}: {error}"));
    assert_same(&bits_of(table.as_slice()), &formula.table::<f64>(), formula.d_model, preset.name());
}

/// Returns `w h` in the columns.
fn width_first(mut formula: GridCase) -> GridCase {
    formula.first.reverse();
    formula
}

/// The formulas of images, 3 points high and 5 wide, in 16 columns.
fn formula_of_image(preset: GridPreset) -> GridCase {
    let axes = |change: fn(&mut Axis)| {
        let mut axes = vec![plain(3, 8), plain(5, 8)];
        axes.iter_mut().for_each(change);
        GridCase::new(axes, 16)
    };
    let usual = || axes(|_| ());
    // The quotient is 1 / (n + 1e-6).
    let unit = |parts: i64, axis: &mut Axis| {
        axis.case.unit = (1_000_000, parts * (i64::try_from(axis.points).unwrap() * 1_000_000 + 1));
    };
    match preset {
        GridPreset::Mae | GridPreset::Monai => width_first(usual()),
        GridPreset::SimpleVit => width_first(axes(|axis| axis.case.freq_shift = 1.0)),
        GridPreset::Hf2d => usual(),
        // The first axis of the shape is the width, and the rows of an image change fastest.
        GridPreset::MocoV3 => GridCase { zero_rows: 1, ..usual() },
        GridPreset::Timm => GridCase { nest: Nest::Phases, ..usual() },
        GridPreset::Detr => GridCase { nest: Nest::Pairs, ..axes(|axis| axis.case.start = 1) },
        GridPreset::DetrNormalized => {
            let mut formula = GridCase { nest: Nest::Pairs, scale: TAU, ..axes(|axis| axis.case.start = 1) };
            formula.axes.iter_mut().for_each(|axis| unit(1, axis));
            formula
        }
        GridPreset::DeformableDetr => {
            let change = |axis: &mut Axis| (axis.case.start, axis.case.step) = (1, 2);
            let mut formula = GridCase { nest: Nest::Pairs, scale: TAU, ..axes(change) };
            formula.axes.iter_mut().for_each(|axis| unit(2, axis));
            formula
        }
        GridPreset::PixArt => width_first(axes(|axis| axis.case.unit = (8, i64::try_from(axis.points).unwrap()))),
        GridPreset::Sd3 => width_first(axes(|axis| {
            axis.case.start = (192 - i64::try_from(axis.points).unwrap()) / 2;
            axis.case.unit = (1, 3);
        })),
        GridPreset::Tatp22 => GridCase { nest: Nest::Pairs, ..usual() },
        other => panic!("{other} is not of images"),
    }
}

/// The formulas of videos, 4 frames of 3 x 5.
fn formula_of_video(preset: GridPreset) -> GridCase {
    let axes = |widths: [usize; 3]| vec![plain(4, widths[0]), plain(3, widths[1]), plain(5, widths[2])];
    match preset {
        GridPreset::SimpleVit => {
            let mut formula = width_first(GridCase::new(axes([4; 3]), 16)); // and 4 columns of zeros
            formula.axes.iter_mut().for_each(|axis| axis.case.freq_shift = 1.0);
            formula
        }
        GridPreset::CogVideoX => {
            let mut formula = GridCase { first: vec![0, 2, 1], zero_rows: 226, ..GridCase::new(axes([4, 6, 6]), 16) };
            formula.axes[1..].iter_mut().for_each(|axis| axis.case.unit = (8, 15));
            formula
        }
        GridPreset::VJepa => GridCase::new(axes([8, 4, 4]), 16),
        GridPreset::VJepaUniform => GridCase::new(axes([6; 3]), 16),
        GridPreset::Tatp22 => GridCase { nest: Nest::Pairs, ..GridCase::new(axes([4; 3]), 10) },
        GridPreset::Monai => GridCase { first: vec![1, 0, 2], ..GridCase::new(axes([4; 3]), 12) },
        other => panic!("{other} is not of videos"),
    }
}

#[test]
fn presets_are_the_formulas_of_their_models() {
    let videos = [GridPreset::CogVideoX, GridPreset::VJepa, GridPreset::VJepaUniform];
    let both = [GridPreset::SimpleVit, GridPreset::Tatp22, GridPreset::Monai];
    for &preset in GridPreset::ALL {
        if !videos.contains(&preset) {
            assert_preset::<2>(preset, &formula_of_image(preset));
        }
        if videos.contains(&preset) || both.contains(&preset) {
            assert_preset::<3>(preset, &formula_of_video(preset));
        }
    }
}
