//! The angles of all columns at one position, as sines and cosines: the rows that the fast tier starts from.

use alloc::vec::Vec;

use crate::element::Element;
use crate::element::kernel::{Block, LANES, QUARTER_TURN};
use crate::engine::columns::Columns;
use crate::engine::simd::{self, Job};
use crate::error_bounds::{ANGLE_SHARE, DIRECT_PHASE};
use crate::plan::Target;

/// Adds to `angles` those of the table's row at `position`, times the amplitude, which is at most `2^exponent`.
///
/// The angle of a cosine is a quarter turn later, so that its sine is the entry. Returns `None` if not even the exact
/// tier gives the angles.
pub(crate) fn set_row<T: Element>(
    columns: &Columns<T>,
    position: f64,
    exponent: i32,
    angles: &mut Vec<T::Block>,
) -> Option<()> {
    set::<T, true>(columns, position, exponent, angles)
}

/// Adds to `angles` those by which the columns advance in `step` positions. Returns `None` as [`set_row`] does.
pub(crate) fn set_step<T: Element>(columns: &Columns<T>, step: f64, angles: &mut Vec<T::Block>) -> Option<()> {
    set::<T, false>(columns, step, 0, angles)
}

/// Adds the angles of a row if `ROW` is set, otherwise those of a step, whose amplitude is 1.
fn set<T: Element, const ROW: bool>(
    columns: &Columns<T>,
    position: f64,
    exponent: i32,
    angles: &mut Vec<T::Block>,
) -> Option<()> {
    if suits(columns, position) {
        simd::run(Set::<T, ROW> { columns, position, exponent, angles });
        return Some(());
    }
    let first = angles.len();
    angles.resize(first + columns.frequencies().len(), T::Block::ZERO);
    let angles = &mut angles[first..];
    let mut sinusoids = columns.plan.sinusoids();
    while let Some(sinusoid) = sinusoids.advance() {
        let targets = columns.plan.all_targets(sinusoid.i);
        let rotation = if ROW { sinusoid } else { sinusoid.of_length_one() }.rotation(position, exponent)?;
        for Target { column, function } in targets {
            let rotation = if ROW { rotation.of(function) } else { rotation };
            let lane = columns.lead + column;
            angles[lane / LANES].set(lane % LANES, rotation, exponent);
        }
    }
    Some(())
}

/// Returns whether the error of the angles at `position` is a negligible part of the error of a sum.
fn suits<T: Element>(columns: &Columns<T>, position: f64) -> bool {
    let negligible = |turns| turns * DIRECT_PHASE <= T::Block::ERROR * ANGLE_SHARE;
    position == 0.0 || columns.turns_at(position).is_some_and(negligible)
}

struct Set<'r, 'a, T: Element, const ROW: bool> {
    columns: &'r Columns<'a, T>,
    position: f64,
    exponent: i32,
    angles: &'r mut Vec<T::Block>,
}

impl<T: Element, const ROW: bool> Job for Set<'_, '_, T, ROW> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { columns, position, exponent, angles } = self;
        for frequencies in columns.frequencies() {
            let mut block = T::Block::ZERO;
            let mut i = 0;
            while i < LANES {
                let offset = if ROW { frequencies.offset.0[i] } else { 0.0 };
                let mut sin = T::Block::sine_at::<FUSED>(position, frequencies, i, offset);
                let mut cos = T::Block::sine_at::<FUSED>(position, frequencies, i, offset + QUARTER_TURN);
                if ROW {
                    sin = T::Block::scaled::<FUSED>(sin, columns.amplitude);
                    cos = T::Block::scaled::<FUSED>(cos, columns.amplitude);
                }
                block.set_floats(i, sin, cos, exponent);
                i += 1;
            }
            angles.push(block);
        }
    }
}
