//! Estimates how the angle of each frequency grows from row to row.
//!
//! Row `i` of a frequency has the angle `step * i + first`, whatever the base, scale and start are.

use std::f64::consts::{PI, TAU};

use posenc::__private::PairColumns;

/// The entries of a table as `f64`.
pub(super) struct Numbers {
    pub(super) entries: Vec<f64>,
    pub(super) d_model: usize,
    pub(super) seq_len: usize,
    /// The largest magnitude of an entry.
    pub(super) largest: f64,
    /// The relative rounding error of the element type.
    pub(super) rounding: f64,
    /// The row of zeros, which has no position.
    pub(super) zero_row: Option<usize>,
}

/// The angle of a frequency in row 0 and its growth per row, both from -pi to pi.
#[derive(Clone, Copy, Debug)]
pub(super) struct Angle {
    pub(super) first: f64,
    pub(super) step: f64,
}

/// The number of rows for one estimate, enough for rounding errors to average out.
const SAMPLE: usize = 64;

impl Numbers {
    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.d_model + column]
    }

    /// Returns a sample of rows `i` for which rows `i` and `i + distance` both have positions.
    fn rows(&self, distance: usize) -> impl Iterator<Item = usize> {
        let count = self.seq_len.saturating_sub(distance);
        let zero_row = self.zero_row;
        let is_position = move |row: usize| Some(row) != zero_row;
        let rows = (0..count).step_by((count / SAMPLE).max(1));
        rows.filter(move |&row| is_position(row) && is_position(row + distance))
    }

    /// Estimates the angle from columns of sine and cosine: the entries of a row are a point on a circle.
    pub(super) fn pair(&self, sin: usize, cos: usize) -> Angle {
        let turn = |distance: usize| {
            let mut sum = (0.0, 0.0);
            for row in self.rows(distance) {
                let (s, c) = (self.at(row, sin), self.at(row, cos));
                let (s2, c2) = (self.at(row + distance, sin), self.at(row + distance, cos));
                sum = (sum.0 + s2 * c - c2 * s, sum.1 + c2 * c + s2 * s);
            }
            f64::atan2(sum.0, sum.1)
        };
        // Adjacent rows give a rough estimate, and rows further apart refine it.
        let mut step = if self.seq_len > 1 { turn(1) } else { 0.0 };
        let mut distance = 2;
        while distance < self.seq_len && self.rows(distance).next().is_some() {
            let missed = wrapped(turn(distance) - step * distance as f64);
            if missed.abs() > 0.5 {
                break;
            }
            step += missed / distance as f64;
            distance *= 2;
        }
        let mut sum = (0.0, 0.0);
        for row in self.rows(0).take(SAMPLE) {
            let (s, c) = (self.at(row, sin), self.at(row, cos));
            let (s2, c2) = (step * row as f64).sin_cos();
            sum = (sum.0 + s * c2 - c * s2, sum.1 + c * c2 + s * s2);
        }
        Angle { first: f64::atan2(sum.0, sum.1), step }
    }

    /// Estimates the angle from a sine or a cosine alone.
    ///
    /// The row of position 0 (which need not exist) and the amplitude must be known.
    pub(super) fn single(&self, slot: PairColumns, zero: i64, amplitude: f64) -> Option<Angle> {
        let column = slot.sin.or(slot.cos)?;
        let entry = |distance: i64| {
            let row = usize::try_from(zero.checked_add(distance)?).ok()?;
            (row < self.seq_len && Some(row) != self.zero_row).then(|| self.at(row, column) / amplitude)
        };
        // Rows on the other side of position 0 have the opposite angle.
        let way = if entry(1).is_some() && entry(2).is_some() { 1 } else { -1 };
        let (one, two) = (entry(way)?, entry(2 * way)?);
        let mut step = match slot.sin {
            Some(_) => f64::atan2(one, if one == 0.0 { 1.0 } else { two / (2.0 * one) }),
            None => one.clamp(-1.0, 1.0).acos(),
        };
        // The error of an angle derived from an entry. It is large near the extremes of the wave.
        let error = |entry: f64, angle: f64| {
            let slope = if slot.sin.is_some() { angle.cos() } else { angle.sin() };
            self.rounding * entry.abs() / slope.abs()
        };
        let mut known = error(one, step);
        let mut distance = 2;
        while let Some(entry) = entry(distance * way) {
            let expected = step * distance as f64;
            let clamped = entry.clamp(-1.0, 1.0);
            let [angle, other] = match slot.sin {
                Some(_) => [clamped.asin(), PI - clamped.asin()],
                None => [clamped.acos(), -clamped.acos()],
            };
            let missed = [angle, other].map(|angle| wrapped(angle - expected));
            let missed = if missed[0].abs() <= missed[1].abs() { missed[0] } else { missed[1] };
            if missed.abs() > 0.5 {
                break;
            }
            let here = error(entry, expected + missed) / distance as f64;
            if here < known {
                step += missed / distance as f64;
                known = here;
            }
            distance *= 2;
        }
        if known > 0.02 * step.abs() {
            return None;
        }
        let step = step * way as f64;
        Some(Angle { first: wrapped(-step * zero as f64), step })
    }
}

/// Reduces an angle to -pi to pi.
pub(super) fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}
