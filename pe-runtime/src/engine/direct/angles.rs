//! The angles of all columns at one position, as sines and cosines: the rows that the fast tier starts from.

use crate::element::Element;
use crate::element::kernel::{Block, LANES, QUARTER_TURN};
use crate::engine::columns::Columns;
use crate::engine::simd::{self, Job};
use crate::error_bounds::{ANGLE_SHARE, DIRECT_PHASE};
use crate::plan::Target;

/// Sets `angles` to those of the table's rows at `position`, times the amplitude, which is at most `2^exponent`.
///
/// The angle of a cosine is a quarter turn later, so that its sine is the entry. Returns `None` if not even the exact
/// tier gives the angles.
pub(crate) fn set_row<T: Element>(
    columns: &Columns<T>,
    position: f64,
    exponent: i32,
    angles: &mut [T::Block],
) -> Option<()> {
    if suits(columns, position) {
        simd::run(Row { columns, position, exponent, angles });
        return Some(());
    }
    let mut sinusoids = columns.plan.sinusoids();
    while let Some(sinusoid) = sinusoids.advance() {
        let rotation = sinusoid.rotation(position, exponent)?;
        for Target { column, function } in columns.plan.targets(sinusoid.i).into_iter().flatten() {
            angles[column / LANES].set(column % LANES, rotation.of(function), exponent);
        }
    }
    Some(())
}

/// Sets `angles` to those by which `step` positions turn the columns. Returns `None` as [`set_row`] does.
pub(crate) fn set_step<T: Element>(columns: &Columns<T>, step: f64, angles: &mut [T::Block]) -> Option<()> {
    if suits(columns, step) {
        simd::run(Step { columns, distance: step, angles });
        return Some(());
    }
    let mut sinusoids = columns.plan.sinusoids();
    while let Some(sinusoid) = sinusoids.advance() {
        let rotation = sinusoid.of_length_one().rotation(step, 0)?;
        for Target { column, .. } in columns.plan.targets(sinusoid.i).into_iter().flatten() {
            angles[column / LANES].set(column % LANES, rotation, 0);
        }
    }
    Some(())
}

/// Returns whether the error of the angles at `position` is a negligible part of the error of a sum.
fn suits<T: Element>(columns: &Columns<T>, position: f64) -> bool {
    let negligible = |turns| turns * DIRECT_PHASE <= T::Block::ERROR * ANGLE_SHARE;
    position == 0.0 || columns.turns_at(position).is_some_and(negligible)
}

struct Row<'r, 'a, T: Element> {
    columns: &'r Columns<'a, T>,
    position: f64,
    exponent: i32,
    angles: &'r mut [T::Block],
}

impl<T: Element> Job for Row<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { columns, position, exponent, angles } = self;
        for (angles, frequencies) in angles.iter_mut().zip(columns.frequencies()) {
            // Only the finished block is written, so the compiler need not assume that it overlaps the frequencies.
            let mut block = T::Block::ZERO;
            let mut i = 0;
            while i < LANES {
                let offset = frequencies.offset.0[i];
                let sin = T::Block::sine_at::<FUSED>(position, frequencies, i, offset);
                let cos = T::Block::sine_at::<FUSED>(position, frequencies, i, offset + QUARTER_TURN);
                let sin = T::Block::scaled::<FUSED>(sin, columns.amplitude);
                let cos = T::Block::scaled::<FUSED>(cos, columns.amplitude);
                block.set_floats(i, sin, cos, exponent);
                i += 1;
            }
            *angles = block;
        }
    }
}

struct Step<'r, 'a, T: Element> {
    columns: &'r Columns<'a, T>,
    distance: f64,
    angles: &'r mut [T::Block],
}

impl<T: Element> Job for Step<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        for (angles, frequencies) in self.angles.iter_mut().zip(self.columns.frequencies()) {
            let mut block = T::Block::ZERO;
            let mut i = 0;
            while i < LANES {
                let sin = T::Block::sine_at::<FUSED>(self.distance, frequencies, i, 0.0);
                let cos = T::Block::sine_at::<FUSED>(self.distance, frequencies, i, QUARTER_TURN);
                block.set_floats(i, sin, cos, 0);
                i += 1;
            }
            *angles = block;
        }
    }
}
