//! The arguments of a scaling rule, in order or by name, as the macro and the command-line tool accept them.

use core::fmt::{self, Display, Formatter};

use crate::spec::scaling::{MAX_ARGUMENTS, rule_parameters};

/// Returns the value written for each parameter of a rule, or `None` for a parameter that keeps its default.
///
/// An argument is a value with or without the name of its parameter. Arguments without a name come first.
///
/// # Errors
///
/// Returns an error if an argument has no parameter, if a parameter has two arguments, or if a parameter without a
/// default has none.
///
/// # Examples
///
/// ```
/// use posenc::reflection::arguments_in_order;
///
/// let written = [(None, "40"), (None, "4096"), (Some("mscale"), "1")]; // yarn(40, 4096, mscale = 1)
/// let given = arguments_in_order("yarn", written).unwrap();
/// assert_eq!(given, [Some("40"), Some("4096"), None, None, None, Some("1"), None]);
/// assert_eq!(
///     arguments_in_order("linear", [(Some("alpha"), 8)]).unwrap_err().to_string(),
///     "`linear` has no parameter `alpha`; its parameters are `factor`",
/// );
/// ```
pub fn arguments_in_order<'r, V: Copy>(
    rule: &'r str,
    written: impl IntoIterator<Item = (Option<&'r str>, V)>,
) -> Result<[Option<V>; MAX_ARGUMENTS], ArgumentError<'r>> {
    let parameters = rule_parameters(rule);
    let mut given = [None; MAX_ARGUMENTS];
    let mut named = false;
    for (i, (key, value)) in written.into_iter().enumerate() {
        let error = |problem| ArgumentError { rule, problem, argument: Some(i) };
        let place = match key {
            Some(key) => parameters.iter().position(|parameter| parameter.key == key),
            None if named => return Err(error(Problem::Unnamed)),
            None => (i < parameters.len()).then_some(i),
        };
        named |= key.is_some();
        let Some(place) = place else {
            return Err(error(key.map_or(Problem::TooMany, Problem::Unknown)));
        };
        if given[place].replace(value).is_some() {
            return Err(error(Problem::Duplicate(parameters[place].key)));
        }
    }
    match parameters.iter().zip(&given).find(|(parameter, given)| given.is_none() && parameter.default.is_none()) {
        Some((parameter, _)) => Err(ArgumentError { rule, problem: Problem::Missing(parameter.key), argument: None }),
        None => Ok(given),
    }
}

/// An error in the arguments of a scaling rule. Its text is the error message.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentError<'r> {
    rule: &'r str,
    problem: Problem<'r>,
    /// The index of the wrong argument, or `None` if one is missing.
    pub argument: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Problem<'r> {
    Unnamed,
    Unknown(&'r str),
    TooMany,
    Duplicate(&'static str),
    Missing(&'static str),
}

impl Display for ArgumentError<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { rule, problem, .. } = self;
        let parameters = rule_parameters(rule);
        match problem {
            Problem::Unnamed => return f.write_str("arguments without a name must come before arguments with one"),
            Problem::Duplicate(key) => return write!(f, "duplicate parameter `{key}`"),
            _ if parameters.is_empty() => return write!(f, "`{rule}` has no parameters"),
            Problem::Unknown(key) => write!(f, "`{rule}` has no parameter `{key}`")?,
            Problem::TooMany => write!(f, "too many arguments for `{rule}`")?,
            Problem::Missing(key) => write!(f, "`{rule}` lacks `{key}`")?,
        }
        f.write_str("; its parameters are ")?;
        for (i, parameter) in parameters.iter().enumerate() {
            write!(f, "{}`{}`", if i == 0 { "" } else { ", " }, parameter.key)?;
        }
        Ok(())
    }
}
