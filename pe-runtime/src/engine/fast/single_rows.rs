//! Writes single rows of a run in any order, each the sum of a coarse and a fine row that are kept.

use alloc::vec::Vec;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::kernel::{Block, LANES};
use crate::element::slot::Slot;
use crate::engine::columns::{Columns, reserve};
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
    /// The fine rows, and then the coarse rows.
    angles: Vec<T::Block>,
}

impl<'a, T: Element> SingleRows<'a, T> {
    /// Prepares `rows` rows.
    pub(crate) fn new(plan: Plan<'a, T>, positions: EquallySpaced, rows: usize) -> Result<Self, SpecError> {
        let fine_levels = levels(rows).div_ceil(2);
        let prepared = || {
            let (fine, coarse) = (1usize.checked_shl(fine_levels)?, 1usize.checked_shl(levels(rows) - fine_levels)?);
            let blocks = plan.width().div_ceil(LANES);
            let mut angles = reserve(blocks.checked_mul(fine.checked_add(coarse)?)?)?;
            let run = FastRows::new(plan, positions, rows, fine_levels, 0)?;
            angles.resize(blocks * (fine + coarse), T::Block::ZERO);
            let (fine, coarse) = angles.split_at_mut(blocks * fine);
            fine[..blocks].fill(T::Block::IDENTITY);
            coarse[..blocks].copy_from_slice(run.root());
            simd::run(GrowAll { run: &run, fine, coarse });
            Some(Self { run, angles })
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
        let Self { run, angles } = self;
        let (fine, coarse) = (row & (run.fine_rows() - 1), run.fine_rows() + (row >> run.fine_levels));
        let (fine, coarse) = (&angles[fine * run.blocks..][..run.blocks], &angles[coarse * run.blocks..][..run.blocks]);
        let exact = &ExactEntries::new(&run.columns);
        let (entries, zeros) = Slot::of(entries).split_at_mut(run.columns.lanes().end);
        simd::run(FillRow { sums: Sums { run, exact, coarse, fine, block: 0, row, error: run.error }, entries });
        for slot in zeros {
            slot.set(from_bits(0));
        }
    }
}

/// Computes all fine and coarse rows from the first of them.
struct GrowAll<'r, 'a, T: Element> {
    run: &'r FastRows<'a, T>,
    fine: &'r mut [T::Block],
    coarse: &'r mut [T::Block],
}

impl<T: Element> Job for GrowAll<'_, '_, T> {
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
    sums: Sums<'r, 'a, T>,
    entries: &'r mut [Slot<T>],
}

impl<T: Element> Job for FillRow<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        self.sums.write::<_, FUSED>(0, self.entries, ThroughCaches);
    }
}
