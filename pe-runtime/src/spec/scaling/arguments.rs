//! The arguments of a scaling rule, in order or by name, as the macro and the command-line tool accept them.

use core::fmt::{self, Display, Formatter};

use crate::spec::scaling::Scaling;

/// The most parameters that a rule has.
pub const MAX_ARGUMENTS: usize = 7;

/// A parameter of a scaling rule.
#[derive(Clone, Copy, Debug)]
pub struct RuleParameter {
    /// Its name.
    pub key: &'static str,
    /// What it is if it is not given, or `None` if it must be.
    pub default: Option<Argument<'static>>,
    /// The kind of its value.
    pub kind: ArgumentKind,
}

/// The kind of an [`Argument`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArgumentKind {
    /// A number.
    Number,
    /// A number of positions.
    Length,
    /// Whether something holds.
    Flag,
    /// A list of numbers.
    Numbers,
}

/// The value of a parameter of a scaling rule. Its text is what the macro accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument<'a> {
    /// A number.
    Number(f64),
    /// A number of positions.
    Length(usize),
    /// Whether something holds.
    Flag(bool),
    /// A list of numbers.
    Numbers(&'a [f64]),
}

impl Display for Argument<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Length(length) => write!(f, "{length}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Numbers(numbers) => write!(f, "{numbers:?}"),
        }
    }
}

/// Returns the parameters of a rule, in order.
#[must_use]
pub fn parameters_of(rule: &str) -> &'static [RuleParameter] {
    Scaling::PARAMETERS.iter().find(|(name, _)| *name == rule).map_or(&[], |(_, parameters)| parameters)
}

/// Creates a rule from its arguments in order, or returns `None` if their number or a kind is wrong.
#[must_use]
pub fn from_arguments<'a>(rule: &str, arguments: &[Argument<'a>]) -> Option<Scaling<'a>> {
    Scaling::of_arguments(rule, arguments)
}

/// Returns what is written for each parameter of a rule, or `None` for a default. Arguments without a name come first.
///
/// # Errors
///
/// Returns an error if an argument has no parameter, if a parameter has two, or if one without a default has none.
pub fn in_order<'r, 'w, V: Copy>(
    rule: &'r str,
    written: impl IntoIterator<Item = (Option<&'w str>, V)>,
) -> Result<[Option<V>; MAX_ARGUMENTS], ArgumentError<'r>> {
    let parameters = parameters_of(rule);
    let mut given = [None; MAX_ARGUMENTS];
    let mut named = false;
    for (i, (key, value)) in written.into_iter().enumerate() {
        let error = |mistake| ArgumentError { rule, mistake, argument: Some(i) };
        let place = match key {
            Some(key) => parameters.iter().position(|parameter| parameter.key == key),
            None if named => return Err(error(Mistake::Unnamed)),
            None => (i < parameters.len()).then_some(i),
        };
        named |= key.is_some();
        let Some(place) = place else {
            return Err(error(if key.is_some() { Mistake::Unknown } else { Mistake::TooMany }));
        };
        if given[place].replace(value).is_some() {
            return Err(error(Mistake::Duplicate(parameters[place].key)));
        }
    }
    match parameters.iter().zip(&given).find(|(parameter, given)| given.is_none() && parameter.default.is_none()) {
        Some((parameter, _)) => Err(ArgumentError { rule, mistake: Mistake::Missing(parameter.key), argument: None }),
        None => Ok(given),
    }
}

/// Wrong arguments of a scaling rule. Its text is the error sentence.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentError<'r> {
    rule: &'r str,
    mistake: Mistake,
    /// The index of the wrong argument, or `None` if one is missing.
    pub argument: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Mistake {
    Unnamed,
    Unknown,
    TooMany,
    Duplicate(&'static str),
    Missing(&'static str),
}

impl Display for ArgumentError<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { rule, mistake, .. } = self;
        let parameters = parameters_of(rule);
        match mistake {
            Mistake::Unnamed => return f.write_str("an argument without a name comes before those with one"),
            Mistake::Duplicate(key) => return write!(f, "duplicate parameter `{key}`"),
            _ if parameters.is_empty() => return write!(f, "`{rule}` has no parameters"),
            Mistake::Unknown => write!(f, "`{rule}` has no such parameter")?,
            Mistake::TooMany => write!(f, "too many arguments for `{rule}`")?,
            Mistake::Missing(key) => write!(f, "`{rule}` lacks `{key}`")?,
        }
        f.write_str("; its parameters are ")?;
        for (i, parameter) in parameters.iter().enumerate() {
            write!(f, "{}`{}`", if i == 0 { "" } else { ", " }, parameter.key)?;
        }
        Ok(())
    }
}
