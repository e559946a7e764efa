//! The parameters that are given, and the tables that have them.

use posenc::reflection::{AMPLITUDE_EXPECTED, Access, Kind, Parameter, Value, amplitude_of_word, check_together};
use posenc::{AxialRope, Extent, Grid, Packing, Rope, Spec};

use crate::names::choice;
use crate::rule::{OwnedRule, between_commas, rule};
use crate::values::{number, position, quotient, size};

/// What is given for a parameter.
#[derive(Clone, Debug)]
pub enum GivenValues {
    /// A value for all axes, or one for each.
    Values(Vec<Value<'static>>),
    /// A list for all axes, or one for each.
    Lists(Vec<Vec<f64>>),
    /// A rule for all axes, or one for each.
    Rules(Vec<OwnedRule>),
    /// The names of axes.
    Axes(Vec<String>),
}

impl GivenValues {
    /// Reads the value of a parameter that is not a list: as the macros write it, or several of them between commas.
    ///
    /// # Errors
    ///
    /// Returns the sentence for a value that the parameter cannot have.
    pub fn read(parameter: &Parameter, text: &str, is_several: bool) -> Result<Self, String> {
        let parts = match parameter.kind {
            _ if !is_several => vec![text],
            Kind::Scaling => between_commas(text),
            _ => text.split(',').map(str::trim).collect(),
        };
        match parameter.kind {
            Kind::Scaling => parts.into_iter().map(rule).collect::<Result<_, _>>().map(Self::Rules),
            Kind::Axes => Ok(Self::Axes(text.split(',').map(|name| name.trim().to_owned()).collect())),
            _ => parts.into_iter().map(|part| value(parameter, part)).collect::<Result<_, _>>().map(Self::Values),
        }
    }

    /// Returns one value for all axes, or one for each.
    ///
    /// # Panics
    ///
    /// Panics for the names of axes, which only the table knows.
    #[must_use]
    pub fn values(&self) -> Vec<Value<'_>> {
        match self {
            Self::Values(values) => values.clone(),
            Self::Lists(lists) => lists.iter().map(|list| Value::Numbers(list)).collect(),
            Self::Rules(rules) => rules.iter().map(|rule| Value::Scaling(rule.scaling())).collect(),
            Self::Axes(_) => unreachable!("the axes are found by their names"),
        }
    }
}

/// Parses a value that is not a list or a rule.
fn value(parameter: &Parameter, text: &str) -> Result<Value<'static>, String> {
    let key = parameter.key;
    match parameter.kind {
        Kind::Integer => position(key, text).map(Value::Integer),
        Kind::Quotient => quotient(key, text).map(|(numerator, denominator)| Value::Quotient(numerator, denominator)),
        Kind::Size => size(key, text).map(Value::Size),
        Kind::Amplitude => amplitude(text),
        Kind::Choice(names) => choice(names, text).map(|index| Value::Word(names.all[index])),
        _ => number(text).map(Value::Number),
    }
}

fn amplitude(text: &str) -> Result<Value<'static>, String> {
    let word = text.replace('-', "_");
    match amplitude_of_word(&word) {
        Some(amplitude) => Ok(Value::Amplitude(amplitude)),
        None => number(text)
            .map(Value::Number)
            .map_err(|_| format!("`amplitude` is `{text}`, but must be {AMPLITUDE_EXPECTED}")),
    }
}

/// The parameters that are given.
#[derive(Clone, Default)]
pub struct Given {
    all: Vec<(&'static Parameter, GivenValues)>,
}

impl Given {
    /// Returns the parameters with these values.
    #[must_use]
    pub const fn new(all: Vec<(&'static Parameter, GivenValues)>) -> Self {
        Self { all }
    }

    /// Returns all parameters, each with its values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, &GivenValues)> {
        self.all.iter().map(|(parameter, given)| (*parameter, given))
    }

    /// Returns whether a parameter is given.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.all.iter().any(|(parameter, _)| parameter.key == key)
    }

    /// Returns the value of a parameter, or the first of its values, if it is given.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<Value<'_>> {
        self.all.iter().find(|(parameter, _)| parameter.key == key).map(|(_, given)| given.values()[0])
    }

    /// Returns the columns of a rotary table, if they are given.
    #[must_use]
    pub fn packing(&self) -> Option<Packing> {
        if let Some(Value::Word(name)) = self.value("packing") { name.parse().ok() } else { None }
    }

    /// Returns the spec with these parameters.
    ///
    /// # Errors
    ///
    /// Returns the sentence for two that exclude each other. The other checks need the element type.
    pub fn spec<'a>(&'a self, spec: Spec<'a>) -> Result<Spec<'a>, String> {
        self.check_conflicts()?;
        Ok(self.all.iter().fold(spec, |spec, (parameter, given)| spec.with_value(parameter, given.values()[0])))
    }

    /// Returns the cache with these parameters.
    ///
    /// # Errors
    ///
    /// Returns the sentence for two that exclude each other. The other checks need the element type.
    pub fn rope<'a>(&'a self, rope: Rope<'a>) -> Result<Rope<'a>, String> {
        self.check_conflicts()?;
        Ok(self.kept().fold(rope, |rope, (parameter, given)| rope.with_value(parameter, given.values()[0])))
    }

    /// Returns the grid with these parameters, whose axes have these names.
    ///
    /// # Errors
    ///
    /// Returns the sentence for parameters that exclude each other, and for a wrong number of values.
    pub fn grid<'a, const A: usize>(&'a self, grid: Grid<'a, A>, names: &[&str]) -> Result<Grid<'a, A>, String> {
        let by_axis = self.by_axis::<A>(names)?.into_iter();
        let grid = by_axis.fold(grid, |grid, (parameter, values)| grid.with_values(parameter, &values));
        let own = grid.parameters();
        self.check_unit(own.positions, own.unit, own.extent)?;
        Ok(grid)
    }

    /// Returns the rotary table of several axes with these parameters, whose axes have these names.
    ///
    /// # Errors
    ///
    /// Returns the sentence for parameters that exclude each other, and for a wrong number of values.
    pub fn axial<'a, const A: usize>(
        &'a self,
        rope: AxialRope<'a, A>,
        names: &[&str],
    ) -> Result<AxialRope<'a, A>, String> {
        let by_axis = self.by_axis::<A>(names)?.into_iter();
        let kept = by_axis.filter(|(parameter, _)| !matches!(parameter.access, Access::Output));
        let rope = kept.fold(rope, |rope, (parameter, values)| rope.with_values(parameter, &values));
        let own = rope.parameters();
        self.check_unit(own.positions, own.unit, own.extent)?;
        Ok(rope)
    }

    /// Checks that no positions that are given would be multiplied by a unit that is not.
    fn check_unit<const A: usize>(
        &self,
        positions: [&[f64]; A],
        unit: [(i64, i64); A],
        extent: Extent,
    ) -> Result<(), String> {
        if !self.has("positions") || self.has("unit") || self.has("extent") {
            return Ok(());
        }
        let of_preset = unit.iter().zip(positions).find(|(unit, list)| !list.is_empty() && **unit != (1, 1));
        let unit = match (extent, of_preset) {
            (Extent::Unset | Extent::Missing, None) => return Ok(()),
            (Extent::Unset | Extent::Missing, Some((unit, _))) => format!("the `unit` {}/{}", unit.0, unit.1),
            _ => "the `extent`".to_owned(),
        };
        Err(format!(
            "`positions` would be multiplied by {unit} of the preset; set `unit` too: 1 leaves the positions as they are"
        ))
    }

    /// Returns the parameters that are kept by a table, and not what is made of it.
    fn kept(&self) -> impl Iterator<Item = &(&'static Parameter, GivenValues)> {
        self.all.iter().filter(|(parameter, _)| !matches!(parameter.access, Access::Output))
    }

    /// Returns what is given of a table whose axes have these names: a value for all axes, or one for each.
    fn by_axis<const A: usize>(&self, names: &[&str]) -> Result<Vec<(&'static Parameter, Vec<Value<'_>>)>, String> {
        self.check_conflicts()?;
        let mut all = Vec::new();
        for (parameter, given) in &self.all {
            let values = match given {
                GivenValues::Axes(written) => order_of_axes(parameter.key, written, names)?,
                given => given.values(),
            };
            if values.len() != 1 {
                check_count(parameter.key, values.len(), A)?;
            }
            all.push((*parameter, values));
        }
        Ok(all)
    }

    /// Checks that no two parameters exclude each other. With the methods of a builder the later call wins, but what is
    /// given here has no order.
    fn check_conflicts(&self) -> Result<(), String> {
        check_together(|key| self.has(key)).map_err(|error| error.to_string())?;
        if self.has("rotary_dim") && self.has("partial_rotary_factor") {
            return Err("`rotary_dim` and `partial_rotary_factor` set the same parameter; remove one".to_owned());
        }
        Ok(())
    }
}

/// Checks the number of values of a parameter that may differ from axis to axis.
///
/// # Errors
///
/// Returns the macro's sentence for another number.
pub fn check_count(key: &str, count: usize, axes: usize) -> Result<(), String> {
    if count == axes {
        return Ok(());
    }
    Err(format!("`{key}` has {count} values, but must have {axes}, one for each axis, or one for all axes"))
}

/// Returns the order of the axes with these names.
fn order_of_axes(key: &str, written: &[String], names: &[&str]) -> Result<Vec<Value<'static>>, String> {
    let place = |name: &str| written.iter().position(|written| written == name);
    if written.len() != names.len() || names.iter().any(|name| place(name).is_none()) {
        return Err(format!(
            "`{key}` is `{}`, but must name each axis once: `{}` is the order of the shape",
            written.join(","),
            names.join(",")
        ));
    }
    Ok(written.iter().filter_map(|written| names.iter().position(|name| name == written)).map(Value::Size).collect())
}
