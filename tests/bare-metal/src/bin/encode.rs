//! One row, by `Spec::encode`.
#![no_std]
#![no_main]

use core::hint::black_box;

use posenc::Spec;

const D_MODEL: usize = 16;

#[used]
static RESET: fn() -> ! = reset;

fn reset() -> ! {
    // Opaque to the compiler, like a spec that comes with a model.
    let spec = black_box(Spec::new(D_MODEL));
    let mut row = [0.0_f32; D_MODEL];
    black_box(spec.encode(black_box(1_i64), &mut row).is_ok());
    black_box(&row);
    bare_metal::stay()
}
