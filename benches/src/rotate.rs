//! Queries rotated at ranges and lists of positions.

use std::hint::black_box;

use posenc::{CosSin, MropePositions, Rope, RopePreset, SectionOrder, Table, TokenRows, axis_of_pair, rotate_halves};

use crate::{Contender, Work};

const HEADS: usize = 32;
const TOKENS: usize = 128;
const HEAD_DIM: usize = 128;
const ROWS: usize = 4096;

/// The queries of a sequence and their cache. A rotation keeps the lengths of pairs, so it can be repeated at will.
pub struct Queries {
    entries: Vec<f32>,
    cache: CosSin<Table<f32>>,
}

impl Queries {
    fn rotate(&mut self, rows: impl TokenRows) {
        rotate_halves(black_box(&mut self.entries), HEAD_DIM, &self.cache, rows).expect("rows of the cache");
    }
}

pub fn work() -> Work<Queries> {
    let consecutive: Vec<usize> = (0..TOKENS).collect();
    let scattered: Vec<usize> = (0..TOKENS).map(|token| token * 2_654_435_761 % ROWS).collect();
    let patches: Vec<[usize; 3]> = scattered.iter().map(|row| [row / 256, row / 16 % 16, row % 16]).collect();
    let mrope = |sections: [usize; 3], order| {
        let (positions, axis_of_pair) = (patches.clone(), axis_of_pair::<{ HEAD_DIM / 2 }>(&sections, order));
        move |queries: &mut Queries| {
            queries.rotate(MropePositions { positions: &positions, axis_of_pair: &axis_of_pair });
        }
    };
    Work {
        name: format!("f32, queries rotated, {HEADS} x {TOKENS} x {HEAD_DIM}"),
        entries: HEADS * TOKENS * HEAD_DIM,
        state: Queries {
            entries: vec![0.5; HEADS * TOKENS * HEAD_DIM],
            cache: Rope::preset(RopePreset::Llama2).table(ROWS).expect("a cache that fits"),
        },
        contenders: vec![
            Contender::new("`rotate_halves`, a range", |queries: &mut Queries| queries.rotate(black_box(0)..TOKENS)),
            Contender::new("the same rows as a list", move |queries: &mut Queries| queries.rotate(&consecutive)),
            Contender::new("scattered rows as a list", move |queries: &mut Queries| queries.rotate(&scattered)),
            Contender::new("Qwen2-VL's sections", mrope([16, 24, 24], SectionOrder::Contiguous)),
            Contender::new("Qwen3-VL's sections", mrope([24, 20, 20], SectionOrder::Interleaved)),
        ],
    }
}
