//! Adds a baked table to embeddings of 16-bit integers, on a processor without a floating-point unit.
//!
//! The exit status is 0 if all sums are right.
#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::array;
use core::hint::black_box;

use posenc::embeddings::add_saturating;
use posenc_example_microcontroller::PE;
use semihosting::process::exit;

const BATCH: usize = 2;
const TOKENS: usize = 8;
const WIDTH: usize = PE[0].len();

type Embeddings = [i16; BATCH * TOKENS * WIDTH];

/// The address at which the processor starts, which the linker script finds by this name.
#[used]
static RESET: fn() -> ! = reset;

fn reset() -> ! {
    // From one limit to the other, so that some sums exceed them.
    let mut before = [0; BATCH * TOKENS * WIDTH];
    for (x, value) in before.iter_mut().zip((i16::MIN..=i16::MAX).step_by(128)) {
        *x = value;
    }
    // Opaque to the compiler, like the output of another layer and the length of a cache.
    let (mut x, past) = black_box((before, 3));
    let added = add_saturating(&mut x, &PE, past..past + TOKENS);
    exit(i32::from(added.is_err() || x != sums(&before, past)))
}

/// Returns the sums that are expected.
fn sums(before: &Embeddings, past: usize) -> Embeddings {
    array::from_fn(|i| before[i].saturating_add(PE[past + i / WIDTH % TOKENS][i % WIDTH].to_bits()))
}
