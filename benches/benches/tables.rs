//! Tables of 128 x 64 and 512 x 512 into existing memory, compared with hand-written loops.

mod common;

use criterion::{Criterion, criterion_group, criterion_main};
use posenc_benches::tables::{MIDDLE, SMALL, existing_memory};

fn tables(criterion: &mut Criterion) {
    common::bench(criterion, existing_memory(SMALL));
    common::bench(criterion, existing_memory(MIDDLE));
}

criterion_group!(benches, tables);
criterion_main!(benches);
