//! Rows of angles, each computed from an earlier one.

use crate::element::kernel::Block;
use crate::engine::simd::Job;

/// Computes all other rows from the first of `rows`.
///
/// Each is the row whose number lacks the lowest bit, turned by the anchor of that bit.
pub(super) struct Grow<'r, B> {
    pub(super) rows: &'r mut [B],
    pub(super) blocks: usize,
    pub(super) anchors: &'r [B],
    pub(super) exponent: i32,
}

impl<B: Block> Job for Grow<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { rows, blocks, anchors, exponent } = self;
        let mut row = 1;
        while row * blocks < rows.len() {
            let (before, grown) = rows.split_at_mut(row * blocks);
            let from = &before[(row & (row - 1)) * blocks..];
            let by = &anchors[row.trailing_zeros() as usize * blocks..];
            turn::<B, FUSED>(&from[..blocks], &by[..blocks], exponent, grown);
            row += 1;
        }
    }
}

#[inline(always)]
pub(super) fn turn<B: Block, const FUSED: bool>(from: &[B], by: &[B], exponent: i32, turned: &mut [B]) {
    let mut block = 0;
    while block < from.len() {
        turned[block] = from[block].turned::<FUSED>(&by[block], exponent);
        block += 1;
    }
}
