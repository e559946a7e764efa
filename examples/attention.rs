//! Adds a baked table to a batch of embeddings of shape `(batch, seq_len, d_model)`, the input of an attention layer.

#![forbid(unsafe_code)]

use posenc::embeddings::{self, EmbeddingError};
use posenc::sinusoidal_table;

const VOCABULARY: usize = 32_000;
const BATCH: usize = 8;
const SEQ_LEN: usize = 128;
const D_MODEL: usize = 256;

type Sequence<T> = [T; SEQ_LEN];
type Row = [f32; D_MODEL];

static PE: Sequence<Row> = sinusoidal_table!(128, 256);

fn main() -> Result<(), EmbeddingError> {
    let token_embedding = token_embedding();
    let mut input_ids = [[0; SEQ_LEN]; BATCH];
    let mut random = Random(1);
    input_ids.as_flattened_mut().fill_with(|| random.next() as usize % VOCABULARY);
    // The same token twice in a sequence, to show the effect of the encoding.
    input_ids[0][100] = input_ids[0][3];

    let mut x: Vec<Sequence<Row>> = input_ids.iter().map(|ids| ids.map(|id| token_embedding[id])).collect();
    println!("Embeddings of shape ({BATCH}, {SEQ_LEN}, {D_MODEL})");
    println!("Cosine similarity of token {} at positions 3 and 100:", input_ids[0][3]);
    println!("  without the encoding {:7.4}", cosine_similarity(&x[0][3], &x[0][100]));

    // x + pe.unsqueeze(0): the encoding is broadcast over the batch.
    embeddings::add(x.as_flattened_mut().as_flattened_mut(), &PE, 0..SEQ_LEN)?;
    println!("  with the encoding    {:7.4}", cosine_similarity(&x[0][3], &x[0][100]));
    println!("x[0][3] = {:.4?} ...", &x[0][3][..6]);
    Ok(())
}

/// Returns random embeddings, as in an untrained layer, between -1 and 1 as the encoding is.
fn token_embedding() -> Vec<Row> {
    let mut random = Random(0);
    let mut table = vec![[0.0; D_MODEL]; VOCABULARY];
    table.as_flattened_mut().fill_with(|| random.next() as f32 / (1u64 << 31) as f32 - 1.0);
    table
}

fn cosine_similarity(a: &Row, b: &Row) -> f32 {
    let dot = |a: &Row, b: &Row| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// A linear congruential generator with Knuth's MMIX constants. Its numbers are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }
}
