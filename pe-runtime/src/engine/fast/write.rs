//! Computes entries from a coarse and a fine row: adds their angles, and rounds.

use core::ops::Range;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::kernel::Block;
use crate::element::slot::Slot;
use crate::engine::blocks::{self, Blocks};
use crate::engine::direct::{DirectRow, ExactEntries};
use crate::engine::fast::prepare::FastRows;
use crate::engine::simd::{self, Job};

/// A row whose entries are sums of the angles of a coarse and a fine row.
struct SumRow<'r, 'a, T: Element> {
    run: &'r FastRows<'a, T>,
    exact: &'r ExactEntries<'r, 'a, T>,
    coarse: &'r [T::Block],
    fine: &'r [T::Block],
    error: f64,
    row: usize,
}

impl<T: Element> Blocks<T> for SumRow<'_, '_, T> {
    #[inline(always)]
    fn value<const FUSED: bool>(&self, block: usize, column: usize) -> (f64, f64, f64) {
        let (high, rest) = self.coarse[block].sine_of_sum::<FUSED>(&self.fine[block], column);
        (high, rest, self.error)
    }

    fn settle(&self, block: usize, entries: &mut [Slot<T>]) {
        let position = self.run.positions.at(self.row);
        let direct = DirectRow::new(&self.run.columns, position);
        self.exact.settle(position, block, entries, |i| {
            let directly = || blocks::decide(direct.as_ref()?.value::<false>(block, i));
            blocks::decide(self.value::<false>(block, i)).or_else(directly)
        });
    }
}

impl<'a, T: Element> FastRows<'a, T> {
    /// Writes some blocks of a row, except the columns without a formula.
    #[inline(always)]
    pub(super) fn write<const FUSED: bool>(
        &self,
        exact: &ExactEntries<'_, 'a, T>,
        coarse: &[T::Block],
        row: usize,
        blocks: Range<usize>,
        entries: &mut [Slot<T>],
    ) {
        let fine = self.fine(row);
        let row = SumRow { run: self, exact, coarse: &coarse[..self.blocks], fine, error: self.error, row };
        blocks::write::<T, FUSED>(&row, blocks, &mut entries[..self.columns.width()]);
    }
}

impl<T: Element> FastRows<'_, T> {
    /// Writes one row, whose coarse row is in `coarse`.
    pub(crate) fn fill_row(&self, coarse: &[T::Block], row: usize, entries: &mut [T]) {
        let entries = Slot::of(entries);
        let coarse = &coarse[(row >> self.fine_levels) * self.blocks..][..self.blocks];
        let exact = &ExactEntries::new(&self.columns);
        simd::run(FillRow { run: self, exact, coarse, row, entries: &mut entries[..self.columns.width()] });
        entries[self.columns.width()..].iter_mut().for_each(|slot| slot.set(from_bits(0)));
    }
}

/// Writes one row, except the columns without a formula.
pub(super) struct FillRow<'r, 'a, T: Element> {
    pub(super) run: &'r FastRows<'a, T>,
    pub(super) exact: &'r ExactEntries<'r, 'a, T>,
    pub(super) coarse: &'r [T::Block],
    pub(super) row: usize,
    pub(super) entries: &'r mut [Slot<T>],
}

impl<T: Element> Job for FillRow<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        self.run.write::<FUSED>(self.exact, self.coarse, self.row, 0..self.run.blocks, self.entries);
    }
}
