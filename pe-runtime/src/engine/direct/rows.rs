//! Writes rows of any positions.

use crate::element::Element;
use crate::element::kernel::{Block, FloatEnclosure};
use crate::element::slot::Slot;
use crate::engine::blocks::{self, Blocks};
use crate::engine::columns::Columns;
use crate::engine::direct::exact_entries::ExactEntries;
use crate::engine::floats_serve;
use crate::engine::simd::{self, Job, multiply_add};
use crate::engine::store::ThroughCaches;
use crate::engine::ziv;
use crate::error_bounds::DIRECT_PHASE;
use crate::plan::Plan;
use crate::plan::positions::Positions;

/// The largest `d_model` for which the columns are prepared. For wider rows they would take too much memory.
const MAX_WIDTH: usize = 1 << 16;

/// Returns whether this tier applies.
pub(crate) fn suits<T: Element>(plan: &Plan<T>) -> bool {
    plan.d_model() <= MAX_WIDTH && floats_serve(plan.amplitude())
}

/// Writes the rows of `positions` from row `first` on, except the columns without a formula.
pub(crate) fn fill<T: Element>(columns: &Columns<T>, positions: &Positions, first: usize, rows: &mut [Slot<T>]) {
    simd::run(Fill { exact: &ExactEntries::new(columns), positions, first, rows });
}

struct Fill<'r, 'a, T: Element> {
    exact: &'r ExactEntries<'r, 'a, T>,
    positions: &'r Positions<'r>,
    first: usize,
    rows: &'r mut [Slot<T>],
}

impl<T: Element> Job for Fill<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { exact, positions, first, rows } = self;
        let columns = exact.columns;
        for (i, row) in rows.chunks_exact_mut(columns.plan.d_model()).enumerate() {
            let (position, entries) = (positions.at(first + i), &mut row[..columns.lanes().end]);
            match DirectRow::new(columns, position) {
                Some(row) => {
                    blocks::write::<T, _, FUSED>(&Settled { row, exact }, 0, entries, ThroughCaches);
                }
                None => exact.write_row(position, entries),
            }
        }
    }
}

/// A row whose entries are evaluated directly.
pub(crate) struct DirectRow<'r, 'a, T: Element> {
    columns: &'r Columns<'a, T>,
    position: f64,
    /// The error bound per turn, due to the angle.
    error_per_turn: f64,
    /// The error bound due to the largest angle.
    error: f64,
}

impl<'r, 'a, T: Element> DirectRow<'r, 'a, T> {
    /// Returns the row at `position`, or `None` if direct evaluation does not serve it.
    #[inline(always)]
    pub(crate) fn new(columns: &'r Columns<'a, T>, position: f64) -> Option<Self> {
        let turns = columns.turns_at(position)?;
        let error_per_turn = DIRECT_PHASE * columns.amplitude.0.abs();
        Some(Self { columns, position, error_per_turn, error: turns * error_per_turn + T::Block::LEAST_ERROR })
    }

    /// Returns the value of a column before rounding, as a number, a rest, and their error.
    #[inline(always)]
    fn value<const FUSED: bool>(&self, block: usize, column: usize) -> (f64, f64, f64) {
        let frequencies = &self.columns.frequencies()[block];
        let sine = T::Block::sine_at::<FUSED>(self.position, frequencies, column, frequencies.offset.0[column]);
        let (high, rest) = T::Block::scaled::<FUSED>(sine, self.columns.amplitude);
        let error = if T::Block::EACH_ANGLE {
            let turns = (self.position * frequencies.high.0[column]).abs();
            multiply_add::<FUSED>(turns, self.error_per_turn, T::Block::LEAST_ERROR)
        } else {
            self.error
        };
        (high, rest, multiply_add::<FUSED>(high.abs(), T::Block::DIRECT_ERROR, error))
    }

    /// Encloses the value of a column before rounding.
    #[inline(always)]
    pub(crate) fn enclose<const FUSED: bool>(&self, block: usize, column: usize) -> FloatEnclosure {
        let (number, rest, error) = self.value::<FUSED>(block, column);
        ziv::around(number, rest, error)
    }
}

/// A row that is evaluated directly, with the exact tier for entries that this leaves undecided.
struct Settled<'r, 'a, T: Element> {
    row: DirectRow<'r, 'a, T>,
    exact: &'r ExactEntries<'r, 'a, T>,
}

impl<T: Element> Blocks<T> for Settled<'_, '_, T> {
    #[inline(always)]
    fn value<const FUSED: bool>(&self, block: usize, column: usize) -> FloatEnclosure {
        self.row.enclose::<FUSED>(block, column)
    }

    #[inline(always)]
    fn rounder(&self) -> f64 {
        self.exact.columns.plan.rounder()
    }

    fn settle(&self, block: usize, entries: &mut [Slot<T>]) {
        let (plan, row) = (&self.exact.columns.plan, &self.row);
        self.exact.settle(row.position, block, entries, |i| blocks::decide(plan, row.enclose::<false>(block, i)));
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;
    use std::{format, vec};

    use proptest::prelude::*;

    use super::*;
    use crate::element::kernel::LANES;
    use crate::element::{Bf16Bits, F16Bits};
    use crate::engine::columns::tests::{Left, left_by};
    use crate::engine::dispatch;
    use crate::engine::error_audit::{self, Drawn, Goal, Worst, any_run, report, worst};
    use crate::engine::simd::tests::with_each;
    use crate::exact::rotation::Rotation;
    use crate::float_bits::power_of_two;
    use crate::plan::Column;
    use crate::spec::Spec;

    /// The values of a row before rounding.
    struct Values<'r, 'a, T: Element>(DirectRow<'r, 'a, T>);

    impl<T: Element> Job for Values<'_, '_, T> {
        type Output = Vec<(f64, f64, f64)>;

        #[inline(always)]
        fn run<const FUSED: bool>(self) -> Self::Output {
            self.0.columns.lanes().map(|i| self.0.value::<FUSED>(i / LANES, i % LANES)).collect()
        }
    }

    fn any_position() -> impl Strategy<Value = f64> {
        let sign = prop_oneof![Just(1.0), Just(-1.0)];
        prop_oneof![
            (1i64..1 << 20).prop_map(|position| position as f64),
            (1i64..1 << 50, 0u32..50).prop_map(|(position, shift)| (position >> shift).max(1) as f64),
            (-60i32..44, 1.0f64..2.0).prop_map(|(binade, fraction)| fraction * power_of_two(binade)),
        ]
        .prop_flat_map(move |position| sign.clone().prop_map(move |sign| sign * position))
    }

    /// Measures the values of a row with each set of instructions.
    fn look<T: Element>((drawn, position): (Drawn, f64), Worst { shares, entries }: &mut Worst<3>) {
        /// The smallest error to measure: the exact tier is off by less than `2^9` of these units.
        const LEAST_UNITS: f64 = power_of_two(20);
        let (plan, exponent) = (drawn.plan::<f64>(), drawn.exponent());
        let columns = Columns::<T>::new(&drawn.plan()).unwrap();
        let mut exact = Vec::new();
        let mut sinusoids = plan.sinusoids();
        while let Some(sinusoid) = sinusoids.advance() {
            exact.push(sinusoid.rotation(position, exponent).unwrap());
        }
        with_each(|i, _| {
            let Some(row) = DirectRow::new(&columns, position) else { return };
            for (column, (high, rest, error)) in simd::run(Values(row)).into_iter().enumerate() {
                let Column { frequency, function } = columns.column(column);
                if error * power_of_two(Rotation::BITS - exponent) > LEAST_UNITS {
                    let exact = exact[frequency].of(function).sin;
                    shares[i] = shares[i].max(error_audit::share((high, rest), exact, error, exponent));
                    *entries += usize::from(i == 0);
                }
            }
        });
    }

    #[test]
    fn values_are_as_precise_as_stated() {
        let any = || (any_run(), any_position());
        let (plain, split) = (worst(any, Goal::of_share(1), look::<f32>), worst(any, Goal::of_share(1), look::<f64>));
        with_each(|i, instructions| {
            let tier = |numbers| format!("direct, {numbers} f64 a number, {instructions:?}");
            report(tier("an"), plain.shares[i], plain.entries, 0.1);
            report(tier("two"), split.shares[i], split.entries, 0.02);
        });
    }

    fn left<T: Element>(spec: Spec, positions: &[f64]) -> Left {
        let mut rows = vec![T::default(); positions.len() * spec.d_model()];
        left_by(|| spec.fill_positions(positions, &mut rows).unwrap())
    }

    /// If this tier decided nothing, the bits would not show it.
    #[test]
    fn few_entries_are_left_to_the_exact_tier() {
        let positions: Vec<f64> = (1..2000).map(|i| f64::from(i) * 0.37).collect();
        for spec in [Spec::new(512), Spec::new(512).base(1e9), Spec::new(512).base(1e15), Spec::new(512).scale(1e-9)] {
            for Left { entries, .. } in
                [left::<f32>(spec, &positions), left::<f64>(spec, &positions), left::<Bf16Bits>(spec, &positions)]
            {
                assert!(entries < 5, "{entries}");
            }
        }
        assert!(left::<F16Bits>(Spec::new(512), &positions).entries < 5);
    }

    #[test]
    fn rows_beyond_the_limits_are_exact() {
        let spec = Spec::new(64).base(100.0);
        let plan = Plan::new(&spec).unwrap();
        let positions = [0.0, -0.0, 1e15, 1e17, 1e-300, 5e-324, 1e300, f64::MAX, 3.5];
        let mut rows = vec![0.0f32; positions.len() * 64];
        let left = left_by(|| spec.fill_positions(&positions, &mut rows).unwrap());
        for (position, row) in positions.into_iter().zip(rows.chunks_exact(64)) {
            let mut exact = [0.0f32; 64];
            dispatch::const_fill(&plan, &Positions::of_list(&[position]).unwrap(), &mut exact);
            assert_eq!(row, exact, "{position}");
        }
        assert_eq!(left.blocks, 0);
    }
}
