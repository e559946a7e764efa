//! Rotates rows of queries and keys.

#![allow(clippy::float_arithmetic, reason = "the sums and products of a rotation")]

use crate::spec::error::SpecError;

/// The types of queries and keys that can be rotated: `f32`, and `f16` and `bf16` with the feature `half`.
///
/// They are computed in `f32`, and 16-bit types are rounded once more.
pub trait Rotate: Copy + sealed::Float {}

mod sealed {
    /// The conversions of a type that can be rotated.
    pub trait Float {
        fn to_f32(self) -> f32;

        fn from_f32(value: f32) -> Self;
    }
}

impl Rotate for f32 {}

impl sealed::Float for f32 {
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

        impl sealed::Float for $half {
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

/// Rotates each row of a query or a key in place, in pairs of columns half the rotary width apart (`rotate_half`).
///
/// `x` has one row of `head_dim` columns per row of `cos` and `sin`, which have a column for each of `h` pairs. In each
/// row,
///
/// ```text
/// x[k], x[k + h] = x[k] cos[k] - x[k + h] sin[k], x[k + h] cos[k] + x[k] sin[k]        k < h
/// ```
///
/// Columns from `2 h` on are left alone. This is the form of Llama in Hugging Face's code, GPT-NeoX, Qwen, Gemma and
/// Phi. Two products and a sum are rounded, which in `f32` makes each result off by less than `1.5 * 2^-23` times the length
/// of its pair, in addition to the rounding of the cache.
///
/// Source: Su et al., [*RoFormer: Enhanced Transformer with Rotary Position
/// Embedding*](https://arxiv.org/abs/2104.09864) (2021), section 3.4.2, with the columns in another order.
///
/// # Errors
///
/// Returns an error, and changes nothing, if the lengths of the slices do not match.
///
/// # Examples
///
/// ```
/// use posenc::{Rope, rotate_halves};
///
/// let rope = Rope::new(4).table::<f32>(2)?;
/// let mut queries = [[1.0, 2.0, 3.0, 4.0]; 2]; // a row per token
/// rotate_halves(queries.as_flattened_mut(), 4, rope.cos.as_slice(), rope.sin.as_slice())?;
/// assert_eq!(queries[0], [1.0, 2.0, 3.0, 4.0]); // position 0
/// assert_eq!(queries[1][0], 1.0 * rope.cos[(1, 0)] - 3.0 * rope.sin[(1, 0)]);
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[doc(alias("rotate_half", "apply_rotary_pos_emb"))]
pub fn rotate_halves<X: Rotate>(x: &mut [X], head_dim: usize, cos: &[f32], sin: &[f32]) -> Result<(), SpecError> {
    let pairs = pairs(x.len(), head_dim, cos.len(), sin.len())?;
    for ((row, cos), sin) in rows(x, head_dim, cos, sin, pairs) {
        let (first, second) = row[..2 * pairs].split_at_mut(pairs);
        for (((x, y), cos), sin) in first.iter_mut().zip(second).zip(cos).zip(sin) {
            [*x, *y] = rotated([*x, *y], *cos, *sin);
        }
    }
    Ok(())
}

/// Rotates each row of a query or a key in place, in pairs of columns side by side.
///
/// As [`rotate_halves`], with
///
/// ```text
/// x[2k], x[2k + 1] = x[2k] cos[k] - x[2k + 1] sin[k], x[2k + 1] cos[k] + x[2k] sin[k]        k < h
/// ```
///
/// This is the form of the paper, of Llama's reference code, GPT-J, Cohere and `DeepSeek`.
///
/// Source: Su et al., [*RoFormer: Enhanced Transformer with Rotary Position
/// Embedding*](https://arxiv.org/abs/2104.09864) (2021), section 3.4.2.
///
/// # Errors
///
/// Returns an error, and changes nothing, if the lengths of the slices do not match.
///
/// # Examples
///
/// ```
/// use posenc::{Rope, rotate_pairs};
///
/// let rope = Rope::new(4).table::<f32>(2)?;
/// let mut queries = [[1.0, 2.0, 3.0, 4.0]; 2];
/// rotate_pairs(queries.as_flattened_mut(), 4, rope.cos.as_slice(), rope.sin.as_slice())?;
/// assert_eq!(queries[1][0], 1.0 * rope.cos[(1, 0)] - 2.0 * rope.sin[(1, 0)]);
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[doc(alias("rotate_every_two", "apply_rotary_emb", "rope_i"))]
pub fn rotate_pairs<X: Rotate>(x: &mut [X], head_dim: usize, cos: &[f32], sin: &[f32]) -> Result<(), SpecError> {
    let pairs = pairs(x.len(), head_dim, cos.len(), sin.len())?;
    for ((row, cos), sin) in rows(x, head_dim, cos, sin, pairs) {
        for ((pair, cos), sin) in row[..2 * pairs].chunks_exact_mut(2).zip(cos).zip(sin) {
            [pair[0], pair[1]] = rotated([pair[0], pair[1]], *cos, *sin);
        }
    }
    Ok(())
}

#[inline]
fn rotated<X: Rotate>(pair: [X; 2], cos: f32, sin: f32) -> [X; 2] {
    let [x, y] = pair.map(X::to_f32);
    [x * cos - y * sin, y * cos + x * sin].map(X::from_f32)
}

fn rows<'x, X>(
    x: &'x mut [X],
    head_dim: usize,
    cos: &'x [f32],
    sin: &'x [f32],
    pairs: usize,
) -> impl Iterator<Item = ((&'x mut [X], &'x [f32]), &'x [f32])> {
    x.chunks_exact_mut(head_dim).zip(cos.chunks_exact(pairs)).zip(sin.chunks_exact(pairs))
}

/// Returns the number of pairs of a row, which is at least 1.
fn pairs(len: usize, head_dim: usize, cos: usize, sin: usize) -> Result<usize, SpecError> {
    if cos != sin {
        return Err(SpecError::SinLength { cos, sin });
    }
    let rows = len.checked_div(head_dim).filter(|rows| rows * head_dim == len);
    let pairs = match rows {
        Some(0) if cos == 0 => Some(1),
        Some(rows) => cos.checked_div(rows).filter(|pairs| pairs * rows == cos && (1..=head_dim / 2).contains(pairs)),
        None => None,
    };
    pairs.ok_or(SpecError::RotatedLength { len, head_dim, cos })
}
