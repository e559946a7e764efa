//! Arbitrary parameters and sizes, at every entry point.
//!
//! Each returns a value or an error. Entry points must agree with each other, and must leave the buffer unchanged on
//! error.
#![no_main]

mod drawn;
mod entry;
mod entry_points;
mod questions;

use libfuzzer_sys::fuzz_target;
use posenc::half::{bf16, f16};
use posenc::{Bf16Bits, F16Bits};
use testkit::{Lcg, bits_of};

use crate::drawn::Drawn;
use crate::entry::Entry;

fuzz_target!(|bytes: &[u8]| {
    let random = &mut Lcg::of_bytes(bytes);
    let drawn = Drawn::new(random);
    drawn::check_display(&drawn.spec());
    match random.below(10) {
        0 => drop(entry_points::check::<f32>(&drawn, random)),
        1 => drop(entry_points::check::<f64>(&drawn, random)),
        2 => check_twins::<f16, F16Bits>(&drawn, random),
        3 => check_twins::<bf16, Bf16Bits>(&drawn, random),
        4 => questions::check::<f32>(&drawn, random),
        5 => questions::check::<f64>(&drawn, random),
        6 => questions::check::<f16>(&drawn, random),
        7 => questions::check::<bf16>(&drawn, random),
        8 => questions::check_wavelengths(&drawn),
        _ => questions::check_dot_product(&drawn, random),
    }
});

/// Checks that two types of the same format have the same bits.
fn check_twins<A: Entry, B: Entry>(drawn: &Drawn, random: &mut Lcg) {
    let rows = entry_points::check::<A>(drawn, random);
    let mut twins = vec![B::POISON; rows.len()];
    if !rows.is_empty() {
        drawn.spec().fill(0.., &mut twins).expect("the other type has been filled");
    }
    assert_eq!(bits_of(&rows), bits_of(&twins), "{}", drawn.spec());
    entry_points::check::<B>(drawn, random);
}
