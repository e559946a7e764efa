//! A new table on one thread, by posenc and by other libraries.

use std::hint::black_box;

use crate::tables::{TYPICAL, new_memory};
use crate::{Contender, Work, plain};
use burn_core::tensor::{Device as BurnDevice, Tensor as BurnTensor};
use burn_nn::generate_sinusoids;
use candle_core::{DType, Device as CandleDevice, Result as CandleResult, Tensor as CandleTensor};
use ndarray::{Array1, Array2, Axis, s};

/// The contenders of [`new_memory`], and libraries whose functions return new tensors.
pub fn work() -> Work<()> {
    use_one_thread();
    let (burn_device, candle_device) = (BurnDevice::flex(), CandleDevice::Cpu);
    let (rows, d_model) = TYPICAL;
    let mut work = new_memory(TYPICAL);
    work.contenders.extend([
        Contender::new(format!("ndarray {}, outer product, `mapv`", version("ndarray")), move |()| {
            black_box(ndarray(black_box(rows), black_box(d_model)));
        }),
        Contender::new(format!("burn {}, `generate_sinusoids`", version("burn-nn")), move |()| {
            black_box(burn(black_box(rows), black_box(d_model), &burn_device));
        }),
        Contender::new(format!("candle {}, Whisper's `sinusoids`", version("candle-core")), move |()| {
            black_box(candle(black_box(rows), black_box(d_model), &candle_device)).expect("a table that fits");
        }),
    ]);
    work
}

/// Limits candle to one thread. Only an environment variable keeps it from spreading large tensors over its threads.
fn use_one_thread() {
    #[expect(unsafe_code, reason = "`set_var` is unsafe if another thread may read the environment")]
    // SAFETY: the report and the benches are single-threaded programs; candle starts its threads when it is first used.
    unsafe {
        std::env::set_var("CANDLE_NUM_THREADS", "1");
    }
}

fn ndarray(rows: usize, d_model: usize) -> Array2<f32> {
    let positions = Array1::from_iter((0..rows).map(|position| position as f32)).insert_axis(Axis(1));
    let angles = &positions * &Array1::from_vec(plain::frequencies_f32(d_model));
    let mut table = Array2::zeros((rows, d_model));
    table.slice_mut(s![.., ..;2]).assign(&angles.mapv(f32::sin));
    table.slice_mut(s![.., 1..;2]).assign(&angles.mapv(f32::cos));
    table
}

fn burn(rows: usize, d_model: usize, device: &BurnDevice) -> BurnTensor<2> {
    generate_sinusoids(rows, d_model, usize::from(plain::BASE), device)
}

/// A line-by-line copy of candle's private function `sinusoids`.
///
/// It is from version 0.11.1, `candle-transformers/src/models/whisper/model.rs`. Its table is Whisper's, in halves and
/// with exponents `k/(h-1)`; the amount of work is the same.
fn candle(length: usize, channels: usize, device: &CandleDevice) -> CandleResult<CandleTensor> {
    let max_timescale = f32::from(plain::BASE);
    let log_timescale_increment = max_timescale.ln() / (channels / 2 - 1) as f32;
    let inv_timescales: Vec<_> = (0..channels / 2).map(|i| (i as f32 * (-log_timescale_increment)).exp()).collect();
    let inv_timescales = CandleTensor::new(inv_timescales.as_slice(), device)?.unsqueeze(0)?;
    let arange = CandleTensor::arange(0, length as u32, device)?.to_dtype(DType::F32)?.unsqueeze(1)?;
    let sh = (length, channels / 2);
    let scaled_time = (arange.broadcast_as(sh)? * inv_timescales.broadcast_as(sh)?)?;
    CandleTensor::cat(&[scaled_time.sin()?, scaled_time.cos()?], 1)
}

/// Returns the version that cargo has chosen. If there are several, the last is the newest, which is the one used here.
fn version(package: &str) -> &'static str {
    let lock_file = include_str!("../Cargo.lock");
    let name = format!("name = \"{package}\"\nversion = \"");
    lock_file.rsplit_once(&name).and_then(|(_, rest)| rest.split('"').next()).unwrap_or("?")
}

#[cfg(test)]
mod tests {
    use posenc::{Preset, Spec};

    use super::*;

    const ROWS: usize = 128;
    const D_MODEL: usize = 64;

    fn assert_near(spec: Spec, theirs: &[f32]) {
        let ours = spec.table::<f32>(ROWS).unwrap();
        assert_eq!(ours.as_slice().len(), theirs.len());
        // In `f32` an angle below 128 has an error of about 2^-16, from the roundings of the frequency and of the
        // product.
        assert!(ours.as_slice().iter().zip(theirs).all(|(a, b)| (a - b).abs() < 1e-4));
    }

    #[test]
    fn the_peers_make_the_tables_they_are_compared_with() {
        assert_near(Spec::new(D_MODEL), ndarray(ROWS, D_MODEL).as_slice().unwrap());
        let burn = burn(ROWS, D_MODEL, &BurnDevice::flex()).into_data();
        assert_near(Spec::new(D_MODEL), burn.as_slice().unwrap());
        let candle = candle(ROWS, D_MODEL, &CandleDevice::Cpu).and_then(|table| table.flatten_all()?.to_vec1());
        assert_near(Spec::preset(Preset::Whisper, D_MODEL), &candle.unwrap());
    }

    #[test]
    fn versions_are_found() {
        assert!(["ndarray", "burn-nn", "candle-core"].iter().all(|package| version(package).starts_with("0.")));
    }
}
