//! A new table of 128 x 64, compared with a hand-written loop.

mod common;

use criterion::{Criterion, criterion_group, criterion_main};

fn small(criterion: &mut Criterion) {
    common::bench(criterion, posenc_benches::small::work(posenc_benches::small::SMALL));
}

criterion_group!(benches, small);
criterion_main!(benches);
