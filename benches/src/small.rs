//! New tables, as models compute them at startup, including the allocation of the `Table`.

use std::hint::black_box;

use posenc::Spec;

use crate::{Contender, Work, plain};

/// The rows and columns of the tables.
pub const SMALL: (usize, usize) = (128, 64);
pub const MIDDLE: (usize, usize) = (512, 512);

pub fn work((rows, d_model): (usize, usize)) -> Work<()> {
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
            Contender::new("a loop in `f32`", move |()| {
                black_box(plain::in_f32(black_box(rows), black_box(d_model)));
            }),
            Contender::new("a loop over `wide::f32x8`, approximate", move |()| {
                black_box(plain::in_wide(black_box(rows), black_box(d_model)));
            }),
        ],
    }
}
