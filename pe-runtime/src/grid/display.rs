//! A grid as text.

use core::fmt::{self, Debug, Display, Formatter};

use crate::grid::Grid;
use crate::grid::values::{self, Extent, Widths};
use crate::spec::grid_choices::{Nest, Rest};
use crate::spec::keys::keys;
use crate::spec::macro_call::write_dtype;
use crate::spec::parameter_list::PARAMETERS;
use crate::spec::parameters::Value;

/// Shows the macro call that bakes the table. A preset appears as its parameters.
///
/// Axes have their usual names, so the call makes the same table without the preset. Where a preset requires an extent, it is
/// an underscore, which the macro rejects. A preset with other axes is part of the call, which the macro rejects too.
impl<const A: usize> Display for Grid<'_, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write_call(None, f)
    }
}

impl<const A: usize> Grid<'_, A> {
    pub(super) fn write_call(&self, dtype: Option<&str>, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "grid_table!({}, {}", Tuple(&self.shape), self.d_model)?;
        if let (None, Some(preset)) = (self.names, self.preset) {
            write!(f, ", preset = {preset}")?;
        }
        let names = values::names(A);
        if self.first.iter().enumerate().any(|(i, axis)| i != *axis) {
            let first = self.first.map(|axis| names.get(axis).copied().unwrap_or("_"));
            write!(f, ", first = {}", Tuple(&first))?;
        }
        if self.nest != Nest::Blocks {
            write!(f, ", nest = {}", self.nest)?;
        }
        match (self.widths, self.resolved_widths()) {
            (Widths::Equal, _) => {}
            (Widths::Given(widths), _) | (_, Ok(widths)) => write!(f, ", widths = {}", Tuple(&widths))?,
            (Widths::Shares(_), Err(_)) => f.write_str(", widths = _")?,
        }
        if self.rest != Rest::Reject {
            write!(f, ", rest = {}", self.rest)?;
        }
        if self.zero_rows > 0 {
            write!(f, ", zero_rows = {}", self.zero_rows)?;
        }
        match self.extent {
            Extent::Unset => {}
            Extent::Missing | Extent::Unshared(_) => f.write_str(", extent = _")?,
            Extent::Set(numerator, denominator) => write!(f, ", extent = {}", Value::Quotient(numerator, denominator))?,
        }
        for parameter in &PARAMETERS {
            self.write_parameter(parameter.key, f)?;
        }
        write_dtype(f, dtype, self.axes[0].parameters.quantiser)?;
        f.write_str(")")
    }

    /// Writes a parameter that is not the default on all axes.
    fn write_parameter(&self, key: &str, f: &mut Formatter<'_>) -> fmt::Result {
        // An extent replaces the units.
        if key == "unit" && !matches!(self.extent, Extent::Unset) {
            return Ok(());
        }
        let values = self.axes.map(|axis| keys(&axis).find(|(set, _)| *set == key).map(|(_, value)| value));
        if values.iter().all(Option::is_none) {
            return Ok(());
        }
        if values.iter().all(|value| *value == values[0]) {
            return values[0].map_or(Ok(()), |value| write!(f, ", {key} = {value}"));
        }
        let default = match key {
            "base" => Value::Number(10_000.0),
            "freq_shift" => Value::Number(0.0),
            "start" => Value::Integer(0),
            "step" => Value::Integer(1),
            _ => Value::Quotient(1, 1),
        };
        write!(f, ", {key} = {}", Tuple(&values.map(|value| value.unwrap_or(default))))
    }
}

/// Shows the same text as [`Display`].
impl<const A: usize> Debug for Grid<'_, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// Values in parentheses.
struct Tuple<'v, V>(&'v [V]);

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
