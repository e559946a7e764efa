//! The entries that floats leave undecided, from the exact tier.

use alloc::vec::Vec;
use core::cell::{Cell, OnceCell};

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::kernel::LANES;
use crate::element::slot::Slot;
use crate::engine::allocation::reserve;
use crate::engine::columns::Columns;
use crate::exact::frequency::Frequency;
use crate::exact::limbs::NARROW;
use crate::exact::progression::Progression;
use crate::exact::sinusoid::Sinusoid;
use crate::float_bits::is_zero;
use crate::plan::{Column, Target};

/// The number of entries for which their frequencies are computed one by one. For more, all are computed once.
///
/// A frequency on its own takes as long as about 100 in order.
const SINGLE: u32 = 4;

/// The exact entries of some rows. Few rows need any, so the frequencies are computed on demand.
pub(crate) struct ExactEntries<'r, 'a, T: Element> {
    pub(crate) columns: &'r Columns<'a, T>,
    count: Cell<u32>,
    /// All frequencies, or `None` if allocation failed.
    turns: OnceCell<Option<Vec<Frequency<NARROW>>>>,
}

impl<'r, 'a, T: Element> ExactEntries<'r, 'a, T> {
    pub(crate) fn new(columns: &'r Columns<'a, T>) -> Self {
        Self { columns, count: Cell::new(0), turns: OnceCell::new() }
    }

    /// Computes the entries of a block one by one, those that `decide` does not give by the exact tier.
    ///
    /// `decide` returns the entry of a column of the block, if it can.
    #[cold]
    #[inline(never)]
    pub(crate) fn settle(
        &self,
        position: f64,
        block: usize,
        entries: &mut [Slot<T>],
        decide: impl Fn(usize) -> Option<T>,
    ) {
        #[cfg(test)]
        crate::engine::columns::tests::count_block();
        if is_zero(position) {
            return self.columns.write_zero_angles(block * LANES, entries);
        }
        for (i, entry) in entries.iter_mut().enumerate() {
            entry.set(decide(i).unwrap_or_else(|| self.entry(block * LANES + i, position)));
        }
    }

    /// Writes a row with the exact tier.
    #[cold]
    #[inline(never)]
    pub(crate) fn write_row(&self, position: f64, entries: &mut [Slot<T>]) {
        if is_zero(position) {
            return self.columns.write_zero_angles(0, entries);
        }
        let plan = &self.columns.plan;
        for i in 0..plan.count() {
            let sinusoid = self.sinusoid(i, self.all_turns());
            let enclosed = sinusoid.enclose(position);
            for Target { column, function } in plan.all_targets(i) {
                entries[column].set(from_bits(sinusoid.round(function, &enclosed, plan.format())));
            }
        }
    }

    /// Returns the correctly rounded entry of a column.
    fn entry(&self, column: usize, position: f64) -> T {
        #[cfg(test)]
        crate::engine::columns::tests::count_entry();
        let Column { frequency, function } = self.columns.column(column);
        self.count.set(self.count.get().saturating_add(1));
        let all = if self.count.get() > SINGLE { self.all_turns() } else { None };
        from_bits(self.sinusoid(frequency, all).round_at(function, position, self.columns.plan.format()))
    }

    fn all_turns(&self) -> Option<&[Frequency<NARROW>]> {
        let compute = || {
            let plan = &self.columns.plan;
            let mut turns = reserve(plan.count())?;
            let mut progression = Progression::new(plan.frequencies());
            turns.extend((0..plan.count()).map(|_| progression.advance()));
            Some(turns)
        };
        self.turns.get_or_init(compute).as_deref()
    }

    fn sinusoid(&self, frequency: usize, all: Option<&[Frequency<NARROW>]>) -> Sinusoid<'_> {
        let Some(sinusoid) = self.columns.plan.sinusoid(frequency, all.map(|turns| turns[frequency])) else {
            unreachable!("nothing is prepared for an amplitude of zero")
        };
        sinusoid
    }
}
