//! The values of a grid's own parameters.

use crate::spec::error::SpecError;

/// The number of columns of each axis.
#[derive(Clone, Copy)]
pub(crate) enum Widths<const A: usize> {
    /// The same for all axes.
    Equal,
    Given([usize; A]),
    /// Shares of `d_model`, whose sum is the whole.
    Shares([usize; A]),
}

/// What sets the unit of each axis, if it is not set itself.
#[derive(Clone, Copy)]
pub(crate) enum Extent {
    Unset,
    /// The preset requires one.
    Missing,
    /// This axis had no points to share it, before the grid was resized.
    Unshared(usize),
    Set(i64, i64),
}

/// The names of the axes of a shape.
pub(crate) const fn names(axes: usize) -> &'static [&'static str] {
    match axes {
        1 => &["w"],
        2 => &["h", "w"],
        3 => &["t", "h", "w"],
        _ => &["x", "y", "w", "h"],
    }
}

/// Returns the error for an extent together with units, which the macro and the tool have in no order.
#[must_use]
pub const fn conflict_of_extent() -> SpecError {
    SpecError::Conflict {
        parameters: ["extent", "unit"],
        values: ["...", "..."],
        reason: "an extent sets the unit of each axis",
    }
}

/// Returns a number of points, or the largest integer, which no unit may have.
pub(crate) const fn integer(points: usize) -> i64 {
    if points as u128 > i64::MAX as u128 { i64::MAX } else { points as i64 }
}
