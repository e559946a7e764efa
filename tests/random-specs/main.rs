//! Random specs: the macro's table, the one that the compiler evaluates for a size with a name, and the one made at run time.

use posenc::{Amplitude, Bf16Bits, Columns, F16Bits, Layout, Odd, Order, Pairing, Spec, sinusoidal_table};

use testkit::Bits;

fn check<T: Bits, const D: usize, const N: usize>(spec: &Spec, baked: &[[T; D]; N], named: &[[T; D]; N]) {
    let bits = |rows: &[T]| rows.iter().map(|entry| entry.bits()).collect::<Vec<_>>();
    let made = bits(spec.table(N).unwrap().as_slice());
    assert_eq!(bits(baked.as_flattened()), made, "{spec}, baked");
    assert_eq!(bits(named.as_flattened()), made, "{spec}, evaluated by the compiler");
}

/// As build.rs wrote them.
#[allow(unused_imports, reason = "which names the specs need is random")]
#[allow(clippy::pedantic, clippy::style, reason = "made by a program")]
mod random_specs_agree {
    use super::*;

    include!(concat!(env!("OUT_DIR"), "/random_specs.rs"));
}
