//! Rows of angles, each computed from an earlier one.

use crate::element::kernel::Block;

/// Computes all other rows from the first of `rows`, of `width` blocks each.
///
/// Each is the row whose number lacks the lowest bit, turned by the anchor of that bit.
#[inline(always)]
pub(super) fn grow<'r, B: Block, const FUSED: bool>(
    rows: &mut [B],
    width: usize,
    exponent: i32,
    anchor: impl Fn(u32) -> &'r [B],
) {
    let mut row = 1;
    while row * width < rows.len() {
        let (before, grown) = rows.split_at_mut(row * width);
        let from = &before[(row & (row - 1)) * width..];
        turn::<B, FUSED>(&from[..width], &anchor(row.trailing_zeros())[..width], exponent, &mut grown[..width]);
        row += 1;
    }
}

/// Sets `turned` to the angles of `from` plus those of `by`.
#[inline(always)]
pub(super) fn turn<B: Block, const FUSED: bool>(from: &[B], by: &[B], exponent: i32, turned: &mut [B]) {
    for ((turned, from), by) in turned.iter_mut().zip(from).zip(by) {
        *turned = from.turned::<FUSED>(by, exponent);
    }
}
