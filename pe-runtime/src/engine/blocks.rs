//! Writes the blocks of a row, and has undecided entries computed in another way.

use core::ops::Range;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::kernel::LANES;
use crate::element::slot::Slot;
use crate::engine::ziv::enclosed;

/// The entries of a row, a block of eight columns at a time.
pub(crate) trait Blocks<T> {
    /// Returns the value of a column of a block before rounding, as a number, a rest, and their error.
    fn value<const FUSED: bool>(&self, block: usize, column: usize) -> (f64, f64, f64);

    /// Computes the undecided entries of a block, of which `entries` may be the first few.
    fn settle(&self, block: usize, entries: &mut [Slot<T>]);
}

/// Writes some blocks of a row, of which `entries` are the columns that have a formula.
#[inline(always)]
pub(crate) fn write<T: Element, const FUSED: bool>(
    row: &impl Blocks<T>,
    blocks: Range<usize>,
    entries: &mut [Slot<T>],
) {
    let whole = blocks.end.min(entries.len() / LANES);
    let mut block = blocks.start;
    while block < whole {
        block = write_decided::<T, FUSED>(row, block, &mut entries[..whole * LANES]);
        if block < whole {
            row.settle(block, &mut entries[block * LANES..][..LANES]);
            block += 1;
        }
    }
    if block < blocks.end {
        let (last, decided) = round::<T, FUSED>(row, block);
        let rest = &mut entries[block * LANES..];
        for (slot, entry) in rest.iter_mut().zip(last) {
            *slot = entry;
        }
        if !decided {
            row.settle(block, rest);
        }
    }
}

/// Writes blocks up to and including the first with an undecided entry.
///
/// Returns the index of that block, or the number of blocks.
///
/// The compiler would not vectorise this loop, which it may leave early, but it vectorises each block.
#[inline(always)]
fn write_decided<T: Element, const FUSED: bool>(row: &impl Blocks<T>, first: usize, entries: &mut [Slot<T>]) -> usize {
    let mut block = first;
    for entries in entries[first * LANES..].chunks_exact_mut(LANES) {
        let (rounded, decided) = round::<T, FUSED>(row, block);
        let Some(entries) = entries.first_chunk_mut() else { unreachable!("a chunk has `LANES` entries") };
        *entries = rounded;
        if !decided {
            break;
        }
        block += 1;
    }
    block
}

/// Returns the entry if its number, rest, and their error decide it.
///
/// An enclosure decides some entries that the rounding of a block leaves undecided, but takes longer.
pub(crate) fn decide<T: Element>((high, rest, error): (f64, f64, f64)) -> Option<T> {
    match T::round(high, rest, error) {
        (entry, 0) => Some(entry),
        _ => enclosed((high, rest, error), T::FORMAT).map(from_bits),
    }
}

/// Returns the rounded entries of a block, and whether all of them are decided.
///
/// All reads come before the writes, so the compiler need not assume that one place is both read and written.
#[inline(always)]
fn round<T: Element, const FUSED: bool>(row: &impl Blocks<T>, block: usize) -> ([Slot<T>; LANES], bool) {
    let (mut entries, mut undecided) = ([const { Slot::new(from_bits(0)) }; LANES], [0; LANES]);
    let mut i = 0;
    while i < LANES {
        let (high, rest, error) = row.value::<FUSED>(block, i);
        let (entry, flag) = T::round(high, rest, error);
        (entries[i], undecided[i]) = (Slot::new(entry), flag);
        i += 1;
    }
    let mut any = 0;
    let mut i = 0;
    while i < LANES {
        any |= undecided[i];
        i += 1;
    }
    (entries, any == 0)
}
