//! The options for the parameters of each kind of table.
//!
//! They are derived from the library's list of parameters.

use std::marker::PhantomData;

use clap::builder::{TypedValueParser as _, ValueParser};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use posenc::reflection::{
    AMPLITUDE_EXPECTED, Access, Kind, PARAMETERS, Parameter, TableKind, Value, amplitude_of_word, check_together,
};
use posenc::{Grid, Preset, Rope, Spec, SpecError};

use crate::keys::names::{OneOf, one_of};
use crate::keys::scaling::{OwnedRule, rule};
use crate::keys::values::{NumberList, number, numbers, position, quotient, size};
use crate::text::failure::Failure;

/// The parameters of a table, with the names of the macro's keys.
#[derive(Args)]
#[command(next_help_heading = "Parameters (the preset sets the defaults)")]
pub(crate) struct Parameters {
    /// Parameters of a known model; `posenc presets` lists the names [default: paper]
    #[arg(long, short, value_name = "NAME", value_parser = one_of::<Preset>(), hide_possible_values = true)]
    pub(crate) preset: Option<Preset>,
    #[command(flatten)]
    given: Options<Sinusoidal>,
}

impl Parameters {
    /// Returns the spec for `d_model` columns. The options override the given preset, or else `other`.
    pub(crate) fn spec(&self, other: Preset, d_model: usize) -> Result<Spec<'_>, SpecError> {
        self.given.check_conflicts()?;
        let spec: Spec = Spec::preset(self.preset.unwrap_or(other), d_model);
        let given = self.given.given.iter();
        Ok(given.fold(spec, |spec, (parameter, given)| spec.with_value(parameter, given.values()[0])))
    }

    /// Returns the position of row 0, if it is given.
    pub(crate) fn start(&self) -> Option<i64> {
        if let Some(Value::Integer(start)) = self.given.value("start") { Some(start) } else { None }
    }

    /// Returns the row of zeros, if it is given.
    pub(crate) fn zero_row(&self) -> Option<usize> {
        if let Some(Value::Size(row)) = self.given.value("zero_row") { Some(row) } else { None }
    }
}

/// A kind of table in the type of its options.
pub(crate) trait OfTable {
    /// It is `None` for the options of all kinds.
    const TABLE: Option<TableKind>;
}

pub(crate) struct Sinusoidal;
pub(crate) struct Rotary;
pub(crate) struct OfGrid;
pub(crate) struct OfAny;

impl OfTable for OfAny {
    const TABLE: Option<TableKind> = None;
}

impl OfTable for Sinusoidal {
    const TABLE: Option<TableKind> = Some(TableKind::Sinusoidal);
}

impl OfTable for Rotary {
    const TABLE: Option<TableKind> = Some(TableKind::Rotary);
}

impl OfTable for OfGrid {
    const TABLE: Option<TableKind> = Some(TableKind::Grid);
}

/// The parameters of a kind of table that are given.
pub(crate) struct Options<T> {
    given: Vec<(&'static Parameter, GivenValues)>,
    of: PhantomData<T>,
}

/// What is given for a parameter.
#[derive(Clone, Debug)]
enum GivenValues {
    /// A value for all axes, or one for each.
    Values(Vec<Value<'static>>),
    Numbers(Vec<f64>),
    OwnedRule(OwnedRule),
    /// The names of axes.
    Axes(Vec<String>),
}

impl GivenValues {
    fn values(&self) -> Vec<Value<'_>> {
        match self {
            Self::Values(values) => values.clone(),
            Self::Numbers(numbers) => vec![Value::Numbers(numbers)],
            Self::OwnedRule(rule) => vec![Value::Scaling(rule.scaling())],
            Self::Axes(_) => unreachable!("the axes are found by their names"),
        }
    }
}

impl<T> Options<T> {
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

impl Options<OfAny> {
    /// Returns the names of the options.
    pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
        options(None).map(|parameter| parameter.key)
    }

    /// Returns the first of these keys that is given.
    pub(crate) fn first_given<'k>(&self, keys: &[&'k str]) -> Option<&'k str> {
        keys.iter().copied().find(|key| self.given.iter().any(|(parameter, _)| parameter.key == *key))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Returns the options as those of a kind of table, if it has all that are given.
    pub(crate) fn of<T: OfTable>(&self, kind: &str) -> Result<Options<T>, Failure> {
        let given = self.given.iter().map(|(parameter, given)| {
            let key = parameter.key;
            let own = options(T::TABLE).find(|own| own.key == key).ok_or_else(|| {
                let option = key.replace('_', "-");
                Failure::new(format_args!("--{option} does not apply to {kind}; leave it out"))
            })?;
            if let GivenValues::Values(values) = given {
                let has_axes = T::TABLE.is_some_and(TableKind::has_axes);
                if values.len() != 1 && !(own.by_axis && has_axes) {
                    let count = values.len();
                    return Err(Failure::new(format_args!("`{key}` has {count} values, but must have 1 for {kind}")));
                }
                if matches!((own.kind, values[0]), (Kind::Factor, Value::Amplitude(_))) {
                    return Err(Failure::new(format_args!("`{key}` is a word, but must be a number for {kind}")));
                }
            }
            Ok((own, given.clone()))
        });
        Ok(Options { given: given.collect::<Result<_, Failure>>()?, of: PhantomData })
    }

    /// Returns the parameters of a 1-D table.
    pub(crate) fn sinusoidal(&self, preset: Option<Preset>) -> Result<Parameters, Failure> {
        Ok(Parameters { preset, given: self.of("a 1-D table")? })
    }

    /// Returns whether an option is given that only rotary caches have.
    pub(crate) fn are_rotary(&self) -> bool {
        let is_rotary = |parameter: &Parameter| parameter.tables.iter().all(|table| *table == TableKind::Rotary);
        self.given.iter().any(|(parameter, _)| is_rotary(parameter))
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
        self.check_conflicts()?;
        let mut grid = grid;
        for (parameter, given) in &self.given {
            let values = match given {
                GivenValues::Axes(written) => order_of_axes(parameter.key, written, names)?,
                given => given.values(),
            };
            if !matches!(values.len(), 1) {
                check_count(parameter.key, values.len(), A)?;
            }
            grid = grid.with_values(parameter, &values);
        }
        Ok(grid)
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

/// Returns the parameters that are options for a kind of table, or for all kinds.
fn options(table: Option<TableKind>) -> impl Iterator<Item = &'static Parameter> {
    // Between the commas of an option are the values of the axes, if there are any.
    let is_option = |table: TableKind, parameter: &Parameter| {
        parameter.is_of(table) && !(table.has_axes() && matches!(parameter.kind, Kind::Numbers))
    };
    // The first row of a key takes the values of the other ones too.
    let is_first = |i: usize, key: &str| PARAMETERS[..i].iter().all(|earlier| earlier.key != key);
    let is_listed = move |(i, parameter): &(usize, &Parameter)| {
        table.map_or_else(
            || is_first(*i, parameter.key) && TableKind::ALL.iter().any(|table| is_option(*table, parameter)),
            |table| is_option(table, parameter),
        )
    };
    PARAMETERS.iter().enumerate().filter(is_listed).map(|(_, parameter)| parameter)
}

impl<T: OfTable> Args for Options<T> {
    fn augment_args(command: Command) -> Command {
        command.args(options(T::TABLE).map(|parameter| option(T::TABLE, parameter)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: OfTable> FromArgMatches for Options<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given =
            |parameter: &'static Parameter| Some((parameter, matches.get_one::<GivenValues>(parameter.key)?.clone()));
        Ok(Self { given: options(T::TABLE).filter_map(given).collect(), of: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the option for a parameter of a kind of table, or of all kinds.
fn option(table: Option<TableKind>, parameter: &'static Parameter) -> Arg {
    let Parameter { key, about, placeholder, kind, by_axis, .. } = parameter;
    let is_list = *by_axis && table.is_none_or(TableKind::has_axes) && !matches!(kind, Kind::Axes | Kind::Numbers);
    let placeholder = if is_list { format!("{placeholder},..") } else { (*placeholder).to_owned() };
    let option = Arg::new(*key).long(key.replace('_', "-")).value_name(placeholder).help(*about);
    let values = move |text: &str| -> Result<GivenValues, String> {
        let parts = if is_list { text.split(',').map(str::trim).collect() } else { vec![text] };
        parts.into_iter().map(|part| value(parameter, part)).collect::<Result<_, _>>().map(GivenValues::Values)
    };
    let option = if *key == "partial_rotary_factor" { option.conflicts_with("rotary_dim") } else { option };
    let signed = |parser: ValueParser| option.clone().allow_hyphen_values(true).value_parser(parser);
    match *kind {
        Kind::Number | Kind::Integer | Kind::Quotient | Kind::Factor | Kind::Amplitude => {
            signed(ValueParser::new(values))
        }
        Kind::Numbers => signed(ValueParser::new(|text: &str| {
            numbers(text).map(|NumberList(numbers)| GivenValues::Numbers(numbers))
        })),
        Kind::Size => option.allow_negative_numbers(true).value_parser(values),
        Kind::Choice(names) => option
            .value_parser(OneOf(names).map(|index| GivenValues::Values(vec![Value::Word(names.all[index])])))
            .hide_possible_values(true),
        Kind::Scaling => option.value_parser(|text: &str| rule(text).map(GivenValues::OwnedRule)),
        Kind::Axes => option.value_parser(|text: &str| {
            let names = text.split(',').map(|name| name.trim().to_owned()).collect();
            Ok::<_, String>(GivenValues::Axes(names))
        }),
    }
}

/// Parses a value that is not a list, a name or a rule.
fn value(parameter: &Parameter, text: &str) -> Result<Value<'static>, String> {
    let key = parameter.key;
    match parameter.kind {
        Kind::Integer => position(key, text).map(Value::Integer),
        Kind::Quotient => quotient(key, text).map(|(numerator, denominator)| Value::Quotient(numerator, denominator)),
        Kind::Size => size(key, text).map(Value::Size),
        Kind::Amplitude => amplitude(text),
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
