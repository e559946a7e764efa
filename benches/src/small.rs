//! A new table as a small model makes it at startup, including the allocation of the `Table`.

use std::hint::black_box;

use posenc::Spec;

use crate::{Contender, Work, plain};

const ROWS: usize = 128;
const D_MODEL: usize = 64;

pub fn work() -> Work<()> {
    Work {
        name: format!("f32, {ROWS} x {D_MODEL}, from nothing"),
        entries: ROWS * D_MODEL,
        state: (),
        contenders: vec![
            Contender::new("posenc, `Spec::table`", |()| {
                black_box(Spec::new(black_box(D_MODEL)).table::<f32>(black_box(ROWS)).expect("a table that fits"));
            }),
            Contender::new("a loop in `f32`", |()| {
                black_box(plain::in_f32(black_box(ROWS), black_box(D_MODEL)));
            }),
        ],
    }
}
