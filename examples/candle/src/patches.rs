//! The patch embedding of a `ViT` with MAE's baked table, in candle.
//!
//! MAE computes its table in `f64` and rounds it once. Ports compute it in `f32`, like other tables in candle.

use candle_core::{Device, Result, Tensor};
use candle_nn::{Conv2d, Conv2dConfig, Module};
use posenc::{Grid, GridPreset, compare, embeddings, grid_table};

use crate::fallible::Fallible;

/// The sizes of `ViT` base, for images of 224 x 224.
const SIDE: usize = 14;
const PATCH: usize = 16;
const WIDTH: usize = 768;

static PE: [[f32; WIDTH]; SIDE * SIDE] = grid_table!((14, 14), 768, preset = mae);

/// Shows how far a table in `f32` is from the exact one, and checks the sums.
pub(crate) fn show(device: &Device) -> Fallible<()> {
    let port = table_of_ports(device)?;
    let report = compare(&PE, &port.to_vec2::<f32>()?)?;
    println!(
        "\nMAE's table of {SIDE} x {SIDE} patches in f32, as ports compute it, compared with the exact one:\n\n{report}"
    );
    assert!(report.max_abs_error() > 0.0 && report.max_abs_error() < 1e-4);

    // Two images and one convolution, whose steps are as long as its kernel.
    let images = Tensor::randn(0f32, 1f32, (2, 3, SIDE * PATCH, SIDE * PATCH), device)?;
    let kernel = Tensor::randn(0f32, 0.02f32, (WIDTH, 3, PATCH, PATCH), device)?;
    let config = Conv2dConfig { stride: PATCH, ..Conv2dConfig::default() };
    let patches = Conv2d::new(kernel, None, config).forward(&images)?.flatten_from(2)?.transpose(1, 2)?;
    let exact = Tensor::from_slice(PE.as_flattened(), (SIDE * SIDE, WIDTH), device)?;
    let sum = patches.broadcast_add(&exact)?;

    // The rows of a grid are in the order of the patches, so slices are added like tensors.
    let mut ours = patches.flatten_all()?.to_vec1::<f32>()?;
    let mut from_axes = ours.clone();
    embeddings::add(&mut ours, &PE, 0..SIDE * SIDE)?;
    Grid::preset(GridPreset::Mae, [SIDE, SIDE], WIDTH).add(&mut from_axes)?;
    let expected = bits(&sum.flatten_all()?.to_vec1()?);
    assert_eq!(bits(&ours), expected);
    assert_eq!(bits(&from_axes), expected);
    println!("\n  `embeddings::add` and `Grid::add` add it to random patches to the same bits as candle");
    let apart = (patches.broadcast_add(&port)? - sum)?.abs()?.max_all()?.to_scalar::<f32>()?;
    println!("  with the table in f32 the sums are up to {apart:.1e} apart");
    Ok(())
}

fn bits(entries: &[f32]) -> Vec<u32> {
    entries.iter().map(|entry| entry.to_bits()).collect()
}

/// `get_2d_sincos_pos_embed` in `f32`: the columns of the width, then the columns of the height.
fn table_of_ports(device: &Device) -> Result<Tensor> {
    let count = WIDTH / 4;
    let frequencies: Vec<f32> = (0..count).map(|k| 1. / 10_000f32.powf(k as f32 / count as f32)).collect();
    let mut table = Vec::with_capacity(SIDE * SIDE * WIDTH);
    for (row, column) in (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column))) {
        for position in [column, row] {
            let angles = frequencies.iter().map(|frequency| position as f32 * frequency);
            table.extend(angles.clone().map(f32::sin));
            table.extend(angles.map(f32::cos));
        }
    }
    Tensor::from_vec(table, (SIDE * SIDE, WIDTH), device)
}
