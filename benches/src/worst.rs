//! The cost of entries with deliberately slow parameters or positions, for BENCHMARKS.md and the limits in posenc's guide.

use std::hint::black_box;

use posenc::{Amplitude, Element, Spec};

use crate::{Contender, Work};

const D_MODEL: usize = 64;

/// Returns rows computed by [`Spec::encode`], the typical one first.
pub fn works() -> (Work<Vec<f32>>, Work<Vec<f64>>) {
    let typical = Spec::new(D_MODEL);
    // A tie between two `f32`; the cosines of tiny angles move the product away from it by a tiny amount.
    let tie = Amplitude::Value(1.0 + 2f64.powi(-24));
    // Half of the smallest `f64`, a tie with 0, times odd numbers; and frequencies that are powers of 1/3.
    let (half, least) = (Amplitude::Value(0.5), 5e-324);
    let powers_of_three = typical.base(3f64.powi(32));
    let single = work(vec![
        ("a typical row", typical, 1000.0),
        ("base 1e-60", typical.base(1e-60), 1000.0),
        ("scale 1e60", typical.scale(1e60), 1000.0),
        ("position 1e300", typical, 1e300),
        ("base 1e-300", typical.base(1e-300), 1000.0),
        ("base 1e-300, scale and position 1e300", typical.base(1e-300).scale(1e300), 1e300),
        ("amplitude at a midpoint, position 5e-324", typical.amplitude(tie), least),
        ("amplitude at a midpoint, position 1e-20", typical.amplitude(tie), 1e-20),
    ]);
    let double = work(vec![
        ("a typical row", typical, 1000.0),
        ("products at midpoints, position 5e-324", typical.amplitude(half).columns(posenc::Columns::Sin), least),
        ("products at midpoints, frequencies 1/3^k", powers_of_three.scale(least).amplitude(half), 3f64.powi(31)),
    ]);
    (single, double)
}

fn work<T: Element>(rows: Vec<(&str, Spec<'static>, f64)>) -> Work<Vec<T>> {
    let contender = |(name, spec, position): (&str, Spec<'static>, f64)| {
        Contender::new(name, move |row: &mut Vec<T>| {
            black_box(spec).encode(position, black_box(row)).expect("valid parameters");
        })
    };
    Work {
        name: format!("{}, one row by `Spec::encode`, d_model {D_MODEL}", T::DTYPE),
        entries: D_MODEL,
        state: vec![T::default(); D_MODEL],
        contenders: rows.into_iter().map(contender).collect(),
    }
}
