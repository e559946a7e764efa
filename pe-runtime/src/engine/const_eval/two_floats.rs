//! Runs of rows with two floats per number, a multiple of `2^-26` amplitudes and a rest of at most half of that.
//!
//! The multiples have at most 26 bits, so their products, and the sum of two of them, are exact. The fast tier does the
//! same, but may fuse operations. A `const fn` cannot do so in the oldest supported Rust.

use crate::element::Element;
use crate::element::bits::{pairs_mut, reinterpret};
use crate::engine::const_eval::Columns;
use crate::engine::split_float::multiple_and_rest;
use crate::error_bounds::{COARSE_ROWS, Tier, two_floats};
use crate::exact::rotation::Rotation;
use crate::float_bits::power_of_two;

/// The base 2 logarithm of the number of rows of a run.
const LOG2_ROWS: u32 = 6;
const ROWS: usize = 1 << LOG2_ROWS;

/// The rows of a run, as in `one_float`, with the rests of all numbers.
#[derive(Clone, Copy)]
struct Run {
    at: usize,
    end: usize,
    x: (f64, f64),
    y: (f64, f64),
    sin: (f64, f64),
    cos: (f64, f64),
    error: f64,
    /// The number to be added and subtracted to round to multiples of `2^-26` amplitudes.
    rounder: f64,
}

/// Writes the columns, or returns `false` if rotations cannot be computed for their frequency.
pub(super) const fn fill<T: Element>(columns: &Columns, rows: &mut [T]) -> bool {
    let exponent = columns.sinusoid.amplitude.exponent();
    let step = columns.sinusoid.of_length_one().rotation(columns.positions.step as f64, 0);
    let Some(step) = step else { return false };
    let count = rows.len() / columns.d_model;
    let run_length = turned_by_rows(step, count);
    let (mut first, mut coarse) = (0, Rotation::IDENTITY);
    while first < count {
        let Some(rotation) = coarse_row(columns, first, (coarse, run_length), exponent) else { return false };
        coarse = rotation;
        let end = if count - first < ROWS { count } else { first + ROWS };
        let run = run(columns, (first, end), (coarse, step), exponent);
        if columns.are_pairs() {
            pairs(columns, run, pairs_mut(reinterpret(rows)));
        } else {
            any(columns, run, reinterpret(rows));
        }
        first = end;
    }
    true
}

/// Returns the angle of a run, which is needed if there are more rows.
const fn turned_by_rows(step: Rotation, count: usize) -> Rotation {
    let mut angle = step;
    let mut i = 0;
    while i < LOG2_ROWS && count > ROWS {
        angle = angle.turned(angle);
        i += 1;
    }
    angle
}

/// Returns the angle of the first row of a run, given that of the run before it and the angle between them.
const fn coarse_row(
    columns: &Columns,
    first: usize,
    (before, run_length): (Rotation, Rotation),
    exponent: i32,
) -> Option<Rotation> {
    if first % (COARSE_ROWS * ROWS) == 0 {
        columns.sinusoid.rotation(columns.positions.at(first), exponent)
    } else {
        Some(before.turned(run_length))
    }
}

const fn run(
    columns: &Columns,
    (first, end): (usize, usize),
    (coarse, step): (Rotation, Rotation),
    exponent: i32,
) -> Run {
    let size = power_of_two(exponent);
    let (sin, cos) = (multiple_and_rest(coarse.sin, size), multiple_and_rest(coarse.cos, size));
    // As in `one_float`: the columns change places if the angle is subtracted from a quarter turn.
    let (x, y, step_sin) = if columns.x_is_sine() { (sin, cos, step.sin) } else { (cos, sin, -step.sin) };
    Run {
        at: first * columns.d_model,
        end: end * columns.d_model,
        x,
        y,
        sin: multiple_and_rest(step_sin, 1.0),
        cos: multiple_and_rest(step.cos, 1.0),
        error: (end - first + 1) as f64 * two_floats(Tier::ConstEval) * size,
        rounder: 1.5 * power_of_two(exponent + 26),
    }
}

/// Rounds a number and a rest, or evaluates the last expression if the error does not decide the rounding.
macro_rules! f64_or {
    ($high:expr, $rest:expr, $error:expr, $undecided:expr) => {{
        let entry = $high + ($rest + $error);
        if $high + ($rest - $error) == entry { entry } else { $undecided }
    }};
}

/// Adds the angle of a step to that of a row.
macro_rules! advance {
    (($x:ident, $x_rest:ident), ($y:ident, $y_rest:ident), ($sin:ident, $sin_rest:ident), ($cos:ident, $cos_rest:ident), $rounder:ident) => {
        let (whole_x, whole_y) = ($x + $x_rest, $y + $y_rest);
        let high_x = $x * $cos + $y * $sin;
        let rest_x = $x_rest * $cos + whole_x * $cos_rest + $y_rest * $sin + whole_y * $sin_rest;
        let high_y = $y * $cos - $x * $sin;
        let rest_y = $y_rest * $cos + whole_y * $cos_rest - $x_rest * $sin - whole_x * $sin_rest;
        $x = (high_x + $rounder) - $rounder;
        $x_rest = (high_x - $x) + rest_x;
        $y = (high_y + $rounder) - $rounder;
        $y_rest = (high_y - $y) + rest_y;
    };
}

/// The inner loop for two adjacent columns, whose entries are written together.
const fn pairs(columns: &Columns, run: Run, rows: &mut [[f64; 2]]) {
    let Run { at, end, x: (mut x, mut x_rest), y: (mut y, mut y_rest), error, rounder, .. } = run;
    let ((sin, sin_rest), (cos, cos_rest)) = (run.sin, run.cos);
    let (mut at, end, width) = (at / 2 + columns.x.column / 2, end / 2, columns.d_model / 2);
    while at < end {
        rows[at] = [
            f64_or!(x, x_rest, error, columns.settle(columns.x, 2 * at, (x, x_rest), error)),
            f64_or!(y, y_rest, error, columns.settle(columns.y, 2 * at, (y, y_rest), error)),
        ];
        advance!((x, x_rest), (y, y_rest), (sin, sin_rest), (cos, cos_rest), rounder);
        at += width;
    }
}

/// The inner loop for any two columns.
const fn any(columns: &Columns, run: Run, rows: &mut [f64]) {
    let Run { at, end, x: (mut x, mut x_rest), y: (mut y, mut y_rest), error, rounder, .. } = run;
    let ((sin, sin_rest), (cos, cos_rest)) = (run.sin, run.cos);
    let (mut x_at, mut y_at, width) = (at + columns.x.column, at + columns.y.column, columns.d_model);
    while x_at < end {
        rows[y_at] = f64_or!(y, y_rest, error, columns.settle(columns.y, y_at, (y, y_rest), error));
        rows[x_at] = f64_or!(x, x_rest, error, columns.settle(columns.x, x_at, (x, x_rest), error));
        advance!((x, x_rest), (y, y_rest), (sin, sin_rest), (cos, cos_rest), rounder);
        x_at += width;
        y_at += width;
    }
}
