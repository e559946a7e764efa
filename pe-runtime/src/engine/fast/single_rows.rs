//! Writes single rows of a run in any order, each the sum of a coarse and a fine row that are kept.

use alloc::vec::Vec;

use crate::element::Element;
use crate::element::kernel::{Block, LANES};
use crate::element::slot::Slot;
use crate::engine::allocation::reserve;
use crate::engine::columns::Columns;
use crate::engine::direct::ExactEntries;
use crate::engine::fast::grow::grow;
use crate::engine::fast::prepare::{FastRows, levels};
use crate::engine::fast::sums::Sums;
use crate::engine::simd::{self, Job};
use crate::engine::store::ThroughCaches;
use crate::plan::Plan;
use crate::plan::positions::EquallySpaced;
use crate::spec::error::SpecError;

/// A run with the angles of all its coarse and fine rows, about as many of each.
#[derive(Clone)]
pub(crate) struct SingleRows<'a, T: Element> {
    run: FastRows<'a, T>,
    fine: Vec<T::Block>,
    coarse: Vec<T::Block>,
}

impl<'a, T: Element> SingleRows<'a, T> {
    /// Prepares `rows` rows.
    pub(crate) fn new(plan: &Plan<'a, T>, positions: EquallySpaced, rows: usize) -> Result<Self, SpecError> {
        let fine_levels = levels(rows).div_ceil(2);
        let prepared = || {
            let blocks = plan.width().div_ceil(LANES);
            let count = |levels| blocks.checked_mul(1usize.checked_shl(levels)?);
            let (fine_count, coarse_count) = (count(fine_levels)?, count(levels(rows) - fine_levels)?);
            // All memory is reserved before any is written, so that a request for too much fails at once.
            let (mut fine, mut coarse) = (reserve(fine_count)?, reserve(coarse_count)?);
            let run = FastRows::new(plan, positions, rows, fine_levels, 0)?;
            fine.resize(fine_count, T::Block::ZERO);
            fine[..blocks].fill(T::Block::IDENTITY);
            coarse.resize(coarse_count, T::Block::ZERO);
            coarse[..blocks].copy_from_slice(run.root());
            simd::run(Grow { run: &run, fine: &mut fine, coarse: &mut coarse });
            Some(Self { run, fine, coarse })
        };
        let rows = 1usize.checked_shl(fine_levels + 1).unwrap_or(usize::MAX);
        let bytes = rows.saturating_mul(plan.d_model().div_ceil(LANES) * size_of::<T::Block>());
        prepared().ok_or(SpecError::OutOfMemory { bytes })
    }

    pub(crate) fn columns(&self) -> &Columns<'a, T> {
        &self.run.columns
    }

    /// Writes one row.
    pub(crate) fn fill_row(&self, row: usize, entries: &mut [T]) {
        let exact = &ExactEntries::new(&self.run.columns);
        let (entries, zeros) = Slot::of(entries).split_at_mut(self.run.columns.lanes().end);
        simd::run(FillRow { rows: self, exact, row, entries });
        for slot in zeros {
            slot.set(self.run.columns.plan.zero());
        }
    }
}

/// Computes all fine and coarse rows from the first of them.
struct Grow<'r, 'a, T: Element> {
    run: &'r FastRows<'a, T>,
    fine: &'r mut [T::Block],
    coarse: &'r mut [T::Block],
}

impl<T: Element> Job for Grow<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { run, fine, coarse } = self;
        grow::<T::Block, FUSED>(fine, run.blocks, 0, |level| run.anchor(level));
        grow::<T::Block, FUSED>(coarse, run.blocks, run.exponent, |level| run.anchor(run.fine_levels + level));
    }
}

/// Writes one row, except the columns without a formula.
struct FillRow<'r, 'a, T: Element> {
    rows: &'r SingleRows<'a, T>,
    exact: &'r ExactEntries<'r, 'a, T>,
    row: usize,
    entries: &'r mut [Slot<T>],
}

impl<T: Element> Job for FillRow<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { rows: SingleRows { run, fine, coarse }, exact, row, entries } = self;
        let fine = &fine[(row & (run.fine_rows() - 1)) * run.blocks..][..run.blocks];
        let coarse = &coarse[(row >> run.fine_levels) * run.blocks..][..run.blocks];
        let sums = Sums { run, exact, coarse, fine, block: 0, row, error: run.error };
        sums.write::<_, FUSED>(0, entries, ThroughCaches);
    }
}
