//! A list of fractional positions, such as the timesteps of a diffusion sampler.

use std::hint::black_box;

use posenc::{Element, Spec};

use crate::{Contender, Work, plain};

const POSITIONS: u16 = 1000;
const D_MODEL: usize = 320;

fn positions() -> Vec<f64> {
    (0..POSITIONS).map(|i| f64::from(i) * 0.997 + 0.37).collect()
}

pub fn f32() -> Work<Vec<f32>> {
    let mut work = work("f32");
    let frequencies = plain::frequencies_f32(D_MODEL);
    let positions: Vec<f32> = positions().into_iter().map(|position| position as f32).collect();
    for (name, row) in [
        ("a loop in `f32`, frequencies given", plain::row_f32 as fn(f32, &[f32], &mut [f32])),
        ("a loop over `wide::f32x8`, frequencies given", plain::row_wide),
    ] {
        let (positions, frequencies) = (positions.clone(), frequencies.clone());
        work.contenders.push(Contender::new(name, move |buffer: &mut Vec<f32>| {
            for (position, entries) in positions.iter().zip(black_box(buffer).chunks_exact_mut(D_MODEL)) {
                row(*position, &frequencies, entries);
            }
        }));
    }
    work
}

pub fn f64() -> Work<Vec<f64>> {
    work("f64")
}

fn work<T: Element>(dtype: &str) -> Work<Vec<T>> {
    let (spec, positions) = (Spec::new(D_MODEL), positions());
    Work {
        name: format!("{dtype}, {POSITIONS} fractional positions x {D_MODEL}"),
        entries: positions.len() * D_MODEL,
        state: vec![T::default(); positions.len() * D_MODEL],
        contenders: vec![Contender::new("posenc, `Spec::fill_positions`", move |buffer: &mut Vec<T>| {
            black_box(spec).fill_positions(&positions, black_box(buffer)).expect("a buffer of that length");
        })],
    }
}
