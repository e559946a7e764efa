//! The const-eval tier: rows of equally spaced positions, computed in as few steps as possible.
//!
//! The compiler interprets a program step by step, so the number of steps determines the time. Programs that have no
//! allocator or are not optimised use this tier at run time.
//!
//! It works frequency by frequency, in runs of rows. The angle of a run's first row is evaluated on its own, and that of
//! every other row is the sum of the angles of the row before it and of one step. As in the fast tier, this sum is a
//! product of floats. The exact tier computes the entries whose rounding the error bound leaves undecided.
//!
//! An operation, a cast, a comparison and a memory access each take the interpreter about 0.15 µs, and a call several
//! times as much. So the inner loops have no calls, keep all numbers in local variables, and write two adjacent columns
//! at once.

#![allow(clippy::float_arithmetic, reason = "has a proven error bound, by which undecided entries are found")]

mod angles;
mod columns;
mod one_float;
mod rounding;
mod two_floats;

use crate::element::Element;
use crate::engine::const_eval::columns::Columns;
use crate::engine::floats_serve;
use crate::error_bounds::MIN_ROWS;
use crate::exact::format::Format;
use crate::exact::sinusoid::Sinusoid;
use crate::plan::Plan;
use crate::plan::placement::Placement;
use crate::plan::positions::EquallySpaced;

/// Returns whether this tier applies to this many rows.
pub(crate) const fn suits<T: Element>(plan: &Plan<T>, rows: usize) -> bool {
    rows >= MIN_ROWS && floats_serve(plan.amplitude())
}

/// Writes the columns of the frequency of `sinusoid`. The positions and the length of `rows` must have been checked.
///
/// Returns `false` if its angles cannot be computed for this frequency. Its columns must then be written by another
/// tier.
pub(crate) const fn fill<T: Element>(
    plan: &Plan<T>,
    sinusoid: &Sinusoid,
    positions: EquallySpaced,
    placement: &Placement,
    rows: &mut [T],
) -> bool {
    let targets = placement.targets(plan.targets(sinusoid.i));
    let Some(columns) = Columns::new(sinusoid, positions, targets, placement.pitch, plan.format()) else { return true };
    if const { takes_two(T::FORMAT) } { two_floats::fill(&columns, rows) } else { one_float::fill(&columns, rows) }
}

/// Returns whether the format takes two floats per number.
const fn takes_two(format: Format) -> bool {
    format.precision == Format::F64.precision
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::engine::error_audit::{self, Drawn, Goal, Worst, any_run, report, worst};
    use crate::exact::sinusoid::Function;
    use crate::plan::Target;

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
                    let columns = Columns::new(sinusoid, drawn.positions, targets, 2, Format::F64).unwrap();
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
        report("const_eval, two f64 a number", split.shares[0], split.entries, 0.01);
    }
}
