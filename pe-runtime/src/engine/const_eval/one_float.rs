//! Runs of rows with one `f64` per number, which is precise enough for elements of up to 32 bits.

use crate::element::bits::{pairs_mut, reinterpret};
use crate::element::kernel::HasFormat;
use crate::element::{Bf16Bits, Element, F16Bits, Q31};
use crate::engine::const_eval::angles::Turns;
use crate::engine::const_eval::columns::Columns;
use crate::engine::const_eval::rounding::{bf16_bits_or, f16_bits_or, f32_or, i8_or, i16_or, q31_or, u8_or};
use crate::engine::split_float::number_and_rest;
use crate::engine::ziv;
use crate::error_bounds::{CONST_EVAL_PHASE, LEAST_ONE_FLOAT, Tier, one_float};
use crate::exact::format::Format;
use crate::float_bits::{power_of_two, rounder};

/// The number of rows of a run, a multiple of 3. More rows have a larger error, and fewer take more first rows.
const ROWS: usize = 384;

/// The rows of a run: the entries from `at` on, and before `end`. Up to `middle` they are whole triples of rows.
///
/// In the second row the columns are `x` and `y`, with their amplitude. From each row to the next, the angle of `x` grows
/// by that of the sine and cosine `step`. The sine and the cosine of an angle change places if the angle is subtracted
/// from a quarter turn, so the loops need not know which of the columns is the sine.
#[derive(Clone, Copy)]
struct Run {
    at: usize,
    middle: usize,
    end: usize,
    x: f64,
    y: f64,
    step: (f64, f64),
    /// The sine and cosine of three steps.
    triple: (f64, f64),
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
        write(columns, run, rows);
        first = end;
    }
    true
}

/// What the runs of a frequency have in common.
struct Runs<'a> {
    columns: &'a Columns<'a>,
    turns: Turns,
    /// The sine and cosine of a step, and of three.
    step: (f64, f64),
    triple: (f64, f64),
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
            triple: turns.at(columns.positions.step.wrapping_mul(3)),
            amplitude: if amplitude.negative { -number } else { number },
            size: power_of_two(amplitude.exponent()),
        })
    }

    /// Returns the run of the rows from `first` on, and before `end`.
    const fn get(&self, first: usize, end: usize) -> Run {
        let Self { columns, turns, step, triple, amplitude, .. } = *self;
        let (sin, cos) = turns.at(columns.positions.integer_at(first + 1));
        let (sin, cos) = (sin * amplitude, cos * amplitude);
        let (sin_error, cos_error) = self.errors(sin, (end - first) / 3);
        let (middle, d_model) = (end - (end - first) % 3, columns.d_model);
        let (at, middle, end) = (first * d_model, middle * d_model, end * d_model);
        if columns.x_is_sine() {
            Run { at, middle, end, x: sin, y: cos, step, triple, x_error: sin_error, y_error: cos_error }
        } else {
            let (step, triple) = ((-step.0, step.1), (-triple.0, triple.1));
            Run { at, middle, end, x: cos, y: sin, step, triple, x_error: cos_error, y_error: sin_error }
        }
    }

    /// Returns the error bounds of the sines and the cosines of a run, given the sine of its second row.
    ///
    /// Each row is at most `triples` triples of rows and one row away from the second. The bounds are derived at
    /// [`one_float`].
    const fn errors(&self, sin: f64, triples: usize) -> (f64, f64) {
        let triples = triples as f64;
        let unit = (triples + 3.0) * one_float(Tier::ConstEval);
        let steps = triples * self.triple.0.abs() + self.step.0.abs();
        let largest = 2.0 * (sin.abs() + (steps + CONST_EVAL_PHASE) * self.size);
        ((unit * largest.min(self.size)).max(LEAST_ONE_FLOAT), (unit * self.size).max(LEAST_ONE_FLOAT))
    }
}

/// Writes two adjacent columns of a row.
macro_rules! write_pair {
    ($columns:ident, $rows:ident, $at:expr, $gap:ident, $round:ident, ($x:ident, $x_bound:ident, $x_error:ident), ($y:ident, $y_bound:ident, $y_error:ident)) => {
        $rows[$at] = [
            $round!($x, $x_bound, $columns.settle($columns.x, 2 * ($at), ($x, 0.0), $x_error)),
            $round!($y, $y_bound, $columns.settle($columns.y, 2 * ($at) + $gap, ($y, 0.0), $y_error)),
        ]
    };
}

/// Writes any two columns of a row, of which `$at` is the first.
macro_rules! write_each {
    ($columns:ident, $rows:ident, $at:expr, $gap:ident, $round:ident, ($x:ident, $x_bound:ident, $x_error:ident), ($y:ident, $y_bound:ident, $y_error:ident)) => {{
        let x_at = $at;
        let y_at = x_at + $gap;
        $rows[y_at] = $round!($y, $y_bound, $columns.settle($columns.y, y_at, ($y, 0.0), $y_error));
        $rows[x_at] = $round!($x, $x_bound, $columns.settle($columns.x, x_at, ($x, 0.0), $x_error));
    }};
}

/// The inner loop, in units of `$unit` entries.
///
/// It writes three rows at a time. The angles of the first and the third are those of the second less and plus a step,
/// so they take the same products.
macro_rules! write_rows {
    ($columns:ident, $run:ident, $rows:ident, $unit:literal, $write:ident, $round:ident, $error:ident => $bound:expr) => {
        let Run { mut x, mut y, step: (sin, cos), triple: (triple_sin, triple_cos), x_error, y_error, .. } = $run;
        let x_bound = {
            let $error = x_error;
            $bound
        };
        let y_bound = {
            let $error = y_error;
            $bound
        };
        let (first, gap) = ($columns.x.column / $unit, $columns.y.column - $columns.x.column);
        let (mut at, middle, end) = ($run.at / $unit + first, $run.middle / $unit + first, $run.end / $unit + first);
        let width = $columns.d_model / $unit;
        let (two, three) = (2 * width, 3 * width);
        loop {
            let x_cos = x * cos;
            let y_sin = y * sin;
            let y_cos = y * cos;
            let x_sin = x * sin;
            let before_x = x_cos - y_sin;
            let before_y = y_cos + x_sin;
            if at < middle {
                $write!($columns, $rows, at, gap, $round, (before_x, x_bound, x_error), (before_y, y_bound, y_error));
                $write!($columns, $rows, at + width, gap, $round, (x, x_bound, x_error), (y, y_bound, y_error));
                let after_x = x_cos + y_sin;
                let after_y = y_cos - x_sin;
                $write!(
                    $columns,
                    $rows,
                    at + two,
                    gap,
                    $round,
                    (after_x, x_bound, x_error),
                    (after_y, y_bound, y_error)
                );
                let next = x * triple_cos + y * triple_sin;
                y = y * triple_cos - x * triple_sin;
                x = next;
                at += three;
            } else {
                // Less than three rows are left.
                if at < end {
                    $write!(
                        $columns,
                        $rows,
                        at,
                        gap,
                        $round,
                        (before_x, x_bound, x_error),
                        (before_y, y_bound, y_error)
                    );
                }
                if at + width < end {
                    $write!($columns, $rows, at + width, gap, $round, (x, x_bound, x_error), (y, y_bound, y_error));
                }
                break;
            }
        }
    };
}

/// Defines the loops of each type, and [`write`], which calls that of the element type.
///
/// Each loop is compiled only where it is called, since a program has few element types.
macro_rules! loops {
    ($($pairs:ident, $any:ident: $element:ty, $round:ident, ($columns:ident, $error:ident) => $bound:expr;)*) => {
        const fn write<T: Element>(columns: &Columns, run: Run, rows: &mut [T]) {
            $(
                if const { T::FORMAT.is_stored_as(<$element>::FORMAT) } {
                    if columns.are_pairs() {
                        $pairs(columns, run, pairs_mut(reinterpret(rows)));
                    } else {
                        $any(columns, run, reinterpret(rows));
                    }
                    return;
                }
            )*
            unreachable!() // each element type has a loop
        }
        $(
            #[inline]
            const fn $pairs($columns: &Columns, run: Run, rows: &mut [[$element; 2]]) {
                write_rows!($columns, run, rows, 2, write_pair, $round, $error => $bound);
            }

            #[inline]
            const fn $any($columns: &Columns, run: Run, rows: &mut [$element]) {
                write_rows!($columns, run, rows, 1, write_each, $round, $error => $bound);
            }
        )*
    };
}

loops! {
    f32_pairs, f32: f32, f32_or, (columns, error) => error;
    f16_pairs, f16: F16Bits, f16_bits_or, (columns, error) => ziv::least(error, Format::F16);
    bf16_pairs, bf16: Bf16Bits, bf16_bits_or, (columns, error) => ziv::least(error, Format::BF16);
    i8_pairs, i8: i8, i8_or, (columns, error) => (error, rounder(columns.zero_point()));
    u8_pairs, u8: u8, u8_or, (columns, error) => (error, rounder(columns.zero_point()));
    i16_pairs, i16: i16, i16_or, (columns, error) => (error, rounder(columns.zero_point()));
    q31_pairs, q31: Q31, q31_or, (columns, error) => (error, rounder(columns.zero_point()));
}

#[cfg(all(test, feature = "alloc"))]
pub(super) mod tests {
    use std::vec;

    use super::*;
    use crate::engine::const_eval::tests::Sums;

    macro_rules! unrounded {
        ($value:expr, $error:expr, $undecided:expr) => {
            ($value, 0.0 * $error)
        };
    }

    /// Returns the sums of the run with row `first` of a table of `count` rows.
    pub(in crate::engine::const_eval) fn sums(columns: &Columns, first: usize, count: usize) -> Sums {
        let first = first / ROWS * ROWS;
        let run = Runs::new(columns).unwrap().get(first, count.min(first + ROWS));
        let run = Run { at: 0, middle: run.middle - run.at, end: run.end - run.at, ..run };
        let mut rows = vec![(0.0, 0.0); run.end];
        let all = &mut rows[..];
        write_rows!(columns, run, all, 1, write_each, unrounded, error => error);
        Sums { first, rows, errors: [run.x_error, run.y_error] }
    }
}
