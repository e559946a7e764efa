//! burn's `PositionalEncoding` with exact sinusoids, and with more rows than burn's own function allows.
//!
//! ```console
//! $ cargo run --release --manifest-path examples/burn/Cargo.toml
//! ```
//!
//! The fields of burn-nn's `PositionalEncoding` are public, so a table from posenc can replace burn's. The rest of the
//! module, including `forward`, is burn's.
//!
//! A baked table is used in place, in the read-only data of the program, without a copy. burn's own function requires
//! `max_timescale`, the base, to be at least the length. A table from posenc does not need that function, so the limit
//! does not apply.
//!
//! The module `rotary` does the same with burn's `RotaryEncoding` and the rotary cache of Llama 3.1.

mod in_place;
mod rotary;

use std::error::Error;
use std::hint::black_box;
use std::panic;
use std::time::{Duration, Instant};

use burn_core::tensor::{Device, Tensor, TensorData};
use burn_nn::{PositionalEncoding, PositionalEncodingConfig, generate_sinusoids};
use posenc::{Flat, Report, Spec, SpecError, compare, sinusoidal_table};

use in_place::in_place;

/// burn's defaults.
const LENGTH: usize = 5000;
const MAX_TIMESCALE: usize = 10_000;

const D_MODEL: usize = 512;

/// More rows than `MAX_TIMESCALE`.
const LONG: usize = 20_000;

static PE: [[f32; D_MODEL]; LENGTH] = sinusoidal_table!(5000, 512);

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::flex();
    show_exact(&device)?;
    show_long(&device)?;
    show_no_copy(&device)?;
    rotary::show(&device)?;
    println!("\nTime to create a tensor of {LENGTH} x {D_MODEL} (medians of {ROUNDS} rounds):\n");
    print_times(&[
        ("burn's `generate_sinusoids`, called by `init`", &|| {
            generate_sinusoids(LENGTH, D_MODEL, MAX_TIMESCALE, &device).unsqueeze()
        }),
        ("baked, `Bytes::from_shared`", &|| baked(&device)),
        ("at run time, `Spec::table` and `TensorData::new`", &|| made(LENGTH, &device).expect("a table that fits")),
    ]);
    Ok(())
}

/// The baked table as a tensor.
fn baked(device: &Device) -> Tensor<3> {
    in_place(PE.as_flattened(), [1, LENGTH, D_MODEL], device)
}

/// A table computed at run time. Its `Vec` becomes the tensor's, without a copy.
fn made(length: usize, device: &Device) -> Result<Tensor<3>, SpecError> {
    let table = Spec::new(D_MODEL).table::<f32>(length)?;
    Ok(Tensor::from_data(TensorData::new(table.into_vec(), [1, length, D_MODEL]), device))
}

/// burn's module, with posenc's sinusoids.
fn encoding(sinusoids: Tensor<3>) -> PositionalEncoding {
    let [_, max_sequence_size, _] = sinusoids.dims();
    // `forward` uses only the sinusoids; the module displays the other fields.
    PositionalEncoding { sinusoids, max_sequence_size, max_timescale: MAX_TIMESCALE }
}

fn show_exact(device: &Device) -> Result<(), Box<dyn Error>> {
    let theirs = PositionalEncodingConfig::new(D_MODEL).init(device);
    let ours = encoding(baked(device));

    // For an input of zeros, the output is the sinusoids.
    let zeros = || Tensor::zeros([1, LENGTH, D_MODEL], device);
    let report = against_exact(theirs.forward(zeros()))?;
    println!("burn's sinusoids, compared with the exact ones:\n\n{report}");
    assert!(report.max_abs_error() > 0.0 && report.max_abs_error() < 1e-3);
    let report = against_exact(ours.forward(zeros()))?;
    println!("\nburn's module with the baked table, compared with the exact sinusoids:\n\n{report}");
    assert!(report.is_identical());

    // A batch of shorter sequences. Each sequence gets the first rows.
    let batch = ours.forward(Tensor::zeros([2, 77, D_MODEL], device)).into_data();
    for sequence in batch.as_slice::<f32>()?.chunks_exact(77 * D_MODEL) {
        assert!(compare(&PE[..77], &Flat::new(sequence, D_MODEL)?)?.is_identical());
    }
    Ok(())
}

fn show_long(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("\n{LONG} rows:\n");
    let refusal =
        refusal(|| generate_sinusoids(LONG, D_MODEL, MAX_TIMESCALE, device)).ok_or("burn allows so many rows now")?;
    println!("burn refuses: {refusal}");
    let raised = against_exact(generate_sinusoids(LONG, D_MODEL, LONG, device).unsqueeze())?;
    println!(
        "burn with `max_timescale` raised to {LONG} computes another encoding, which differs by up to {:.1}",
        raised.max_abs_error()
    );
    assert!(raised.max_abs_error() > 1.0);

    let long = encoding(made(LONG, device)?);
    let report = against_exact(long.forward(Tensor::zeros([1, LONG, D_MODEL], device)))?;
    println!("burn's module with posenc's table: {} of {} entries differ", report.differing(), report.entries());
    assert!(report.is_identical());
    Ok(())
}

fn show_no_copy(device: &Device) -> Result<(), Box<dyn Error>> {
    println!("\nWhich entries are copied:\n");
    let encoding = encoding(baked(device));
    drop(encoding.forward(Tensor::zeros([2, LENGTH, D_MODEL], device)));
    // A tensor that is the only owner of its bytes returns them without a copy; a clone would copy them first.
    let data = encoding.sinusoids.into_data();
    assert_eq!(data.as_slice::<f32>()?.as_ptr(), PE.as_flattened().as_ptr());
    println!("a baked table, after a forward pass: used in place, not copied");

    let written = baked(device).add_scalar(1.0);
    assert_ne!(written.into_data().as_slice::<f32>()?.as_ptr(), PE.as_flattened().as_ptr());
    assert!(against_exact(baked(device))?.is_identical());
    println!("the sum of a baked table and a number: a new tensor; the table is unchanged");

    let entries = Spec::new(D_MODEL).table::<f32>(LENGTH)?.into_vec();
    let address = entries.as_ptr();
    let moved = Tensor::<3>::from_data(TensorData::new(entries, [1, LENGTH, D_MODEL]), device);
    assert_eq!(moved.into_data().as_slice::<f32>()?.as_ptr(), address);
    println!("a table computed at run time: its `Vec` is moved into the tensor, not copied");
    Ok(())
}

/// Compares sinusoids of shape (1, length, `D_MODEL`) with the exact ones.
fn against_exact(sinusoids: Tensor<3>) -> Result<Report<f32>, Box<dyn Error>> {
    let data = sinusoids.into_data();
    Ok(Spec::new(D_MODEL).compare(&Flat::new(data.as_slice()?, D_MODEL)?)?)
}

/// Returns the panic message, or `None` if there was no panic.
fn refusal(make: impl Fn() -> Tensor<2>) -> Option<String> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {})); // the default hook would print the message
    let result = panic::catch_unwind(panic::AssertUnwindSafe(make));
    panic::set_hook(hook);
    result.err()?.downcast_ref::<&str>().map(ToString::to_string)
}

const ROUNDS: usize = 31;

/// Prints the median time of each contender.
///
/// Each contender runs once per round, and they take turns going first, so that other load on the machine affects all
/// of them. All of them compute on one thread.
fn print_times(contenders: &[(&str, &dyn Fn() -> Tensor<3>)]) {
    let mut times = vec![Vec::new(); contenders.len()];
    for round in 0..ROUNDS {
        for turn in 0..contenders.len() {
            let contender = (round + turn) % contenders.len();
            let begin = Instant::now();
            let tensor = black_box(contenders[contender].1());
            times[contender].push(begin.elapsed());
            drop(tensor); // not part of the time
        }
    }
    for ((name, _), own) in contenders.iter().zip(times) {
        println!("  {name:50} {:>10.1?}", median(own));
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
