//! Writes all rows of a run in order, coarse row by coarse row, each computed from an earlier one.

use alloc::vec::Vec;

use crate::element::Element;
use crate::element::kernel::Block;
use crate::element::slot::Slot;
use crate::engine::columns::repeated;
use crate::engine::direct::ExactEntries;
use crate::engine::fast::grow::turn;
use crate::engine::fast::prepare::FastRows;
use crate::engine::simd::{self, Job};

/// The number of blocks in a strip. Strips are written for two coarse rows in turn, so that the blocks of a fine row
/// are read from the slower cache once. Strips of both coarse rows take 8 KiB (16 KiB for `f64`) and stay in the
/// fastest cache. `cargo run --release --manifest-path benches/Cargo.toml --no-default-features` measures it in the
/// rows `4096 x 1024`.
const STRIP: usize = 32;

/// The size in bytes from which tables are written past the caches. They are larger than the caches, which would have
/// to read them before they are written. Smaller tables gain nothing, and their next reader finds them in a cache. See
/// the rows `4096 x 1024`, below this size, and `32768 x 1024`, above it.
const PAST_CACHES: usize = if cfg!(test) { 1 << 14 } else { 1 << 26 };

/// The number of bytes written past the caches at a time, or one row if that is longer. This is enough for whole cache
/// lines, and well within the fastest cache. See the row `32768 x 1024`.
const STAGE: usize = 1 << 12;

/// The coarse rows, computed one after the other. Only row 0 and one row per bit of their numbers are kept.
pub(super) struct CoarseRows<'r, 'a, T: Element> {
    pub(super) run: &'r FastRows<'a, T>,
    /// Coarse row `a` is at the index of the lowest set bit of `a`. The row without that bit is still present: its own
    /// lowest bit is a higher one, and no row since then had the same. Row 0 is at the end.
    pub(super) rows: Vec<T::Block>,
}

impl<T: Element> CoarseRows<'_, '_, T> {
    fn slot(&self, a: usize) -> usize {
        (if a == 0 { self.run.coarse_levels } else { a.trailing_zeros() }) as usize
    }

    /// Returns the coarse row that was last computed with the lowest bit of `a`.
    pub(super) fn row(&self, a: usize) -> &[T::Block] {
        &self.rows[self.slot(a) * self.run.blocks..][..self.run.blocks]
    }

    /// Computes coarse row `a`. The row without its lowest bit must be present.
    #[inline(always)]
    fn make<const FUSED: bool>(&mut self, a: usize) {
        let Self { run, .. } = *self;
        let blocks = run.blocks;
        let (slot, from) = (self.slot(a), self.slot(a & a.wrapping_sub(1)));
        let (made, before) = self.rows.split_at_mut((slot + 1) * blocks);
        let made = &mut made[slot * blocks..];
        if a == 0 {
            made.copy_from_slice(run.root());
        } else {
            let from = &before[(from - slot - 1) * blocks..][..blocks];
            let anchor = run.anchors_from(run.fine_levels + a.trailing_zeros());
            turn::<T::Block, FUSED>(from, anchor, run.exponent, made);
        }
    }

    /// Computes coarse row `a` and all rows that it is computed from.
    #[inline(always)]
    pub(super) fn begin<const FUSED: bool>(&mut self, a: usize) {
        self.make::<FUSED>(0);
        let mut bit = self.run.coarse_levels;
        while bit > 0 {
            bit -= 1;
            if a >> bit & 1 == 1 {
                self.make::<FUSED>(a >> bit << bit);
            }
        }
    }
}

impl<T: Element> FastRows<'_, T> {
    /// Writes whole rows, from row `2^fine_levels first` of the run on, except the columns without a formula.
    ///
    /// Returns `None`, and writes nothing, if allocation fails.
    pub(crate) fn fill(&self, first: usize, rows: &mut [Slot<T>]) -> Option<()> {
        let coarse =
            CoarseRows { run: self, rows: repeated(T::Block::ZERO, (self.coarse_levels as usize + 1) * self.blocks)? };
        let d_model = self.columns.plan.d_model();
        let staged = if simd::PASSES_CACHES && self.rows * d_model * size_of::<T>() >= PAST_CACHES {
            (STAGE / size_of::<T>() / d_model).max(1)
        } else {
            0
        };
        let stage = repeated(T::default(), staged * d_model)?;
        simd::run(Fill { coarse, exact: &ExactEntries::new(&self.columns), first, rows, stage });
        Some(())
    }
}

/// Writes rows, coarse row by coarse row.
pub(super) struct Fill<'r, 'a, T: Element> {
    pub(super) coarse: CoarseRows<'r, 'a, T>,
    pub(super) exact: &'r ExactEntries<'r, 'a, T>,
    pub(super) first: usize,
    pub(super) rows: &'r mut [Slot<T>],
    /// Space for a few rows, if `rows` are to be written past the caches.
    pub(super) stage: Vec<T>,
}

impl<T: Element> Job for Fill<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(mut self) {
        self.coarse.begin::<FUSED>(self.first);
        if self.stage.is_empty() {
            self.write::<FUSED>();
        } else {
            self.write_past_caches::<FUSED>();
        }
    }
}

impl<T: Element> Fill<'_, '_, T> {
    /// Writes the rows of two coarse rows at a time, strip by strip.
    #[inline(always)]
    fn write<const FUSED: bool>(mut self) {
        let run = self.coarse.run;
        let d_model = run.columns.plan.d_model();
        let coarse_len = run.fine_rows() * d_model;
        let mut a = self.first;
        let mut rest = self.rows;
        while !rest.is_empty() {
            if a > self.first {
                self.coarse.make::<FUSED>(a);
            }
            // An even coarse row and the next one are at different indices.
            let pair = a % 2 == 0 && rest.len() > coarse_len;
            if pair {
                self.coarse.make::<FUSED>(a + 1);
            }
            let (rows, after) = rest.split_at_mut(rest.len().min(if pair { 2 * coarse_len } else { coarse_len }));
            let mut strip = 0;
            while strip < run.blocks {
                let blocks = strip..run.blocks.min(strip + STRIP);
                let mut fine = 0;
                while fine < coarse_len {
                    let mut begin = fine;
                    while begin < rows.len() {
                        let row = (a << run.fine_levels) + begin / d_model;
                        let coarse = self.coarse.row(row >> run.fine_levels);
                        run.write::<FUSED>(self.exact, coarse, row, blocks.clone(), &mut rows[begin..begin + d_model]);
                        begin += coarse_len;
                    }
                    fine += d_model;
                }
                strip = blocks.end;
            }
            a += 1 + usize::from(pair);
            rest = after;
        }
    }

    /// Writes row by row: a few rows first to the stage, which stays in the cache, and from there past the caches.
    #[inline(always)]
    fn write_past_caches<const FUSED: bool>(mut self) {
        let run = self.coarse.run;
        let d_model = run.columns.plan.d_model();
        let mut row = self.first << run.fine_levels;
        for rows in self.rows.chunks_mut(self.stage.len()) {
            let stage = &mut self.stage[..rows.len()];
            let mut begin = 0;
            while begin < stage.len() {
                let a = row >> run.fine_levels;
                if row & (run.fine_rows() - 1) == 0 && a > self.first {
                    self.coarse.make::<FUSED>(a);
                }
                run.write::<FUSED>(
                    self.exact,
                    self.coarse.row(a),
                    row,
                    0..run.blocks,
                    Slot::of(&mut stage[begin..begin + d_model]),
                );
                row += 1;
                begin += d_model;
            }
            simd::copy_past_caches(stage, rows);
        }
        simd::finish_copies();
    }
}
