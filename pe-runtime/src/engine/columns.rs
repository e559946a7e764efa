//! The columns of a table, prepared for the tiers that compute in floats.

#![allow(clippy::float_arithmetic, reason = "compares with limits and multiplies by powers of two")]

use alloc::vec::Vec;
use core::ops::Range;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::kernel::{FrequencyBlock, LANES, Lanes, QUARTER_TURN};
use crate::element::slot::Slot;
use crate::engine::allocation::reserve;
use crate::engine::float_frequencies::{FloatFrequencies, Turns};
use crate::engine::floats_serve;
use crate::engine::simd::{self, Job};
use crate::engine::split_float::number_and_rest;
use crate::error_bounds::{MAX_TURNS, MIN_TURNS};
use crate::exact::sinusoid::Function;
use crate::plan::{Column, Plan};

/// The columns of a plan that are a sine or a cosine, with their frequencies in floats.
#[derive(Clone)]
pub(crate) struct Columns<'a, T> {
    pub(crate) plan: Plan<'a, T>,
    /// The number of lanes before the one of column 0. These are not written.
    pub(crate) lead: usize,
    frequencies: Vec<FrequencyBlock>,
    /// The amplitude with its sign, as a float and a rest.
    pub(crate) amplitude: (f64, f64),
    /// The smallest and the largest absolute value of a frequency other than zero, in turns.
    range: [f64; 2],
}

impl<'a, T: Element> Columns<'a, T> {
    /// Returns the columns of a plan, or `None` if it is not one for floats, or if allocation fails.
    pub(crate) fn new(plan: &Plan<'a, T>) -> Option<Self> {
        Self::with_lead(plan, 0)
    }

    /// Does the same, with `lead` lanes before the one of column 0.
    pub(crate) fn with_lead(plan: &Plan<'a, T>, lead: usize) -> Option<Self> {
        if !floats_serve(plan.amplitude()) {
            return None;
        }
        let amplitude = plan.amplitude()?;
        let (size, rest) = amplitude.factor().map_or(Some((1.0, 0.0)), |factor| number_and_rest(&factor.size))?;
        let sign = if amplitude.negative { -1.0 } else { 1.0 };
        let frequencies = reserve((lead + plan.width()).div_ceil(LANES))?;
        let FloatFrequencies { blocks, range } = FloatFrequencies::new(plan.frequencies(), plan.count())?;
        let mut columns = Self { plan: *plan, lead, frequencies, amplitude: (sign * size, sign * rest), range };
        columns.set_frequencies(&blocks);
        Some(columns)
    }

    fn set_frequencies(&mut self, turns: &[Turns]) {
        let lanes = self.lanes();
        if let Some(run) = self.plan.run().filter(|_| self.lead == 0) {
            for first in (0..lanes.end).step_by(run.columns) {
                let blocks = (lanes.end - first).min(run.columns) / LANES;
                let offset = [first, first + 1].map(|column| offset(self.plan.column(column)));
                simd::run(Spread { turns, blocks, twice: run.twice, offset, out: &mut self.frequencies });
            }
        }
        for first in (LANES * self.frequencies.len()..lanes.end).step_by(LANES) {
            let mut block = FrequencyBlock::PADDING;
            for lane in lanes.start.max(first)..lanes.end.min(first + LANES) {
                let column = self.plan.column(lane - self.lead);
                let (high, low) = turns[column.frequency / LANES].get(column.frequency % LANES);
                block.high.0[lane - first] = high;
                block.low.0[lane - first] = low;
                block.offset.0[lane - first] = offset(column);
            }
            self.frequencies.push(block);
        }
    }

    /// Returns the size of the memory for this many columns.
    pub(crate) fn bytes_of(width: usize) -> usize {
        width.div_ceil(LANES) * size_of::<FrequencyBlock>()
    }

    /// Returns the lanes of the columns that are a sine or a cosine.
    pub(crate) fn lanes(&self) -> Range<usize> {
        self.lead..self.lead + self.plan.width()
    }

    pub(crate) fn frequencies(&self) -> &[FrequencyBlock] {
        &self.frequencies
    }

    /// Returns the largest absolute value of an angle at `position`, in turns, if direct evaluation in floats serves
    /// all columns there.
    pub(crate) fn turns_at(&self, position: f64) -> Option<f64> {
        let position = position.abs();
        let [smallest, largest] = self.range.map(|frequency| position * frequency);
        (smallest >= MIN_TURNS && largest <= MAX_TURNS).then_some(largest)
    }

    /// Writes the sines and cosines of zero angles to `entries`, which start at lane `first`.
    pub(crate) fn write_zero_angles(&self, first: usize, entries: &mut [Slot<T>]) {
        let Some(amplitude) = self.plan.amplitude() else {
            unreachable!("nothing is prepared for an amplitude of zero")
        };
        for (lane, entry) in (first..self.lanes().end).zip(entries) {
            entry.set(from_bits(amplitude.at_zero(self.column(lane).function)));
        }
    }

    /// Returns what feeds the column of a lane. The lanes before column 0, which are not written, have the same as
    /// column 0.
    pub(crate) fn column(&self, lane: usize) -> Column {
        self.plan.column(lane.saturating_sub(self.lead))
    }
}

/// Returns the angle to add to the angle of a frequency to get the column as a sine, in turns.
fn offset(column: Column) -> f64 {
    if column.function == Function::Cosine { QUARTER_TURN } else { 0.0 }
}

/// Appends the first blocks of a [run of columns](crate::spec::arrangement::Run).
struct Spread<'a> {
    turns: &'a [Turns],
    blocks: usize,
    twice: bool,
    offset: [f64; 2],
    out: &'a mut Vec<FrequencyBlock>,
}

impl Job for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { turns, blocks, twice: is_twice, offset: [even, odd], out } = self;
        let offset = Lanes([even, odd, even, odd, even, odd, even, odd]);
        if !is_twice {
            for Turns { high, low } in &turns[..blocks] {
                out.push(FrequencyBlock { high: Lanes(*high), low: Lanes(*low), offset });
            }
            return;
        }
        for Turns { high, low } in &turns[..blocks / 2] {
            out.push(FrequencyBlock { high: twice::<0>(high), low: twice::<0>(low), offset });
            out.push(FrequencyBlock { high: twice::<4>(high), low: twice::<4>(low), offset });
        }
        if blocks % 2 == 1 {
            let Turns { high, low } = &turns[blocks / 2];
            out.push(FrequencyBlock { high: twice::<0>(high), low: twice::<0>(low), offset });
        }
    }
}

/// Returns four lanes from lane `START` on, each of them twice.
#[inline(always)]
fn twice<const START: usize>(lanes: &[f64; LANES]) -> Lanes {
    let mut out = [0.0; LANES];
    let mut i = 0;
    while i < LANES / 2 {
        out[2 * i] = lanes[START + i];
        out[2 * i + 1] = lanes[START + i];
        i += 1;
    }
    Lanes(out)
}

#[cfg(test)]
pub(crate) mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::plan::Target;
    use crate::spec::Spec;
    use crate::spec::choices::{Columns as Kinds, Layout, Odd, Order, Pairing, Repeat};

    std::thread_local! {
        static LEFT: Cell<Left> = const { Cell::new(Left { blocks: 0, entries: 0 }) };
    }

    /// What the floats left undecided.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) struct Left {
        /// The blocks that are computed entry by entry.
        pub(crate) blocks: usize,
        /// The entries that the exact tier computes.
        pub(crate) entries: usize,
    }

    pub(crate) fn count_block() {
        LEFT.set(Left { blocks: LEFT.get().blocks + 1, ..LEFT.get() });
    }

    pub(crate) fn count_entry() {
        LEFT.set(Left { entries: LEFT.get().entries + 1, ..LEFT.get() });
    }

    /// Returns what `act` leaves.
    pub(crate) fn left_by(act: impl FnOnce()) -> Left {
        LEFT.set(Left { blocks: 0, entries: 0 });
        act();
        LEFT.get()
    }

    /// Checks the frequencies of all columns, those that are set eight at a time and the others.
    fn check(spec: &Spec, lead: usize) {
        let Ok(plan) = Plan::<f32>::new(spec) else { return };
        let turns = FloatFrequencies::new(plan.frequencies(), plan.count()).unwrap().blocks;
        let columns = Columns::with_lead(&plan, lead).unwrap();
        assert_eq!(columns.frequencies().len(), columns.lanes().end.div_ceil(LANES), "{spec}");
        let mut fed = 0;
        for i in 0..plan.count() {
            for Target { column, function } in plan.all_targets(i) {
                assert_eq!(plan.column(column), Column { frequency: i, function }, "{spec}");
                let lane = lead + column;
                let FrequencyBlock { high, low, offset } = &columns.frequencies()[lane / LANES];
                let found = ((high.0[lane % LANES], low.0[lane % LANES]), offset.0[lane % LANES]);
                let quarters = f64::from(u8::from(function == Function::Cosine));
                assert_eq!(found, (turns[i / LANES].get(i % LANES), quarters / 4.0), "{spec}: {column}");
                fed += 1;
            }
        }
        assert_eq!(fed, plan.width(), "{spec}");
    }

    #[test]
    fn columns_have_the_frequencies_that_feed_them() {
        for d_model in (1..36).chain([48, 64, 80, 96]) {
            for kinds in [Kinds::Both, Kinds::Sin, Kinds::Cos] {
                for pairing in [Pairing::Paired, Pairing::Unpaired] {
                    for repeat in [Repeat::None, Repeat::Halves, Repeat::Pairs] {
                        for layout in [Layout::Interleaved, Layout::Halves] {
                            let spec = Spec::new(d_model).columns(kinds).pairing(pairing).repeat(repeat).layout(layout);
                            check(&spec.odd(Odd::LastSin), 0);
                            check(&spec.odd(Odd::Zero).order(Order::CosSin), 0);
                            check(&spec, d_model % LANES);
                        }
                    }
                }
            }
        }
    }
}
