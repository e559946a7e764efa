//! Several rows, by `Spec::fill`.
#![no_std]
#![no_main]

use core::hint::black_box;

use posenc::Spec;

const ROWS: usize = 8;
const D_MODEL: usize = 16;

#[used]
static RESET: fn() -> ! = reset;

fn reset() -> ! {
    // Opaque to the compiler, like a spec that comes with a model.
    let spec = black_box(Spec::new(D_MODEL));
    let mut rows = [0.0_f32; ROWS * D_MODEL];
    black_box(spec.fill(black_box(0).., &mut rows).is_ok());
    black_box(&rows);
    bare_metal::stay()
}
