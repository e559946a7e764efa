//! One row at a time, as a decoder needs it, at scattered positions.

use std::hint::black_box;

use posenc::{Columns, Rope, Scaling, Spec, scaling::Yarn};

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

/// The columns of a row of cosines in a rotary cache.
const PAIRS: usize = 64;

/// Rows of rotary caches, whose scaling rules are evaluated for each row.
pub fn scaled() -> Work<[f32; PAIRS]> {
    let plain = Rope::new(2 * PAIRS).base(1e6);
    let yarn = Yarn::new(4.0, 32_768);
    let rules = [
        ("none", Scaling::None),
        ("`llama3(8, 8192)`", Scaling::llama3(8.0, 8192)),
        ("`yarn(4, 32768)`", Scaling::Yarn(yarn)),
        ("`yarn(4, 32768, truncate = false)`", Scaling::Yarn(Yarn { truncate: false, ..yarn })),
        ("`longrope`", Scaling::longrope(&[1.5; PAIRS], 4.0, 32_768)),
    ];
    let contender = |(name, rule): (&str, Scaling<'static>)| {
        let spec = plain.scaling(rule).spec(Columns::Cos).expect("a valid cache");
        Contender::new(format!("`Spec::encode`, scaling {name}"), move |row: &mut [f32; PAIRS]| {
            black_box(spec).encode(4321, black_box(row)).expect("a row of that width");
        })
    };
    Work {
        name: format!("f32, one row of cosines of a rotary cache, head_dim {}", 2 * PAIRS),
        entries: PAIRS,
        state: [0.0; PAIRS],
        contenders: rules.map(contender).into(),
    }
}
