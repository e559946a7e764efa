//! Whole tables by posenc and by loops: into existing memory, and as new tables.

use std::hint::black_box;

use posenc::Spec;

use crate::fill::Buffers;
use crate::{Contender, Work, plain};

/// The rows and columns of the tables.
pub const SMALL: (usize, usize) = (128, 64);
pub const MIDDLE: (usize, usize) = (512, 512);
pub const TYPICAL: (usize, usize) = (4096, 1024);

/// All contenders write into the same memory, which has been written before.
pub fn existing_memory((rows, d_model): (usize, usize)) -> Work<Buffers<f32>> {
    let source = Spec::new(d_model).table(rows).expect("a table that fits").into_vec();
    Work {
        name: format!("f32, {rows} x {d_model}, existing memory"),
        entries: source.len(),
        state: Buffers::of(source),
        contenders: vec![
            Contender::new("posenc, `Spec::fill`", move |buffers: &mut Buffers<f32>| {
                Spec::new(black_box(d_model)).fill(0.., black_box(&mut buffers.target)).expect("rows of that width");
            }),
            Contender::new("a copy of a finished table", |buffers: &mut Buffers<f32>| buffers.copy()),
            Contender::new("a loop over `wide::f32x8`, approximate", move |buffers: &mut Buffers<f32>| {
                plain::fill(plain::row_wide, black_box(d_model), black_box(&mut buffers.target));
            }),
            Contender::new("a loop in `f32`", move |buffers: &mut Buffers<f32>| {
                plain::fill(plain::row_f32, black_box(d_model), black_box(&mut buffers.target));
            }),
            Contender::new("a loop in `f64`, narrowed", move |buffers: &mut Buffers<f32>| {
                plain::fill_by_f64(black_box(d_model), black_box(&mut buffers.target));
            }),
        ],
    }
}

/// Every contender allocates the table that it makes, and frees it.
///
/// The allocator keeps up to 32 MiB at hand. It asks the system for more, whose pages the system has to map and clear.
pub fn new_memory((rows, d_model): (usize, usize)) -> Work<()> {
    let finished = Spec::new(d_model).table::<f32>(rows).expect("a table that fits");
    Work {
        name: format!("f32, {rows} x {d_model}, a new table"),
        entries: rows * d_model,
        state: (),
        contenders: vec![
            Contender::new("posenc, `Spec::table`", move |()| {
                black_box(Spec::new(black_box(d_model)).table::<f32>(black_box(rows)).expect("a table that fits"));
            }),
            Contender::new("a copy of a finished table", move |()| {
                black_box(black_box(&finished).clone());
            }),
            Contender::new("the memory alone, one entry per page written", move |()| {
                black_box(touched(black_box(rows * d_model)));
            }),
            Contender::new("a loop in `f32`", move |()| {
                let mut table = vec![0.0; black_box(rows * d_model)];
                plain::fill(plain::row_f32, black_box(d_model), &mut table);
                black_box(table);
            }),
        ],
    }
}

/// Returns new memory whose pages the system has mapped.
fn touched(entries: usize) -> Vec<f32> {
    const PAGE: usize = 4096 / size_of::<f32>();
    let mut memory = vec![0.0; entries];
    for entry in memory.iter_mut().step_by(PAGE) {
        *black_box(entry) = 1.0;
    }
    memory
}
