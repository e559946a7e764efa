//! The macro call that makes the table of a grid.

use core::fmt::{self, Display, Formatter};

use crate::element::Element;
use crate::grid::Grid;
use crate::grid::row_order::MAX_AXES;
use crate::grid::values::{Extent, Widths, names};
use crate::spec::Spec;
use crate::spec::grid_choices::{Nest, Rest};
use crate::spec::macro_call::write_dtype;
use crate::spec::parameter_list::PARAMETERS;
use crate::spec::parameters::{Access, OfGrid, Parameter, TableKind, Value};

/// The macro call that makes the table of a grid, returned by [`Grid::macro_call`].
///
/// Its [`Display`] output can be pasted into source code.
///
/// # Examples
///
/// ```
/// use posenc::{Grid, GridPreset};
///
/// let call = Grid::preset(GridPreset::Mae, [14, 14], 768).macro_call();
/// assert_eq!(call.to_string(), "grid_table!((14, 14), 768, first = (w, h))");
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct GridMacroCall<'a, const A: usize> {
    grid: Grid<'a, A>,
    /// `None` if the key is left out.
    dtype: Option<&'static str>,
}

impl<'a, const A: usize> Grid<'a, A> {
    /// Returns the macro call that makes the table.
    ///
    /// The `Display` output of the `Grid` itself is the same call. Nothing is checked. The type of a grid with a
    /// [`quantiser`](Self::quantiser) is shown as an underscore, which the macro rejects, unless
    /// [`dtype`](GridMacroCall::dtype) adds it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let grid = Grid::new([2, 3], 8).start([0, 1]);
    /// assert_eq!(grid.macro_call().to_string(), "grid_table!((2, 3), 8, start = (0, 1))");
    /// ```
    pub const fn macro_call(&self) -> GridMacroCall<'a, A> {
        GridMacroCall { grid: *self, dtype: None }
    }
}

impl<const A: usize> GridMacroCall<'_, A> {
    /// Adds the key `dtype`, which is optional if the type is `f32`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::Grid;
    /// let call = Grid::new([2, 3], 8).macro_call().dtype::<f64>();
    /// assert_eq!(call.to_string(), "grid_table!((2, 3), 8, dtype = f64)");
    /// ```
    pub const fn dtype<T: Element>(self) -> Self {
        self.of_dtype(T::DTYPE)
    }

    /// Does the same with the name of a type.
    pub(crate) const fn of_dtype(mut self, dtype: &'static str) -> Self {
        self.dtype = Some(dtype);
        self
    }
}

impl<const A: usize> Display for GridMacroCall<'_, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { grid, dtype } = self;
        write!(f, "grid_table!({}, {}", Tuple(&grid.shape), grid.d_model)?;
        if let (None, Some(preset)) = (grid.names, grid.preset) {
            write!(f, ", preset = {preset}")?;
        }
        for parameter in &PARAMETERS {
            match parameter.access {
                _ if !parameter.is_of(TableKind::Grid) => {}
                Access::Grid(own) => grid.write_own(own, parameter.key, f)?,
                _ => grid.write_parameter(parameter, f)?,
            }
        }
        write_dtype(f, *dtype, grid.quantiser_of_entries())?;
        f.write_str(")")
    }
}

debug_as_display!(GridMacroCall<'_, A>, const A: usize);

/// Shows the macro call that bakes the table. A preset appears as its parameters.
///
/// Axes have their default names, so the call makes the same table without the preset. A missing extent that the preset
/// requires is shown as an underscore, which the macro rejects. A preset with other axes is part of the call, which the
/// macro rejects too.
impl<const A: usize> Display for Grid<'_, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.macro_call(), f)
    }
}

debug_as_display!(Grid<'_, A>, const A: usize);

impl<const A: usize> Grid<'_, A> {
    /// Writes a parameter of the axes that is not the default on all of them.
    pub(crate) fn write_parameter(&self, parameter: &Parameter, f: &mut Formatter<'_>) -> fmt::Result {
        // An extent replaces the units.
        if parameter.key == "unit" && self.extent != Extent::Unset {
            return Ok(());
        }
        write_of_axes(&self.axes, parameter, f)
    }

    /// Writes a parameter of the grid's own that is not the default.
    ///
    /// The text does not name the preset, so the axes have their default names.
    pub(crate) fn write_own(&self, of: OfGrid, key: &str, f: &mut Formatter<'_>) -> fmt::Result {
        let (is_set, value) = match of {
            OfGrid::First => {
                let (mut axes, mut is_set) = (["_"; A], false);
                for (i, axis) in self.first.iter().enumerate() {
                    is_set |= i != *axis;
                    if let Some(name) = names(A).get(*axis) {
                        axes[i] = name;
                    }
                }
                return if is_set { write_each(key, &axes, f) } else { Ok(()) };
            }
            OfGrid::Nest => (self.nest != Nest::Blocks, Value::Word(self.nest.name())),
            OfGrid::Widths => return write_widths(key, self.widths, self.resolved_widths().ok(), f),
            OfGrid::Rest => (self.rest != Rest::Reject, Value::Word(self.rest.name())),
            OfGrid::ZeroRows => (self.zero_rows > 0, Value::Size(self.zero_rows)),
            OfGrid::IdentityRows => (self.identity_rows[0] > 0, Value::Size(self.identity_rows[0])),
            OfGrid::IdentityRowsAfter => (self.identity_rows[1] > 0, Value::Size(self.identity_rows[1])),
            OfGrid::Merge => (self.merge != 1, Value::Size(self.merge)),
            OfGrid::Positions => {
                let (mut lists, mut is_set) = ([Value::Open; A], false);
                for (i, list) in self.positions.iter().enumerate() {
                    is_set |= !list.is_empty();
                    lists[i] = Value::Numbers(list);
                }
                return if is_set { write_each(key, &lists, f) } else { Ok(()) };
            }
            OfGrid::Extent => match self.extent {
                Extent::Unset => (false, Value::Open),
                Extent::Missing | Extent::Unshared(_) => (true, Value::Open),
                Extent::Set(numerator, denominator) => (true, Value::Quotient(numerator, denominator)),
            },
        };
        if is_set { write_one(key, value, f) } else { Ok(()) }
    }
}

/// Writes a parameter that is not the default on all axes.
fn write_of_axes(axes: &[Spec], parameter: &Parameter, f: &mut Formatter<'_>) -> fmt::Result {
    let (key, Access::Spec { get, .. }) = (parameter.key, &parameter.access) else { return Ok(()) };
    let default = get(&Spec::new(2).parameters());
    let (mut changed, mut values) = ([None; MAX_AXES], [Value::Open; MAX_AXES]);
    for (i, axis) in axes.iter().enumerate() {
        changed[i] = get(&axis.parameters).filter(|value| default != Some(*value));
        if let Some(value) = changed[i].or(default) {
            values[i] = value;
        }
    }
    if changed[..axes.len()].iter().all(|value| *value == changed[0]) {
        return changed[0].map_or(Ok(()), |value| write_one(key, value, f));
    }
    write_each(key, &values[..axes.len()], f)
}

/// Writes a parameter with one value.
pub(crate) fn write_one(key: &str, value: Value, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, ", {key} = {value}")
}

/// Writes a parameter with a value for each axis.
fn write_each<V: Display>(key: &str, values: &[V], f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, ", {key} = {}", Tuple(values))
}

/// Writes the widths of the axes, given or as far as they are known, unless they are equal.
pub(crate) fn write_widths<const A: usize>(
    key: &str,
    given: Widths<A>,
    known: Option<[usize; A]>,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    match (given, known) {
        (Widths::Equal, _) => Ok(()),
        (Widths::Given(widths), _) | (Widths::Shares(_), Some(widths)) => write_each(key, &widths, f),
        (Widths::Shares(_), None) => write_one(key, Value::Open, f),
    }
}

/// Values in parentheses.
pub(crate) struct Tuple<'v, V>(pub(crate) &'v [V]);

impl<V: Display> Display for Tuple<'_, V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, value) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{value}")?;
        }
        // A single value in parentheses is no tuple.
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}
