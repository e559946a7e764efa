//! One row at a time, as a decoder needs it, at scattered positions.

use std::hint::black_box;

use posenc::Spec;

use crate::{Contender, Work, plain};

const ROWS: u16 = 4096;
const D_MODEL: usize = 512;

pub struct Row {
    count: u32,
    entries: [f32; D_MODEL],
}

impl Row {
    /// Returns the next position, a multiple of a prime modulo the number of rows.
    ///
    /// Such positions are far from each other, so that no row is computed from its neighbour or found in the nearest
    /// cache. Every position has its turn.
    fn next_position(&mut self) -> u16 {
        self.count = self.count.wrapping_add(1);
        (self.count.wrapping_mul(2_654_435_761) % u32::from(ROWS)) as u16
    }
}

pub fn work() -> Work<Row> {
    let spec = Spec::new(D_MODEL);
    let table = spec.table::<f32>(usize::from(ROWS)).expect("a table that fits");
    let encoder = spec.prepare::<f32>(usize::from(ROWS)).expect("valid parameters");
    let at_positions = spec.prepare::<f32>(0).expect("valid parameters");
    let frequencies = plain::frequencies_f32(D_MODEL);
    let same = frequencies.clone();
    Work {
        name: format!("f32, one row, d_model {D_MODEL}"),
        entries: D_MODEL,
        state: Row { count: 0, entries: [0.0; D_MODEL] },
        contenders: vec![
            Contender::new("a copy from a finished table", move |row: &mut Row| {
                let position = row.next_position();
                black_box(&mut row.entries).copy_from_slice(table.row(usize::from(position)));
            }),
            Contender::new("posenc, `prepare` once, then `encode_row`", move |row: &mut Row| {
                let position = row.next_position();
                encoder.encode_row(usize::from(position), black_box(&mut row.entries)).expect("a row of that width");
            }),
            Contender::new("posenc, `prepare(0)` once, then `encode`", move |row: &mut Row| {
                let position = f32::from(row.next_position()) + 0.5;
                at_positions.encode(position, black_box(&mut row.entries)).expect("a row of that width");
            }),
            Contender::new("posenc, `Spec::encode`", move |row: &mut Row| {
                let position = row.next_position();
                black_box(spec).encode(position, black_box(&mut row.entries)).expect("a row of that width");
            }),
            Contender::new("a loop in `f32`", move |row: &mut Row| {
                let position = row.next_position();
                let frequencies = plain::frequencies_f32(black_box(D_MODEL));
                plain::row_f32(position.into(), &frequencies, black_box(&mut row.entries));
            }),
            Contender::new("a loop in `f32`, frequencies given", move |row: &mut Row| {
                let position = row.next_position();
                plain::row_f32(position.into(), &frequencies, black_box(&mut row.entries));
            }),
            Contender::new("a loop over `wide::f32x8`, frequencies given", move |row: &mut Row| {
                let position = row.next_position();
                plain::row_wide(position.into(), &same, black_box(&mut row.entries));
            }),
        ],
    }
}
