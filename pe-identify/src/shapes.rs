//! The shapes that a table of several axes may have.

use crate::sample::Numbers;

/// The longest side of a guessed grid in terms of the shorter one.
const LONGEST: usize = 4;

/// The shape of a grid, and the number of rows before its points.
pub(crate) type Shape = (Vec<usize>, usize);

/// Returns the shapes that the table may have: the given shape, or else guesses with two axes.
pub(crate) fn possible(numbers: &Numbers, shape: Option<&[usize]>) -> Vec<Shape> {
    match shape {
        None => (0..=1).flat_map(|further_rows| guessed(numbers, further_rows)).collect(),
        Some(shape) => given(numbers, shape).into_iter().collect(),
    }
}

/// Returns the shapes of two axes after so many other rows: squares first, then others.
fn guessed(numbers: &Numbers, further_rows: usize) -> Vec<Shape> {
    let points = numbers.seq_len.saturating_sub(further_rows);
    let divides = |h: &usize| points.is_multiple_of(*h) && points / h <= LONGEST * h && points / h >= *h;
    let mut heights: Vec<_> = (2..=points.isqrt()).filter(divides).collect();
    heights.reverse();
    let both = heights.into_iter().flat_map(|h| [[h, points / h], [points / h, h]]);
    let mut shapes: Vec<_> = both.map(|shape| (shape.to_vec(), further_rows)).collect();
    shapes.dedup();
    shapes
}

/// Returns the given shape, with as many other rows as remain.
fn given(numbers: &Numbers, shape: &[usize]) -> Option<Shape> {
    let points = shape.iter().try_fold(1_usize, |points, size| points.checked_mul(*size));
    let further_rows = points.filter(|&points| points > 0).and_then(|points| numbers.seq_len.checked_sub(points));
    further_rows.map(|further_rows| (shape.to_vec(), further_rows))
}
