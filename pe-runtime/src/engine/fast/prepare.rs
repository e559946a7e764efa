//! What the fast tier prepares: the angles of the first row, and the anchors, which are the angles of `2^level` rows.

use alloc::vec::Vec;
use core::ops::Range;

use crate::element::Element;
use crate::element::kernel::{Block, LANES};
use crate::engine::allocation::reserve;
use crate::engine::columns::Columns;
use crate::engine::{direct, floats_serve};
use crate::error_bounds::MIN_ROWS;
use crate::exact::rotation::Rotation;
use crate::float_bits::power_of_two;
use crate::plan::Plan;
use crate::plan::positions::EquallySpaced;

/// A run of equally spaced positions, prepared for the fast tier.
#[derive(Clone)]
pub(crate) struct FastRows<'a, T: Element> {
    pub(super) columns: Columns<'a, T>,
    pub(super) positions: EquallySpaced,
    /// The amplitude is at most `2^exponent`.
    pub(super) exponent: i32,
    pub(super) error: f64,
    pub(super) blocks: usize,
    pub(super) fine_levels: u32,
    pub(super) coarse_levels: u32,
    /// The anchors of all levels, and the angles of the first row, times the amplitude.
    angles: Vec<T::Block>,
}

/// Returns the number of bits in the numbers of `rows` rows.
pub(super) fn levels(rows: usize) -> u32 {
    usize::BITS - rows.saturating_sub(1).leading_zeros()
}

impl<'a, T: Element> FastRows<'a, T> {
    /// Returns whether this tier applies to this many rows.
    ///
    /// Few but very wide rows would take much memory here. The const-eval tier allocates none.
    pub(crate) fn suits(plan: &Plan<T>, rows: usize) -> bool {
        let pays = rows >= 64 || (rows >= MIN_ROWS && plan.d_model() <= 1 << 16);
        pays && floats_serve(plan.amplitude())
    }

    /// Prepares `rows` rows, of which each coarse row serves `2^fine_levels`, in blocks that have `lead` lanes before
    /// the one of column 0.
    ///
    /// Returns `None` if the plan does not suit this tier, or if allocation fails.
    pub(super) fn new(
        plan: &Plan<'a, T>,
        positions: EquallySpaced,
        rows: usize,
        fine_levels: u32,
        lead: usize,
    ) -> Option<Self> {
        let exponent = plan.amplitude()?.exponent();
        let levels = levels(rows);
        let blocks = (lead + plan.width()).div_ceil(LANES);
        // A sum takes at most `levels` products, for which the bound is `levels + 2` units of `ERROR`. Each bit of the
        // row's number is one product, with an anchor. The product of a coarse row and a fine one is one more. The
        // first product of a fine row (or that last one, if the fine row is row 0) is with the identity, a sine of 0
        // and a cosine of 1, and rounds nothing but the ends of the enclosure.
        let error = f64::from(levels + 2) * T::Block::ERROR * power_of_two(exponent);
        // All memory is reserved before any is written, so that a request for too much fails at once.
        let count = blocks.checked_mul(levels as usize + 1)?;
        let mut angles = reserve(count)?;
        let columns = Columns::with_lead(plan, lead)?;
        for level in 0..levels {
            direct::set_step(&columns, positions.step as f64 * power_of_two(level as i32), &mut angles)?;
        }
        direct::set_row(&columns, positions.at(0), exponent, &mut angles)?;
        let (anchors, root) = angles.split_at_mut(blocks * levels as usize);
        pad(columns.lanes(), exponent, root, anchors);
        Some(Self {
            columns,
            positions,
            exponent,
            error,
            blocks,
            fine_levels,
            coarse_levels: levels - fine_levels,
            angles,
        })
    }

    /// Returns the number of rows that a coarse row serves.
    pub(super) fn fine_rows(&self) -> usize {
        1 << self.fine_levels
    }

    /// Returns the size of the memory that has been allocated.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.angles.capacity() * size_of::<T::Block>() + Columns::<T>::bytes_of(self.columns.lanes().end)
    }

    /// Returns the angles of `2^level` rows.
    pub(super) fn anchor(&self, level: u32) -> &[T::Block] {
        &self.angles[level as usize * self.blocks..][..self.blocks]
    }

    /// Returns the angles of the first row, times the amplitude.
    pub(super) fn root(&self) -> &[T::Block] {
        &self.angles[self.angles.len() - self.blocks..]
    }
}

/// Fills the lanes that have no column with two fifths of the amplitude, which are always decided: in no binade are they
/// near the midpoint of two floats or integers.
fn pad<B: Block>(lanes: Range<usize>, exponent: i32, root: &mut [B], anchors: &mut [B]) {
    let decided = Rotation { sin: (1 << (Rotation::BITS + 1)) / 5, cos: 0 };
    let blocks = root.len();
    for lane in (0..lanes.start).chain(lanes.end..blocks * LANES) {
        let (block, column) = (lane / LANES, lane % LANES);
        root[block].set(column, decided, exponent);
        for anchor in anchors.chunks_exact_mut(blocks) {
            anchor[block].set(column, Rotation::IDENTITY, 0);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::element::kernel::FloatEnclosure;
    use crate::element::slot::{Memory, Slot};
    use crate::element::{Bf16Bits, F16Bits};
    use crate::engine::blocks::Blocks;
    use crate::engine::columns::tests::{Left, left_by};
    use crate::engine::direct::ExactEntries;
    use crate::engine::error_audit::{self, Drawn, Goal, Worst, any_run, report, worst};
    use crate::engine::fast::all_rows::{AllRows, Panel, fine_levels};
    use crate::engine::fast::sums::Sums;
    use crate::engine::simd::tests::with_each;
    use crate::engine::simd::{self, Job};
    use crate::exact::sinusoid::Function;
    use crate::plan::Column;
    use crate::spec::Spec;

    const FROM_0: EquallySpaced = EquallySpaced { start: 0, step: 1 };

    fn plan<T: Element>(spec: Spec) -> Plan<T> {
        Plan::new(&spec).unwrap()
    }

    fn left<T: Element>(spec: Spec) -> Left {
        let mut rows = std::vec![T::default(); 4096 * spec.d_model()];
        let table = AllRows::new(&plan(spec), FROM_0, Slot::of(&mut rows), Memory::Used).unwrap();
        left_by(|| table.fill(0, Slot::of(&mut rows)).unwrap())
    }

    /// Of the 4.2 million entries of a typical table, few are left. If this tier
    /// decided nothing, the bits would not show it.
    #[test]
    fn few_entries_are_left_to_other_tiers() {
        let spec = Spec::new(1024);
        // The sines of row 0 are zeros, and in all of its blocks.
        let blocks_of_row_0 = 128;
        let check = |left: Left, most| {
            assert!((blocks_of_row_0..blocks_of_row_0 + most).contains(&left.blocks), "{left:?}");
            assert!(left.entries < 5, "{left:?}");
        };
        check(left::<f32>(spec), 100);
        check(left::<f64>(spec), 400);
        check(left::<F16Bits>(spec), 1000); // those below the normal numbers too
        check(left::<Bf16Bits>(spec), 100);
        // An absolute error bound does not decide the tiniest sines: 2 and 5 % of the entries.
        let slow = spec.base(1e9);
        check(left::<f32>(slow), 80_000);
        check(left::<f64>(slow), 250_000);
    }

    /// The last anchors of such a step, and the first row so far from zero, are from the exact tier.
    #[test]
    fn columns_that_a_table_does_not_have_are_decided() {
        for positions in [EquallySpaced { start: 1, step: 4000 }, EquallySpaced { start: 1 << 50, step: 1 }] {
            let mut rows = std::vec![0.0f64; 4096 * 12];
            let table = AllRows::new(&plan(Spec::new(12)), positions, Slot::of(&mut rows), Memory::Used).unwrap();
            assert!(left_by(|| table.fill(0, Slot::of(&mut rows)).unwrap()).blocks < 5);
        }
    }

    #[test]
    fn the_usual_spec_is_for_this_tier() {
        assert!(
            FastRows::<f32>::suits(&plan(Spec::new(512)), 4) && FastRows::<f64>::suits(&plan(Spec::new(1 << 20)), 64)
        );
        assert!(
            !FastRows::<f32>::suits(&plan(Spec::new(512)), 3) && !FastRows::<f32>::suits(&plan(Spec::new(1 << 20)), 63)
        );
        let tiny = crate::Amplitude::Value(1e-30);
        assert!(!FastRows::<f32>::suits(&plan(Spec::new(512).amplitude(tiny)), 4096));
    }

    /// One coarse row and all fine rows, whose entries are enclosed.
    struct Enclose<'r, 'a, T: Element> {
        panel: Panel<'r, 'a, T>,
        coarse: usize,
    }

    impl<T: Element> Job for Enclose<'_, '_, T> {
        type Output = Vec<FloatEnclosure>;

        #[inline(always)]
        fn run<const FUSED: bool>(mut self) -> Self::Output {
            self.panel.begin::<FUSED>(0, self.coarse);
            let (run, coarse) = (self.panel.run, self.panel.coarse(self.coarse));
            let exact = &ExactEntries::new(&run.columns);
            let rows =
                self.panel.fine().map(|fine| Sums { run, exact, coarse, fine, block: 0, row: 0, error: run.error });
            rows.flat_map(|sums| (0..run.blocks * LANES).map(move |i| sums.value::<FUSED>(i / LANES, i % LANES)))
                .collect()
        }
    }

    /// Measures the sums with each set of instructions.
    fn look<T: Element>(drawn: Drawn, Worst { shares, entries }: &mut Worst<3>) {
        let mut exact = Vec::new();
        drawn.sinusoids(|_, rotations| exact.push(rotations.to_vec()));
        with_each(|i, _| {
            let run =
                FastRows::<T>::new(&drawn.plan(), drawn.positions, drawn.rows, fine_levels(drawn.rows), 0).unwrap();
            let panel = Panel::new(&run, run.blocks).unwrap();
            let enclosures = simd::run(Enclose { panel, coarse: drawn.first / run.fine_rows() });
            let looked_at = drawn.first % run.fine_rows()..run.fine_rows();
            for (row, b) in looked_at.clone().zip(0..drawn.rows().len()) {
                for column in 0..run.columns.lanes().end {
                    let Column { frequency, function } = run.columns.column(column);
                    let Rotation { sin, cos } = exact[frequency][b];
                    let FloatEnclosure { number, least, greatest } = enclosures[row * run.blocks * LANES + column];
                    let middle = (number, f64::midpoint(least, greatest));
                    let exact = match function {
                        Function::Sine => sin,
                        Function::Cosine => cos,
                    };
                    shares[i] = shares[i].max(error_audit::share(middle, exact, run.error, run.exponent));
                }
            }
            *entries += if i == 0 { looked_at.len().min(drawn.rows().len()) * run.columns.lanes().end } else { 0 };
        });
    }

    #[test]
    fn sums_are_as_precise_as_stated() {
        let (plain, split) =
            (worst(any_run, Goal::of_share(1), look::<f32>), worst(any_run, Goal::of_share(1), look::<f64>));
        with_each(|i, instructions| {
            let tier = |numbers| std::format!("fast, {numbers} f64 a number, {instructions:?}");
            report(tier("an"), plain.shares[i], plain.entries, 0.02);
            report(tier("two"), split.shares[i], split.entries, 0.005);
        });
    }
}
