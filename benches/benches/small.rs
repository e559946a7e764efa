//! A table of 128 x 64 from nothing, beside the loop one would write.

mod common;

use criterion::{Criterion, criterion_group, criterion_main};

fn small(criterion: &mut Criterion) {
    common::bench(criterion, posenc_benches::small::work());
}

criterion_group!(benches, small);
criterion_main!(benches);
