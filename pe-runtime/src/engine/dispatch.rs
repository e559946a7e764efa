//! Computes the rows of a table with the tier that applies to their positions.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::element::Element;
use crate::element::bits::from_bits;
use crate::element::slot::{Memory, Slot};
#[cfg(feature = "alloc")]
use crate::engine::allocation::reserve;
#[cfg(feature = "alloc")]
use crate::engine::columns::Columns;
use crate::engine::const_eval;
#[cfg(feature = "alloc")]
use crate::engine::direct;
#[cfg(feature = "alloc")]
use crate::engine::fast::{AllRows, FastRows};
use crate::exact::sinusoid::Sinusoid;
use crate::plan::placement::Placement;
use crate::plan::positions::Positions;
use crate::plan::{Plan, Target};

/// The threads that compute rows.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Threads {
    /// Only the one that calls.
    One,
    /// All threads of rayon's pool.
    #[cfg(feature = "rayon")]
    All,
}

/// Writes the rows of `positions` to `rows`, `d_model` entries each, with the fastest tier that applies.
pub(crate) fn fill<T: Element>(plan: &Plan<T>, positions: &Positions, rows: &mut [T], threads: Threads) {
    let positions = positions.recognised();
    if write(plan, &positions, Slot::of(rows), Memory::Used, threads).is_none() {
        const_fill(plan, &positions, rows);
    }
}

/// Writes the rows of `positions` of a table for a file or a macro.
///
/// In a build that is not optimised, as of a macro, this compiles the const-eval tier only: the tiers in vectors, for ten
/// types, would take about half of the time that the macros take to compile.
#[cfg(feature = "alloc")]
pub(crate) fn bake<T: Element>(plan: &Plan<T>, positions: &Positions, rows: &mut [T]) {
    #[cfg(unoptimised)]
    const_fill(plan, positions, rows);
    #[cfg(not(unoptimised))]
    fill(plan, positions, rows, Threads::One);
}

/// Returns `count` rows of `positions`, or `None` if they cannot be allocated.
///
/// The tiers in vectors write their memory once. If it were zeroed first, this would take up to half as long again.
#[cfg(feature = "alloc")]
#[expect(unsafe_code, reason = "there is no safe way to write to new memory as fast")]
pub(crate) fn rows<T: Element>(
    plan: &Plan<T>,
    positions: &Positions,
    count: usize,
    threads: Threads,
) -> Option<Vec<T>> {
    let positions = positions.recognised();
    let len = count * plan.d_model();
    let mut rows = reserve(len)?;
    let memory = Slot::of_memory(&mut rows.spare_capacity_mut()[..len]);
    if write(plan, &positions, memory, Memory::New, threads).is_some() {
        // SAFETY: the capacity is at least `len`, and `write` has written all these entries: of each row, the columns
        // that have a formula, in all of their blocks, and then the others.
        unsafe { rows.set_len(len) };
    } else {
        rows.resize(len, T::default());
        const_fill(plan, &positions, &mut rows);
    }
    Some(rows)
}

/// Writes all entries of the rows of `positions`.
///
/// Returns `None` if [`const_fill`] is faster, if no tier in vectors applies, or if allocation fails. It may have written
/// some entries then.
#[cfg(feature = "alloc")]
fn write<T: Element>(
    plan: &Plan<T>,
    positions: &Positions,
    rows: &mut [Slot<T>],
    memory: Memory,
    threads: Threads,
) -> Option<()> {
    // The tests are of the tiers in vectors, however they are built.
    let unoptimised = cfg!(all(unoptimised, not(test)));
    if unoptimised && threads == Threads::One && const_fill_is_faster(plan, positions, rows.len()) {
        return None;
    }
    let prepared = PreparedRows::new(plan, positions, rows, memory)?;
    match threads {
        Threads::One => prepared.fill(positions, 0, rows)?,
        #[cfg(feature = "rayon")]
        Threads::All => prepared.par_fill(positions, rows)?,
    }
    write_zeros(plan, positions, rows);
    Some(())
}

/// Returns whether [`const_fill`] takes less time than the tiers in vectors at `opt-level` 0, as in the macro.
///
/// With few exceptions it does if the const-eval tier applies, which it does not to larger frequencies
/// (`docs/tiers.md` has the figures).
#[cfg(feature = "alloc")]
fn const_fill_is_faster<T: Element>(plan: &Plan<T>, positions: &Positions, len: usize) -> bool {
    let rows = len / plan.d_model();
    positions.equally_spaced().is_some() && const_eval::suits(plan, rows) && plan.frequencies().are_below_2_64()
}

/// Returns `None`, because the tiers in vectors allocate.
#[cfg(not(feature = "alloc"))]
fn write<T: Element>(_: &Plan<T>, _: &Positions, _: &mut [Slot<T>], _: Memory, _: Threads) -> Option<()> {
    None
}

/// Writes the rows of `positions` to `rows`, with columns that have been prepared.
#[cfg(feature = "alloc")]
pub(crate) fn fill_prepared<T: Element>(columns: &Columns<T>, positions: &Positions, rows: &mut [T]) {
    let rows = Slot::of(rows);
    direct::fill(columns, positions, 0, rows);
    write_zeros(&columns.plan, positions, rows);
}

/// The fewest rows for which sums of angles, with their set-up, take less time than direct evaluation.
///
/// Measured once, by choosing in the code, at 64 and 512 columns: about 30 rows for `f32` and 20 for `f64` (Intel Xeon
/// with AVX-512, 2026-11-22).
#[cfg(feature = "alloc")]
const ROWS_FOR_SUMS: usize = 24;

/// What a tier in floats has prepared.
#[cfg(feature = "alloc")]
enum PreparedRows<'a, T: Element> {
    /// Angle addition, for equally spaced positions.
    Sums(AllRows<'a, T>),
    /// Direct evaluation, for any positions.
    Columns(Columns<'a, T>),
}

#[cfg(feature = "alloc")]
impl<'a, T: Element> PreparedRows<'a, T> {
    /// Prepares the computation of `rows`, or returns `None` if neither tier applies, or if allocation fails.
    fn new(plan: &Plan<'a, T>, positions: &Positions, rows: &[Slot<T>], memory: Memory) -> Option<Self> {
        let count = rows.len() / plan.d_model();
        match positions.equally_spaced() {
            Some(positions) if count >= ROWS_FOR_SUMS && FastRows::suits(plan, count) => {
                AllRows::new(plan, positions, rows, memory).map(Self::Sums)
            }
            spaced if count > 0 && direct::suits(plan) => {
                let columns = Columns::new(plan)?;
                match spaced {
                    // Angles beyond direct evaluation would all be computed exactly.
                    Some(spaced)
                        if FastRows::suits(plan, count)
                            && [0, count - 1].into_iter().any(|i| columns.turns_at(spaced.at(i)).is_none()) =>
                    {
                        AllRows::new(plan, spaced, rows, memory).map(Self::Sums)
                    }
                    _ => Some(Self::Columns(columns)),
                }
            }
            _ => None,
        }
    }

    /// Writes rows from row `first` on, except the columns without a formula. Returns `None` if allocation fails.
    fn fill(&self, positions: &Positions, first: usize, rows: &mut [Slot<T>]) -> Option<()> {
        match self {
            Self::Sums(sums) => sums.fill(first, rows),
            Self::Columns(columns) => {
                direct::fill(columns, positions, first, rows);
                Some(())
            }
        }
    }

    /// Does the same with all rows, on all threads.
    #[cfg(feature = "rayon")]
    fn par_fill(&self, positions: &Positions, rows: &mut [Slot<T>]) -> Option<()> {
        use rayon::prelude::*;

        /// The size in bytes of the piece that a thread computes at a time. It is large enough for the work, about 100
        /// µs, to outweigh its distribution and the first coarse row, and small enough for all threads to be busy to
        /// the end. `cargo run --release --manifest-path benches/Cargo.toml` measures it in its last row.
        ///
        /// A piece has at least four times as many rows as fine rows, because it computes its own fine rows.
        const BYTES: usize = 1 << 20;
        let (d_model, unit) = match self {
            Self::Sums(sums) => (sums.columns().plan.d_model(), sums.unit()),
            Self::Columns(columns) => (columns.plan.d_model(), 1),
        };
        let piece = (BYTES / size_of::<T>() / d_model).next_multiple_of(unit).max(4 * unit);
        let pieces = rows.par_chunks_mut(piece * d_model).enumerate();
        pieces.map(|(i, rows)| self.fill(positions, i * piece, rows)).collect()
    }
}

/// Does the same as [`fill`], without an allocator and without vector instructions.
///
/// It works column by column, because a whole column has the same frequency.
pub(crate) const fn const_fill<T: Element>(plan: &Plan<T>, positions: &Positions, rows: &mut [T]) {
    if rows.is_empty() || plan.width() == 0 {
        write_zeros(plan, positions, Slot::of(rows));
        return;
    }
    fill_columns(plan, positions, &Placement::of_table(plan.d_model()), rows);
    if plan.repeats() {
        repeat_columns(plan, &Placement::of_table(plan.d_model()), rows);
    }
    write_zeros(plan, positions, Slot::of(rows));
}

/// Writes the sines and cosines of each row, without repeated columns, to their places among other entries.
pub(crate) const fn fill_columns<T: Element>(
    plan: &Plan<T>,
    positions: &Positions,
    placement: &Placement,
    rows: &mut [T],
) {
    let equally_spaced = match positions.equally_spaced() {
        Some(equally_spaced) if const_eval::suits(plan, rows.len() / placement.pitch) => Some(equally_spaced),
        _ => None,
    };
    let mut sinusoids = plan.sinusoids();
    while let Some(sinusoid) = sinusoids.advance() {
        let done = match equally_spaced {
            Some(positions) => const_eval::fill(plan, &sinusoid, positions, placement, rows),
            None => false,
        };
        if !done {
            fill_exactly(plan, &sinusoid, positions, placement, rows);
        }
    }
}

/// Copies the columns that rows have twice, among other entries.
pub(crate) const fn repeat_columns<T: Element>(plan: &Plan<T>, placement: &Placement, rows: &mut [T]) {
    let mut i = 0;
    while i < plan.count() {
        let from = placement.targets(plan.targets(i));
        let to = placement.targets(plan.repeated_targets(i));
        let mut j = 0;
        while j < to.len() {
            if let (Some(from), Some(to)) = (from[j], to[j]) {
                let mut start = 0;
                while start < rows.len() {
                    rows[start + to.column] = rows[start + from.column];
                    start += placement.pitch;
                }
            }
            j += 1;
        }
        i += 1;
    }
}

/// Writes the columns of one frequency with the exact tier.
const fn fill_exactly<T: Element>(
    plan: &Plan<T>,
    sinusoid: &Sinusoid,
    positions: &Positions,
    placement: &Placement,
    rows: &mut [T],
) {
    let (targets, format) = (placement.targets(plan.targets(sinusoid.i)), plan.format());
    let (mut row, mut start) = (0, 0);
    while start < rows.len() {
        let enclosed = sinusoid.enclose(positions.at(row));
        let mut i = 0;
        while i < targets.len() {
            if let Some(Target { column, function }) = targets[i] {
                rows[start + column] = from_bits(sinusoid.round(function, &enclosed, format));
            }
            i += 1;
        }
        row += 1;
        start += placement.pitch;
    }
}

/// Writes zeros to the columns that are neither sines nor cosines, and to the zero row.
const fn write_zeros<T: Element>(plan: &Plan<T>, positions: &Positions, rows: &mut [Slot<T>]) {
    let (width, d_model) = (plan.width(), plan.d_model());
    let mut start = 0;
    while start < rows.len() && width < d_model {
        write_zero(plan.zero(), rows, start + width, start + d_model);
        start += d_model;
    }
    if let Some(row) = positions.zero_row() {
        write_zero(plan.zero(), rows, row * d_model, (row + 1) * d_model);
    }
}

/// Writes the real number 0, which is `zero`, to the entries from `start` on, and before `end`.
pub(crate) const fn write_zero<T: Element>(zero: T, entries: &mut [Slot<T>], start: usize, end: usize) {
    let mut i = start;
    while i < end {
        entries[i].set(zero);
        i += 1;
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use std::vec;

    use super::*;
    use crate::element::bits::as_bytes;
    use crate::element::{Bf16Bits, F16Bits};
    use crate::spec::Spec;
    use crate::spec::choices::{Columns, Layout, Odd, Pairing, Repeat};
    use crate::spec::scaling::Scaling;

    /// Checks that memory of two different contents becomes the same rows, which `rows` returns too.
    fn check<T: Element>(spec: &Spec, count: usize) {
        let (plan, positions) = (Plan::<T>::new(spec).unwrap(), Positions::of_rows(spec, 0, count).unwrap());
        let of = |bits| {
            let mut rows = vec![from_bits::<T>(bits); count * spec.d_model()];
            write(&plan, &positions, Slot::of(&mut rows), Memory::Used, Threads::One).unwrap();
            rows
        };
        let (zeros, ones) = (of(0), of(u64::MAX));
        let new = rows(&plan, &positions, count, Threads::One).unwrap();
        let same = as_bytes(&zeros) == as_bytes(&ones) && as_bytes(&zeros) == as_bytes(&new);
        assert!(same, "{} {spec}, {count} rows", T::DTYPE);
    }

    #[test]
    fn all_entries_are_written() {
        let specs = [
            Spec::new(48),
            Spec::new(29).odd(Odd::Zero).start(-3),
            Spec::new(29).odd(Odd::LastSin).layout(Layout::Halves).zero_row(2),
            Spec::new(9).columns(Columns::Cos).start(1 << 50).step(3),
            Spec::new(17).odd(Odd::Zero).pairing(Pairing::Unpaired).base(1e9),
            Spec::new(1).odd(Odd::Zero),
            Spec::new(8).frequencies(&[1.0, 0.0, 1e-300, 1e300]),
        ];
        // Direct evaluation, sums, and sums past the caches. Miri is slow.
        if cfg!(miri) {
            check::<f32>(&specs[1], 2);
            return check::<f32>(&specs[1], 24);
        }
        let counts = [1, 3, 23, 24, 33, 300, 1500];
        for (spec, count) in specs.iter().flat_map(|spec| counts.iter().map(move |&count| (spec, count))) {
            check::<f32>(spec, count);
            check::<f64>(spec, count);
            check::<F16Bits>(spec, count);
            check::<Bf16Bits>(spec, count);
        }
    }

    /// Repeated columns are computed again by some tiers, and copied by others.
    #[test]
    fn repeated_columns_are_those_that_they_repeat() {
        fn check<T: Element>(spec: &Spec, once: &Spec, rows: usize) {
            let [plan, of_one] = [spec, once].map(|spec| Plan::<T>::new(spec).unwrap());
            let positions = Positions::of_rows(spec, 0, rows).unwrap();
            let (d, half) = (spec.d_model(), once.d_model());
            let mut expected = vec![T::default(); rows * half];
            const_fill(&of_one, &positions, &mut expected);
            let mut constant = vec![T::default(); rows * d];
            const_fill(&plan, &positions, &mut constant);
            let table = super::rows(&plan, &positions, rows, Threads::One).unwrap();
            assert_eq!(as_bytes(&constant), as_bytes(&table), "{spec}");
            for (row, once) in table.chunks(d).zip(expected.chunks(half)) {
                let (first, second) = row.split_at(half);
                assert_eq!(as_bytes(first), as_bytes(once), "{spec}");
                assert_eq!(as_bytes(second), as_bytes(once), "{spec}");
            }
        }
        let cos = Spec::new(23).columns(Columns::Cos).scaling(Scaling::llama3(8.0, 64)).zero_row(1);
        let pairs = Spec::new(22).layout(Layout::Interleaved).start(-7);
        for rows in [2, 9, 70] {
            for spec in [cos, pairs] {
                let mut twice = spec.repeat(Repeat::Halves);
                twice.parameters.d_model *= 2;
                check::<f32>(&twice, &spec, rows);
                check::<f64>(&twice, &spec, rows);
                check::<Bf16Bits>(&twice, &spec, rows);
            }
        }
    }

    #[test]
    fn rows_that_no_tier_in_floats_serves_are_those_of_the_exact_tier() {
        let spec = Spec::new(6).amplitude(crate::Amplitude::Value(1e-30));
        let (plan, positions) = (Plan::<f64>::new(&spec).unwrap(), Positions::of_rows(&spec, 0, 30).unwrap());
        let mut exact = vec![0.0; 30 * 6];
        assert!(write(&plan, &positions, Slot::of(&mut exact), Memory::Used, Threads::One).is_none());
        const_fill(&plan, &positions, &mut exact);
        assert_eq!(rows(&plan, &positions, 30, Threads::One), Some(exact));
    }
}
