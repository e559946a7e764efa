//! The cost by the number of entries, from a few to millions, so that the set-up can be seen.

use std::hint::black_box;

use posenc::Spec;

use crate::{Contender, Work, plain};

/// The widths of the tables. A smaller table is one narrower row.
pub const WIDTHS: [usize; 2] = [64, 1024];

/// The numbers of entries, as exponents of 2.
const EXPONENTS: std::ops::RangeInclusive<u32> = 4..=24;

pub struct Buffers {
    source: Vec<f32>,
    target: Vec<f32>,
}

/// Returns the work of all sizes, with tables at most `width` columns wide, in existing memory.
pub fn works(width: usize) -> impl Iterator<Item = Work<Buffers>> {
    EXPONENTS.map(move |exponent| work(1 << exponent, width.min(1 << exponent)))
}

fn work(entries: usize, d_model: usize) -> Work<Buffers> {
    let spec = Spec::new(d_model);
    let loop_by = |name, row| {
        Contender::new(name, move |buffers: &mut Buffers| {
            plain::fill(row, black_box(d_model), black_box(&mut buffers.target));
        })
    };
    Work {
        name: format!("f32, {} x {d_model}", entries / d_model),
        entries,
        state: Buffers { source: vec![0.5; entries], target: vec![0.5; entries] },
        contenders: vec![
            Contender::new("posenc, Spec::fill", move |buffers: &mut Buffers| {
                black_box(spec).fill(0.., black_box(&mut buffers.target)).expect("rows of that width");
            }),
            loop_by("a loop in f32", plain::row_f32 as fn(f32, &[f32], &mut [f32])),
            loop_by("a loop over wide::f32x8, approximate", plain::row_wide),
            Contender::new("copy_from_slice", |buffers: &mut Buffers| {
                black_box(&mut buffers.target[..]).copy_from_slice(black_box(&buffers.source));
            }),
        ],
    }
}
