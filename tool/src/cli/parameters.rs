//! The options for the parameters of each kind of table.
//!
//! They are derived from the library's list of parameters.

use clap::builder::{TypedValueParser as _, ValueParser};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use posenc::reflection::{Kind, Parameter, TableKind, Value};
use posenc_text::given::GivenValues;

use super::parsers::OneOf;
use crate::keys::parameters::{OfTable, Options, options};
use crate::keys::values::{NumberList, numbers};

impl<T: OfTable> Args for Options<T> {
    fn augment_args(command: Command) -> Command {
        command.args(options(T::TABLES).map(|parameter| option(T::TABLES, parameter)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: OfTable> FromArgMatches for Options<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given =
            |parameter: &'static Parameter| Some((parameter, matches.get_one::<GivenValues>(parameter.key)?.clone()));
        Ok(Self::new(options(T::TABLES).filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the option for a parameter of some kinds of tables.
fn option(tables: &[TableKind], parameter: &'static Parameter) -> Arg {
    let Parameter { key, about, placeholder, kind, by_axis, .. } = parameter;
    let is_list =
        *by_axis && tables.iter().any(|table| table.has_axes()) && !matches!(kind, Kind::Axes | Kind::Numbers);
    let placeholder = if is_list { format!("{placeholder},..") } else { (*placeholder).to_owned() };
    let option = Arg::new(*key).long(key.replace('_', "-")).value_name(placeholder).help(*about);
    let values = move |text: &str| GivenValues::read(parameter, text, is_list);
    let option = if *key == "partial_rotary_factor" { option.conflicts_with("rotary_dim") } else { option };
    let signed = |parser: ValueParser| option.clone().allow_hyphen_values(true).value_parser(parser);
    match *kind {
        Kind::Number | Kind::Integer | Kind::Quotient | Kind::Factor | Kind::Amplitude => {
            signed(ValueParser::new(values))
        }
        Kind::Numbers => signed(ValueParser::new(|text: &str| {
            numbers(text).map(|NumberList(numbers)| GivenValues::Lists(vec![numbers]))
        })),
        Kind::Size => option.allow_negative_numbers(true).value_parser(values),
        Kind::Choice(names) => option
            .value_parser(OneOf(names).map(|index| GivenValues::Values(vec![Value::Word(names.all[index])])))
            .hide_possible_values(true),
        Kind::Scaling | Kind::Axes => option.value_parser(values),
    }
}
