//! Arbitrary parameters and sizes, at every entry point.
//!
//! Each returns a value or an error. Entry points must agree with each other, and must leave the buffer unchanged on
//! error.
#![no_main]

mod drawn;
mod entry;
mod entry_points;
mod questions;

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use posenc::half::{bf16, f16};
use posenc::{Bf16Bits, F16Bits};

use crate::drawn::Drawn;
use crate::entry::Entry;

fuzz_target!(|bytes: &[u8]| {
    // Bytes past the end are zeros, so there is no error.
    let _ = answers(&mut Unstructured::new(bytes));
});

fn answers(u: &mut Unstructured) -> arbitrary::Result<()> {
    let drawn: Drawn = u.arbitrary()?;
    drawn::check_display(&drawn.spec());
    match u.int_in_range(0..=9)? {
        0 => entry_points::check::<f32>(&drawn, u).map(drop),
        1 => entry_points::check::<f64>(&drawn, u).map(drop),
        2 => check_twins::<f16, F16Bits>(&drawn, u),
        3 => check_twins::<bf16, Bf16Bits>(&drawn, u),
        4 => questions::check::<f32>(&drawn, u),
        5 => questions::check::<f64>(&drawn, u),
        6 => questions::check::<f16>(&drawn, u),
        7 => questions::check::<bf16>(&drawn, u),
        8 => {
            questions::check_wavelengths(&drawn);
            Ok(())
        }
        _ => questions::check_dot_product(&drawn, u),
    }
}

/// Two types of the same format must have the same bits.
fn check_twins<A: Entry, B: Entry>(drawn: &Drawn, u: &mut Unstructured) -> arbitrary::Result<()> {
    let rows = entry_points::check::<A>(drawn, u)?;
    let mut twins = vec![B::POISON; rows.len()];
    if !rows.is_empty() {
        drawn.spec().fill(0.., &mut twins).expect("the other type has been filled");
    }
    assert!(rows.iter().map(|entry| entry.bits()).eq(twins.iter().map(|entry| entry.bits())), "{}", drawn.spec());
    entry_points::check::<B>(drawn, u).map(drop)
}
