//! `Spec::fill` into a warm buffer, compared with only writing the same number of bytes.

use std::hint::black_box;

use posenc::{Bf16Bits, CosSin, Element, F16Bits, Q7, Q15, Q31, Quantiser, Rope, RopePreset, Spec, Table};

use crate::{Contender, Work};

/// 128 MiB of `f32`, larger than the caches of any processor.
pub const LARGE: (usize, usize) = (32_768, 1024);

pub struct Buffers<T> {
    pub(crate) source: Vec<T>,
    pub(crate) target: Vec<T>,
}

impl<T: Element> Buffers<T> {
    pub(crate) fn of(source: Vec<T>) -> Self {
        Self { target: source.clone(), source }
    }

    pub(crate) fn copy(&mut self) {
        black_box(&mut self.target[..]).copy_from_slice(black_box(&self.source));
    }
}

pub fn f32(shape: (usize, usize)) -> Work<Buffers<f32>> {
    work("f32", shape)
}

pub fn f64(shape: (usize, usize)) -> Work<Buffers<f64>> {
    work("f64", shape)
}

pub fn f16(shape: (usize, usize)) -> Work<Buffers<F16Bits>> {
    work("f16", shape)
}

pub fn bf16(shape: (usize, usize)) -> Work<Buffers<Bf16Bits>> {
    work("bf16", shape)
}

fn work<T: Element>(dtype: &str, (rows, d_model): (usize, usize)) -> Work<Buffers<T>> {
    let spec = Spec::new(d_model);
    let source = spec.table(rows).expect("a table that fits").into_vec();
    Work {
        name: format!("{dtype}, {rows} x {d_model}"),
        entries: source.len(),
        state: Buffers::of(source),
        contenders: vec![
            Contender::new("`copy_from_slice`", |buffers: &mut Buffers<T>| buffers.copy()),
            // The cosine of 0 is 1, which is not a single repeated byte, so `fill` cannot become a `memset`.
            Contender::new("`slice::fill`", |buffers: &mut Buffers<T>| {
                black_box(&mut buffers.target[..]).fill(black_box(buffers.source[1]));
            }),
            Contender::new("`Spec::fill`", move |buffers: &mut Buffers<T>| {
                black_box(spec).fill(0.., black_box(&mut buffers.target)).expect("rows of that width");
            }),
        ],
    }
}

/// A table of `f32` and tables of integers.
pub struct Integers {
    f32: Vec<f32>,
    q7: Vec<Q7>,
    q15: Vec<Q15>,
    q31: Vec<Q31>,
    i8: Vec<i8>,
    i16: Vec<i16>,
}

/// Tables of integers, compared with one of `f32`.
pub fn integers((rows, d_model): (usize, usize)) -> Work<Integers> {
    fn fill<T: Element>(spec: Spec, target: &mut [T]) {
        black_box(spec).fill(0.., black_box(target)).expect("rows of that width");
    }
    fn written<T: Element>(entries: usize) -> Vec<T> {
        vec![T::default(); entries]
    }
    let (spec, entries) = (Spec::new(d_model), rows * d_model);
    let (to_i8, to_i16) = (spec.quantiser(Quantiser::quotient(1, 127)), spec.quantiser(Quantiser::quotient(1, 32_767)));
    Work {
        name: format!("integers, {rows} x {d_model}"),
        entries,
        state: Integers {
            f32: written(entries),
            q7: written(entries),
            q15: written(entries),
            q31: written(entries),
            i8: written(entries),
            i16: written(entries),
        },
        contenders: vec![
            Contender::new("`Spec::fill`, `f32`", move |tables: &mut Integers| fill(spec, &mut tables.f32)),
            Contender::new("`Q7`", move |tables: &mut Integers| fill(spec, &mut tables.q7)),
            Contender::new("`Q15`", move |tables: &mut Integers| fill(spec, &mut tables.q15)),
            Contender::new("`Q31`", move |tables: &mut Integers| fill(spec, &mut tables.q31)),
            Contender::new("`i8`, scale 1/127", move |tables: &mut Integers| fill(to_i8, &mut tables.i8)),
            Contender::new("`i16`, scale 1/32767", move |tables: &mut Integers| fill(to_i16, &mut tables.i16)),
        ],
    }
}

/// The two tables of a rotary cache: 131,072 positions and 64 pairs, with the rule of Llama 3.1.
pub fn rotary() -> Work<CosSin<Buffers<f32>>> {
    let rope = Rope::preset(RopePreset::Llama3_1);
    let rows = RopePreset::Llama3_1.max_position_embeddings();
    let CosSin { cos, sin } = rope.table(rows).expect("tables that fit");
    let buffers = |table: Table<f32>| Buffers::of(table.into_vec());
    let state = CosSin { cos: buffers(cos), sin: buffers(sin) };
    Work {
        name: format!("f32, rotary cache, 2 x {rows} x {}", rope.pairs()),
        entries: 2 * state.cos.source.len(),
        state,
        contenders: vec![
            Contender::new("`copy_from_slice`", |CosSin { cos, sin }: &mut CosSin<Buffers<f32>>| {
                cos.copy();
                sin.copy();
            }),
            Contender::new("`Rope::fill`", move |CosSin { cos, sin }: &mut CosSin<Buffers<f32>>| {
                black_box(rope).fill(0.., black_box(&mut cos.target), &mut sin.target).expect("rows of that width");
            }),
        ],
    }
}

/// Measured alone, because rayon's threads keep looking for work for a while after they finish, and would slow other
/// contenders down.
#[cfg(feature = "rayon")]
pub fn on_all_threads((rows, d_model): (usize, usize)) -> Work<Vec<f32>> {
    let spec = Spec::new(d_model);
    Work {
        name: format!("f32, {rows} x {d_model}, all threads"),
        entries: rows * d_model,
        state: vec![0.5; rows * d_model],
        contenders: vec![Contender::new("`Spec::par_fill`", move |target: &mut Vec<f32>| {
            black_box(spec).par_fill(0.., black_box(target)).expect("rows of that width");
        })],
    }
}
