//! Compares grids with tables that the code of models and libraries has computed, which `grid_tables.txt` records.
//!
//! Code that computes in `f64` and stores `f32` gives our bits. The other tables were computed in `f32`: the test says how
//! far they are from the exact table, and allows no more.

use std::f64::consts::{PI, TAU};

use posenc::{Grid, GridPreset, Nest};

use testkit::assert_same_bits;

const RECORDED: &str = include_str!("grid_tables.txt");

/// Returns the rows of a recorded table, one after the other.
fn recorded(name: &str) -> Vec<f32> {
    let begins = |block: &&str| block.split_whitespace().next() == Some(name);
    let block = RECORDED.split("\ntable ").skip(1).find(begins).unwrap_or_else(|| panic!("no table {name}"));
    let rows = block.lines().skip(1).filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.flat_map(|row| row.split(' ').map(|value| value.parse::<f32>().unwrap())).collect()
}

/// Returns a recorded table without the first columns, which are the coordinates themselves.
fn without_coordinates(name: &str, coordinates: usize, d_model: usize) -> Vec<f32> {
    let rows = recorded(name);
    rows.chunks_exact(coordinates + d_model).flat_map(|row| row[coordinates..].to_vec()).collect()
}

fn assert_table<const A: usize>(name: &str, grid: &Grid<A>) {
    assert_same_bits(grid.table::<f32>().unwrap().as_slice(), &recorded(name), name);
}

/// Asserts that the largest error of a table is what its `f32` arithmetic has: `error`, in units of 1e-8, rounded up.
fn assert_error(exact: &[f64], theirs: &[f32], error: f64, name: &str) {
    assert_eq!(exact.len(), theirs.len(), "{name}");
    let miss = exact.iter().zip(theirs).map(|(exact, &theirs)| (exact - f64::from(theirs)).abs() * 1e8);
    let largest = miss.fold(0.0, f64::max);
    assert!(largest <= error && largest > error - 1.0, "{name}: {largest}, not {error}");
}

fn assert_near<const A: usize>(name: &str, grid: &Grid<A>, error: f64) {
    assert_error(grid.table::<f64>().unwrap().as_slice(), &recorded(name), error, name);
}

/// These codes compute frequencies, angles and functions in `f64`. MAE, `DiT` and I-JEPA have square grids alone.
#[test]
fn tables_computed_in_f64_have_our_bits() {
    let mae = Grid::preset(GridPreset::Mae, [3, 3], 8);
    assert_table("mae", &mae);
    assert_table("dit", &mae);
    assert_table("ijepa", &mae);
    assert_table("mae_cls", &Grid::preset(GridPreset::Mae, [2, 2], 8).zero_rows(1));
    assert_table("vjepa", &Grid::preset(GridPreset::VJepa, [3, 2, 2], 16));
    assert_table("hf_2d", &Grid::preset(GridPreset::Hf2d, [2, 3], 8));
    assert_table("hf_2d", &Grid::new([2, 3], 8));
    assert_table("big_vision", &Grid::preset(GridPreset::SimpleVit, [2, 3], 8));

    // The points are those of a grid, but the distance of the decimals is not a float.
    let points: Vec<[f64; 2]> = [0.25, 0.5].into_iter().flat_map(|x| [0.1, 0.3, 0.5].map(|y| [x, y])).collect();
    let nerf = Grid::new([0, 0], 12).nest(Nest::Frequencies).frequencies([&[1.0, 2.0, 4.0]; 2]);
    let mut rows = vec![0.0f32; 6 * 12];
    nerf.fill_points(&points, &mut rows).unwrap();
    assert_same_bits(&rows, &without_coordinates("nerf", 2, 12), "nerf");
}

/// Rounding an entry of at most 1 to `f32` adds an error of up to 2^-25, or 2.98e-8, to that of the preceding arithmetic.
#[test]
fn tables_computed_in_f32_are_near() {
    let image = |preset| Grid::preset(preset, [2, 3], 8);
    // RT-DETR and OmDet walk down the columns, without MoCo's row of zeros.
    let moco = Grid::preset(GridPreset::MocoV3, [3, 2], 8).zero_rows(0);
    assert_near("rt_detr", &moco, 4.0);
    assert_near("omdet", &moco, 4.0);
    assert_near("timm", &image(GridPreset::Timm), 4.0);
    assert_near("timm_reversed", &Grid::preset(GridPreset::Timm, [3, 2], 8), 4.0);
    assert_near("simple_vit", &image(GridPreset::SimpleVit), 4.0);
    for (name, d_model) in [("tatp22_6", 6), ("tatp22_8", 8), ("tatp22_10", 10)] {
        assert_near(name, &Grid::preset(GridPreset::Tatp22, [2, 3], d_model), 4.0);
    }
    let detr = Grid::preset(GridPreset::Detr, [2, 3], 16);
    assert_near("detr", &detr, 4.0);
    assert_near("deformable_detr_plain", &detr, 4.0);
    // The angles are up to 2π times the rounded quotients.
    assert_near("detr_normalized", &Grid::preset(GridPreset::DetrNormalized, [2, 3], 16), 46.0);
    // The positions are rounded to f32.
    assert_near("pixart", &Grid::preset(GridPreset::PixArt, [3, 5], 8).extent(32, 2), 37.0);
}

/// The positions are equally spaced from -1 to 1, and the frequencies are a list.
#[test]
fn fourier_features_are_a_list_of_frequencies() {
    let lists = [[PI, 4.0 * PI], [PI, 3.0 * PI]];
    let centred = Grid::new([2, 3], 8).nest(Nest::Phases).start([-1, -2]).step([2; 2]).unit([(1, 1), (1, 2)]);
    let timm = centred.frequencies([&lists[0]; 2]);
    assert_near("timm_fourier", &timm, 35.0);
    let perceiver = centred.frequencies([&lists[0], &lists[1]]).table::<f64>().unwrap();
    assert_error(perceiver.as_slice(), &without_coordinates("perceiver", 2, 8), 35.0, "perceiver");
}

/// Conditional DETR's boxes are points `(x, y, w, h)`, with the columns of `y` first.
#[test]
fn box_queries_are_points_of_four_axes() {
    let queries = Grid::new([0; 4], 16).first([1, 0, 2, 3]).nest(Nest::Pairs).scale(TAU);
    let mut row = [0.0f64; 16];
    // The coordinates are f32.
    queries.encode([0.25f32, 0.5, 0.1, 0.75].map(f64::from), &mut row).unwrap();
    assert_error(&row, &recorded("box_queries"), 9.0, "box_queries");
}

/// Each recorded table is compared: a test names it.
#[test]
fn every_recorded_table_is_compared() {
    let names: Vec<_> = RECORDED.split("\ntable ").skip(1).filter_map(|block| block.split(' ').next()).collect();
    let tests = include_str!("grid_tables.rs");
    assert_eq!(names.len(), 23);
    assert!(names.iter().all(|name| tests.contains(&format!("\"{name}\""))), "{names:?}");
}

// --- f64 code with one rounding ---

/// Returns a block of an axis as numpy computes it in MAE, `DiT` and `PixArt`: `[sin | cos]` of `pos * omega` in `f64`, which
/// `torch.from_numpy(..).float()` rounds.
#[expect(clippy::cast_possible_truncation, reason = "the one rounding of this code")]
fn numpy_block(position: f32, width: usize) -> Vec<f32> {
    let count = width / 2;
    let angle = |k: usize| f64::from(position) * (1.0 / 10_000f64.powf(k as f64 / count as f64));
    let sines = (0..count).map(|k| angle(k).sin() as f32);
    sines.chain((0..count).map(|k| angle(k).cos() as f32)).collect()
}

/// Returns the table of the `f32` positions of heights and widths. The width is in the first columns.
fn numpy_table(heights: &[f32], widths: &[f32], d_model: usize) -> Vec<f32> {
    let blocks = |positions: &[f32]| positions.iter().map(|&at| numpy_block(at, d_model / 2)).collect::<Vec<_>>();
    let (heights, widths) = (blocks(heights), blocks(widths));
    heights.iter().flat_map(|h| widths.iter().flat_map(move |w| [w.as_slice(), h])).collect::<Vec<_>>().concat()
}

/// `np.arange(n, dtype=np.float32)`.
fn arange(n: u16) -> Vec<f32> {
    (0..n).map(f32::from).collect()
}

/// `PixArt`'s positions: all operations in `f32`.
fn pixart(n: u16, base_size: f32, scale: f32) -> Vec<f32> {
    (0..n).map(|i| f32::from(i) / (f32::from(n) / base_size) / scale).collect()
}

/// The arithmetic of the tests below reproduces tables of the codes themselves.
#[test]
fn the_emulation_of_numpy_prints_the_recorded_tables() {
    assert_same_bits(&numpy_table(&arange(3), &arange(3), 8), &recorded("mae"), "mae");
    assert_same_bits(&numpy_table(&pixart(3, 32.0, 2.0), &pixart(5, 32.0, 2.0), 8), &recorded("pixart"), "pixart");
}

/// Their angles and functions are off by some 1e-16 times the position, which changes none of these 1,950,976 entries.
#[test]
fn models_that_compute_in_f64_were_trained_with_our_bits() {
    for (h, w, d_model) in [(14, 14, 768), (5, 7, 768), (14, 14, 512), (16, 9, 1152), (16, 16, 1280), (32, 32, 1152)] {
        let theirs = numpy_table(&arange(h), &arange(w), d_model);
        let ours = Grid::preset(GridPreset::Mae, [h.into(), w.into()], d_model).table::<f32>().unwrap();
        assert_same_bits(ours.as_slice(), &theirs, format!("MAE and DiT, {h} x {w} x {d_model}"));
    }
}

/// `PixArt` rounds positions to `f32`, so its bits are ours if that is exact: the distances are powers of two, or as short.
#[test]
fn pixart_has_our_bits_where_its_positions_are_exact() {
    let ours = |h: u16, w: u16| {
        Grid::preset(GridPreset::PixArt, [h.into(), w.into()], 1152).extent(64, 2).table::<f32>().unwrap()
    };
    for (h, w) in [(64, 64), (32, 64), (16, 128)] {
        let theirs = numpy_table(&pixart(h, 64.0, 2.0), &pixart(w, 64.0, 2.0), 1152);
        assert_same_bits(ours(h, w).as_slice(), &theirs, format!("PixArt, {h} x {w}"));
    }
    // A quarter of the entries otherwise.
    let (ours, theirs) = (ours(48, 84), numpy_table(&pixart(48, 64.0, 2.0), &pixart(84, 64.0, 2.0), 1152));
    let different = ours.as_slice().iter().zip(&theirs).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    let share = different as f64 / theirs.len() as f64;
    assert!((0.2..0.3).contains(&share), "{share}");
}
