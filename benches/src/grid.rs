//! `Grid::fill` into a warm buffer, set-up included, compared with a copy of the finished table.

use std::hint::black_box;

use posenc::{AxialPreset, AxialRope, Grid, GridPreset, Nest, Packing};

use crate::fill::Buffers;
use crate::{Contender, Work};

/// MAE's table for an image of 512 x 512 in patches of 16 x 16.
pub fn image() -> Work<Buffers<f32>> {
    work("32 x 32 x 1152", || Grid::preset(GridPreset::Mae, black_box([32, 32]), black_box(1152)))
}

/// The table of `CogVideoX` 2B for 49 frames of 480 x 720, which has 226 rows of zeros.
pub fn video() -> Work<Buffers<f32>> {
    work("13 x 30 x 45 x 1920", || Grid::preset(GridPreset::CogVideoX, black_box([13, 30, 45]), black_box(1920)))
}

/// As many entries as [`image`], with the columns of both axes next to each other.
pub fn frequencies() -> Work<Buffers<f32>> {
    work("32 x 32 x 1152, by frequency", || Grid::new(black_box([32, 32]), black_box(1152)).nest(Nest::Frequencies))
}

/// The rotary tables of Wan for 49 frames of 480 x 832, cosines and sines side by side.
pub fn rotary_video() -> Work<Buffers<f32>> {
    work("13 x 30 x 52 x 128, rotary", || {
        let rope = AxialRope::preset(AxialPreset::Wan, black_box([13, 30, 52]), black_box(128));
        rope.packed(Packing::CosSin).expect("128 is even")
    })
}

fn work<const A: usize>(shape: &str, grid: fn() -> Grid<'static, A>) -> Work<Buffers<f32>> {
    let source = grid().table::<f32>().expect("a table that fits").into_vec();
    Work {
        name: format!("f32, grid, {shape}"),
        entries: source.len(),
        state: Buffers::of(source),
        contenders: vec![
            Contender::new("`copy_from_slice`", |buffers: &mut Buffers<f32>| buffers.copy()),
            Contender::new("`Grid::fill`", move |buffers: &mut Buffers<f32>| {
                grid().fill(0.., black_box(&mut buffers.target)).expect("rows of that width");
            }),
        ],
    }
}
