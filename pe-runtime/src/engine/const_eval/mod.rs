//! The const-eval tier: rows of equally spaced positions, computed in as few steps as possible.
//!
//! The compiler interprets a program step by step, so the number of steps determines the time. Programs without an
//! allocator use this tier at run time.
//!
//! It works frequency by frequency, in runs of rows. The angle of a run's first row is evaluated on its own, and that of
//! every other row is the sum of the angles of the row before it and of one step. As in the fast tier, this sum is a
//! product of floats. If the error bound does not decide how an entry rounds, the exact tier computes it.
//!
//! An operation, a cast, a comparison and a memory access each take the interpreter about 0.15 µs, and a call several
//! times as much. So the inner loops have no calls, keep all numbers in local variables, and write two adjacent columns
//! at once.

#![allow(clippy::float_arithmetic, reason = "has a proven error bound, by which undecided entries are found")]

mod angles;
mod one_float;
mod two_floats;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::engine::{floats_serve, ziv};
use crate::error_bounds::MIN_ROWS;
use crate::exact::format::Format;
use crate::exact::sinusoid::{Function, Sinusoid};
use crate::plan::positions::EquallySpaced;
use crate::plan::{Plan, Target, Targets};

/// Returns whether this tier applies to this many rows.
pub(crate) const fn suits<T: Element>(plan: &Plan<T>, rows: usize) -> bool {
    rows >= MIN_ROWS && floats_serve(plan)
}

/// Writes the columns of a frequency. The positions and the length of `rows` must have been checked.
///
/// Returns `false` if its angles cannot be computed for this frequency. Its columns must then be written by another
/// tier.
pub(crate) const fn fill<T: Element>(
    sinusoid: &Sinusoid,
    positions: EquallySpaced,
    targets: Targets,
    d_model: usize,
    rows: &mut [T],
) -> bool {
    let Some(columns) = Columns::new(sinusoid, positions, targets, d_model) else { return true };
    if takes_two(T::FORMAT) { two_floats::fill(&columns, rows) } else { one_float::fill(&columns, rows) }
}

/// Returns whether the format takes two floats per number.
const fn takes_two(format: Format) -> bool {
    format.precision == Format::F64.precision
}

/// The columns of one frequency.
///
/// There are two, `x` and `y`, of which one is a sine and the other a cosine. If the frequency feeds one column only,
/// both are that column, and `x`, which is written last, is its function.
struct Columns<'a> {
    sinusoid: &'a Sinusoid<'a>,
    positions: EquallySpaced,
    d_model: usize,
    x: Target,
    y: Target,
}

impl<'a> Columns<'a> {
    const fn new(
        sinusoid: &'a Sinusoid<'a>,
        positions: EquallySpaced,
        targets: Targets,
        d_model: usize,
    ) -> Option<Self> {
        let (x, y) = match targets {
            [Some(sin), Some(cos)] if sin.column < cos.column => (sin, cos),
            [Some(sin), Some(cos)] => (cos, sin),
            [Some(sin), None] => (sin, Target { function: Function::Cosine, ..sin }),
            [None, Some(cos)] => (cos, Target { function: Function::Sine, ..cos }),
            [None, None] => return None,
        };
        Some(Self { sinusoid, positions, d_model, x, y })
    }

    const fn x_is_sine(&self) -> bool {
        matches!(self.x.function, Function::Sine)
    }

    /// Returns whether `x` and `y` are next to each other, from an even column on, in rows of even length.
    const fn are_pairs(&self) -> bool {
        self.x.column % 2 == 0 && self.y.column == self.x.column + 1 && self.d_model % 2 == 0
    }

    /// Returns entry number `at`, which is in column `target`, although the inner loop leaves it undecided.
    ///
    /// It is within `error` of the sum of the two floats.
    #[cold]
    const fn settle<T: Element>(&self, target: Target, at: usize, (high, rest): (f64, f64), error: f64) -> T {
        from_bits(match ziv::enclosed((high, rest, error), T::FORMAT) {
            Some(bits) => bits,
            None => self.sinusoid.round_at(target.function, self.positions.at(at / self.d_model), T::FORMAT),
        })
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::engine::error_audit::{self, Drawn, Goal, Worst, any_run, report, worst};

    /// The sums of a run in two columns, as numbers and rests, and their error bounds.
    pub(super) struct Sums {
        pub(super) first: usize,
        pub(super) rows: Vec<(f64, f64)>,
        pub(super) errors: [f64; 2],
    }

    /// Measures the sums of a run, with the sine in the first column or in the second.
    fn look(sums: fn(&Columns, usize, usize) -> Sums) -> impl Fn(Drawn, &mut Worst<1>) + Sync {
        move |drawn, Worst { shares: [share], entries }| {
            drawn.sinusoids(|sinusoid, exact| {
                for sin in [0, 1] {
                    let target = |column, function| Some(Target { column, function });
                    let targets = [target(sin, Function::Sine), target(1 - sin, Function::Cosine)];
                    let columns = Columns::new(sinusoid, drawn.positions, targets, 2).unwrap();
                    let Sums { first, rows, errors } = sums(&columns, drawn.first, drawn.rows);
                    for (row, exact) in drawn.rows().zip(exact) {
                        let Some(entries_of_row) = rows.get(2 * (row - first)..2 * (row - first) + 2) else { break };
                        for (column, exact) in [(sin, exact.sin), (1 - sin, exact.cos)] {
                            let found =
                                error_audit::share(entries_of_row[column], exact, errors[column], drawn.exponent());
                            *share = share.max(found);
                        }
                        *entries += 2;
                    }
                }
            });
        }
    }

    #[test]
    fn sums_are_as_precise_as_stated() {
        let plain = worst(any_run, Goal::of_share(1), look(one_float::tests::sums));
        let split = worst(any_run, Goal::of_share(1), look(two_floats::tests::sums));
        report("const_eval, an f64 a number", plain.shares[0], plain.entries, 0.05);
        report("const_eval, two f64 a number", split.shares[0], split.entries, 0.02);
    }
}
