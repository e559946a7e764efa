//! Llama 3.1's rotary embedding from a baked cache, in burn's `RotaryEncoding`.
//!
//! The cache is the public field `freq_complex`. Another field is private, so the example first makes a module from its
//! configuration, with a single row.

use std::error::Error;
use std::f32::consts::TAU;

use burn_core::tensor::{Device, Distribution, Tensor};
use burn_nn::{RotaryEncoding, RotaryEncodingConfig};
use posenc::{Flat, Rope, RopePreset, compare, rotary_table, rotate_pairs};

use crate::in_place::in_place;

const ROWS: usize = 2048;
const HEAD_DIM: usize = 128;

/// burn's cache has the cosine and the sine of each pair, twice.
static ROPE: [[f32; 2 * HEAD_DIM]; ROWS] =
    rotary_table!(2048, 128, preset = llama3_1, packing = complex, repeat = pairs);

/// Shows how far burn's cache is from the exact one, and how far a rotated query is.
pub(crate) fn show(device: &Device) -> Result<(), Box<dyn Error>> {
    let (own, exact) = (of_burn(ROWS, device), with_baked(device));
    let cache = own.freq_complex.to_data();
    let report = compare(&Flat::new(cache.as_slice()?, 2 * HEAD_DIM)?, &ROPE)?;
    println!("\nburn's rotary cache of Llama 3.1, {ROWS} positions, compared with the exact one:\n");
    println!("{} of {} entries differ, by up to {:.1e}", report.differing(), report.entries(), report.max_abs_error());
    // A frequency exp(-x), rounded at each step, is off by less than (2x + 4) 2^-24 of itself, and an angle by one more
    // unit: below position 2048 by less than 2048 exp(-x) (2x + 5) 2^-24, at most 6.2e-4, as x >= 0.
    assert!(report.max_abs_error() > 0.0 && report.max_abs_error() < 1e-3);

    // One head; a batch of one sequence.
    let query = Tensor::<4>::random([1, 1, ROWS, HEAD_DIM], Distribution::Normal(0.0, 1.0), device);
    let rotated = exact.forward(query.clone());
    let difference = (own.forward(query.clone()) - rotated.clone()).abs().max().into_scalar::<f32>();
    println!("a random query, rotated by both: up to {difference:.1e} apart");

    // burn's products and sums are those of `rotate_pairs`, each rounded once; its signs are factors of 1, -1 and 0.
    let cache = Rope::preset(RopePreset::Llama3_1).table::<f32>(ROWS)?;
    let (mut ours, rotated) = (query.into_data().try_to_vec::<f32>()?, rotated.into_data());
    rotate_pairs(&mut ours, HEAD_DIM, &cache, 0..ROWS)?;
    assert!(compare(&Flat::new(&ours, HEAD_DIM)?, &Flat::new(rotated.as_slice()?, HEAD_DIM)?)?.is_identical());
    println!("`posenc::rotate_pairs` rotates it to the same bits as burn's module with the baked cache");

    let cache = exact.freq_complex.into_data();
    assert_eq!(cache.as_slice::<f32>()?.as_ptr(), ROPE.as_flattened().as_ptr());
    println!("the baked cache, after a forward pass: used in place, not copied");
    Ok(())
}

/// burn's module with the baked cache.
///
/// Its `shift` computes rows of later positions from the frequencies, in `f32`, as burn's own cache is computed.
fn with_baked(device: &Device) -> RotaryEncoding {
    let mut module = of_burn(1, device);
    module.freq_complex = in_place(ROPE.as_flattened(), [ROWS, HEAD_DIM, 2], device);
    module
}

/// burn's module with burn's own cache.
fn of_burn(rows: usize, device: &Device) -> RotaryEncoding {
    let config = RotaryEncodingConfig::new(rows, HEAD_DIM).with_theta(500_000.0);
    config.init_with_frequency_scaling(llama3_1, device)
}

/// Llama 3.1's rule in `f32`, in the steps of the reference code, which models in burn follow.
fn llama3_1(frequencies: Tensor<1>) -> Tensor<1> {
    let (factor, low, high, original) = (8.0, 1.0, 4.0, 8192.0);
    let wavelengths = frequencies.clone().recip().mul_scalar(TAU);
    let turns = wavelengths.recip().mul_scalar(original);
    let kept = turns.sub_scalar(low).div_scalar(high - low).clamp(0.0, 1.0);
    let divided = frequencies.clone().div_scalar(factor);
    kept.clone().neg().add_scalar(1.0) * divided + kept * frequencies
}
