//! `Spec::fill` into a warm buffer, for every element type, compared with copying and writing as many bytes.

mod common;

use common::bench;
use criterion::{Criterion, criterion_group, criterion_main};
use posenc_benches::fill::{LARGE, bf16, f16, f32, f64};
use posenc_benches::grid;
use posenc_benches::tables::TYPICAL;

fn fill(criterion: &mut Criterion) {
    bench(criterion, f32(TYPICAL));
    bench(criterion, f32(LARGE));
    bench(criterion, f64(TYPICAL));
    bench(criterion, f16(TYPICAL));
    bench(criterion, bf16(TYPICAL));
    bench(criterion, grid::image());
    bench(criterion, grid::frequencies());
    bench(criterion, grid::video());
    bench(criterion, grid::rotary_video());
}

criterion_group!(benches, fill);
criterion_main!(benches);
