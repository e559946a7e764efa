//! Grids of any number of axes.

use posenc::{Frequencies, Grid, GridPreset, Parameters, Quantiser};

/// A grid of 1 to 4 axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there are few answers, and each is made once")]
pub enum AnyGrid {
    /// One axis.
    One(Grid<'static, 1>),
    /// Two axes, such as the patches of an image.
    Two(Grid<'static, 2>),
    /// Three axes, such as the patches of a video.
    Three(Grid<'static, 3>),
    /// Four axes.
    Four(Grid<'static, 4>),
}

/// Evaluates an expression that is generic over the number of axes.
///
/// # Examples
///
/// ```
/// # use posenc::{Grid, GridPreset};
/// # use posenc_identify::{AnyGrid, with_grid};
/// let any: AnyGrid = Grid::preset(GridPreset::Mae, [14, 14], 64).into();
/// assert_eq!(with_grid!(any, grid => grid.rows()), 196);
/// ```
#[macro_export]
macro_rules! with_grid {
    ($any:expr, $grid:ident => $what:expr) => {
        match $any {
            $crate::AnyGrid::One($grid) => $what,
            $crate::AnyGrid::Two($grid) => $what,
            $crate::AnyGrid::Three($grid) => $what,
            $crate::AnyGrid::Four($grid) => $what,
        }
    };
}

impl AnyGrid {
    /// Returns the grid of a preset, or `None` if there are not 1 to 4 axes.
    pub(crate) fn preset(preset: GridPreset, shape: &[usize], d_model: usize) -> Option<Self> {
        Some(match *shape {
            [n] => Self::One(Grid::preset(preset, [n], d_model)),
            [h, w] => Self::Two(Grid::preset(preset, [h, w], d_model)),
            [t, h, w] => Self::Three(Grid::preset(preset, [t, h, w], d_model)),
            [a, b, c, d] => Self::Four(Grid::preset(preset, [a, b, c, d], d_model)),
            _ => return None,
        })
    }

    /// Returns the grid with this many rows of zeros before its points.
    pub(crate) fn zero_rows(&self, rows: usize) -> Self {
        with_grid!(self, grid => grid.zero_rows(rows).into())
    }

    /// Returns the grid with this extent of each axis.
    pub(crate) fn extent(&self, extent: i64) -> Self {
        with_grid!(self, grid => grid.extent(extent, 1).into())
    }

    /// Returns the grid with this base on each axis.
    pub(crate) fn base(&self, base: f64) -> Self {
        with_grid!(self, grid => grid.base(std::array::from_fn(|_| base)).into())
    }

    /// Returns the grid with the scale and the zero point of integers, if there are any.
    pub(crate) fn with_quantiser(&self, quantiser: Option<Quantiser>) -> Self {
        quantiser.map_or(*self, |quantiser| with_grid!(self, grid => grid.quantiser(quantiser).into()))
    }

    /// Returns the frequencies of the first axis.
    pub(crate) fn frequencies(&self) -> Frequencies<'static> {
        with_grid!(self, grid => grid.parameters().frequencies[0])
    }

    /// Returns about the largest angle, and at least a whole turn.
    pub(crate) fn largest_angle(&self) -> f64 {
        fn largest<const A: usize>(grid: &Grid<A>) -> f64 {
            let of_axis = |axis: usize| {
                let Ok(spec) = grid.axis(axis) else { return 0.0 };
                let Parameters { start, step, scale, unit: (numerator, denominator), .. } = spec.parameters();
                let (first, points) = (start.unwrap_or(0) as f64, grid.shape()[axis].saturating_sub(1) as f64);
                let last = first + points * step as f64;
                first.abs().max(last.abs()) * scale.abs() * numerator as f64 / denominator as f64
            };
            (0..A).map(of_axis).fold(7.0, f64::max)
        }
        with_grid!(self, grid => largest(grid))
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> usize {
        with_grid!(self, grid => grid.rows())
    }

    /// Returns the number of columns.
    pub(crate) fn d_model(&self) -> usize {
        with_grid!(self, grid => grid.d_model())
    }

    /// Returns whether both make the same table, as [`Grid::is_same_table`] does.
    pub(crate) fn is_same_table(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::One(one), Self::One(other)) => one.is_same_table(other),
            (Self::Two(one), Self::Two(other)) => one.is_same_table(other),
            (Self::Three(one), Self::Three(other)) => one.is_same_table(other),
            (Self::Four(one), Self::Four(other)) => one.is_same_table(other),
            _ => false,
        }
    }
}

macro_rules! any_grid {
    ($($axes:literal $name:ident)*) => { $(
        impl From<Grid<'static, $axes>> for AnyGrid {
            fn from(grid: Grid<'static, $axes>) -> Self {
                Self::$name(grid)
            }
        }
    )* };
}

any_grid!(1 One 2 Two 3 Three 4 Four);
