//! Computes entries from a coarse and a fine row: adds their angles, and rounds.

use core::ops::Range;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::kernel::{Block, LANES};
use crate::engine::fast::prepare::FastRows;
use crate::engine::simd::{self, Job};

impl<T: Element> FastRows<'_, T> {
    /// Writes some blocks of a row, except the columns without a formula.
    #[inline(always)]
    pub(super) fn write<const FUSED: bool>(
        &self,
        coarse: &[T::Block],
        row: usize,
        blocks: Range<usize>,
        entries: &mut [T],
    ) {
        let fine = &self.fine[(row & (self.fine_rows() - 1)) * self.blocks..][..self.blocks];
        let width = self.columns.width();
        let whole = blocks.end.min(width / LANES);
        let mut block = blocks.start;
        while block < whole {
            let rest = &mut entries[block * LANES..whole * LANES];
            block += round_blocks::<T, FUSED>(&coarse[block..whole], &fine[block..whole], self.error, rest);
            if block < whole {
                self.settle(&coarse[block], &fine[block], row, block, &mut entries[block * LANES..][..LANES]);
                block += 1;
            }
        }
        if block < blocks.end {
            let (last, decided) = coarse[block].round::<T, FUSED>(&fine[block], self.error);
            let rest = &mut entries[block * LANES..width];
            rest.copy_from_slice(&last[..rest.len()]);
            if !decided {
                self.settle(&coarse[block], &fine[block], row, block, rest);
            }
        }
    }

    /// Computes the undecided entries of a block.
    #[cold]
    #[inline(never)]
    fn settle(&self, coarse: &T::Block, fine: &T::Block, row: usize, block: usize, entries: &mut [T]) {
        self.columns.settle(self.positions.at(row), block, entries, |i| {
            let (high, rest) = coarse.sine_of_sum::<false>(fine, i);
            (high, rest, self.error)
        });
    }
}

/// Writes blocks up to and including the first with an undecided entry.
///
/// Returns the index of that block, or the number of blocks.
///
/// The compiler would not vectorise this loop, which it may leave early, but it vectorises each block.
#[inline(always)]
fn round_blocks<T: Element, const FUSED: bool>(
    coarse: &[T::Block],
    fine: &[T::Block],
    error: f64,
    entries: &mut [T],
) -> usize {
    for (block, ((coarse, fine), entries)) in coarse.iter().zip(fine).zip(entries.chunks_exact_mut(LANES)).enumerate() {
        let (rounded, decided) = coarse.round::<T, FUSED>(fine, error);
        entries.copy_from_slice(&rounded);
        if !decided {
            return block;
        }
    }
    coarse.len()
}

impl<T: Element> FastRows<'_, T> {
    /// Writes one row, whose coarse row is in `coarse`.
    pub(crate) fn fill_row(&self, coarse: &[T::Block], row: usize, entries: &mut [T]) {
        let coarse = &coarse[(row >> self.fine_levels) * self.blocks..][..self.blocks];
        simd::run(FillRow { run: self, coarse, row, entries: &mut entries[..self.columns.width()] });
        entries[self.columns.width()..].fill(from_bits(0));
    }
}

/// Writes one row, except the columns without a formula.
pub(super) struct FillRow<'r, 'a, T: Element> {
    pub(super) run: &'r FastRows<'a, T>,
    pub(super) coarse: &'r [T::Block],
    pub(super) row: usize,
    pub(super) entries: &'r mut [T],
}

impl<T: Element> Job for FillRow<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        self.run.write::<FUSED>(self.coarse, self.row, 0..self.run.blocks, self.entries);
    }
}
