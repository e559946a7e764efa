//! The const-eval tier: rows of equally spaced positions, computed in as few steps as possible.
//!
//! The compiler interprets a program step by step, so the number of steps determines the time. Programs without an
//! allocator use this tier at run time.
//!
//! It works frequency by frequency. The angle of row `a B + b` is the sum of the angles of coarse row `a`, which
//! includes the angle of the first row, and of fine row `b`. Both are products of integers, from two evaluations of the
//! exact tier, and another one after every [`COARSE_ROWS`] coarse rows. As in the fast tier, their sum is a product of
//! floats. If the error bound does not decide how an entry rounds, the exact tier computes it.

#![allow(clippy::float_arithmetic, reason = "has a proven error bound, by which undecided entries are found")]

use crate::element::bits::{from_bits, reinterpret};
use crate::element::{Bf16Bits, Element, F16Bits};
use crate::engine::split_float::{float, multiple_and_rest};
use crate::engine::{floats_serve, ziv};
use crate::error_bounds::{COARSE_ROWS, MIN_ROWS, Tier, one_float, two_floats};
use crate::exact::format::Format;
use crate::exact::rotation::Rotation;
use crate::exact::sinusoid::{Function, Sinusoid};
use crate::float_bits::power_of_two;
use crate::plan::positions::EquallySpaced;
use crate::plan::{Plan, Target, Targets};

/// The maximum number of fine rows, `B`.
const FINE_ROWS: usize = 64;

/// Returns whether this tier applies to this many rows.
pub(crate) const fn suits<T: Element>(plan: &Plan<T>, rows: usize) -> bool {
    rows >= MIN_ROWS && floats_serve(plan)
}

/// Returns whether the format takes two floats per number: a multiple of `2^-26` amplitudes and a rest.
const fn takes_two(format: Format) -> bool {
    format.precision == Format::F64.precision
}

/// The sine and cosine of an angle, each as a float, and the rests of both.
///
/// They are in pairs because the compiler's interpreter reads a pair in one step.
type Angle = ((f64, f64), (f64, f64));

const fn angle(Rotation { sin, cos }: Rotation, size: f64, format: Format) -> Angle {
    if takes_two(format) {
        let ((sin, sin_rest), (cos, cos_rest)) = (multiple_and_rest(sin, size), multiple_and_rest(cos, size));
        ((sin, cos), (sin_rest, cos_rest))
    } else {
        ((float(sin, size), float(cos, size)), (0.0, 0.0))
    }
}

/// The fine rows of a frequency.
struct Fine {
    rows: usize,
    angles: [(f64, f64); FINE_ROWS],
    rests: [(f64, f64); FINE_ROWS],
    /// The angle of the row after these, which takes one coarse row to the next.
    next: Rotation,
}

impl Fine {
    /// Computes the fine rows: at least twice as many as there are coarse rows, up to the maximum, because a coarse row
    /// takes longer.
    const fn new(turn: Rotation, count: usize, format: Format) -> Self {
        let mut fine =
            Self { rows: 4, angles: [(0.0, 0.0); FINE_ROWS], rests: [(0.0, 0.0); FINE_ROWS], next: Rotation::IDENTITY };
        while fine.rows < FINE_ROWS && fine.rows * fine.rows / 2 < count {
            fine.rows *= 2;
        }
        let mut b = 0;
        while b < fine.rows {
            (fine.angles[b], fine.rests[b]) = angle(fine.next, 1.0, format);
            fine.next = fine.next.turned(turn);
            b += 1;
        }
        fine
    }
}

/// What the columns of one frequency have in common.
struct Columns<'a> {
    sinusoid: &'a Sinusoid<'a>,
    positions: EquallySpaced,
    d_model: usize,
    /// Borrowed, because a copy would take another 2 KiB of the stack.
    fine: &'a Fine,
    error: f64,
}

/// Returns the error bound of one product of two rotations.
const fn error(exponent: i32, format: Format) -> f64 {
    let tier = Tier::ConstEval;
    3.0 * power_of_two(exponent) * if takes_two(format) { two_floats(tier) } else { one_float(tier) }
}

/// Writes the columns of a frequency. The positions and the length of `rows` must have been checked.
///
/// Returns `false` if rotations cannot be computed for this frequency. Its columns must then be written by another
/// tier.
pub(crate) const fn fill<T: Element>(
    sinusoid: &Sinusoid,
    positions: EquallySpaced,
    targets: Targets,
    d_model: usize,
    rows: &mut [T],
) -> bool {
    let count = rows.len() / d_model;
    let exponent = sinusoid.amplitude.exponent();
    let Some(turn) = sinusoid.of_length_one().rotation(positions.step as f64, 0) else { return false };
    let fine = Fine::new(turn, count, T::FORMAT);
    let size = power_of_two(exponent);
    let columns = Columns { sinusoid, positions, d_model, fine: &fine, error: error(exponent, T::FORMAT) };

    let mut coarse = Rotation::IDENTITY;
    let mut a = 0;
    while a * columns.fine.rows < count {
        let row = a * columns.fine.rows;
        let Some(rotation) = columns.coarse(a, coarse, exponent) else { return false };
        coarse = rotation;
        let mut i = 0;
        while i < targets.len() {
            if let Some(Target { column, function }) = targets[i] {
                columns.fill(row, angle(coarse.of(function), size, T::FORMAT), column, function, rows);
            }
            i += 1;
        }
        a += 1;
    }
    true
}

impl Columns<'_> {
    /// Returns the angle of coarse row `a`, given that of the coarse row before it.
    const fn coarse(&self, a: usize, before: Rotation, exponent: i32) -> Option<Rotation> {
        if a % COARSE_ROWS == 0 {
            self.sinusoid.rotation(self.positions.at(a * self.fine.rows), exponent)
        } else {
            Some(before.turned(self.fine.next))
        }
    }

    /// Writes the entries of a column from `row` on, as many as there are fine rows.
    const fn fill<T: Element>(&self, row: usize, coarse: Angle, column: usize, function: Function, rows: &mut [T]) {
        let left = rows.len() / self.d_model - row;
        let end = if left < self.fine.rows { left } else { self.fine.rows };
        let mut b = 0;
        while b < end {
            let at = (row + b) * self.d_model + column;
            b = match T::FORMAT.precision {
                8 => self.bf16(coarse, b, end, at, reinterpret(rows)),
                11 => self.f16(coarse, b, end, at, reinterpret(rows)),
                24 => self.f32(coarse, b, end, at, reinterpret(rows)),
                _ => self.f64(coarse, b, end, at, reinterpret(rows)),
            };
            if b < end {
                let sum = sine_of_sum(coarse, (self.fine.angles[b], self.fine.rests[b]));
                let bits = match ziv::enclosed((sum.0, sum.1, self.error), T::FORMAT) {
                    Some(bits) => bits,
                    None => self.sinusoid.round_at(function, self.positions.at(row + b), T::FORMAT),
                };
                rows[(row + b) * self.d_model + column] = from_bits(bits);
                b += 1;
            }
        }
    }
}

/// Returns the sine of the sum of two angles, as a number and a rest.
///
/// The blocks of the fast tier add the same products, but may fuse them. A `const fn` cannot do so in the oldest
/// supported Rust.
const fn sine_of_sum(
    ((sin, cos), (sin_rest, cos_rest)): Angle,
    ((by_sin, by_cos), (by_sin_rest, by_cos_rest)): Angle,
) -> (f64, f64) {
    let rest = sin_rest * by_cos + (sin + sin_rest) * by_cos_rest;
    (sin * by_cos + cos * by_sin, rest + cos_rest * by_sin + (cos + cos_rest) * by_sin_rest)
}

/// The inner loops. Each writes entries from `at` on, up to the first undecided one, and returns the fine row of that
/// entry, or `end`.
///
/// In the compiler's interpreter, a call or taking a tuple apart costs as much as several operations. These loops avoid
/// both if that is easy.
impl Columns<'_> {
    const fn f32(&self, ((sin, cos), _): Angle, mut b: usize, end: usize, mut at: usize, entries: &mut [f32]) -> usize {
        let (fine, d_model, error) = (&self.fine.angles, self.d_model, self.error);
        while b < end {
            let (by_sin, by_cos) = fine[b];
            let value = sin * by_cos + cos * by_sin;
            let entry = (value + error) as f32;
            // The error is far above the least `f32`, so the two cannot be zeros of different signs.
            if (value - error) as f32 != entry {
                break;
            }
            entries[at] = entry;
            at += d_model;
            b += 1;
        }
        b
    }

    const fn f64(
        &self,
        ((sin, cos), (sin_rest, cos_rest)): Angle,
        mut b: usize,
        end: usize,
        mut at: usize,
        entries: &mut [f64],
    ) -> usize {
        let (fine, rests, d_model, error) = (&self.fine.angles, &self.fine.rests, self.d_model, self.error);
        let (whole_sin, whole_cos) = (sin + sin_rest, cos + cos_rest);
        while b < end {
            let (by_sin, by_cos) = fine[b];
            let (by_sin_rest, by_cos_rest) = rests[b];
            let value = sin * by_cos + cos * by_sin;
            let rest = sin_rest * by_cos + whole_sin * by_cos_rest + cos_rest * by_sin + whole_cos * by_sin_rest;
            let entry = value + (rest + error);
            if value + (rest - error) != entry {
                break;
            }
            entries[at] = entry;
            at += d_model;
            b += 1;
        }
        b
    }
}

macro_rules! strips_of_16_bits {
    ($($name:ident: $element:ty, $round:path;)*) => { impl Columns<'_> { $(
        const fn $name(&self, ((sin, cos), _): Angle, mut b: usize, end: usize, mut at: usize, entries: &mut [$element]) -> usize {
            let (fine, d_model, error) = (&self.fine.angles, self.d_model, self.error);
            while b < end {
                let (by_sin, by_cos) = fine[b];
                let (entry, undecided) = $round(sin * by_cos + cos * by_sin, 0.0, error);
                if undecided != 0 {
                    break;
                }
                entries[at] = entry;
                at += d_model;
                b += 1;
            }
            b
        }
    )* } };
}

strips_of_16_bits! {
    f16: F16Bits, ziv::f16_bits;
    bf16: Bf16Bits, ziv::bf16_bits;
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::engine::error_audit::{self, Drawn, Goal, Worst, any_run, report, worst};

    /// Measures the sums of the angles of a coarse row and of the fine rows.
    fn look<T: Element>(drawn: Drawn, Worst { shares: [share], entries }: &mut Worst<1>) {
        let exponent = drawn.exponent();
        let error = error(exponent, T::FORMAT);
        drawn.sinusoids(|sinusoid, exact| {
            let one = sinusoid.of_length_one();
            let fine = Fine::new(one.rotation(drawn.positions.step as f64, 0).unwrap(), drawn.rows, T::FORMAT);
            let columns = Columns { sinusoid, positions: drawn.positions, d_model: 1, fine: &fine, error };
            let a = drawn.first / fine.rows;
            let coarse = (a / COARSE_ROWS * COARSE_ROWS..=a)
                .fold(Rotation::IDENTITY, |before, a| columns.coarse(a, before, exponent).unwrap());
            let size = power_of_two(exponent);
            let (for_sin, for_cos) = (angle(coarse, size, T::FORMAT), angle(coarse.quarter_on(), size, T::FORMAT));
            for (row, exact) in drawn.rows().zip(exact) {
                let b = row - a * fine.rows;
                if b >= fine.rows {
                    break;
                }
                let by = (fine.angles[b], fine.rests[b]);
                let (sin, cos) = (sine_of_sum(for_sin, by), sine_of_sum(for_cos, by));
                *share = share.max(error_audit::share(sin, exact.sin, error, exponent));
                *share = share.max(error_audit::share(cos, exact.cos, error, exponent));
                *entries += 2;
            }
        });
    }

    #[test]
    fn sums_are_as_precise_as_stated() {
        let (plain, split) =
            (worst(any_run, Goal::of_share(1), look::<f32>), worst(any_run, Goal::of_share(1), look::<f64>));
        report("const_eval, an f64 a number", plain.shares[0], plain.entries, 0.05);
        report("const_eval, two f64 a number", split.shares[0], split.entries, 0.02);
    }
}
