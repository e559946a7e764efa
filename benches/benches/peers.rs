//! The table of 4096 x 1024 on one thread, compared with other libraries.

mod common;

use criterion::{Criterion, criterion_group, criterion_main};

fn peers(criterion: &mut Criterion) {
    common::bench(criterion, posenc_benches::peers::work());
}

criterion_group!(benches, peers);
criterion_main!(benches);
