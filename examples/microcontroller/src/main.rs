//! Reads a baked table on a processor without a floating-point unit.
#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::hint::black_box;

use posenc_example_microcontroller::PE;
use semihosting::process::exit;

/// The address at which the processor starts, which the linker script finds by this name.
#[used]
static RESET: fn() -> ! = reset;

fn reset() -> ! {
    // The first row has sines of 0 and cosines of 1.
    let is_right = |pair: &[posenc::F16Bits]| [pair[0].to_bits(), pair[1].to_bits()] == [0, 0x3c00];
    exit(i32::from(!black_box(&PE)[0].chunks_exact(2).all(is_right)))
}
