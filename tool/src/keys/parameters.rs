//! The parameters of each kind of table that are given.
//!
//! Which there are follows from the library's list of parameters.

use std::marker::PhantomData;

use posenc::reflection::{Access, Kind, PARAMETERS, Parameter, TableKind, Value, check_together};
use posenc::{AxialRope, Grid, Packing, Preset, Rope, Spec, SpecError};

use crate::keys::scaling::OwnedRule;
use crate::text::failure::Failure;

/// One or several kinds of tables in the type of their options.
pub(crate) trait OfTable {
    const TABLES: &'static [TableKind];
}

pub(crate) struct Sinusoidal;
pub(crate) struct Rotary;
pub(crate) struct OfGrid;
pub(crate) struct Axial;
/// Rotary caches, and rotary tables with axes.
pub(crate) struct EitherRotary;
pub(crate) struct OfAny;

impl OfTable for Sinusoidal {
    const TABLES: &'static [TableKind] = &[TableKind::Sinusoidal];
}

impl OfTable for Rotary {
    const TABLES: &'static [TableKind] = &[TableKind::Rotary];
}

impl OfTable for OfGrid {
    const TABLES: &'static [TableKind] = &[TableKind::Grid];
}

impl OfTable for Axial {
    const TABLES: &'static [TableKind] = &[TableKind::Axial];
}

impl OfTable for EitherRotary {
    const TABLES: &'static [TableKind] = &[TableKind::Rotary, TableKind::Axial];
}

impl OfTable for OfAny {
    const TABLES: &'static [TableKind] = TableKind::ALL;
}

/// The parameters of a kind of table that are given.
pub(crate) struct Options<T> {
    given: Vec<(&'static Parameter, GivenValues)>,
    of: PhantomData<T>,
}

/// What is given for a parameter.
#[derive(Clone, Debug)]
pub(crate) enum GivenValues {
    /// A value for all axes, or one for each.
    Values(Vec<Value<'static>>),
    Numbers(Vec<f64>),
    /// A rule for all axes, or one for each.
    OwnedRules(Vec<OwnedRule>),
    /// The names of axes.
    Axes(Vec<String>),
}

impl GivenValues {
    fn values(&self) -> Vec<Value<'_>> {
        match self {
            Self::Values(values) => values.clone(),
            Self::Numbers(numbers) => vec![Value::Numbers(numbers)],
            Self::OwnedRules(rules) => rules.iter().map(|rule| Value::Scaling(rule.scaling())).collect(),
            Self::Axes(_) => unreachable!("the axes are found by their names"),
        }
    }
}

impl<T> Options<T> {
    pub(crate) fn new(given: Vec<(&'static Parameter, GivenValues)>) -> Self {
        Self { given, of: PhantomData }
    }

    /// Returns the value of a parameter that has one, if it is given.
    pub(crate) fn value(&self, key: &str) -> Option<Value<'_>> {
        self.given.iter().find(|(parameter, _)| parameter.key == key).map(|(_, given)| given.values()[0])
    }

    /// Checks that no two options exclude each other. With the methods of a builder the later call wins, but options have no
    /// order.
    fn check_conflicts(&self) -> Result<(), SpecError> {
        check_together(|key| self.given.iter().any(|(parameter, _)| parameter.key == key))
    }
}

impl<S: OfTable> Options<S> {
    /// Returns the first of these keys that is given.
    pub(crate) fn first_given<'k>(&self, keys: &[&'k str]) -> Option<&'k str> {
        keys.iter().copied().find(|key| self.given.iter().any(|(parameter, _)| parameter.key == *key))
    }

    /// Returns the options as those of a kind of table, if it has all that are given.
    pub(crate) fn of<T: OfTable>(&self, kind: &str) -> Result<Options<T>, Failure> {
        let given = self.given.iter().map(|(parameter, given)| {
            let key = parameter.key;
            let own = options(T::TABLES).find(|own| own.key == key).ok_or_else(|| {
                let option = key.replace('_', "-");
                Failure::new(format_args!("--{option} does not apply to {kind}; leave it out"))
            })?;
            let count = if matches!(given, GivenValues::Axes(_)) { 1 } else { given.values().len() };
            let has_axes = T::TABLES.iter().all(|table| table.has_axes());
            if count != 1 && !(own.by_axis && has_axes) {
                return Err(Failure::new(format_args!("`{key}` has {count} values, but must have 1 for {kind}")));
            }
            if let GivenValues::Values(values) = given {
                if let (Kind::Choice(names), Value::Word(word)) = (own.kind, values[0]) {
                    names.find(word).map_err(Failure::new)?;
                }
                if matches!((own.kind, values[0]), (Kind::Factor, Value::Amplitude(_))) {
                    return Err(Failure::new(format_args!("`{key}` is a word, but must be a number for {kind}")));
                }
            }
            Ok((own, given.clone()))
        });
        Ok(Options::new(given.collect::<Result<_, Failure>>()?))
    }

    /// Returns whether an option is given that only rotary tables have.
    pub(crate) fn are_rotary(&self) -> bool {
        let is_rotary =
            |parameter: &Parameter| parameter.tables.iter().all(|table| EitherRotary::TABLES.contains(table));
        self.given.iter().any(|(parameter, _)| is_rotary(parameter))
    }
}

impl Options<OfAny> {
    /// Returns the names of the options.
    pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
        options(OfAny::TABLES).map(|parameter| parameter.key)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }
}

impl Options<Sinusoidal> {
    /// Returns the spec of a preset for `d_model` columns, with the parameters that are given.
    pub(crate) fn spec(&self, preset: Preset, d_model: usize) -> Result<Spec<'_>, SpecError> {
        self.check_conflicts()?;
        let spec: Spec = Spec::preset(preset, d_model);
        let given = self.given.iter();
        Ok(given.fold(spec, |spec, (parameter, given)| spec.with_value(parameter, given.values()[0])))
    }

    /// Returns the position of row 0, if it is given.
    pub(crate) fn start(&self) -> Option<i64> {
        if let Some(Value::Integer(start)) = self.value("start") { Some(start) } else { None }
    }

    /// Returns the row of zeros, if it is given.
    pub(crate) fn zero_row(&self) -> Option<usize> {
        if let Some(Value::Size(row)) = self.value("zero_row") { Some(row) } else { None }
    }
}

impl Options<Rotary> {
    /// Returns the cache with the parameters that are given.
    pub(crate) fn rope<'a>(&'a self, rope: Rope<'a>) -> Result<Rope<'a>, SpecError> {
        self.check_conflicts()?;
        let is_parameter = |(parameter, _): &&(&Parameter, GivenValues)| !matches!(parameter.access, Access::Output);
        let given = self.given.iter().filter(is_parameter);
        Ok(given.fold(rope, |rope, (parameter, given)| rope.with_value(parameter, given.values()[0])))
    }
}

impl Options<OfGrid> {
    /// Returns the grid, whose axes have these names, with the parameters that are given.
    pub(crate) fn grid<'a, const A: usize>(
        &'a self,
        grid: Grid<'a, A>,
        names: &[&str],
    ) -> Result<Grid<'a, A>, Failure> {
        let by_axis = self.by_axis::<A>(names)?;
        Ok(by_axis.into_iter().fold(grid, |grid, (parameter, values)| grid.with_values(parameter, &values)))
    }
}

impl Options<Axial> {
    /// Returns the rotary table, whose axes have these names, with the parameters that are given.
    pub(crate) fn axial<'a, const A: usize>(
        &'a self,
        rope: AxialRope<'a, A>,
        names: &[&str],
    ) -> Result<AxialRope<'a, A>, Failure> {
        let by_axis = self.by_axis::<A>(names)?.into_iter();
        let parameters = by_axis.filter(|(parameter, _)| !matches!(parameter.access, Access::Output));
        Ok(parameters.fold(rope, |rope, (parameter, values)| rope.with_values(parameter, &values)))
    }
}

impl<T> Options<T> {
    /// Returns the columns of a rotary table.
    pub(crate) fn packing(&self) -> Packing {
        match self.value("packing") {
            Some(Value::Word(name)) => name.parse().expect("the option has such names only"),
            _ => Packing::CosSin,
        }
    }

    /// Returns what is given of a table whose axes have these names: a value for all axes, or one for each.
    fn by_axis<const A: usize>(&self, names: &[&str]) -> Result<Vec<(&'static Parameter, Vec<Value<'_>>)>, Failure> {
        self.check_conflicts()?;
        let mut all = Vec::new();
        for (parameter, given) in &self.given {
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
}

/// Checks the number of values of a parameter that may differ from axis to axis.
pub(crate) fn check_count(key: &str, count: usize, axes: usize) -> Result<(), Failure> {
    if count == axes {
        return Ok(());
    }
    Err(Failure::new(format_args!(
        "`{key}` has {count} values, but must have {axes}, one for each axis, or one for all axes"
    )))
}

/// Returns the order of the axes with these names.
fn order_of_axes(key: &str, written: &[String], names: &[&str]) -> Result<Vec<Value<'static>>, Failure> {
    let place = |name: &str| written.iter().position(|written| written == name);
    if written.len() != names.len() || names.iter().any(|name| place(name).is_none()) {
        return Err(Failure::new(format_args!(
            "`{key}` is `{}`, but must name each axis once: `{}` is the order of the shape",
            written.join(","),
            names.join(",")
        )));
    }
    Ok(written.iter().filter_map(|written| names.iter().position(|name| name == written)).map(Value::Size).collect())
}

/// Returns the parameters that are options for some kinds of tables.
pub(crate) fn options(tables: &'static [TableKind]) -> impl Iterator<Item = &'static Parameter> {
    // Between the commas of an option are the values of the axes, if there are any.
    let is_option = |parameter: &Parameter| {
        let is_of = |table: &TableKind| {
            parameter.is_of(*table) && !(table.has_axes() && matches!(parameter.kind, Kind::Numbers))
        };
        tables.iter().any(is_of)
    };
    // The first row of a key takes the values of the other ones too.
    let is_first =
        move |i: usize, key: &str| PARAMETERS[..i].iter().all(|earlier| earlier.key != key || !is_option(earlier));
    let is_listed = move |(i, parameter): &(usize, &Parameter)| is_option(parameter) && is_first(*i, parameter.key);
    PARAMETERS.iter().enumerate().filter(is_listed).map(|(_, parameter)| parameter)
}
