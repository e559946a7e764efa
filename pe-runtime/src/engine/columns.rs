//! The columns of a table, prepared for the tiers that compute in floats.

#![allow(clippy::float_arithmetic, reason = "compares with limits and multiplies by powers of two")]

use alloc::vec::Vec;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::kernel::{FrequencyBlock, LANES};
use crate::engine::split_float::number_and_rest;
use crate::engine::ziv::enclosed;
use crate::engine::floats_serve;
use crate::error_bounds::{MAX_TURNS, MIN_TURNS};
use crate::exact::frequency::{Frequency, NARROW};
use crate::exact::sinusoid::{Function, Sinusoid};
use crate::plan::{Plan, Target};

/// The columns of a plan that are a sine or a cosine, with their frequencies in integers and in floats.
#[derive(Clone)]
pub(crate) struct Columns<'a, T> {
    pub(crate) plan: Plan<'a, T>,
    turns: Vec<Frequency<NARROW>>,
    columns: Vec<Column>,
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
    pub(crate) fn new(plan: Plan<'a, T>) -> Option<Self> {
        if !floats_serve(&plan) {
            return None;
        }
        let amplitude = plan.amplitude()?;
        let (size, rest) = amplitude.factor().map_or(Some((1.0, 0.0)), |factor| number_and_rest(&factor.size))?;
        let sign = if amplitude.negative { -1.0 } else { 1.0 };
        let mut columns = Self {
            plan,
            turns: reserve(plan.count())?,
            columns: repeated(Column { frequency: 0, function: Function::Sine }, plan.width())?,
            frequencies: repeated(FrequencyBlock::PADDING, plan.width().div_ceil(LANES))?,
            amplitude: (sign * size, sign * rest),
            smallest: f64::INFINITY,
            largest: 0.0,
        };
        columns.set_frequencies();
        Some(columns)
    }

    fn set_frequencies(&mut self) {
        let plan = self.plan;
        let mut sinusoids = plan.sinusoids();
        while let Some(Sinusoid { i, turns, frequencies, .. }) = sinusoids.advance() {
            self.turns.push(turns);
            let sign = frequencies.sign(i);
            let frequency = match number_and_rest(&turns.turns) {
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
            for Target { column, function } in plan.targets(i).into_iter().flatten() {
                self.columns[column] = Column { frequency: i, function };
                self.frequencies[column / LANES].set(column % LANES, frequency, function == Function::Cosine);
            }
        }
    }

    /// Returns the number of columns that are a sine or a cosine.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
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

    /// Returns the sinusoid of a frequency.
    pub(crate) fn sinusoid(&self, frequency: usize) -> Sinusoid<'_> {
        let Some(sinusoid) = self.plan.sinusoid(frequency, self.turns[frequency]) else {
            unreachable!("of an amplitude of zero nothing is prepared")
        };
        sinusoid
    }

    /// Computes the undecided entries of a block, with the exact tier if an enclosure does not decide them either.
    ///
    /// `value` returns a number, a rest, and their error for a column of the block.
    #[cold]
    #[inline(never)]
    pub(crate) fn settle(
        &self,
        position: f64,
        block: usize,
        entries: &mut [T],
        value: impl Fn(usize) -> (f64, f64, f64),
    ) {
        for (i, entry) in entries.iter_mut().enumerate() {
            let (high, rest, error) = value(i);
            if let (decided, 0) = T::round(high, rest, error) {
                *entry = decided;
                continue;
            }
            if let Some(bits) = enclosed((high, rest), error, T::FORMAT) {
                *entry = from_bits(bits);
                continue;
            }
            #[cfg(test)]
            tests::count();
            let Column { frequency, function } = self.columns[block * LANES + i];
            *entry = from_bits(self.sinusoid(frequency).round_at(function, position, T::FORMAT));
        }
    }

    /// Returns the columns.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use core::cell::Cell;

    std::thread_local! {
        static LEFT_TO_THE_EXACT_TIER: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn count() {
        LEFT_TO_THE_EXACT_TIER.set(LEFT_TO_THE_EXACT_TIER.get() + 1);
    }

    /// Returns the number of entries that `act` leaves to the exact tier.
    pub(crate) fn left_to_the_exact_tier(act: impl FnOnce()) -> usize {
        LEFT_TO_THE_EXACT_TIER.set(0);
        act();
        LEFT_TO_THE_EXACT_TIER.get()
    }
}
