//! The rows of a rotary cache that tokens take.

use core::ops::Range;

use crate::rope::error::RopeError;
use crate::rope::tables::CosSin;
use crate::table::embeddings::{check_row, check_table};
use crate::table::rows::Rows;

/// The rows of a rotary cache for a sequence of tokens, for [`rotate_halves`](crate::rotate_halves) and
/// [`rotate_pairs`](crate::rotate_pairs).
///
/// * A range, such as `0..tokens` or `past..past + 1`: consecutive rows.
/// * A list, such as `&position_ids`: a row per token, in any order. Use it for packed sequences, tokens that are
///   padded or left out, and draft trees.
/// * [`MropePositions`]: a position per axis for each token.
///
/// # Examples
///
/// Two sequences, packed into one:
///
/// ```
/// use posenc::{Rope, rotate_halves};
///
/// let rope = Rope::new(4).table::<f32>(16)?;
/// let mut queries = [[1.0, 2.0, 3.0, 4.0]; 5];
/// rotate_halves(queries.as_flattened_mut(), 4, &rope, &[0, 1, 2, 0, 1])?;
/// assert_eq!(queries[1], queries[4]);
/// # Ok::<(), posenc::RopeError>(())
/// ```
#[doc(alias("position_ids", "cu_seqlens", "positions"))]
pub trait TokenRows: sealed::TokenRows {}

/// A position per axis for each token, and the axis of each pair, for models with several axes (M-RoPE).
///
/// Entry `k` of a token's row is entry `k` of row `positions[token][axis_of_pair[k]]` of the cache.
/// [`axis_of_pair`](crate::axis_of_pair) makes the map.
///
/// Source: Wang et al., [*Qwen2-VL*](https://arxiv.org/abs/2409.12191) (2024), section 2.1.
///
/// # Examples
///
/// A token of text and one of an image in Qwen2-VL:
///
/// ```
/// use posenc::{MropePositions, Rope, RopePreset, SectionOrder, axis_of_pair, rotate_halves};
///
/// const AXES: [u8; 64] = axis_of_pair(&[16, 24, 24], SectionOrder::Contiguous);
/// let rope = Rope::preset(RopePreset::Qwen2Vl).table::<f32>(1024)?;
///
/// let positions = [[2, 2, 2], [3, 10, 25]]; // time, row and column of the patch
/// let mut queries = [[1.0f32; 2 * 128]; 12]; // 12 heads of these tokens
/// let rows = MropePositions { positions: &positions, axis_of_pair: &AXES };
/// rotate_halves(queries.as_flattened_mut(), 128, &rope, rows)?;
/// assert_eq!(queries[0][128], rope.cos[(3, 0)] - rope.sin[(3, 0)]);
/// assert_eq!(queries[0][128 + 63], rope.cos[(25, 63)] - rope.sin[(25, 63)]);
/// # Ok::<(), posenc::RopeError>(())
/// ```
#[doc(alias("mrope", "mrope_section", "multimodal"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_structs, reason = "there are two")]
pub struct MropePositions<'a, const AXES: usize> {
    /// The positions of each token, one per axis.
    pub positions: &'a [[usize; AXES]],
    /// The axis of each pair, from 0.
    pub axis_of_pair: &'a [u8],
}

pub(super) mod sealed {
    use super::{CosSin, RopeError, Rows};

    pub trait TokenRows {
        /// Whether a row is put together from several rows of the cache.
        const ARE_GATHERED: bool = false;

        /// Returns the number of tokens.
        fn tokens(&self) -> usize;

        /// Checks that a cache has the rows, of equal length, and returns this length, the number of pairs.
        fn check(&self, cache: &CosSin<impl Rows<f32>>) -> Result<usize, RopeError>;

        /// Checks the number of pairs, which is the number of pairs of a head.
        fn check_pairs(&self, _pairs: usize) -> Result<(), RopeError> {
            Ok(())
        }

        /// Calls `rotate` with runs of pairs of a token's row: the first pair, the cosines and the sines.
        fn visit(&self, cache: &CosSin<impl Rows<f32>>, token: usize, rotate: impl FnMut(usize, &[f32], &[f32]));
    }
}

impl TokenRows for Range<usize> {}

impl sealed::TokenRows for Range<usize> {
    fn tokens(&self) -> usize {
        self.len()
    }

    fn check(&self, CosSin { cos, sin }: &CosSin<impl Rows<f32>>) -> Result<usize, RopeError> {
        let pairs = check_table(cos, self)?;
        check_row(self.start, check_table(sin, self)?, pairs)?;
        Ok(pairs)
    }

    #[inline]
    fn visit(&self, cache: &CosSin<impl Rows<f32>>, token: usize, rotate: impl FnMut(usize, &[f32], &[f32])) {
        visit_row(cache, self.start + token, rotate);
    }
}

impl<L: AsRef<[usize]> + ?Sized> TokenRows for &L {}

impl<L: AsRef<[usize]> + ?Sized> sealed::TokenRows for &L {
    fn tokens(&self) -> usize {
        self.as_ref().len()
    }

    fn check(&self, cache: &CosSin<impl Rows<f32>>) -> Result<usize, RopeError> {
        let pairs = width(cache)?;
        for (token, &row) in self.as_ref().iter().enumerate() {
            check_token(cache, pairs, row, || (token, None))?;
        }
        Ok(pairs)
    }

    #[inline]
    fn visit(&self, cache: &CosSin<impl Rows<f32>>, token: usize, rotate: impl FnMut(usize, &[f32], &[f32])) {
        visit_row(cache, self.as_ref()[token], rotate);
    }
}

impl<const AXES: usize> TokenRows for MropePositions<'_, AXES> {}

/// The number of pairs that are gathered at once.
const RUN: usize = 64;

impl<const AXES: usize> sealed::TokenRows for MropePositions<'_, AXES> {
    const ARE_GATHERED: bool = true;

    fn tokens(&self) -> usize {
        self.positions.len()
    }

    fn check(&self, cache: &CosSin<impl Rows<f32>>) -> Result<usize, RopeError> {
        let (pairs, seq_len) = (width(cache)?, rows_of_both(cache));
        if let (0, Some(position)) = (seq_len, self.positions.first()) {
            let row = position.first().copied().unwrap_or(0);
            return Err(RopeError::TokenRow { token: 0, axis: None, row, seq_len });
        }
        let mut is_used = [false; AXES];
        for (pair, &axis) in self.axis_of_pair.iter().enumerate() {
            let error = RopeError::Axis { pair, axis: axis.into(), axes: AXES };
            *is_used.get_mut(usize::from(axis)).ok_or(error)? = true;
        }
        for (token, position) in self.positions.iter().enumerate() {
            for (axis, &row) in position.iter().enumerate().filter(|&(axis, _)| is_used[axis]) {
                check_token(cache, pairs, row, || (token, Some(axis)))?;
            }
        }
        Ok(pairs)
    }

    fn check_pairs(&self, pairs: usize) -> Result<(), RopeError> {
        let len = self.axis_of_pair.len();
        if len == pairs { Ok(()) } else { Err(RopeError::AxisOfPair { len, pairs }) }
    }

    fn visit(&self, cache: &CosSin<impl Rows<f32>>, token: usize, mut rotate: impl FnMut(usize, &[f32], &[f32])) {
        let CosSin { cos, sin } = cache;
        // The row of an axis without pairs may be beyond the cache, which has rows if there are tokens.
        let last = rows_of_both(cache) - 1;
        let rows = self.positions[token].map(|row| (cos.row(row.min(last)), sin.row(row.min(last))));
        let (mut cosines, mut sines) = ([0.0; RUN], [0.0; RUN]);
        for (run, axes) in self.axis_of_pair.chunks(RUN).enumerate() {
            let first = run * RUN;
            for (k, &axis) in axes.iter().enumerate() {
                let (cos, sin) = rows[usize::from(axis)];
                (cosines[k], sines[k]) = (cos[first + k], sin[first + k]);
            }
            rotate(first, &cosines[..axes.len()], &sines[..axes.len()]);
        }
    }
}

/// Calls `rotate` with all pairs of a row.
#[inline]
fn visit_row(CosSin { cos, sin }: &CosSin<impl Rows<f32>>, row: usize, mut rotate: impl FnMut(usize, &[f32], &[f32])) {
    rotate(0, cos.row(row), sin.row(row));
}

/// Returns the length of the rows of a cache, or 0 if it has none.
fn width<R: Rows<f32>>(CosSin { cos, sin }: &CosSin<R>) -> Result<usize, RopeError> {
    let width = |table: &R| (table.seq_len() > 0).then(|| table.row(0).len());
    if let (Some(cos), Some(sin)) = (width(cos), width(sin)) {
        check_row(0, sin, cos)?;
    }
    Ok(width(cos).or(width(sin)).unwrap_or(0))
}

/// Returns the number of rows that both tables have.
fn rows_of_both(CosSin { cos, sin }: &CosSin<impl Rows<f32>>) -> usize {
    cos.seq_len().min(sin.seq_len())
}

/// Checks that both tables have a row, of the right length.
///
/// `token` returns the token and the axis that it is for.
#[inline]
fn check_token(
    cache: &CosSin<impl Rows<f32>>,
    pairs: usize,
    row: usize,
    token: impl FnOnce() -> (usize, Option<usize>),
) -> Result<(), RopeError> {
    let (CosSin { cos, sin }, seq_len) = (cache, rows_of_both(cache));
    if row >= seq_len {
        let (token, axis) = token();
        return Err(RopeError::TokenRow { token, axis, row, seq_len });
    }
    check_row(row, cos.row(row).len(), pairs)?;
    check_row(row, sin.row(row).len(), pairs)?;
    Ok(())
}
