//! Rows that are indistinguishable at a given tolerance.

#![allow(clippy::float_arithmetic, reason = "comparing with a tolerance")]

use alloc::vec::Vec;

use crate::element::Element;
use crate::inspect::entry::value;
use crate::inspect::shape::width;
use crate::spec::error::SpecError;
use crate::table::compare_error::CompareError;
use crate::table::rows::Rows;

/// Returns the first two rows that differ by at most `tolerance` in every column, or `None` if every row is unique.
///
/// In the result `(i, j)`, row `j` is the first row that duplicates an earlier one, and row `i` is the first row that
/// it duplicates. Differences are computed in `f64`, which represents the entries of every type; infinities of the same
/// sign are equal. A `tolerance` of 0 finds rows that are equal in the element type of the table, and so shows whether
/// a 16-bit type still distinguishes the positions.
///
/// It uses 8 or 16 bytes of memory per row. To find equal rows, it takes the time of sorting the rows. With a
/// tolerance, it compares the rows that are close in the column that separates them best. If many are close, because
/// the tolerance is large for the number of rows, the time grows up to the square of their number.
///
/// # Errors
///
/// Returns an error if the rows differ in length, if `tolerance` is negative or NaN, or if allocation fails.
///
/// # Examples
///
/// ```
/// use posenc::{Columns, Spec, first_duplicate_rows};
/// use std::f64::consts::TAU;
///
/// // Two sines of periods 8 and 4 repeat after 4 positions, where both cross zero.
/// let sines = |periods: [f64; 2], rows| {
///     let frequencies = periods.map(|period| TAU / period);
///     Spec::new(2).columns(Columns::Sin).frequencies(&frequencies).table::<f32>(rows)
/// };
/// assert_eq!(first_duplicate_rows(&sines([8.0, 4.0], 8)?, 1e-6)?, Some((0, 4)));
/// assert_eq!(first_duplicate_rows(&sines([16.0, 8.0], 8)?, 1e-6)?, None);
/// assert_eq!(first_duplicate_rows(&sines([16.0, 8.0], 9)?, 1e-6)?, Some((0, 8)));
///
/// // The paper's encoding has no duplicates.
/// assert_eq!(first_duplicate_rows(&Spec::new(64).table::<f32>(10_000)?, 0.0)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("unique", "collision"))]
pub fn first_duplicate_rows<T: Element>(
    table: &(impl Rows<T> + ?Sized),
    tolerance: f64,
) -> Result<Option<(usize, usize)>, CompareError> {
    if tolerance.is_nan() || tolerance < 0.0 {
        return Err(CompareError::Tolerance { value: tolerance });
    }
    width("given", table)?;
    if tolerance == 0.0 {
        return first_equal(table);
    }
    let rows = table.seq_len();
    let column = most_telling_column(table, tolerance);
    // Doubles the number of rows each time, so that an early find does not take the time of all rows.
    let mut count = 2;
    loop {
        let found = first_within(table, count.min(rows), column, tolerance)?;
        if found.is_some() || count >= rows {
            return Ok(found);
        }
        count = count.saturating_mul(2);
    }
}

/// Returns the first two rows that are equal.
///
/// Sorted by entries and then by index, equal rows are neighbours.
fn first_equal<T: Element>(table: &(impl Rows<T> + ?Sized)) -> Result<Option<(usize, usize)>, CompareError> {
    let mut order = with_room(table.seq_len())?;
    order.extend(0..table.seq_len());
    order.sort_unstable_by(|&i, &j| {
        let entries = table.row(i).iter().zip(table.row(j));
        // Adding 0 turns -0 into 0.
        let first_unlike =
            entries.map(|(&a, &b)| (value(a) + 0.0).total_cmp(&(value(b) + 0.0))).find(|order| order.is_ne());
        first_unlike.unwrap_or(i.cmp(&j))
    });
    let equal = order
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
        .filter(|&(i, j)| are_duplicates(table.row(i), table.row(j), 0.0));
    Ok(equal.min_by_key(|&(i, j)| (j, i)))
}

/// Returns the column in which the fewest of a sample of rows are close to each other.
fn most_telling_column<T: Element>(table: &(impl Rows<T> + ?Sized), tolerance: f64) -> usize {
    const SAMPLE: usize = 64;
    let rows = table.seq_len();
    let sample = || (0..rows.min(SAMPLE)).map(|i| i * rows.div_ceil(SAMPLE) % rows);
    let columns = if rows == 0 { 0 } else { table.row(0).len() };
    let near = |column: usize| {
        let entry = |row: usize| value(table.row(row)[column]);
        sample()
            .flat_map(|i| sample().map(move |j| (i, j)))
            .filter(|&(i, j)| is_near(entry(i), entry(j), tolerance))
            .count()
    };
    (0..columns).min_by_key(|&column| near(column)).unwrap_or(0)
}

/// Returns an empty vector with room for one item per row.
fn with_room<N>(rows: usize) -> Result<Vec<N>, CompareError> {
    let mut room = Vec::new();
    let no_memory = |_| SpecError::OutOfMemory { bytes: rows.saturating_mul(size_of::<N>()) };
    room.try_reserve_exact(rows).map_err(no_memory)?;
    Ok(room)
}

/// Returns the first two duplicates among the first `count` rows. Compares rows that are close in `column` in all
/// columns.
fn first_within<T: Element>(
    table: &(impl Rows<T> + ?Sized),
    count: usize,
    column: usize,
    tolerance: f64,
) -> Result<Option<(usize, usize)>, CompareError> {
    let mut sorted = with_room(count)?;
    sorted.extend((0..count).map(|i| (table.row(i).get(column).map_or(0.0, |&entry| value(entry)), i)));
    sorted.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));

    let mut first: Option<(usize, usize)> = None;
    for (at, &(entry, i)) in sorted.iter().enumerate() {
        for &(_, j) in sorted[at + 1..].iter().take_while(|&&(next, _)| is_near(entry, next, tolerance)) {
            let (i, j) = (i.min(j), i.max(j));
            let is_earlier = first.is_none_or(|(first_i, first_j)| (j, i) < (first_j, first_i));
            if is_earlier && are_duplicates(table.row(i), table.row(j), tolerance) {
                first = Some((i, j));
            }
        }
    }
    Ok(first)
}

fn are_duplicates<T: Element>(row: &[T], other: &[T], tolerance: f64) -> bool {
    row.iter().zip(other).all(|(&a, &b)| is_near(value(a), value(b), tolerance))
}

fn is_near(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance
}
