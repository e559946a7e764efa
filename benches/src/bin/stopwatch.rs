//! Times posenc and loops on request, for `scripts/peers.py`, which times Python libraries in the same rounds.
//!
//! A line of input gives the number of calls and what to call, such as `8 table 4096 1024`. The line of output is the
//! nanoseconds that the calls took.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use posenc::{Preset, Spec};
use posenc_benches::plain;

type Call = Box<dyn FnMut()>;

const POSITION: f64 = 998.39;

fn main() -> io::Result<()> {
    // Calls are kept, so that buffers and encoders are ready from the second request on.
    let mut calls: HashMap<String, Call> = HashMap::new();
    for line in io::stdin().lines() {
        let line = line?;
        let (number, name) = line.split_once(' ').expect("a number and a name");
        let number: u32 = number.parse().expect("a number of calls");
        let call = calls.entry(name.to_owned()).or_insert_with(|| call(name));
        let begin = Instant::now();
        for _ in 0..number {
            call();
        }
        println!("{}", begin.elapsed().as_nanos());
        io::stdout().flush()?;
    }
    Ok(())
}

fn call(name: &str) -> Call {
    let mut words = name.split(' ');
    let kind = words.next();
    let sizes: Vec<usize> = words.map(|word| word.parse().expect("a size")).collect();
    match (kind, &sizes[..]) {
        (Some("table"), &[rows, d_model]) => Box::new(move || {
            black_box(Spec::new(black_box(d_model)).table::<f32>(black_box(rows)).expect("a table that fits"));
        }),
        (Some("fill"), &[rows, d_model]) => filling(rows, d_model, |d_model, table| {
            Spec::new(d_model).fill(0.., table).expect("rows of that width");
        }),
        (Some("loop"), &[rows, d_model]) => filling(rows, d_model, |d_model, table| {
            plain::fill(plain::row_f32, d_model, table);
        }),
        (Some("loop_over_wide"), &[rows, d_model]) => filling(rows, d_model, |d_model, table| {
            plain::fill(plain::row_wide, d_model, table);
        }),
        (Some("timesteps"), &[rows, d_model]) => {
            let positions: Vec<f64> = (0..rows).map(|row| row as f64 * 0.997 + 0.37).collect();
            Box::new(move || {
                let mut table = vec![0f32; positions.len() * d_model];
                timesteps(d_model).fill_positions(&positions, &mut table).expect("rows of that width");
                black_box(table);
            })
        }
        (Some("timestep"), &[d_model]) => Box::new(move || {
            let mut row = vec![0f32; d_model];
            timesteps(d_model).encode(black_box(POSITION), &mut row).expect("a row of that width");
            black_box(row);
        }),
        (Some("prepared_timestep"), &[d_model]) => {
            let encoder = timesteps(d_model).prepare::<f32>(0).expect("valid parameters");
            Box::new(move || {
                let mut row = vec![0f32; d_model];
                encoder.encode(black_box(POSITION), &mut row).expect("a row of that width");
                black_box(row);
            })
        }
        (Some("prepared_row"), &[max_len, d_model]) => {
            let encoder = Spec::new(d_model).prepare::<f32>(max_len).expect("valid parameters");
            Box::new(move || {
                let mut row = vec![0f32; d_model];
                encoder.encode_row(black_box(max_len - 1), &mut row).expect("a row of that width");
                black_box(row);
            })
        }
        _ => panic!("`{name}` cannot be timed"),
    }
}

/// Returns a call that fills the same memory each time.
fn filling(rows: usize, d_model: usize, fill: fn(usize, &mut [f32])) -> Call {
    let mut table = vec![0.5; rows * d_model];
    Box::new(move || fill(black_box(d_model), black_box(&mut table)))
}

/// Returns the parameters of diffusers' `get_timestep_embedding`.
fn timesteps(d_model: usize) -> Spec<'static> {
    Spec::preset(Preset::Ddpm, black_box(d_model))
}
