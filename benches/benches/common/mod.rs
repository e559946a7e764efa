//! Runs a unit of work as a criterion group.

use criterion::{Criterion, Throughput};
use posenc_benches::Work;

pub fn bench<S>(criterion: &mut Criterion, mut work: Work<S>) {
    let mut group = criterion.benchmark_group(&work.name);
    group.throughput(Throughput::Elements(work.entries as u64));
    for contender in &mut work.contenders {
        group.bench_function(&contender.name, |bencher| bencher.iter(|| (contender.run)(&mut work.state)));
    }
    group.finish();
}
