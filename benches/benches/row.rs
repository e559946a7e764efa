//! One row at a time, at scattered positions.

mod common;

use criterion::{Criterion, criterion_group, criterion_main};

fn row(criterion: &mut Criterion) {
    common::bench(criterion, posenc_benches::row::work());
}

criterion_group!(benches, row);
criterion_main!(benches);
