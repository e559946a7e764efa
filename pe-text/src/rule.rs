//! Scaling rules as text: `yarn(40, 4096, mscale = 1)`.

use posenc::Scaling;
use posenc::reflection::{
    self, Argument, ArgumentKind, RuleParameter, SCALING_RULES, arguments_in_order, rule_parameters,
};

use crate::names::choice;
use crate::values::{length, number};

/// A scaling rule that owns its list.
#[derive(Clone, Debug)]
pub struct OwnedRule {
    name: &'static str,
    arguments: Vec<Argument<'static>>,
    factors: Vec<f64>,
}

impl OwnedRule {
    /// Returns the rule.
    #[must_use]
    pub fn scaling(&self) -> Scaling<'_> {
        let with_list = |argument: &Argument<'static>| match argument {
            Argument::Numbers(_) => Argument::Numbers(&self.factors),
            other => *other,
        };
        let arguments: Vec<_> = self.arguments.iter().map(with_list).collect();
        reflection::rule(self.name, &arguments).unwrap_or_default()
    }
}

/// Parses a rule: its name, and arguments in order or by name.
///
/// # Errors
///
/// Returns the sentence for an unknown rule or a wrong argument.
pub fn rule(text: &str) -> Result<OwnedRule, String> {
    let (name, arguments) = match text.trim().split_once('(') {
        None => (text.trim(), ""),
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(arguments) => (name.trim(), arguments),
            None => return Err(format!("`scaling` is `{text}`, but must end with `)`")),
        },
    };
    if !name.starts_with(|first: char| first.is_alphabetic()) {
        return Err(format!("`scaling` is `{text}`, but must be a rule with its arguments, such as `linear(8)`"));
    }
    let name = SCALING_RULES.all[choice(&SCALING_RULES, name)?];
    let written = between_commas(arguments);
    let given = arguments_in_order(name, written.iter().copied().map(named)).map_err(|error| {
        let at = error.argument.map(|i| format!("`{}`: ", written[i]));
        format!("{}{error}", at.unwrap_or_default())
    })?;
    let mut rule = OwnedRule { name, arguments: Vec::new(), factors: Vec::new() };
    for (parameter, text) in rule_parameters(name).iter().zip(given) {
        rule.arguments.push(match (text, parameter.default) {
            (Some(text), _) => argument(name, parameter, text, &mut rule.factors)?,
            (None, Some(default)) => default,
            (None, None) => unreachable!("a parameter that is not given has a default"),
        });
    }
    Ok(rule)
}

fn argument(
    rule: &'static str,
    parameter: &RuleParameter,
    text: &str,
    factors: &mut Vec<f64>,
) -> Result<Argument<'static>, String> {
    let key = parameter.key;
    let number = |text| number(text).map_err(|error| format!("`{key}` for `scaling = {rule}`: {error}"));
    Ok(match parameter.kind {
        ArgumentKind::Number => Argument::Number(number(text)?),
        ArgumentKind::Length => Argument::Length(length(rule, key, text)?),
        ArgumentKind::Flag => match text {
            "true" => Argument::Flag(true),
            "false" => Argument::Flag(false),
            _ => return Err(format!("`{key}` is `{text}`, but must be `true` or `false`")),
        },
        ArgumentKind::Numbers => {
            let list = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            let list =
                list.ok_or_else(|| format!("`{key}` is `{text}`, but must be a list of numbers such as `[1, 0.5]`"))?;
            *factors = between_commas(list).into_iter().map(number).collect::<Result<_, _>>()?;
            Argument::Numbers(&[])
        }
    })
}

/// Splits an argument into its name, if it has one, and its value.
fn named(argument: &str) -> (Option<&str>, &str) {
    argument.split_once('=').map_or((None, argument), |(key, value)| (Some(key.trim()), value.trim()))
}

/// Splits the text at the commas that are not within brackets. A trailing comma is allowed.
pub fn between_commas(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_between = |letter: char| {
        depth += i32::from(matches!(letter, '[' | '(')) - i32::from(matches!(letter, ']' | ')'));
        letter == ',' && depth == 0
    };
    text.split(is_between).map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use posenc::Scaling;
    use posenc::scaling::Yarn;

    use super::rule;

    #[test]
    fn rules_are_read_in_order_and_by_name() {
        let read = |text: &str| rule(text).map(|rule| rule.scaling().to_string());
        assert_eq!(read("none"), Ok("none".to_owned()));
        assert_eq!(rule(" Linear( 8 )").unwrap().scaling(), Scaling::linear(8.0));
        let yarn = Scaling::Yarn(Yarn { mscale: 1.0, truncate: false, ..Yarn::new(40.0, 4096) });
        assert_eq!(rule("yarn(40,4096, truncate=false, mscale = 1)").unwrap().scaling(), yarn);
        assert_eq!(rule(&yarn.to_string()).unwrap().scaling(), yarn);
        assert_eq!(rule("longrope([1, 2.5], 32, 4096)").unwrap().scaling(), Scaling::longrope(&[1.0, 2.5], 32.0, 4096));
    }

    #[test]
    fn errors_are_named() {
        let refused = |text: &str| rule(text).unwrap_err();
        assert!(refused("yarm(40, 4096)").ends_with("did you mean `yarn`?"));
        let rule = "but must be a rule with its arguments, such as `linear(8)`";
        for other in [r#"{"type": "linear", "factor": 8}"#, "8", ""] {
            assert_eq!(refused(other), format!("`scaling` is `{other}`, {rule}"));
        }
        assert_eq!(refused("linear(x = 8)"), "`x = 8`: `linear` has no parameter `x`; its parameters are `factor`");
        assert_eq!(
            refused("longrope([1], 8, -4096)"),
            "`original_max_position_embeddings` for `scaling = longrope` is -4096, but must be from 2 to 2^40"
        );
        assert_eq!(refused("linear(8"), "`scaling` is `linear(8`, but must end with `)`");
        assert_eq!(refused("linear"), "`linear` lacks `factor`; its parameters are `factor`");
        assert_eq!(refused("linear(8, 9)"), "`9`: too many arguments for `linear`; its parameters are `factor`");
        assert_eq!(refused("none(8)"), "`8`: `none` has no parameters");
        assert_eq!(refused("linear(8, factor = 9)"), "`factor = 9`: duplicate parameter `factor`");
        assert!(refused("yarn(factor = 8, 9)").ends_with("must come before arguments with one"));
        assert_eq!(refused("yarn(8, 9, truncate = 1)"), "`truncate` is `1`, but must be `true` or `false`");
        assert_eq!(refused("linear(x)"), "`factor` for `scaling = linear`: `x` is not a number");
        assert_eq!(refused("longrope([1, y], 8, 9)"), "`factors` for `scaling = longrope`: `y` is not a number");
        assert!(refused("longrope(2, 8, 9)").starts_with("`factors` is `2`, but must be a list"));
    }
}
