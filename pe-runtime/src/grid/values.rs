//! The values of a grid's own parameters.

/// The number of columns of each axis of a grid.
///
/// # Examples
///
/// ```
/// use posenc::{Grid, GridPreset, Widths};
///
/// let video = |preset| Grid::preset(preset, [13, 30, 45], 1920).parameters().widths;
/// assert_eq!(video(GridPreset::SimpleVit), Widths::Equal);
/// assert_eq!(video(GridPreset::CogVideoX), Widths::Shares([2, 3, 3]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Widths<const A: usize> {
    /// All axes have the same number.
    Equal,
    /// The numbers that were [set](crate::Grid::widths).
    Given([usize; A]),
    /// Shares of `d_model`, whose sum stands for all columns. Presets set them.
    Shares([usize; A]),
}

/// The extent that determines the unit of each axis of a grid, if the unit is not set itself.
///
/// # Examples
///
/// ```
/// use posenc::{Extent, Grid, GridPreset};
///
/// let pixart = Grid::preset(GridPreset::PixArt, [64, 64], 1152);
/// assert_eq!(pixart.parameters().extent, Extent::Missing);
/// assert_eq!(pixart.extent(64, 2).parameters().extent, Extent::Set(64, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Extent {
    /// There is no extent: the units are set themselves.
    Unset,
    /// The preset requires an extent, and none is set.
    Missing,
    /// The axis with this index had no points to share the extent before the grid was resized.
    Unshared(usize),
    /// The quotient that was [set](crate::Grid::extent), as a numerator and a denominator.
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

/// Returns a number of points, or the largest integer, which no unit may have.
pub(crate) const fn integer(points: usize) -> i64 {
    if points as u128 > i64::MAX as u128 { i64::MAX } else { points as i64 }
}
