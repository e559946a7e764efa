//! Runs of rows with one `f64` per number, which is precise enough for elements of up to 32 bits.

use crate::element::bits::{pairs_mut, reinterpret};
use crate::element::{Bf16Bits, Element, F16Bits};
use crate::engine::const_eval::Columns;
use crate::engine::const_eval::angles::Turns;
use crate::engine::split_float::number_and_rest;
use crate::engine::ziv::{self, bf16_bits_or, f16_bits_or, f32_or};
use crate::error_bounds::{CONST_EVAL_PHASE, LEAST_ONE_FLOAT, Tier, one_float};
use crate::exact::format::Format;
use crate::float_bits::power_of_two;

/// The number of rows of a run. More rows have a larger error, and fewer rows take more evaluations of a first row.
const ROWS: usize = 128;

/// The rows of a run: the entries from `at` on, and before `end`.
///
/// In its first row the columns are `x` and `y`, with their amplitude, and from each row to the next the angle of `x`
/// grows by that of the sine `sin` and the cosine `cos`. The sine and the cosine of an angle change places if the angle
/// is subtracted from a quarter turn, so the loops need not know which of the columns is the sine.
#[derive(Clone, Copy)]
struct Run {
    at: usize,
    end: usize,
    x: f64,
    y: f64,
    sin: f64,
    cos: f64,
    x_error: f64,
    y_error: f64,
}

/// Writes the columns, or returns `false` if their frequency is too large.
pub(super) const fn fill<T: Element>(columns: &Columns, rows: &mut [T]) -> bool {
    let Some(runs) = Runs::new(columns) else { return false };
    let count = rows.len() / columns.d_model;
    let mut first = 0;
    while first < count {
        let end = if count - first < ROWS { count } else { first + ROWS };
        let run = runs.get(first, end);
        match (T::FORMAT.precision, columns.are_pairs()) {
            (8, false) => bf16(columns, run, reinterpret(rows)),
            (8, true) => bf16_pairs(columns, run, pairs_mut(reinterpret(rows))),
            (11, false) => f16(columns, run, reinterpret(rows)),
            (11, true) => f16_pairs(columns, run, pairs_mut(reinterpret(rows))),
            (_, false) => f32(columns, run, reinterpret(rows)),
            (_, true) => f32_pairs(columns, run, pairs_mut(reinterpret(rows))),
        }
        first = end;
    }
    true
}

/// What the runs of a frequency have in common.
struct Runs<'a> {
    columns: &'a Columns<'a>,
    turns: Turns,
    /// The sine and cosine of a step.
    step: (f64, f64),
    amplitude: f64,
    /// A power of two that the amplitude does not exceed.
    size: f64,
}

impl<'a> Runs<'a> {
    const fn new(columns: &'a Columns<'a>) -> Option<Self> {
        let amplitude = columns.sinusoid.amplitude;
        let Some(turns) = Turns::of(columns.sinusoid) else { return None };
        let number = match amplitude.factor() {
            None => 1.0,
            Some(factor) => match number_and_rest(&factor.size) {
                Some((number, _)) => number,
                None => return None,
            },
        };
        Some(Self {
            columns,
            turns,
            step: turns.at(columns.positions.step),
            amplitude: if amplitude.negative { -number } else { number },
            size: power_of_two(amplitude.exponent()),
        })
    }

    /// Returns the run of the rows from `first` on, and before `end`.
    const fn get(&self, first: usize, end: usize) -> Run {
        let Self { columns, turns, step: (sin, cos), amplitude, size } = *self;
        let (first_sin, first_cos) = turns.at(columns.positions.integer_at(first));
        let (first_sin, first_cos) = (first_sin * amplitude, first_cos * amplitude);
        let (sin_error, cos_error) = errors(first_sin.abs(), sin.abs(), end - first, size);
        let (at, end) = (first * columns.d_model, end * columns.d_model);
        if columns.x_is_sine() {
            Run { at, end, x: first_sin, y: first_cos, sin, cos, x_error: sin_error, y_error: cos_error }
        } else {
            Run { at, end, x: first_cos, y: first_sin, sin: -sin, cos, x_error: cos_error, y_error: sin_error }
        }
    }
}

/// Returns the error bounds of the sines and the cosines of a run, given the absolute values of the first sine and of
/// the sine of a step.
///
/// The sine grows by at most that of a step from each row to the next. The bounds are derived at [`one_float`].
const fn errors(first_sin: f64, step_sin: f64, rows: usize, size: f64) -> (f64, f64) {
    let steps = (rows - 1) as f64;
    let unit = (steps + 2.0) * one_float(Tier::ConstEval);
    let most = 2.0 * (first_sin + (steps * step_sin + CONST_EVAL_PHASE) * size);
    let (sin, cos) = (unit * most.min(size), unit * size);
    (sin.max(LEAST_ONE_FLOAT), cos.max(LEAST_ONE_FLOAT))
}

/// The inner loops: one for two adjacent columns, whose entries are written together, and one for any two columns.
macro_rules! loops {
    ($($pairs:ident, $any:ident: $element:ty, $round:ident, $error:ident => $bound:expr;)*) => { $(
        const fn $pairs(columns: &Columns, run: Run, rows: &mut [[$element; 2]]) {
            let Run { at, end, mut x, mut y, sin, cos, x_error, y_error } = run;
            let x_bound = { let $error = x_error; $bound };
            let y_bound = { let $error = y_error; $bound };
            let (mut at, end, width) = (at / 2 + columns.x.column / 2, end / 2, columns.d_model / 2);
            while at < end {
                rows[at] = [
                    $round!(x, x_bound, columns.settle(columns.x, 2 * at, (x, 0.0), x_error)),
                    $round!(y, y_bound, columns.settle(columns.y, 2 * at, (y, 0.0), y_error)),
                ];
                let next = x * cos + y * sin;
                y = y * cos - x * sin;
                x = next;
                at += width;
            }
        }

        const fn $any(columns: &Columns, run: Run, rows: &mut [$element]) {
            let Run { at, end, mut x, mut y, sin, cos, x_error, y_error } = run;
            let x_bound = { let $error = x_error; $bound };
            let y_bound = { let $error = y_error; $bound };
            let (mut x_at, mut y_at, width) = (at + columns.x.column, at + columns.y.column, columns.d_model);
            while x_at < end {
                rows[y_at] = $round!(y, y_bound, columns.settle(columns.y, y_at, (y, 0.0), y_error));
                rows[x_at] = $round!(x, x_bound, columns.settle(columns.x, x_at, (x, 0.0), x_error));
                let next = x * cos + y * sin;
                y = y * cos - x * sin;
                x = next;
                x_at += width;
                y_at += width;
            }
        }
    )* };
}

loops! {
    f32_pairs, f32: f32, f32_or, error => error;
    f16_pairs, f16: F16Bits, f16_bits_or, error => ziv::least(error, Format::F16);
    bf16_pairs, bf16: Bf16Bits, bf16_bits_or, error => ziv::least(error, Format::BF16);
}
