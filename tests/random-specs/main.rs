//! Compares three tables of random specs: the macro's, the compiler's (for a named size), and the run-time one.

use posenc::Spec;

use testkit::Bits;

fn check<T: Bits, const D: usize, const N: usize>(spec: &Spec, baked: &[[T; D]; N], named: &[[T; D]; N]) {
    let bits = |rows: &[T]| rows.iter().map(|entry| entry.bits()).collect::<Vec<_>>();
    let made = bits(spec.table(N).unwrap().as_slice());
    assert_eq!(bits(baked.as_flattened()), made, "{spec}, baked");
    assert_eq!(bits(named.as_flattened()), made, "{spec}, evaluated by the compiler");
}

/// The tests that build.rs wrote.
#[allow(unused_imports, reason = "the specs use a random subset of these names")]
#[allow(clippy::pedantic, clippy::style, reason = "generated code")]
mod random_specs_agree {
    use posenc::scaling::{Dynamic, Linear, Llama3, LongRope, Ntk, Proportional, Yarn};
    use posenc::{
        Amplitude, Bf16Bits, Columns, F16Bits, FrequencyDtype, Layout, Odd, Order, Pairing, Scaling, sinusoidal_table,
    };

    use super::*;

    include!(concat!(env!("OUT_DIR"), "/random_specs.rs"));
}
