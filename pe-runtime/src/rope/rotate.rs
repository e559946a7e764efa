//! Rotates rows of queries and keys.

#![allow(clippy::float_arithmetic, reason = "the sums and products of a rotation")]

use crate::rope::check_columns;
use crate::rope::error::RopeError;
use crate::rope::tables::CosSin;
use crate::rope::token_rows::TokenRows;
use crate::table::embeddings::check_embeddings;
use crate::table::rows::Rows;

/// A type of queries and keys that can be rotated: `f32`, and `f16` and `bf16` with the feature `half`.
///
/// Rotations are computed in `f32`, and results of 16-bit types are rounded once more.
pub trait Rotate: Copy + sealed::RotatedFloat {}

mod sealed {
    /// The conversions of a type that can be rotated.
    pub trait RotatedFloat {
        fn to_f32(self) -> f32;

        fn from_f32(value: f32) -> Self;
    }
}

impl Rotate for f32 {}

impl sealed::RotatedFloat for f32 {
    fn to_f32(self) -> f32 {
        self
    }

    fn from_f32(value: f32) -> Self {
        value
    }
}

#[cfg(feature = "half")]
macro_rules! rotate_half {
    ($($half:ty)*) => { $(
        impl Rotate for $half {}

        impl sealed::RotatedFloat for $half {
            fn to_f32(self) -> f32 {
                self.to_f32()
            }

            fn from_f32(value: f32) -> Self {
                Self::from_f32(value)
            }
        }
    )* };
}

#[cfg(feature = "half")]
rotate_half!(half::f16 half::bf16);

/// The number of columns of a head, and how many of the first ones are rotated.
///
/// A plain number stands for a head whose columns are all rotated.
///
/// # Examples
///
/// Phi-2 rotates 32 columns of 80:
///
/// ```
/// use posenc::{Head, Rope, RopePreset, rotate_halves};
///
/// let rope = Rope::preset(RopePreset::Phi2).table::<f32>(9)?;
/// let mut queries = [1.0f32; 9 * 80];
/// rotate_halves(&mut queries, Head { head_dim: 80, rotary_dim: 32 }, &rope, 0..9)?;
/// assert!(rotate_halves(&mut queries, 80, &rope, 0..9).is_err());
/// # Ok::<(), posenc::RopeError>(())
/// ```
#[doc(alias("partial_rotary_factor", "rotary_pct"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_structs, reason = "there are two")]
pub struct Head {
    /// The number of columns.
    pub head_dim: usize,
    /// The number of columns that are rotated: twice the width of a cache without [`repeat`](crate::Rope::repeat).
    pub rotary_dim: usize,
}

impl From<usize> for Head {
    fn from(head_dim: usize) -> Self {
        Self { head_dim, rotary_dim: head_dim }
    }
}

/// Rotates rows of queries or keys in place, in pairs of columns half the rotary width apart (`rotate_half`).
///
/// `x` is of shape `(..., tokens, head_dim)`: any number of heads and sequences, each with a row per token. `head` is
/// `head_dim`, or a [`Head`] of which only the first `rotary_dim` columns are rotated. `rows` specifies the row of the
/// cache for each token, as a range, a list or [`MropePositions`](crate::MropePositions) (see [`TokenRows`]). The width
/// of the cache is the number of pairs, `h`: half of the columns that are rotated. In each row,
///
/// ```text
/// x[k], x[k + h] = x[k] cos[k] - x[k + h] sin[k], x[k + h] cos[k] + x[k] sin[k]        k < h
/// ```
///
/// The other columns are left alone. The cache must not have repeated columns. In the shape `(tokens, heads, head_dim)`
/// the heads of a token are side by side: call the function once per token, with one row of the cache.
///
/// This is the form of Llama in Hugging Face's code, GPT-NeoX, Qwen, Gemma and Phi. Two products and a sum are rounded.
/// In `f32`, this adds an error of less than `1.5 * 2^-23` times the length of the pair times the attention factor to
/// each result, in addition to the rounding of the cache.
///
/// Source: Su et al., [*RoFormer: Enhanced Transformer with Rotary Position
/// Embedding*](https://arxiv.org/abs/2104.09864) (2021), section 3.4.2, with the columns in another order.
///
/// # Errors
///
/// Returns an error, and changes nothing, if a range ends before it starts, if the cache does not have all of the rows,
/// if the number of rotated columns is odd or greater than `head_dim`, if the rows of the cache are not half as wide as
/// the rotated columns, if the map of axes does not assign an axis of the positions to each pair, or if the length of
/// `x` does not match its shape.
///
/// # Examples
///
/// ```
/// use posenc::{Rope, rotate_halves};
///
/// let rope = Rope::new(4).table::<f32>(16)?;
/// let mut queries = [[[1.0, 2.0, 3.0, 4.0]; 2]; 8]; // 8 heads of two tokens
/// rotate_halves(queries.as_flattened_mut().as_flattened_mut(), 4, &rope, 0..2)?;
/// assert_eq!(queries[7][0], [1.0, 2.0, 3.0, 4.0]); // position 0
/// assert_eq!(queries[7][1][0], 1.0 * rope.cos[(1, 0)] - 3.0 * rope.sin[(1, 0)]);
///
/// let past = 9;
/// let mut query = [[1.0, 2.0, 3.0, 4.0]; 8]; // 8 heads of the next token
/// rotate_halves(query.as_flattened_mut(), 4, &rope, past..past + 1)?;
/// # Ok::<(), posenc::RopeError>(())
/// ```
#[doc(alias("rotate_half", "apply_rotary_pos_emb"))]
#[allow(clippy::needless_pass_by_value, reason = "a range is a value")]
pub fn rotate_halves<X: Rotate, R: Rows<f32>>(
    x: &mut [X],
    head: impl Into<Head>,
    cache: &CosSin<R>,
    rows: impl TokenRows,
) -> Result<(), RopeError> {
    rotate_rows(x, head.into(), cache, &rows, |row, pair, cos, sin| {
        let (first, second) = row.split_at_mut(row.len() / 2);
        for (((x, y), cos), sin) in first[pair..].iter_mut().zip(&mut second[pair..]).zip(cos).zip(sin) {
            [*x, *y] = rotated([*x, *y], *cos, *sin);
        }
    })
}

/// Rotates rows of queries or keys in place, in pairs of columns side by side.
///
/// This is the same as [`rotate_halves`], with
///
/// ```text
/// x[2k], x[2k + 1] = x[2k] cos[k] - x[2k + 1] sin[k], x[2k + 1] cos[k] + x[2k] sin[k]        k < h
/// ```
///
/// This is the form of the paper, of Llama's reference code, GPT-J, Cohere, `DeepSeek` and Flux.
///
/// Source: Su et al., [*RoFormer: Enhanced Transformer with Rotary Position
/// Embedding*](https://arxiv.org/abs/2104.09864) (2021), section 3.4.2.
///
/// # Errors
///
/// Returns the same errors as [`rotate_halves`].
///
/// # Examples
///
/// ```
/// use posenc::{Rope, rotate_pairs};
///
/// let rope = Rope::new(4).table::<f32>(2)?;
/// let mut queries = [[1.0, 2.0, 3.0, 4.0]; 2];
/// rotate_pairs(queries.as_flattened_mut(), 4, &rope, 0..2)?;
/// assert_eq!(queries[1][0], 1.0 * rope.cos[(1, 0)] - 2.0 * rope.sin[(1, 0)]);
/// # Ok::<(), posenc::RopeError>(())
/// ```
#[doc(alias("rotate_every_two", "apply_rotary_emb", "rope_i"))]
#[allow(clippy::needless_pass_by_value, reason = "a range is a value")]
pub fn rotate_pairs<X: Rotate, R: Rows<f32>>(
    x: &mut [X],
    head: impl Into<Head>,
    cache: &CosSin<R>,
    rows: impl TokenRows,
) -> Result<(), RopeError> {
    rotate_rows(x, head.into(), cache, &rows, |row, pair, cos, sin| {
        for ((pair, cos), sin) in row[2 * pair..].chunks_exact_mut(2).zip(cos).zip(sin) {
            [pair[0], pair[1]] = rotated([pair[0], pair[1]], *cos, *sin);
        }
    })
}

#[inline]
fn rotated<X: Rotate>(pair: [X; 2], cos: f32, sin: f32) -> [X; 2] {
    let [x, y] = pair.map(X::to_f32);
    [x * cos - y * sin, y * cos + x * sin].map(X::from_f32)
}

/// Calls `rotate` with the rotated columns of each row of `x`, and with runs of pairs of its row of the cache: the first
/// pair, the cosines and the sines.
fn rotate_rows<X, R: Rows<f32>, P: TokenRows>(
    x: &mut [X],
    Head { head_dim, rotary_dim }: Head,
    cache: &CosSin<R>,
    rows: &P,
    rotate: impl Fn(&mut [X], usize, &[f32], &[f32]),
) -> Result<(), RopeError> {
    let (pairs, tokens) = (rows.check(cache)?, rows.tokens());
    check_columns(head_dim, rotary_dim)?;
    // A cache without rows has no width.
    if 2 * pairs != rotary_dim && cache.cos.seq_len() > 0 {
        return Err(RopeError::Pairs { pairs, head_dim, rotary_dim });
    }
    if cache.cos.seq_len() > 0 {
        rows.check_pairs(pairs)?;
    }
    check_embeddings(x.len(), tokens, head_dim)?;
    if x.is_empty() {
        return Ok(());
    }
    if P::ARE_GATHERED {
        // Once for all heads. The order of the memory is faster if there is nothing to gather.
        for token in 0..tokens {
            rows.visit(cache, token, |pair, cos, sin| {
                for x in x.chunks_exact_mut(tokens * head_dim) {
                    rotate(&mut x[token * head_dim..][..rotary_dim], pair, cos, sin);
                }
            });
        }
    } else {
        for (x, token) in x.chunks_exact_mut(head_dim).zip((0..tokens).cycle()) {
            rows.visit(cache, token, |pair, cos, sin| rotate(&mut x[..rotary_dim], pair, cos, sin));
        }
    }
    Ok(())
}
