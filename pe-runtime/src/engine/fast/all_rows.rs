//! Writes all rows of a table, panel by panel.
//!
//! A panel is a strip of blocks in many rows. Its fine rows are computed anew, so that they are in a fast cache. They are
//! few compared with the rows of most panels.

use alloc::vec::Vec;
use core::ops::Range;

use crate::element::Element;
use crate::element::kernel::{Block, LANES};
use crate::element::slot::{Memory, Slot};
use crate::engine::allocation::repeated;
#[cfg(feature = "rayon")]
use crate::engine::columns::Columns;
use crate::engine::direct::ExactEntries;
use crate::engine::fast::grow::{grow, turn};
use crate::engine::fast::prepare::{FastRows, levels};
use crate::engine::fast::sums::Sums;
use crate::engine::simd::{self, Job};
use crate::engine::store::{self, LINE, PastCaches, ThroughCaches};
use crate::plan::Plan;
use crate::plan::positions::EquallySpaced;

// The sizes below affect the speed, but no bits.
// `cargo run --release --manifest-path benches/Cargo.toml --no-default-features` measures it.

/// At most `2^4` fine rows serve a coarse row.
const MAX_FINE_LEVELS: u32 = 4;

/// The number of rows in a panel.
const PANEL_ROWS: usize = 512;
const _: () = assert!(PANEL_ROWS % (1 << MAX_FINE_LEVELS) == 0);

/// The number of blocks in a strip. The fine rows of a strip take 32 KiB (64 KiB for `f64`), and a coarse row 2 KiB
/// (4 KiB).
const STRIP: usize = 16;

/// The number of blocks in a strip if it is written through the caches to a table larger than [`SECOND_CACHE`]. The
/// processor reads such memory ahead, but only along a row.
const WIDE_STRIP: usize = 64;

/// The size in bytes up to which a table probably stays in the second-level cache.
const SECOND_CACHE: usize = 1 << 20;

/// The size in bytes from which tables are written past the caches. Then they are not read before they are written,
/// which takes as long as writing them. The next reader of a smaller table finds it in a cache. At this size, writing and
/// then reading a table takes the same time either way (measured once, Intel Xeon, 2026-11-22).
const PAST_CACHES: usize = if cfg!(test) { 1 << 14 } else { 1 << 24 };

/// The largest rows in bytes that are written through the caches unless they begin with a cache line. Of the lines of a
/// larger row fewer than one in 16 belongs to two rows, which is then written in two parts, through the caches. For 67 MB of
/// rows of 64 `f32`, that takes 1.4 times as long as writing all lines through the caches, and for rows of 1024 `f32` 0.8
/// times. (Measured once, by changing the code, AMD EPYC, 2026-11-23.)
const NARROW_ROW: usize = 16 * LINE;

/// The number of rows by which parts of cache lines are read ahead if the others are written past the caches.
const ROWS_AHEAD: usize = 4;

/// Returns the levels of the fine rows for a table of `rows` rows.
pub(super) fn fine_levels(rows: usize) -> u32 {
    (levels(rows) / 2).min(MAX_FINE_LEVELS)
}

/// All rows of a table, prepared for the fast tier.
pub(crate) struct AllRows<'a, T: Element> {
    run: FastRows<'a, T>,
    /// The number of blocks in a strip.
    strip: usize,
    past_caches: Option<PastCaches<T>>,
}

impl<'a, T: Element> AllRows<'a, T> {
    /// Prepares the table that is to be written to `rows`.
    ///
    /// Returns `None` if the plan does not suit this tier, or if allocation fails.
    pub(crate) fn new(plan: &Plan<'a, T>, positions: EquallySpaced, rows: &[Slot<T>], memory: Memory) -> Option<Self> {
        let (size, address) = (size_of_val(rows), rows.as_ptr().addr());
        // If rows are whole lines, all of them begin at the same place of a line. Computing 16-bit elements takes longer
        // than writing them, either way.
        let row = size_of::<T>() * plan.d_model();
        let fits = row % LINE == 0 && (row > NARROW_ROW || address % LINE == 0) && size_of::<T>() > 2;
        let fits = fits && memory == Memory::Used && size >= PAST_CACHES;
        let past_caches = if fits { PastCaches::detect() } else { None };
        let lead = if past_caches.is_some() { address % LINE / size_of::<T>() } else { 0 };
        let rows = rows.len() / plan.d_model();
        let run = FastRows::new(plan, positions, rows, fine_levels(rows), lead)?;
        let strip = if past_caches.is_some() || size <= SECOND_CACHE { STRIP } else { WIDE_STRIP };
        let strip = strip.min(run.blocks);
        Some(Self { run, strip, past_caches })
    }

    #[cfg(feature = "rayon")]
    pub(crate) fn columns(&self) -> &Columns<'a, T> {
        &self.run.columns
    }

    /// Returns the number that the rows from which [`fill`](Self::fill) writes must be multiples of.
    #[cfg(feature = "rayon")]
    pub(crate) fn unit(&self) -> usize {
        self.run.fine_rows()
    }

    /// Writes whole rows from row `first` of the table on, except the columns without a formula.
    ///
    /// Returns `None`, and writes nothing, if allocation fails.
    pub(crate) fn fill(&self, first: usize, rows: &mut [Slot<T>]) -> Option<()> {
        let (panel, exact) = (Panel::new(&self.run, self.strip)?, &ExactEntries::new(&self.run.columns));
        match self.past_caches {
            Some(to) => simd::run(Fill { panel, exact, first, rows, to }),
            None => simd::run(Fill { panel, exact, first, rows, to: ThroughCaches }),
        }
        Some(())
    }
}

/// Writes rows, panel by panel.
struct Fill<'r, 'a, T: Element, W> {
    panel: Panel<'r, 'a, T>,
    exact: &'r ExactEntries<'r, 'a, T>,
    first: usize,
    rows: &'r mut [Slot<T>],
    to: W,
}

impl<T: Element, W: WriteEntries<T>> Job for Fill<'_, '_, T, W> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { mut panel, exact, first, rows, to } = self;
        let run = panel.run;
        // Very wide tables have fewer rows, and the product may be too large for 32 bits.
        let panel_entries = PANEL_ROWS.saturating_mul(run.columns.plan.d_model());
        for (i, rows) in rows.chunks_mut(panel_entries).enumerate() {
            let first = (first + i * PANEL_ROWS) >> run.fine_levels;
            let mut block = 0;
            while block < run.blocks {
                panel.begin::<FUSED>(block, first);
                panel.write::<_, FUSED>(first, exact, rows, to);
                block = panel.blocks.end;
            }
        }
        to.finish();
    }
}

/// The angles that the rows of a panel are sums of.
pub(super) struct Panel<'r, 'a, T: Element> {
    pub(super) run: &'r FastRows<'a, T>,
    /// The fine rows, and then the coarse rows, of which only row 0 and one row per bit of their numbers are kept.
    ///
    /// Coarse row `a` is at the index of the lowest set bit of `a`. The row without that bit is still present: its own
    /// lowest bit is a higher one, and no row since then had the same. Row 0 is at the end.
    angles: Vec<T::Block>,
    /// The most blocks that there is space for.
    strip: usize,
    blocks: Range<usize>,
}

impl<'r, 'a, T: Element> Panel<'r, 'a, T> {
    /// Returns a panel of up to `strip` blocks, or `None` if allocation fails.
    pub(super) fn new(run: &'r FastRows<'a, T>, strip: usize) -> Option<Self> {
        let angles = repeated(T::Block::ZERO, Self::rows(run) * strip)?;
        Some(Self { run, angles, strip, blocks: 0..0 })
    }

    /// Returns the number of rows of angles.
    pub(super) fn rows(run: &FastRows<T>) -> usize {
        run.fine_rows() + run.coarse_levels as usize + 1
    }

    fn index(&self, a: usize) -> usize {
        self.run.fine_rows() + (if a == 0 { self.run.coarse_levels } else { a.trailing_zeros() }) as usize
    }

    /// Returns the coarse row that was last computed with the lowest bit of `a`.
    pub(super) fn coarse(&self, a: usize) -> &[T::Block] {
        &self.angles[self.index(a) * self.blocks.len()..][..self.blocks.len()]
    }

    /// Returns the fine rows.
    pub(super) fn fine(&self) -> impl Iterator<Item = &[T::Block]> {
        self.angles.chunks_exact(self.blocks.len()).take(self.run.fine_rows())
    }

    /// Computes the fine rows of the strip from `block` on, and its coarse row `a`.
    #[inline(always)]
    pub(super) fn begin<const FUSED: bool>(&mut self, block: usize, a: usize) {
        let run = self.run;
        self.blocks = block..run.blocks.min(block + self.strip);
        let width = self.blocks.len();
        let fine = &mut self.angles[..run.fine_rows() * width];
        fine[..width].fill(T::Block::IDENTITY);
        grow::<T::Block, FUSED>(fine, width, 0, |level| &run.anchor(level)[block..]);
        self.advance::<FUSED>(0);
        let mut bit = run.coarse_levels;
        while bit > 0 {
            bit -= 1;
            if a >> bit & 1 == 1 {
                self.advance::<FUSED>(a >> bit << bit);
            }
        }
    }

    /// Computes coarse row `a`. The row without its lowest bit must be present.
    #[inline(always)]
    fn advance<const FUSED: bool>(&mut self, a: usize) {
        let (run, blocks) = (self.run, self.blocks.clone());
        let (index, from) = (self.index(a), self.index(a & a.wrapping_sub(1)));
        let (made, before) = self.angles.split_at_mut((index + 1) * blocks.len());
        let made = &mut made[index * blocks.len()..];
        if a == 0 {
            made.copy_from_slice(&run.root()[blocks]);
        } else {
            let from = &before[(from - index - 1) * blocks.len()..][..blocks.len()];
            let anchor = run.anchor(run.fine_levels + a.trailing_zeros());
            turn::<T::Block, FUSED>(from, &anchor[blocks], run.exponent, made);
        }
    }

    /// Writes the strip to `rows`, which begin with those of coarse row `first`. It must be the one computed last.
    #[inline(always)]
    fn write<W: WriteEntries<T>, const FUSED: bool>(
        &mut self,
        first: usize,
        exact: &ExactEntries<T>,
        rows: &mut [Slot<T>],
        to: W,
    ) {
        let (run, d_model) = (self.run, self.run.columns.plan.d_model());
        let (block, lanes) = (self.blocks.start, run.columns.lanes());
        let lanes = lanes.start.max(block * LANES)..lanes.end.min(self.blocks.end * LANES);
        let columns = lanes.start - run.columns.lead..lanes.end - run.columns.lead;
        let lane = lanes.start - block * LANES;
        for (i, rows) in rows.chunks_mut(d_model << run.fine_levels).enumerate() {
            let a = first + i;
            if i > 0 {
                self.advance::<FUSED>(a);
            }
            let coarse = self.coarse(a);
            for (b, (fine, row)) in self.fine().zip(rows.chunks_exact_mut(d_model)).enumerate() {
                let row_number = (a << run.fine_levels) + b;
                let sums = Sums { run, exact, coarse, fine, block, row: row_number, error: run.error };
                to.write::<FUSED>(&sums, lane, &mut row[columns.clone()], d_model);
            }
        }
    }
}

/// A way to write the entries of a row in a panel.
trait WriteEntries<T: Element>: Copy {
    /// Writes entries from a lane of `sums` on. The same entries of the next row are `d_model` away.
    fn write<const FUSED: bool>(self, sums: &Sums<T>, lane: usize, entries: &mut [Slot<T>], d_model: usize);

    fn finish(self) {}
}

impl<T: Element> WriteEntries<T> for ThroughCaches {
    #[inline(always)]
    fn write<const FUSED: bool>(self, sums: &Sums<T>, lane: usize, entries: &mut [Slot<T>], _: usize) {
        debug_assert_eq!(lane, 0); // The constant saves a few per cent of the time.
        sums.write::<_, FUSED>(0, entries, self);
    }
}

impl<T: Element> WriteEntries<T> for PastCaches<T> {
    /// Only whole cache lines are written past the caches, because other rows have the rest of the first and last one.
    #[inline(always)]
    fn write<const FUSED: bool>(self, sums: &Sums<T>, lane: usize, entries: &mut [Slot<T>], d_model: usize) {
        let (before, lines, after) = store::whole_lines(entries);
        let first = lane + before.len();
        for (lane, part) in [(lane, before), (first + lines.len(), after)] {
            if !part.is_empty() {
                store::prefetch(part.as_ptr().wrapping_add(ROWS_AHEAD * d_model));
                sums.write::<_, FUSED>(lane, part, ThroughCaches);
            }
        }
        sums.write::<_, FUSED>(first, lines, self);
    }

    fn finish(self) {
        store::finish();
    }
}

#[cfg(test)]
mod tests {
    use std::{vec, vec::Vec};

    use super::*;
    use crate::element::bits::{as_bytes, from_bits};
    use crate::element::{Bf16Bits, F16Bits};
    use crate::engine::dispatch;
    use crate::exact::frequency::Frequency;
    use crate::exact::limbs::NARROW;
    use crate::plan::positions::Positions;
    use crate::spec::Spec;

    /// Checks tables that begin at each place of a cache line and are written in two pieces.
    fn check<T: Element>(spec: &Spec, rows: usize, expects_past_caches: bool) {
        let (plan, len) = (Plan::<T>::new(spec).unwrap(), rows * spec.d_model());
        let positions = Positions::of_rows(spec, 0, rows).unwrap();
        let mut exact = vec![T::default(); len];
        dispatch::const_fill(&plan, &positions, &mut exact);
        let outside = from_bits::<T>(0x1234);
        for first in 0..LINE / size_of::<T>() {
            let mut memory: Vec<T> = vec![outside; len + 2 * LINE];
            let first = first + memory.as_ptr().align_offset(LINE);
            let table = AllRows::new(
                &plan,
                positions.equally_spaced().unwrap(),
                Slot::of(&mut memory[first..][..len]),
                Memory::Used,
            )
            .unwrap();
            let is_split = size_of::<T>() * spec.d_model() <= NARROW_ROW && memory[first..].as_ptr().addr() % LINE != 0;
            let expected = expects_past_caches && !is_split && PastCaches::<T>::detect().is_some();
            assert_eq!(table.past_caches.is_some(), expected);
            let (begin, rest) = memory[first..][..len].split_at_mut(3 * table.run.fine_rows() * spec.d_model());
            table.fill(3 * table.run.fine_rows(), Slot::of(rest)).unwrap();
            table.fill(0, Slot::of(begin)).unwrap();
            assert!(as_bytes(&memory[first..][..len]) == as_bytes(&exact), "{} {spec}, {first}", T::DTYPE);
            let (before, after) = (&memory[..first], &memory[first + len..]);
            assert!(before.iter().chain(after).all(|entry| as_bytes(&[*entry]) == as_bytes(&[outside])));
        }
    }

    #[test]
    fn tables_are_written_anywhere() {
        for (d_model, past_caches) in [(16, true), (112, true), (320, true), (136, false)] {
            let spec = Spec::new(d_model).start(-7);
            let rows = (1 << 15) / d_model + 9;
            check::<f32>(&spec, rows, past_caches);
            check::<f64>(&spec, rows, true);
            check::<F16Bits>(&spec, rows, false);
            check::<Bf16Bits>(&spec, rows, false);
        }
    }

    /// As `Spec::fill` promises, including the frequencies that the exact tier may need.
    #[test]
    fn memory_is_as_documented() {
        fn check<T: Element>(d_model: usize, rows: usize) {
            let (plan, positions) = (Plan::new(&Spec::new(d_model)).unwrap(), EquallySpaced { start: 0, step: 1 });
            assert!(FastRows::<T>::suits(&plan, rows));
            let run = FastRows::<T>::new(&plan, positions, rows, fine_levels(rows), 0).unwrap();
            let exact = plan.count() * size_of::<Frequency<NARROW>>();
            let panel = Panel::rows(&run) * run.blocks.min(WIDE_STRIP) * size_of::<T::Block>();
            let bytes = run.bytes() + exact + panel;
            let rows_of_angles = (rows.ilog2() as usize + 7) * d_model.div_ceil(LANES) * size_of::<T::Block>();
            assert!(bytes <= rows_of_angles + (1 << 20), "{bytes}: {rows} rows, {d_model} columns, {}", T::DTYPE);
            let promised = (2 * rows * d_model * size_of::<T>()).max(16 << 20);
            assert!(bytes <= promised, "{bytes} of {promised} bytes: {rows} rows, {d_model} columns, {}", T::DTYPE);
        }
        // An emulator takes a minute for the frequencies of the widest tables.
        let widest = if cfg!(any(target_arch = "x86", target_arch = "x86_64")) { usize::MAX } else { 1000 };
        let shapes = [(1 << 16, 24), (1 << 16, 63), (600_000, 65), (300_000, 129), (512, 4096), (64, 1 << 20)];
        for (d_model, rows) in shapes.into_iter().filter(|&(d_model, _)| d_model <= widest) {
            check::<F16Bits>(d_model, rows);
            check::<f64>(d_model, rows);
        }
    }
}
