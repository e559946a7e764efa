//! Computes entries from a coarse and a fine row: adds their angles, and rounds.

use crate::element::Element;
use crate::element::kernel::{Block, FloatEnclosure};
use crate::element::slot::Slot;
use crate::engine::blocks::{self, Blocks};
use crate::engine::direct::{DirectRow, ExactEntries};
use crate::engine::fast::prepare::FastRows;
use crate::engine::store::Store;

/// Blocks of a row, whose entries are sums of the angles of a coarse and a fine row.
pub(super) struct Sums<'r, 'a, T: Element> {
    pub(super) run: &'r FastRows<'a, T>,
    pub(super) exact: &'r ExactEntries<'r, 'a, T>,
    /// The angles of the coarse and of the fine row.
    pub(super) coarse: &'r [T::Block],
    pub(super) fine: &'r [T::Block],
    /// The number of the first of these blocks.
    pub(super) block: usize,
    pub(super) row: usize,
    pub(super) error: f64,
}

impl<T: Element> Sums<'_, '_, T> {
    /// Writes the entries from a lane of these blocks on.
    #[inline(always)]
    pub(super) fn write<S: Store<T>, const FUSED: bool>(&self, lane: usize, entries: &mut [Slot<T>], store: S) {
        blocks::write::<T, S, FUSED>(self, lane, entries, store);
    }
}

impl<T: Element> Blocks<T> for Sums<'_, '_, T> {
    #[inline(always)]
    fn value<const FUSED: bool>(&self, block: usize, column: usize) -> FloatEnclosure {
        // Subtracting the error inside the sum takes no operation of its own, if fused.
        let (number, least) = self.coarse[block].sine_of_sum::<FUSED>(&self.fine[block], column, -self.error);
        FloatEnclosure { number, least, greatest: least + 2.0 * self.error }
    }

    #[inline(always)]
    fn rounder(&self) -> f64 {
        self.run.columns.plan.rounder()
    }

    fn settle(&self, block: usize, entries: &mut [Slot<T>]) {
        let position = self.run.positions.at(self.row);
        let plan = &self.run.columns.plan;
        let direct = DirectRow::new(&self.run.columns, position);
        self.exact.settle(position, self.block + block, entries, |i| {
            let directly = || blocks::decide(plan, direct.as_ref()?.enclose::<false>(self.block + block, i));
            blocks::decide(plan, self.value::<false>(block, i)).or_else(directly)
        });
    }
}
