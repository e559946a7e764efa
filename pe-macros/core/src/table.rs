//! The parameters of tables of all kinds, and the tables that the macros compute themselves.

use posenc_runtime::reflection::{Parameter, TableKind, Value};
use posenc_runtime::{
    AxialError, AxialPreset, AxialRope, AxialTable, FirstRows, Grid, GridPreset, Identity, Packing, Quantiser, Rope,
    Source, Spec, TableError, UntypedTable,
};

/// Replaces what has axes by another one.
macro_rules! changed {
    ($any:expr, $of:ident => $changed:expr) => {
        match $any {
            OfAxes::One($of) => OfAxes::One($changed),
            OfAxes::Two($of) => OfAxes::Two($changed),
            OfAxes::Three($of) => OfAxes::Three($changed),
            OfAxes::Four($of) => OfAxes::Four($changed),
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
    Axial(AnyAxial<'a>),
}

impl<'a> Table<'a> {
    pub(crate) fn kind(&self) -> TableKind {
        match self {
            Self::Spec(_) => TableKind::Sinusoidal,
            Self::Rope(_) => TableKind::Rotary,
            Self::Grid(_) => TableKind::Grid,
            Self::Axial(_) => TableKind::Axial,
        }
    }

    /// Sets a parameter: to one value for all axes, or one for each.
    pub(crate) fn set(&mut self, parameter: &Parameter, values: &[Value<'a>]) {
        *self = match *self {
            Self::Spec(spec) => Self::Spec(spec.with_value(parameter, values[0])),
            Self::Rope(rope) => Self::Rope(rope.with_value(parameter, values[0])),
            Self::Grid(grid) => Self::Grid(changed!(grid, grid => grid.with_values(parameter, values))),
            Self::Axial(rope) => Self::Axial(changed!(rope, rope => rope.with_values(parameter, values))),
        }
    }

    pub(crate) fn set_quantiser(&mut self, quantiser: Quantiser) {
        *self = match *self {
            Self::Spec(spec) => Self::Spec(spec.quantiser(quantiser)),
            Self::Rope(rope) => Self::Rope(rope.quantiser(quantiser)),
            Self::Grid(grid) => Self::Grid(changed!(grid, grid => grid.quantiser(quantiser))),
            Self::Axial(rope) => Self::Axial(changed!(rope, rope => rope.quantiser(quantiser))),
        }
    }
}

/// A table whose parameters are known.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
#[derive(Clone, Copy)]
pub(crate) enum Baked<'a> {
    Rows(FirstRows<'a>),
    Grid(AnyGrid<'a>),
    Axial(AnyAxialTable<'a>),
}

/// What depends on the number of axes.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
#[derive(Clone, Copy)]
pub enum OfAxes<One, Two, Three, Four> {
    /// One axis.
    One(One),
    /// Two axes.
    Two(Two),
    /// Three axes.
    Three(Three),
    /// Four axes.
    Four(Four),
}

/// A grid of any number of axes.
pub type AnyGrid<'a> = OfAxes<Grid<'a, 1>, Grid<'a, 2>, Grid<'a, 3>, Grid<'a, 4>>;

/// A rotary table of any number of axes.
pub(crate) type AnyAxial<'a> = OfAxes<AxialRope<'a, 1>, AxialRope<'a, 2>, AxialRope<'a, 3>, AxialRope<'a, 4>>;

/// One of its tables.
pub(crate) type AnyAxialTable<'a> = OfAxes<AxialTable<'a, 1>, AxialTable<'a, 2>, AxialTable<'a, 3>, AxialTable<'a, 4>>;

/// Calls a function with what depends on the number of axes.
#[macro_export]
macro_rules! of_axes {
    ($any:expr, $of:ident => $value:expr) => {
        match $any {
            $crate::OfAxes::One($of) => $value,
            $crate::OfAxes::Two($of) => $value,
            $crate::OfAxes::Three($of) => $value,
            $crate::OfAxes::Four($of) => $value,
        }
    };
}

/// The largest number of axes.
pub(crate) const MAX_AXES: usize = 4;

/// Makes what depends on the number of axes, of a shape with at most [`MAX_AXES`] of them.
macro_rules! by_axes {
    ($shape:expr, $make:ident($($argument:expr),*)) => {
        match $shape.len() {
            1 => OfAxes::One($make($shape, $($argument),*)),
            2 => OfAxes::Two($make($shape, $($argument),*)),
            3 => OfAxes::Three($make($shape, $($argument),*)),
            _ => OfAxes::Four($make($shape, $($argument),*)),
        }
    };
}

fn sizes<const A: usize>(shape: &[usize]) -> [usize; A] {
    shape.try_into().expect("a size for each axis")
}

/// Returns a grid of any number of axes.
pub(crate) fn any_grid(preset: Option<GridPreset>, shape: &[usize], d_model: usize) -> AnyGrid<'static> {
    fn grid<const A: usize>(shape: &[usize], preset: Option<GridPreset>, d_model: usize) -> Grid<'static, A> {
        let shape = sizes(shape);
        match preset {
            Some(preset) => Grid::preset(preset, shape, d_model),
            None => Grid::new(shape, d_model),
        }
    }
    by_axes!(shape, grid(preset, d_model))
}

/// Returns a rotary table of any number of axes.
pub(crate) fn any_axial(preset: Option<AxialPreset>, shape: &[usize], head_dim: usize) -> AnyAxial<'static> {
    fn rope<const A: usize>(shape: &[usize], preset: Option<AxialPreset>, head_dim: usize) -> AxialRope<'static, A> {
        let shape = sizes(shape);
        match preset {
            Some(preset) => AxialRope::preset(preset, shape, head_dim),
            None => AxialRope::new(shape, head_dim),
        }
    }
    by_axes!(shape, rope(preset, head_dim))
}

/// Returns one of the tables of an axial rotary embedding.
pub(crate) fn packed<'a>(rope: &AnyAxial<'a>, packing: Packing) -> AnyAxialTable<'a> {
    changed!(*rope, rope => AxialTable { rope, packing })
}

/// Returns the grid of such a table, if its parameters are valid.
pub(crate) fn grid_of<'a>(table: &AnyAxialTable<'a>) -> Result<AnyGrid<'a>, AxialError> {
    Ok(changed!(*table, table => table.grid()?))
}

/// Returns the number of rows of a grid.
pub(crate) fn rows_of_grid(grid: &AnyGrid) -> usize {
    of_axes!(grid, grid => grid.rows())
}

/// Returns the numbers of rows and columns of a table, whether or not its parameters are valid.
pub(crate) fn size_of_table(table: &AnyAxialTable) -> [usize; 2] {
    of_axes!(table, table => [table.rope.rows(), table.columns()])
}

/// Calls a function with the table.
macro_rules! of_table {
    ($baked:expr, $table:ident => $value:expr) => {
        match $baked {
            Baked::Rows($table) => $value,
            Baked::Grid(grid) => of_axes!(grid, $table => $value),
            Baked::Axial(table) => of_axes!(table, $table => $value),
        }
    };
}

impl<'a> Baked<'a> {
    /// Returns the table without an element type.
    pub(crate) fn untyped(&self) -> Result<UntypedTable<'a>, TableError> {
        of_table!(self, table => table.untyped())
    }

    /// Returns the macro call that makes the table.
    pub(crate) fn call(&self, dtype: &'static str) -> String {
        of_table!(self, table => table.call(dtype))
    }
}
