//! Hashes tables of grids from their entry points.

use posenc::{Bf16Bits, F16Bits, Grid, GridPreset, Nest, const_grid};

use crate::bits::Bits;
use crate::digest::{add, flat};

/// Hashes grids of all element types.
pub(crate) fn all(lines: &mut String) {
    run_time::<f32>(lines);
    run_time::<f64>(lines);
    run_time::<F16Bits>(lines);
    run_time::<Bf16Bits>(lines);
    evaluated(lines);
}

fn run_time<T: Bits>(lines: &mut String) {
    let video = Grid::preset(GridPreset::CogVideoX, [5, 6, 7], 96);
    let table = Grid::preset(GridPreset::Mae, [14, 16], 512).zero_rows(1).table::<T>().expect("a table");
    add(lines, "grid", "mae, 14 x 16 and a row of zeros", &table);
    let table = Grid::preset(GridPreset::DetrNormalized, [28, 40], 128).table::<T>().expect("a table");
    add(lines, "grid", "detr_normalized, 28 x 40", &table);
    let table = Grid::preset(GridPreset::Timm, [31, 17], 64).par_table::<T>().expect("a table");
    add(lines, "grid, par_table", "timm, 31 x 17", &table);

    let mut buffer = vec![T::default(); 200 * 96];
    video.fill(200.., &mut buffer).expect("rows");
    add(lines, "grid, fill", "cogvideox, 5 x 6 x 7 from row 200", &flat(&buffer, 96));
    video.const_fill(220.., &mut buffer).expect("rows");
    add(lines, "grid, const_fill", "cogvideox, 5 x 6 x 7 from row 220", &flat(&buffer, 96));

    let points: Vec<[f64; 4]> = (0..200).map(|i| [0.003, 0.7, 1.0, 1e6].map(|unit| unit * f64::from(i))).collect();
    let boxes = Grid::new([0; 4], 96).nest(Nest::Frequencies).first([1, 0, 2, 3]).base([20.0; 4]);
    boxes.fill_points(&points, &mut buffer).expect("rows");
    add(lines, "grid, fill_points", "points of four axes", &flat(&buffer, 96));
}

/// Hashes grids evaluated by the compiler.
fn evaluated(lines: &mut String) {
    macro_rules! evaluated {
        ($($element:ty)*) => { $({
            static GRID: [[$element; 10]; 24] = const_grid(Grid::preset(GridPreset::Tatp22, [4, 3, 2], 10));
            add(lines, "const_grid", "tatp22, 4 x 3 x 2", &GRID);
        })* };
    }
    evaluated!(f32 f64 F16Bits Bf16Bits);
}
