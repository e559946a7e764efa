//! The options for the parameters of each kind of table.
//!
//! They are derived from the library's list of parameters.

use clap::builder::{TypedValueParser as _, ValueParser};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use posenc::reflection::{AMPLITUDE_EXPECTED, Kind, Parameter, TableKind, Value, amplitude_of_word};

use super::parsers::OneOf;
use crate::keys::parameters::{GivenValues, OfTable, Options, options};
use crate::keys::scaling::{between_commas, rule};
use crate::keys::values::{NumberList, number, numbers, position, quotient, size};

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
        Kind::Scaling => option.value_parser(move |text: &str| {
            let parts = if is_list { between_commas(text) } else { vec![text] };
            parts.into_iter().map(rule).collect::<Result<_, _>>().map(GivenValues::OwnedRules)
        }),
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
