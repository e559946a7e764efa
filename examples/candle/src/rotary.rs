//! Llama 3.1's rotary embedding from a baked cache, in candle's own `rope`.
//!
//! candle-transformers computes the cache in `Cache::new` of `models/llama.rs` and stores it in private fields. To use
//! the exact cache, copy that file and put these two tensors into `Cache::new`.

use candle_core::{Device, Result, Tensor};
use candle_nn::rotary_emb::rope;
use posenc::{CosSin, compare, rotary_table};

use crate::fallible::Fallible;

const ROWS: usize = 8192;
const PAIRS: usize = 64;

static ROPE: CosSin<[[f32; PAIRS]; ROWS]> = rotary_table!(8192, 128, preset = llama3_1);

/// Shows how far candle's cache is from the exact one, and how far a rotated query is.
pub(crate) fn show(device: &Device) -> Fallible<()> {
    let tensor = |table: &[[f32; PAIRS]]| Tensor::from_slice(table.as_flattened(), (ROWS, PAIRS), device);
    let exact = CosSin { cos: tensor(&ROPE.cos)?, sin: tensor(&ROPE.sin)? };
    let own = cache_of_candle(device)?;
    println!("\ncandle's cache of Llama 3.1, {ROWS} positions, compared with the exact one:");
    for (name, own, exact) in [("cosines", &own.cos, &ROPE.cos), ("sines", &own.sin, &ROPE.sin)] {
        let report = compare(&own.to_vec2::<f32>()?, exact)?;
        println!(
            "  {name}: {} of {} entries differ, by up to {:.1e}",
            report.differing(),
            report.entries(),
            report.max_abs_error()
        );
    }
    // One head; a batch of one sequence.
    let query = Tensor::randn(0f32, 1f32, (1, 1, ROWS, 2 * PAIRS), device)?;
    let rotated = |cache: &CosSin<Tensor>| rope(&query, &cache.cos, &cache.sin);
    let difference = (rotated(&own)? - rotated(&exact)?)?.abs()?.max_all()?.to_scalar::<f32>()?;
    println!("  a random query, rotated by both: up to {difference:.1e} apart");

    // candle's `rope` is what `rotate_halves` does to a slice.
    let mut ours = query.flatten_all()?.to_vec1::<f32>()?;
    posenc::rotate_halves(&mut ours, 2 * PAIRS, &ROPE, 0..ROWS)?;
    assert_eq!(ours, rotated(&exact)?.flatten_all()?.to_vec1::<f32>()?);
    println!("  `posenc::rotate_halves` rotates it to the same bits as candle's `rope`");
    Ok(())
}

/// The cache as candle computes it: frequencies and angles in `f32`.
fn cache_of_candle(device: &Device) -> Result<CosSin<Tensor>> {
    let (factor, low, high, original) = (8f32, 1f32, 4f32, 8192f32);
    let frequencies: Vec<f32> = (0..PAIRS)
        .map(|k| 1f32 / 500_000f32.powf((2 * k) as f32 / (2 * PAIRS) as f32))
        .map(|frequency| {
            let wavelength = 2. * std::f32::consts::PI / frequency;
            if wavelength < original / high {
                frequency
            } else if wavelength > original / low {
                frequency / factor
            } else {
                let smooth = (original / wavelength - low) / (high - low);
                (1. - smooth) * frequency / factor + smooth * frequency
            }
        })
        .collect();
    let frequencies = Tensor::new(frequencies, device)?.reshape((1, PAIRS))?;
    let positions = Tensor::arange(0, ROWS as u32, device)?.to_dtype(candle_core::DType::F32)?.reshape((ROWS, 1))?;
    let angles = positions.matmul(&frequencies)?;
    Ok(CosSin { cos: angles.cos()?, sin: angles.sin()? })
}
