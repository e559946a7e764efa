//! The parameters of tables of all kinds, and the tables that the macros compute themselves.

use posenc_runtime::reflection::{Parameter, TableKind, Value};
use posenc_runtime::{
    CheckedTable, Element, FirstRows, Grid, GridPreset, Identity, Quantiser, Rope, Source, Spec, TableError,
};

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

/// The parameters of a table.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
#[derive(Clone, Copy)]
pub(crate) enum Table<'a> {
    Spec(Spec<'a>),
    Rope(Rope<'a>),
    Grid(AnyGrid<'a>),
}

impl<'a> Table<'a> {
    pub(crate) fn kind(&self) -> TableKind {
        match self {
            Self::Spec(_) => TableKind::Sinusoidal,
            Self::Rope(_) => TableKind::Rotary,
            Self::Grid(_) => TableKind::Grid,
        }
    }

    /// Sets a parameter: to one value for all axes, or one for each.
    pub(crate) fn set(&mut self, parameter: &Parameter, values: &[Value<'a>]) {
        *self = match *self {
            Self::Spec(spec) => Self::Spec(spec.with_value(parameter, values[0])),
            Self::Rope(rope) => Self::Rope(rope.with_value(parameter, values[0])),
            Self::Grid(grid) => Self::Grid(changed!(grid, grid => grid.with_values(parameter, values))),
        }
    }

    pub(crate) fn set_quantiser(&mut self, quantiser: Quantiser) {
        *self = match *self {
            Self::Spec(spec) => Self::Spec(spec.quantiser(quantiser)),
            Self::Rope(rope) => Self::Rope(rope.quantiser(quantiser)),
            Self::Grid(grid) => Self::Grid(changed!(grid, grid => grid.quantiser(quantiser))),
        }
    }
}

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

/// The largest number of axes.
pub(crate) const MAX_AXES: usize = 4;

impl AnyGrid<'_> {
    pub(crate) fn rows(&self) -> usize {
        of_grid!(self, grid => grid.rows())
    }

    /// Returns the grid of a shape with at most [`MAX_AXES`] axes.
    pub(crate) fn new(preset: Option<GridPreset>, shape: &[usize], d_model: usize) -> Self {
        fn grid<const A: usize>(preset: Option<GridPreset>, shape: &[usize], d_model: usize) -> Grid<'static, A> {
            let shape = std::array::from_fn(|axis| shape[axis]);
            match preset {
                Some(preset) => Grid::preset(preset, shape, d_model),
                None => Grid::new(shape, d_model),
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

/// Calls a function with the table.
macro_rules! of_table {
    ($baked:expr, $table:ident => $value:expr) => {
        match $baked {
            Baked::Rows($table) => $value,
            Baked::Grid(grid) => of_grid!(grid, $table => $value),
        }
    };
}

impl<'a> Baked<'a> {
    /// Checks everything that can be wrong with the table.
    pub(crate) fn checked<T: Element>(&self, max_bytes: usize) -> Result<CheckedTable<'a>, TableError> {
        of_table!(self, table => table.checked::<T>(max_bytes))
    }

    /// Returns the macro call that makes the table.
    pub(crate) fn call(&self, dtype: &'static str) -> String {
        of_table!(self, table => table.call(dtype))
    }
}
