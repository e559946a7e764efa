//! The tables that the macros compute themselves.

use posenc_runtime::{CheckedTable, Element, FirstRows, Grid, GridPreset, Source, SpecError};

/// A table whose parameters are known.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
#[derive(Clone, Copy)]
pub(crate) enum Baked<'a> {
    Rows(FirstRows<'a>),
    Grid(AnyGrid<'a>),
}

/// A grid of any number of axes.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
#[derive(Clone, Copy)]
pub enum AnyGrid<'a> {
    /// One axis.
    One(Grid<'a, 1>),
    /// Two axes.
    Two(Grid<'a, 2>),
    /// Three axes.
    Three(Grid<'a, 3>),
    /// Four axes.
    Four(Grid<'a, 4>),
}

/// Calls a function with the grid.
#[macro_export]
macro_rules! of_grid {
    ($any:expr, $grid:ident => $value:expr) => {
        match $any {
            $crate::AnyGrid::One($grid) => $value,
            $crate::AnyGrid::Two($grid) => $value,
            $crate::AnyGrid::Three($grid) => $value,
            $crate::AnyGrid::Four($grid) => $value,
        }
    };
}

/// Replaces the grid by another one.
macro_rules! changed {
    ($any:expr, $grid:ident => $changed:expr) => {
        match $any {
            AnyGrid::One($grid) => AnyGrid::One($changed),
            AnyGrid::Two($grid) => AnyGrid::Two($changed),
            AnyGrid::Three($grid) => AnyGrid::Three($changed),
            AnyGrid::Four($grid) => AnyGrid::Four($changed),
        }
    };
}

pub(crate) use changed;

/// The largest number of axes.
pub(crate) const MAX_AXES: usize = 4;

impl AnyGrid<'_> {
    /// Returns the grid of a shape with at most [`MAX_AXES`] axes.
    pub(crate) fn new(preset: Option<GridPreset>, shape: &[usize], d_model: usize) -> Self {
        fn grid<const A: usize>(preset: Option<GridPreset>, shape: &[usize], d_model: usize) -> Grid<'static, A> {
            match preset {
                Some(preset) => Grid::preset(preset, values(shape), d_model),
                None => Grid::new(values(shape), d_model),
            }
        }
        match shape.len() {
            1 => Self::One(grid(preset, shape, d_model)),
            2 => Self::Two(grid(preset, shape, d_model)),
            3 => Self::Three(grid(preset, shape, d_model)),
            _ => Self::Four(grid(preset, shape, d_model)),
        }
    }
}

/// Returns the values of all axes: one each, or one for all.
pub(crate) fn values<T: Copy, const A: usize>(values: &[T]) -> [T; A] {
    std::array::from_fn(|axis| values[axis % values.len()])
}

/// Calls a function with the table.
macro_rules! of_table {
    ($baked:expr, $table:ident => $value:expr) => {
        match $baked {
            Baked::Rows($table) => $value,
            Baked::Grid(grid) => of_grid!(grid, $table => $value),
        }
    };
}

impl<'a> Source<'a> for Baked<'a> {
    fn checked<T: Element>(&self, max_bytes: usize) -> Result<Box<dyn CheckedTable<T> + 'a>, SpecError> {
        of_table!(self, table => table.checked(max_bytes))
    }

    fn call<T: Element>(&self) -> String {
        of_table!(self, table => Source::call::<T>(table))
    }
}
