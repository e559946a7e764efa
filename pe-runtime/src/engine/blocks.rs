//! Writes the blocks of a row, and has undecided entries computed in another way.

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::kernel::{FloatEnclosure, LANES};
use crate::element::slot::Slot;
use crate::engine::store::Store;
use crate::engine::ziv::enclosed;
use crate::plan::Plan;

/// The entries of a row, a block of eight columns at a time.
pub(crate) trait Blocks<T> {
    /// Encloses the value of a column of a block before rounding.
    fn value<const FUSED: bool>(&self, block: usize, column: usize) -> FloatEnclosure;

    /// Returns the plan's [rounder](crate::plan::Plan::rounder).
    fn rounder(&self) -> f64;

    /// Computes the undecided entries of a block, of which `entries` may be the first few.
    fn settle(&self, block: usize, entries: &mut [Slot<T>]);
}

/// Writes the entries of a row from a lane of its blocks on, which is an index into the columns of all blocks.
#[inline(always)]
pub(crate) fn write<T: Element, S: Store<T>, const FUSED: bool>(
    row: &impl Blocks<T>,
    lane: usize,
    entries: &mut [Slot<T>],
    store: S,
) {
    let (mut block, skipped) = (lane / LANES, lane % LANES);
    let mut entries = entries;
    if skipped > 0 {
        let (first, others) = entries.split_at_mut(entries.len().min(LANES - skipped));
        write_part::<T, FUSED>(row, block, skipped, first);
        (entries, block) = (others, block + 1);
    }
    let (mut blocks, last) = entries.split_at_mut(entries.len() / LANES * LANES);
    loop {
        let decided = write_decided::<T, S, FUSED>(row, block, blocks, store);
        block += decided;
        let Some((undecided, others)) = blocks.split_at_mut(decided * LANES).1.split_at_mut_checked(LANES) else {
            break;
        };
        row.settle(block, undecided);
        (blocks, block) = (others, block + 1);
    }
    if !last.is_empty() {
        write_part::<T, FUSED>(row, block, 0, last);
    }
}

/// Writes some entries of a block, from a lane on.
#[inline(always)]
fn write_part<T: Element, const FUSED: bool>(row: &impl Blocks<T>, block: usize, lane: usize, entries: &mut [Slot<T>]) {
    let mut lanes = [const { Slot::new(from_bits(0)) }; LANES];
    if !round::<T, FUSED>(row, block, &mut lanes) {
        row.settle(block, &mut lanes[..lane + entries.len()]);
    }
    for (slot, entry) in entries.iter_mut().zip(lanes.into_iter().skip(lane)) {
        *slot = entry;
    }
}

/// Writes blocks up to the first with an undecided entry.
///
/// Returns the index of that block in `entries`, or the number of blocks.
///
/// The compiler would not vectorise this loop, which it may leave early, but it vectorises each block.
#[inline(always)]
fn write_decided<T: Element, S: Store<T>, const FUSED: bool>(
    row: &impl Blocks<T>,
    first: usize,
    entries: &mut [Slot<T>],
    store: S,
) -> usize {
    let mut block = 0;
    for entries in entries.chunks_exact_mut(LANES) {
        let mut rounded = [const { Slot::new(from_bits(0)) }; LANES];
        let Some(entries) = entries.first_chunk_mut() else { unreachable!("a chunk has `LANES` entries") };
        if !round::<T, FUSED>(row, first + block, &mut rounded) {
            break;
        }
        store.store(rounded, entries);
        block += 1;
    }
    block
}

/// Returns the entry if the enclosure of its value decides it.
///
/// This decides some entries that the rounding of a block leaves undecided, but takes longer.
pub(crate) fn decide<T: Element>(plan: &Plan<T>, value: FloatEnclosure) -> Option<T> {
    match T::round(value, plan.rounder()) {
        (entry, 0) => Some(entry),
        _ => enclosed(value, plan.format()).map(from_bits),
    }
}

/// Rounds the entries of a block, and returns whether all of them are decided.
///
/// All reads come before the writes, so the compiler need not assume that one place is both read and written.
#[inline(always)]
fn round<T: Element, const FUSED: bool>(row: &impl Blocks<T>, block: usize, entries: &mut [Slot<T>; LANES]) -> bool {
    let mut undecided = [0; LANES];
    let rounder = row.rounder();
    let mut i = 0;
    while i < LANES {
        let (entry, flag) = T::round(row.value::<FUSED>(block, i), rounder);
        entries[i].set(entry);
        undecided[i] = flag;
        i += 1;
    }
    let mut any = 0;
    let mut i = 0;
    while i < LANES {
        any |= undecided[i];
        i += 1;
    }
    any == 0
}
