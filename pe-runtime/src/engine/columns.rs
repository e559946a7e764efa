//! The columns of a table, prepared for the tiers that compute in floats.

#![allow(clippy::float_arithmetic, reason = "compares with limits and multiplies by powers of two")]

use alloc::vec::Vec;
use core::ops::Range;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::kernel::{FrequencyBlock, LANES};
use crate::element::slot::Slot;
use crate::engine::floats_serve;
use crate::engine::split_float::number_and_rest;
use crate::error_bounds::{MAX_TURNS, MIN_TURNS};
use crate::exact::frequency::Progression;
use crate::exact::limbs::FOR_FLOATS;
use crate::exact::sinusoid::Function;
use crate::plan::{Plan, Target};

/// The columns of a plan that are a sine or a cosine, with their frequencies in integers and in floats.
#[derive(Clone)]
pub(crate) struct Columns<'a, T> {
    pub(crate) plan: Plan<'a, T>,
    /// The number of lanes before the one of column 0. These are not written.
    pub(crate) lead: usize,
    /// The column of each lane, an index into the columns of all blocks.
    functions: Vec<Column>,
    frequencies: Vec<FrequencyBlock>,
    /// The amplitude with its sign, as a float and a rest.
    pub(crate) amplitude: (f64, f64),
    /// The smallest and the largest absolute value of a frequency other than zero, in turns.
    smallest: f64,
    largest: f64,
}

/// The function of a frequency that a column holds.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    pub(crate) frequency: usize,
    pub(crate) function: Function,
}

/// Returns an empty vector with space for `len` elements, or `None` if allocation fails.
pub(crate) fn reserve<T>(len: usize) -> Option<Vec<T>> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(len).ok()?;
    Some(vec)
}

pub(crate) fn repeated<T: Clone>(value: T, len: usize) -> Option<Vec<T>> {
    let mut vec = reserve(len)?;
    vec.resize(len, value);
    Some(vec)
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
        let mut columns = Self {
            plan: *plan,
            lead,
            functions: repeated(Column { frequency: 0, function: Function::Sine }, lead + plan.width())?,
            frequencies: repeated(FrequencyBlock::PADDING, (lead + plan.width()).div_ceil(LANES))?,
            amplitude: (sign * size, sign * rest),
            smallest: f64::INFINITY,
            largest: 0.0,
        };
        columns.set_frequencies();
        Some(columns)
    }

    fn set_frequencies(&mut self) {
        let plan = self.plan;
        let (rule, repeats) = (plan.frequencies(), plan.repeats());
        let mut progression = Progression::<FOR_FLOATS>::new(rule);
        for i in 0..plan.count() {
            let (sign, turns) = (rule.sign(i), progression.advance().turns);
            let frequency = match number_and_rest(&turns) {
                _ if sign == 0 => (0.0, 0.0),
                Some((high, low)) => {
                    self.smallest = self.smallest.min(high);
                    self.largest = self.largest.max(high);
                    (f64::from(sign) * high, f64::from(sign) * low)
                }
                None => {
                    self.largest = f64::INFINITY; // so that no position serves
                    (0.0, 0.0)
                }
            };
            for target in plan.targets(i).into_iter().flatten() {
                self.set(i, frequency, target);
            }
            if repeats {
                for target in plan.repeated_targets(i).into_iter().flatten() {
                    self.set(i, frequency, target);
                }
            }
        }
    }

    /// Sets a column of frequency `i`.
    #[inline]
    fn set(&mut self, i: usize, frequency: (f64, f64), Target { column, function }: Target) {
        let lane = self.lead + column;
        self.functions[lane] = Column { frequency: i, function };
        self.frequencies[lane / LANES].set(lane % LANES, frequency, function == Function::Cosine);
    }

    /// Returns the size of the memory for this many columns.
    pub(crate) fn bytes_of(width: usize) -> usize {
        width * size_of::<Column>() + width.div_ceil(LANES) * size_of::<FrequencyBlock>()
    }

    /// Returns the lanes of the columns that are a sine or a cosine.
    pub(crate) fn lanes(&self) -> Range<usize> {
        self.lead..self.functions.len()
    }

    pub(crate) fn frequencies(&self) -> &[FrequencyBlock] {
        &self.frequencies
    }

    /// Returns the largest absolute value of an angle at `position`, in turns, if direct evaluation in floats serves
    /// all columns there.
    pub(crate) fn turns_at(&self, position: f64) -> Option<f64> {
        let position = position.abs();
        let serves = position * self.smallest >= MIN_TURNS && position * self.largest <= MAX_TURNS;
        serves.then_some(position * self.largest)
    }

    /// Writes the sines and cosines of zero angles to `entries`, which start at lane `first`.
    pub(crate) fn write_zero_angles(&self, first: usize, entries: &mut [Slot<T>]) {
        let Some(amplitude) = self.plan.amplitude() else {
            unreachable!("nothing is prepared for an amplitude of zero")
        };
        for (column, entry) in self.functions[first..].iter().zip(entries) {
            entry.set(from_bits(amplitude.at_zero(column.function)));
        }
    }

    /// Returns the column of a lane.
    pub(crate) fn column(&self, lane: usize) -> Column {
        self.functions[lane]
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use core::cell::Cell;

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
}
