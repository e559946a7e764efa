//! Runs one transformer encoder layer with a baked table, and shows what the encoding changes and what it costs.
//!
//! Self-attention alone ignores order: if you permute the tokens, the outputs are permuted in the same way. With the
//! encoding, they are not. The model is `no_std`. Its tables and weights are statics, so running it allocates nothing
//! and computes no sine.
#![no_std]
#![forbid(unsafe_code)]

use core::array::from_fn;

use posenc::embeddings::{self, EmbeddingError};
use posenc::sinusoidal_table;

const VOCABULARY: usize = 10;
const SEQ_LEN: usize = 8;
const D_MODEL: usize = 32;

type Token = [f32; D_MODEL];
type Matrix = [Token; D_MODEL];
type Sequence = [Token; SEQ_LEN];

static PE: Sequence = sinusoidal_table!(8, 32);

static EMBEDDING: [Token; VOCABULARY] = fixed_weights(1);

static LAYER: Layer =
    Layer { query: fixed_weights(2), key: fixed_weights(3), value: fixed_weights(4), output: fixed_weights(5) };

/// A single-head self-attention layer. Each row of a matrix gives one entry of the output.
struct Layer {
    query: Matrix,
    key: Matrix,
    value: Matrix,
    output: Matrix,
}

impl Layer {
    /// Computes every token from all tokens: `norm(x + output softmax(q k^T / sqrt(d_model)) v)`.
    fn run(&self, x: &Sequence) -> Sequence {
        let (keys, values) = (x.map(|token| product(&self.key, &token)), x.map(|token| product(&self.value, &token)));
        x.map(|token| {
            let query = product(&self.query, &token);
            let weights = softmax(keys.map(|key| dot(&query, &key) / libm::sqrtf(D_MODEL as f32)));
            let attended = from_fn(|j| (0..SEQ_LEN).map(|i| weights[i] * values[i][j]).sum());
            let output = product(&self.output, &attended);
            normalized(from_fn(|j| token[j] + output[j]))
        })
    }
}

/// The model: takes token ids and returns one vector for each.
fn encode(ids: &[usize; SEQ_LEN], with_positions: bool) -> Result<Sequence, EmbeddingError> {
    let mut x = ids.map(|id| EMBEDDING[id]);
    if with_positions {
        embeddings::add(x.as_flattened_mut(), &PE, 0..SEQ_LEN)?;
    }
    Ok(LAYER.run(&x))
}

fn product(matrix: &Matrix, token: &Token) -> Token {
    from_fn(|i| dot(&matrix[i], token))
}

fn dot(a: &Token, b: &Token) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn softmax(scores: [f32; SEQ_LEN]) -> [f32; SEQ_LEN] {
    let largest = scores.into_iter().fold(f32::MIN, f32::max);
    let powers = scores.map(|score| libm::expf(score - largest));
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// Layer normalization, without weights.
fn normalized(token: Token) -> Token {
    let mean = token.iter().sum::<f32>() / D_MODEL as f32;
    let centred = token.map(|x| x - mean);
    let deviation = libm::sqrtf(dot(&centred, &centred) / D_MODEL as f32);
    centred.map(|x| x / deviation)
}

/// Returns weights as in an untrained layer, between `-2 / sqrt(d_model)` and `2 / sqrt(d_model)`.
///
/// They are the same in every build (a linear congruential generator, Knuth's MMIX constants).
const fn fixed_weights<const N: usize>(seed: u64) -> [Token; N] {
    const SIZE: f32 = 0.35;
    let mut weights = [[0.0; D_MODEL]; N];
    let (mut state, mut i) = (seed, 0);
    while i < N * D_MODEL {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        weights[i / D_MODEL][i % D_MODEL] = SIZE * ((state >> 32) as f32 / (1u64 << 31) as f32 - 1.0);
        i += 1;
    }
    weights
}

const IDS: [usize; SEQ_LEN] = [3, 1, 4, 1, 5, 9, 2, 6];
const PERMUTATION: [usize; SEQ_LEN] = [5, 2, 7, 0, 3, 6, 1, 4];

/// Returns the largest difference between the outputs of the permuted tokens and the permuted outputs.
fn largest_difference(with_positions: bool) -> Result<f32, EmbeddingError> {
    let found = encode(&PERMUTATION.map(|i| IDS[i]), with_positions)?;
    let outputs = encode(&IDS, with_positions)?;
    let permuted = PERMUTATION.map(|i| outputs[i]);
    let pairs = found.as_flattened().iter().zip(permuted.as_flattened());
    Ok(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max))
}

fn main() -> Result<(), EmbeddingError> {
    // The model does not use `std`. Counting its allocations and printing do.
    extern crate std;

    let (mut without, mut with) = (Ok(0.0), Ok(0.0));
    let allocations = allocation_counter::measure(|| {
        without = largest_difference(false);
        with = largest_difference(true);
    });
    let (without, with, count) = (without?, with?, allocations.count_total);

    std::println!("tokens    {IDS:?}");
    std::println!("permuted  {:?}\n", PERMUTATION.map(|i| IDS[i]));
    std::println!("Largest difference between the outputs of the permuted tokens and the permuted outputs:");
    std::println!("  without the encoding  {without:.1e}");
    std::println!("  with the encoding     {with:.1}");
    std::println!("\nAllocations while the model ran: {count}");

    // Without the encoding, only the order of summation differs, and therefore the rounding errors.
    assert!(without < 1e-5, "attention without the encoding depends on the order");
    assert!(with > 0.1, "attention with the encoding ignores the order");
    assert_eq!(count, 0);
    Ok(())
}
