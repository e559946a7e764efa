//! The macro call that makes the table of a grid.

use core::fmt::{self, Display, Formatter};

use crate::element::Element;
use crate::grid::Grid;
use crate::grid::parameters::Own;
use crate::grid::values::Extent;
use crate::spec::Spec;
use crate::spec::macro_call::write_dtype;
use crate::spec::parameter_list::PARAMETERS;
use crate::spec::parameters::{Access, Parameter, TableKind, Value};

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
        for parameter in PARAMETERS.iter().filter(|parameter| parameter.is_of(TableKind::Grid)) {
            match parameter.access {
                Access::Grid(own) => write_own(parameter.key, grid.own(own).as_ref(), f)?,
                _ => grid.write_parameter(parameter, f)?,
            }
        }
        write_dtype(f, *dtype, grid.axes[0].parameters.quantiser)?;
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
    /// Writes a parameter that is not the default on all axes.
    pub(crate) fn write_parameter(&self, parameter: &Parameter, f: &mut Formatter<'_>) -> fmt::Result {
        let (key, Access::Spec { get, .. }) = (parameter.key, &parameter.access) else { return Ok(()) };
        let default = get(&Spec::new(2).parameters());
        let values = self.axes.map(|axis| get(&axis.parameters()).filter(|value| default != Some(*value)));
        // An extent replaces the units.
        if values.iter().all(Option::is_none) || key == "unit" && self.extent != Extent::Unset {
            return Ok(());
        }
        if values.iter().all(|value| *value == values[0]) {
            return values[0].map_or(Ok(()), |value| write!(f, ", {key} = {value}"));
        }
        write!(f, ", {key} = {}", Tuple(&values.map(|value| value.or(default).unwrap_or(Value::Open))))
    }
}

/// Writes a parameter of the grid's own that is not the default.
pub(crate) fn write_own<const A: usize>(key: &str, own: Option<&Own<'_, A>>, f: &mut Formatter<'_>) -> fmt::Result {
    match own {
        Some(Own::One(value)) => write!(f, ", {key} = {value}"),
        Some(Own::Each(values)) => write!(f, ", {key} = {}", Tuple(values)),
        None => Ok(()),
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
