//! The options for the parameters of a table, and the spec that they define.
//!
//! They are derived from the library's list of parameters.

use clap::builder::ValueParser;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use posenc::reflection::{AMPLITUDE_EXPECTED, Kind, PARAMETERS, Parameter, amplitude_of_word, check_together};
use posenc::{Amplitude, Preset, Spec, SpecError};

use crate::names::{OneOf, one_of};
use crate::scaling::{Rule, rule};
use crate::values::{Numbers, number, numbers, position, quotient, size};

/// The parameters of a table, with the names of the macro's keys.
#[derive(Args)]
#[command(next_help_heading = "Parameters (the preset sets the defaults)")]
pub(crate) struct Parameters {
    /// Parameters of a known model; `posenc presets` lists the names [default: paper]
    #[arg(long, short, value_name = "NAME", value_parser = one_of::<Preset>(), hide_possible_values = true)]
    pub(crate) preset: Option<Preset>,
    #[command(flatten)]
    given: Given,
}

impl Parameters {
    /// Returns the names of the options, for conflicts with others.
    pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
        PARAMETERS.iter().map(|parameter| parameter.key).chain(["preset"])
    }

    /// Returns the spec for `d_model` columns. The options override the given preset, or else `other`.
    pub(crate) fn spec(&self, other: Preset, d_model: usize) -> Result<Spec<'_>, SpecError> {
        // With the methods of `Spec` the later call wins, but options have no order.
        check_together(|key| self.value(key).is_some())?;
        let preset = Spec::preset(self.preset.unwrap_or(other), d_model);
        Ok(self.given.0.iter().fold(preset, |spec, (_, value)| value.set(spec)))
    }

    /// Returns the position of row 0, if it is given.
    pub(crate) fn start(&self) -> Option<i64> {
        if let Some(Value::Integer(_, start)) = self.value("start") { Some(*start) } else { None }
    }

    /// Returns the row of zeros, if it is given.
    pub(crate) fn zero_row(&self) -> Option<usize> {
        if let Some(Value::Index(_, row)) = self.value("zero_row") { Some(*row) } else { None }
    }

    /// Returns the first of these keys that is given.
    pub(crate) fn first_given<'k>(&self, keys: &[&'k str]) -> Option<&'k str> {
        keys.iter().copied().find(|key| self.value(key).is_some())
    }

    fn value(&self, key: &str) -> Option<&Value> {
        self.given.0.iter().find(|(parameter, _)| parameter.key == key).map(|(_, value)| value)
    }
}

/// The parameters given, without the preset.
struct Given(Vec<(&'static Parameter, Value)>);

/// The value of an option, and how it is set.
enum Value {
    Number(Setter<f64>, f64),
    Numbers(Vec<f64>),
    Integer(Setter<i64>, i64),
    Quotient(for<'a> fn(Spec<'a>, i64, i64) -> Spec<'a>, (i64, i64)),
    Index(Setter<usize>, usize),
    Amplitude(Amplitude),
    Scaling(Rule),
}

type Setter<T> = for<'a> fn(Spec<'a>, T) -> Spec<'a>;

impl Value {
    /// Returns the value given for a parameter, if any.
    fn given(parameter: &Parameter, matches: &ArgMatches) -> Option<Self> {
        let key = parameter.key;
        match parameter.kind {
            Kind::Number(_, set) => matches.get_one(key).map(|&number| Self::Number(set, number)),
            Kind::Numbers => matches.get_one(key).map(|Numbers(numbers)| Self::Numbers(numbers.clone())),
            Kind::Integer(_, set) => matches.get_one(key).map(|&integer| Self::Integer(set, integer)),
            Kind::Quotient(_, set) => matches.get_one(key).map(|&quotient| Self::Quotient(set, quotient)),
            Kind::Row(set) | Kind::Choice(_, set) => matches.get_one(key).map(|&index| Self::Index(set, index)),
            Kind::Amplitude => matches.get_one(key).map(|&amplitude| Self::Amplitude(amplitude)),
            Kind::Scaling => matches.get_one::<Rule>(key).map(|rule| Self::Scaling(rule.clone())),
        }
    }

    fn set<'a>(&'a self, spec: Spec<'a>) -> Spec<'a> {
        match self {
            Self::Number(set, number) => set(spec, *number),
            Self::Numbers(numbers) => spec.frequencies(numbers),
            Self::Integer(set, integer) => set(spec, *integer),
            Self::Quotient(set, (numerator, denominator)) => set(spec, *numerator, *denominator),
            Self::Index(set, index) => set(spec, *index),
            Self::Amplitude(amplitude) => spec.amplitude(*amplitude),
            Self::Scaling(rule) => spec.scaling(rule.scaling()),
        }
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command.args(PARAMETERS.iter().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |parameter| Some((parameter, Value::given(parameter, matches)?));
        Ok(Self(PARAMETERS.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the option for a parameter.
fn option(parameter: &'static Parameter) -> Arg {
    let Parameter { key, about, placeholder, kind, .. } = parameter;
    let option = Arg::new(*key).long(key.replace('_', "-")).value_name(*placeholder).help(*about);
    let signed = |parser: ValueParser| option.clone().allow_hyphen_values(true).value_parser(parser);
    match *kind {
        Kind::Number(..) => signed(ValueParser::new(number)),
        Kind::Numbers => signed(ValueParser::new(numbers)),
        Kind::Integer(..) => signed(ValueParser::new(|text: &str| position(key, text))),
        Kind::Quotient(..) => signed(ValueParser::new(|text: &str| quotient(key, text))),
        Kind::Row(_) => option.allow_negative_numbers(true).value_parser(|text: &str| size(key, text)),
        Kind::Choice(names, _) => option.value_parser(OneOf(names)).hide_possible_values(true),
        Kind::Amplitude => signed(ValueParser::new(amplitude)),
        Kind::Scaling => option.value_parser(rule),
    }
}

fn amplitude(text: &str) -> Result<Amplitude, String> {
    let word = text.replace('-', "_");
    match amplitude_of_word(&word) {
        Some(amplitude) => Ok(amplitude),
        None => number(text)
            .map(Amplitude::Value)
            .map_err(|_| format!("`amplitude` is `{text}`, but must be {AMPLITUDE_EXPECTED}")),
    }
}
