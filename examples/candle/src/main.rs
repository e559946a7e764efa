//! Whisper's encoder in candle, with an exact positional embedding instead of candle's own.
//!
//! ```console
//! $ CANDLE_NUM_THREADS=1 cargo run --release --manifest-path examples/candle/Cargo.toml
//! ```
//!
//! Shows how a baked table and a table computed at run time become tensors, what is copied, how far candle's own
//! embedding is from the exact one, and how much that changes the output of the encoder, here without its blocks. The
//! module `rotary` does the same with the rotary embedding of Llama 3.1, `vision` with a block of Qwen2-VL's vision
//! tower, and `patches` with the patch embedding of a `ViT`.
//!
//! candle-transformers does not let you replace the positional embedding: `AudioEncoder::load` calls its private
//! `sinusoids`, stores the result in a private field, and reads no weight for it. To use the exact embedding, copy
//! `whisper/model.rs` and put this into `load`:
//!
//! ```ignore
//! let positional_embedding = Tensor::from_slice(PE.as_flattened(), (n_ctx, n_state), vb.device())?;
//! ```
//!
//! `FrontEnd` below is such a copy without the blocks. The example asserts that its output, with a copy of candle's
//! `sinusoids`, is bit-identical to the output of the real encoder.

mod fallible;
mod patches;
mod rotary;
mod vision;

use std::hint::black_box;
use std::time::{Duration, Instant};

use candle_core::{DType, Device, Result, Storage, Tensor};
use candle_nn::{Conv1d, Conv1dConfig, Init, LayerNorm, LayerNormConfig, Module, VarBuilder, VarMap, init};
use candle_transformers::models::whisper::{Config, model::Whisper};
use posenc::{Bf16Bits, Preset, Report, Spec, bytemuck, compare, sinusoidal_table};

use fallible::Fallible;

/// The sizes of Whisper tiny.
const N_CTX: usize = 1500;
const N_STATE: usize = 384;
const N_MELS: usize = 80;

static PE: [[f32; N_STATE]; N_CTX] = sinusoidal_table!(1500, 384, preset = whisper);
static SPEC: Spec = Spec::preset(Preset::Whisper, N_STATE);

fn main() -> Fallible<()> {
    let device = Device::Cpu;
    show_tensors(&device)?;
    show_difference(&device)?;
    show_in_encoder(&device)?;
    rotary::show(&device)?;
    vision::show(&device)?;
    patches::show(&device)?;
    println!("\nTime to create a tensor of {N_CTX} x {N_STATE} (medians of {ROUNDS} rounds):\n");
    print_times(&[
        ("candle's `sinusoids`, run when a model is loaded", &|| sinusoids(N_CTX, N_STATE, &device)),
        ("baked, `Tensor::from_slice`", &|| baked(&device)),
        ("at run time, `Spec::table` and `Tensor::from_vec`", &|| made(&device)),
    ])
}

/// The baked table as a tensor, with one copy.
///
/// The copy cannot be avoided. A tensor on the CPU is a `CpuStorage`, each variant of which holds a `Vec`, and a `Vec`
/// owns its memory. `Tensor::from_slice` copies with `to_vec`. `Tensor::from_raw_buffer` and safetensors, including
/// memory-mapped files, also copy into a `Vec`. For another device, `from_slice` sends the static itself, and
/// `Tensor::new(&PE, device)` sends a copy of it.
fn baked(device: &Device) -> Result<Tensor> {
    Tensor::from_slice(PE.as_flattened(), (N_CTX, N_STATE), device)
}

/// The same table, computed at run time. Its `Vec` becomes the tensor's, without a copy.
fn made(device: &Device) -> Result<Tensor> {
    let table = SPEC.table::<f32>(N_CTX).map_err(candle_core::Error::wrap)?;
    Tensor::from_vec(table.into_vec(), (N_CTX, N_STATE), device)
}

/// A table of 16-bit numbers, whose bytes are copied once. The type of the entries need not be one that candle knows.
fn sixteen_bits(device: &Device) -> Result<Tensor> {
    let table = SPEC.table::<Bf16Bits>(N_CTX).map_err(candle_core::Error::wrap)?;
    Tensor::from_raw_buffer(bytemuck::cast_slice(table.as_slice()), DType::BF16, &[N_CTX, N_STATE], device)
}

fn show_tensors(device: &Device) -> Fallible<()> {
    for tensor in [baked(device)?, made(device)?] {
        assert_eq!(tensor.dims(), [N_CTX, N_STATE]);
        assert!(compare(&PE, &tensor.to_vec2()?)?.is_identical());
    }
    assert_ne!(address(&baked(device)?)?, PE.as_flattened().as_ptr());
    println!("a baked table: copied once, because a candle tensor owns its memory");

    let entries = SPEC.table::<f32>(N_CTX)?.into_vec();
    let address_before = entries.as_ptr();
    assert_eq!(address(&Tensor::from_vec(entries, (N_CTX, N_STATE), device)?)?, address_before);
    println!("a table computed at run time: its `Vec` is moved into the tensor, not copied");

    let exact = SPEC.table::<Bf16Bits>(N_CTX)?;
    let exact: Vec<_> = exact.as_slice().iter().map(|entry| entry.to_f32()).collect();
    assert_eq!(sixteen_bits(device)?.to_dtype(DType::F32)?.flatten_all()?.to_vec1::<f32>()?, exact);
    println!("a table of bf16: its bytes are copied once, and each entry has been rounded once");
    Ok(())
}

/// The address of the tensor's entries.
fn address(tensor: &Tensor) -> Result<*const f32> {
    match &*tensor.storage_and_layout().0 {
        Storage::Cpu(storage) => Ok(storage.as_slice()?.as_ptr()),
        _ => candle_core::bail!("the tensor is not on the CPU"),
    }
}

fn show_difference(device: &Device) -> Fallible<()> {
    let theirs = sinusoids(N_CTX, N_STATE, device)?;
    let report = SPEC.compare(&theirs.to_vec2::<f32>()?)?;
    println!("\ncandle's positional embedding, compared with the exact one:\n\n{report}");
    assert!(report.max_abs_error() > 0.0 && report.max_abs_error() < 1e-3);
    Ok(())
}

fn show_in_encoder(device: &Device) -> Fallible<()> {
    let weights = weights(device)?;
    let builder = VarBuilder::from_varmap(&weights, DType::F32, device);
    let mut whisper = Whisper::load(&builder, config())?;
    let front_end = FrontEnd::load(&builder.pp("model.encoder"))?;
    let (theirs, ours) = (sinusoids(N_CTX, N_STATE, device)?, baked(device)?);

    println!(
        "\ncandle's encoder, compared with the same encoder with the exact embedding (random weights, no blocks):\n"
    );
    // The convolutions turn silence into zeros, so the output is the normalized positional embedding.
    let silence = Tensor::zeros((1, N_MELS, 2 * N_CTX), DType::F32, device)?;
    let noise = silence.randn_like(0.0, 1.0)?;
    for (name, mel) in [("silence", silence), ("noise", noise)] {
        let real = whisper.encoder.forward(&mel, true)?;
        let copied = front_end.forward(&mel, &theirs)?;
        assert!(difference(&real, &copied)?.is_identical(), "`FrontEnd` or `sinusoids` does not match candle");

        let report = difference(&front_end.forward(&mel, &ours)?, &real)?;
        let share = 100.0 * report.differing() as f64 / report.entries() as f64;
        println!("  {name}: {share:.0} % of the outputs differ, by up to {:.1e}", report.max_abs_error());
        assert!(report.max_abs_error() > 0.0 && report.max_abs_error() < 1e-3);
    }
    Ok(())
}

/// A line-by-line copy of candle's private function `sinusoids`.
///
/// It is from candle-transformers 0.11.1, `src/models/whisper/model.rs`. `show_in_encoder` asserts that the real
/// encoder adds exactly these numbers.
fn sinusoids(length: usize, channels: usize, device: &Device) -> Result<Tensor> {
    let max_timescale = 10000f32;
    let log_timescale_increment = max_timescale.ln() / (channels / 2 - 1) as f32;
    let inv_timescales: Vec<_> = (0..channels / 2).map(|i| (i as f32 * (-log_timescale_increment)).exp()).collect();
    let inv_timescales = Tensor::new(inv_timescales.as_slice(), device)?.unsqueeze(0)?;
    let arange = Tensor::arange(0, length as u32, device)?.to_dtype(DType::F32)?.unsqueeze(1)?;
    let sh = (length, channels / 2);
    let scaled_time = (arange.broadcast_as(sh)? * inv_timescales.broadcast_as(sh)?)?;
    Tensor::cat(&[scaled_time.sin()?, scaled_time.cos()?], 1)
}

/// candle's `AudioEncoder` without its blocks, and with the positional embedding as an argument.
struct FrontEnd {
    conv1: Conv1d,
    conv2: Conv1d,
    ln_post: LayerNorm,
}

impl FrontEnd {
    fn load(builder: &VarBuilder) -> Result<Self> {
        let conv = |name, in_channels, stride| {
            let config = Conv1dConfig { padding: 1, stride, ..Conv1dConfig::default() };
            candle_nn::conv1d(in_channels, N_STATE, 3, config, builder.pp(name))
        };
        Ok(Self {
            conv1: conv("conv1", N_MELS, 1)?,
            conv2: conv("conv2", N_STATE, 2)?,
            ln_post: candle_nn::layer_norm(N_STATE, LayerNormConfig::default(), builder.pp("layer_norm"))?,
        })
    }

    fn forward(&self, mel: &Tensor, positions: &Tensor) -> Result<Tensor> {
        let x = self.conv1.forward(mel)?.gelu()?;
        let x = self.conv2.forward(&x)?.gelu()?.transpose(1, 2)?;
        let positions = positions.narrow(0, 0, x.dim(1)?)?;
        self.ln_post.forward(&x.broadcast_add(&positions)?)
    }
}

/// An encoder without blocks. The decoder cannot be left out, so it is as small as possible.
fn config() -> Config {
    Config {
        num_mel_bins: N_MELS,
        max_source_positions: N_CTX,
        d_model: N_STATE,
        encoder_attention_heads: 1,
        encoder_layers: 0,
        vocab_size: 1,
        max_target_positions: 1,
        decoder_attention_heads: 1,
        decoder_layers: 0,
        suppress_tokens: Vec::new(),
    }
}

/// Returns random convolutions without bias, and a normalization with default weights. All other weights are zero.
fn weights(device: &Device) -> Result<VarMap> {
    let weights = VarMap::new();
    let add = |name: &str, shape: &[usize], init| {
        weights.get(shape, &format!("model.encoder.{name}"), init, DType::F32, device).map(drop)
    };
    add("conv1.weight", &[N_STATE, N_MELS, 3], init::DEFAULT_KAIMING_NORMAL)?;
    add("conv1.bias", &[N_STATE], init::ZERO)?;
    add("conv2.weight", &[N_STATE, N_STATE, 3], init::DEFAULT_KAIMING_NORMAL)?;
    add("conv2.bias", &[N_STATE], init::ZERO)?;
    add("layer_norm.weight", &[N_STATE], Init::Const(1.0))?;
    add("layer_norm.bias", &[N_STATE], init::ZERO)?;
    Ok(weights)
}

/// Compares `found` with `expected`, both of shape (1, `N_CTX`, `N_STATE`).
fn difference(expected: &Tensor, found: &Tensor) -> Fallible<Report<f32>> {
    Ok(compare(&expected.squeeze(0)?.to_vec2()?, &found.squeeze(0)?.to_vec2()?)?)
}

const ROUNDS: usize = 101;

/// Prints the median time of each contender.
///
/// Each contender runs once per round, and they take turns going first, so that other load on the machine affects all
/// of them. posenc computes on one thread, and so does candle if the variable `CANDLE_NUM_THREADS` is 1.
fn print_times(contenders: &[(&str, &dyn Fn() -> Result<Tensor>)]) -> Fallible<()> {
    let mut times = vec![Vec::new(); contenders.len()];
    for round in 0..ROUNDS {
        for turn in 0..contenders.len() {
            let contender = (round + turn) % contenders.len();
            let begin = Instant::now();
            let tensor = black_box(contenders[contender].1()?);
            times[contender].push(begin.elapsed());
            drop(tensor); // not part of the time
        }
    }
    for ((name, _), own) in contenders.iter().zip(times) {
        println!("  {name:50} {:>10.1?}", median(own));
    }
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
