//! Runs of rows with two floats per number, a multiple of `2^-26` amplitudes and a rest of at most half of that.
//!
//! The multiples have at most 26 bits, so their products, and the sum of two of them, are exact. The fast tier does the
//! same, but may fuse operations. A `const fn` cannot do so in the oldest supported Rust.

use crate::element::Element;
use crate::element::bits::{pairs_mut, reinterpret};
use crate::engine::const_eval::columns::Columns;
use crate::engine::split_float::multiple_and_rest;
use crate::error_bounds::{COARSE_ROWS, Tier, two_floats};
use crate::exact::rotation::Rotation;
use crate::float_bits::power_of_two;

/// The number of rows of a run, 3 times a power of two. More rows have a larger error, and fewer take more first rows.
const ROWS: usize = 3 << LOG2_TRIPLES;
const LOG2_TRIPLES: u32 = 6;

/// The rows of a run, as in `one_float`, with the rests of all numbers.
#[derive(Clone, Copy)]
struct Run {
    at: usize,
    middle: usize,
    end: usize,
    x: (f64, f64),
    y: (f64, f64),
    /// The sine and the cosine of a step.
    step: ((f64, f64), (f64, f64)),
    /// The sine and the cosine of three steps.
    triple: ((f64, f64), (f64, f64)),
    error: f64,
    /// The number to be added and subtracted to round to multiples of `2^-26` amplitudes.
    rounder: f64,
}

/// Writes the columns, or returns `false` if rotations cannot be computed for their frequency.
pub(super) const fn fill<T: Element>(columns: &Columns, rows: &mut [T]) -> bool {
    let exponent = columns.sinusoid.amplitude.exponent();
    let step = columns.sinusoid.of_length_one().rotation(columns.positions.step as f64, 0);
    let Some(step) = step else { return false };
    let triple = step.turned(step).turned(step);
    let count = rows.len() / columns.d_model;
    let run_length = run_length(triple, count);
    let (mut first, mut coarse) = (0, Rotation::IDENTITY);
    while first < count {
        let Some(rotation) = coarse_row(columns, first, (coarse, run_length), exponent) else { return false };
        coarse = rotation;
        let end = if count - first < ROWS { count } else { first + ROWS };
        let run = run(columns, (first, end), coarse.turned(step), (step, triple));
        if columns.are_pairs() {
            f64_pairs(columns, run, pairs_mut(reinterpret(rows)));
        } else {
            f64(columns, run, reinterpret(rows));
        }
        first = end;
    }
    true
}

/// Returns the angle from one run to the next, if there are more rows than those of a run.
const fn run_length(triple: Rotation, count: usize) -> Rotation {
    let mut angle = triple;
    let mut i = 0;
    while i < LOG2_TRIPLES && count > ROWS {
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

/// Returns the run of the rows from `first` on, and before `end`, given the angle of its second row.
const fn run(
    columns: &Columns,
    (first, end): (usize, usize),
    second: Rotation,
    (step, triple): (Rotation, Rotation),
) -> Run {
    let exponent = columns.sinusoid.amplitude.exponent();
    let (rows, d_model) = (end - first, columns.d_model);
    let (sin, cos) = parts(second, power_of_two(exponent));
    let (x, y) = if columns.x_is_sine() { (sin, cos) } else { (cos, sin) };
    Run {
        at: first * d_model,
        middle: (end - rows % 3) * d_model,
        end: end * d_model,
        x,
        y,
        step: angle_of_x(columns, step),
        triple: angle_of_x(columns, triple),
        error: (rows / 3 + 3) as f64 * two_floats(Tier::ConstEval) * power_of_two(exponent),
        rounder: 1.5 * power_of_two(exponent + 26),
    }
}

/// Returns the angle by which that of `x` grows. As in `one_float`, it is negative if `x` is a cosine.
const fn angle_of_x(columns: &Columns, Rotation { sin, cos }: Rotation) -> ((f64, f64), (f64, f64)) {
    parts(Rotation { sin: if columns.x_is_sine() { sin } else { -sin }, cos }, 1.0)
}

const fn parts(Rotation { sin, cos }: Rotation, size: f64) -> ((f64, f64), (f64, f64)) {
    (multiple_and_rest(sin, size), multiple_and_rest(cos, size))
}

/// Rounds a number and a rest, or evaluates the last expression if the error does not decide the rounding.
macro_rules! f64_or {
    ($high:expr, $rest:expr, $error:expr, $undecided:expr) => {{
        let entry = $high + ($rest + $error);
        if $high + ($rest - $error) == entry { entry } else { $undecided }
    }};
}

/// Writes two adjacent columns of a row.
macro_rules! write_pair {
    ($columns:ident, $rows:ident, $at:expr, $gap:ident, $round:ident, $error:ident, ($x:ident, $x_rest:ident), ($y:ident, $y_rest:ident)) => {
        $rows[$at] = [
            $round!($x, $x_rest, $error, $columns.settle($columns.x, 2 * ($at), ($x, $x_rest), $error)),
            $round!($y, $y_rest, $error, $columns.settle($columns.y, 2 * ($at) + $gap, ($y, $y_rest), $error)),
        ]
    };
}

/// Writes any two columns of a row, of which `$at` is the first.
macro_rules! write_each {
    ($columns:ident, $rows:ident, $at:expr, $gap:ident, $round:ident, $error:ident, ($x:ident, $x_rest:ident), ($y:ident, $y_rest:ident)) => {{
        let x_at = $at;
        let y_at = x_at + $gap;
        $rows[y_at] = $round!($y, $y_rest, $error, $columns.settle($columns.y, y_at, ($y, $y_rest), $error));
        $rows[x_at] = $round!($x, $x_rest, $error, $columns.settle($columns.x, x_at, ($x, $x_rest), $error));
    }};
}

/// The inner loop, as in `one_float`.
macro_rules! write_rows {
    ($columns:ident, $run:ident, $rows:ident, $unit:literal, $write:ident, $round:ident) => {
        let Run { x: (mut x, mut x_rest), y: (mut y, mut y_rest), error, rounder, .. } = $run;
        let ((sin, sin_rest), (cos, cos_rest)) = $run.step;
        let ((triple_sin, triple_sin_rest), (triple_cos, triple_cos_rest)) = $run.triple;
        let (first, gap) = ($columns.x.column / $unit, $columns.y.column - $columns.x.column);
        let (mut at, middle, end) = ($run.at / $unit + first, $run.middle / $unit + first, $run.end / $unit + first);
        let width = $columns.d_model / $unit;
        let (two, three) = (2 * width, 3 * width);
        loop {
            let whole_x = x + x_rest;
            let whole_y = y + y_rest;
            let x_cos = x * cos;
            let x_cos_rest = x_rest * cos + whole_x * cos_rest;
            let y_sin = y * sin;
            let y_sin_rest = y_rest * sin + whole_y * sin_rest;
            let y_cos = y * cos;
            let y_cos_rest = y_rest * cos + whole_y * cos_rest;
            let x_sin = x * sin;
            let x_sin_rest = x_rest * sin + whole_x * sin_rest;
            let before_x = x_cos - y_sin;
            let before_x_rest = x_cos_rest - y_sin_rest;
            let before_y = y_cos + x_sin;
            let before_y_rest = y_cos_rest + x_sin_rest;
            if at < middle {
                $write!($columns, $rows, at, gap, $round, error, (before_x, before_x_rest), (before_y, before_y_rest));
                $write!($columns, $rows, at + width, gap, $round, error, (x, x_rest), (y, y_rest));
                let after_x = x_cos + y_sin;
                let after_x_rest = x_cos_rest + y_sin_rest;
                let after_y = y_cos - x_sin;
                let after_y_rest = y_cos_rest - x_sin_rest;
                $write!(
                    $columns,
                    $rows,
                    at + two,
                    gap,
                    $round,
                    error,
                    (after_x, after_x_rest),
                    (after_y, after_y_rest)
                );

                let next_x = x * triple_cos + y * triple_sin;
                let next_x_rest =
                    x_rest * triple_cos + whole_x * triple_cos_rest + y_rest * triple_sin + whole_y * triple_sin_rest;
                let next_y = y * triple_cos - x * triple_sin;
                let next_y_rest =
                    y_rest * triple_cos + whole_y * triple_cos_rest - x_rest * triple_sin - whole_x * triple_sin_rest;
                // The rest is rounded too. Otherwise what it carries over would grow from triple to triple.
                x = (next_x + next_x_rest + rounder) - rounder;
                x_rest = (next_x - x) + next_x_rest;
                y = (next_y + next_y_rest + rounder) - rounder;
                y_rest = (next_y - y) + next_y_rest;
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
                        error,
                        (before_x, before_x_rest),
                        (before_y, before_y_rest)
                    );
                }
                if at + width < end {
                    $write!($columns, $rows, at + width, gap, $round, error, (x, x_rest), (y, y_rest));
                }
                break;
            }
        }
    };
}

#[inline] // as in `one_float`, compiled only where it is called
const fn f64_pairs(columns: &Columns, run: Run, rows: &mut [[f64; 2]]) {
    write_rows!(columns, run, rows, 2, write_pair, f64_or);
}

#[inline]
const fn f64(columns: &Columns, run: Run, rows: &mut [f64]) {
    write_rows!(columns, run, rows, 1, write_each, f64_or);
}

#[cfg(all(test, feature = "alloc"))]
pub(super) mod tests {
    use std::vec;

    use super::*;
    use crate::engine::const_eval::tests::Sums;
    use crate::exact::format::Format;
    use crate::plan::Plan;
    use crate::plan::positions::EquallySpaced;
    use crate::spec::Spec;

    macro_rules! unrounded {
        ($high:expr, $rest:expr, $error:expr, $undecided:expr) => {
            ($high, $rest + 0.0 * $error)
        };
    }

    /// Returns the sums of the run with row `first` of a table of `count` rows.
    pub(in crate::engine::const_eval) fn sums(columns: &Columns, first: usize, count: usize) -> Sums {
        let first = first / ROWS * ROWS;
        let exponent = columns.sinusoid.amplitude.exponent();
        let step = columns.sinusoid.of_length_one().rotation(columns.positions.step as f64, 0).unwrap();
        let triple = step.turned(step).turned(step);
        let run_length = run_length(triple, count);
        let chain = (first - first % (COARSE_ROWS * ROWS)..=first).step_by(ROWS);
        let coarse = chain.fold(Rotation::IDENTITY, |before, first| {
            coarse_row(columns, first, (before, run_length), exponent).unwrap()
        });
        let run = run(columns, (first, count.min(first + ROWS)), coarse.turned(step), (step, triple));
        let run = Run { at: 0, middle: run.middle - run.at, end: run.end - run.at, ..run };
        let mut rows = vec![(0.0, 0.0); run.end];
        let all = &mut rows[..];
        write_rows!(columns, run, all, 1, write_each, unrounded);
        Sums { first, rows, errors: [run.error; 2] }
    }

    /// Checks the rests of runs in which every triple of rows adds to them in the same direction.
    #[allow(clippy::unreadable_literal, reason = "as the search for large errors printed them")]
    #[test]
    fn rests_do_not_grow() {
        for (frequency, start) in
            [(1.0471975536953033, 1003), (1.0471976036938082, 21_192), (5.235987758549461, 49_356), (0.1, 0)]
        {
            let frequencies = [frequency];
            let spec = Spec::new(2).frequencies(&frequencies).start(start);
            let plan = Plan::<f64>::new(&spec).unwrap();
            let (sinusoid, targets) = (plan.sinusoids().advance().unwrap(), plan.targets(0));
            let columns = Columns::new(&sinusoid, EquallySpaced { start, step: 1 }, targets, 2, Format::F64).unwrap();
            let Sums { rows, .. } = sums(&columns, 0, ROWS);
            // The second row of each triple, which the next one is made from. The bound is that of two_floats.gappa.
            for triple in rows.chunks_exact(6) {
                let rests = [triple[2].1, triple[3].1];
                assert!(rests.iter().all(|rest| rest.abs() <= 1.000_002 * power_of_two(-27)), "{frequency}: {rests:?}");
            }
        }
    }
}
