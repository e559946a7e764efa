//! The rule in the `config.json` of a model, `{ "type": "linear", "factor": 8 }`, as options of the macro.

use posenc_runtime::Suggestion;
use posenc_runtime::reflection::{Argument, SCALING_RULES, TableKind, rule_parameters};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::diagnostic::{Diagnostic, shown};
use crate::names::{self, check_key};

/// The keys that have a rule as their value, here and in configurations.
const KEYS: [&str; 3] = ["scaling", "rope_scaling", "rope_parameters"];

/// Returns the error that says what to write for the rule of a config.
pub(crate) fn translated(table: TableKind, key: &Ident, tokens: &[TokenTree]) -> Option<Diagnostic> {
    let [braces @ TokenTree::Group(group)] = tokens else { return None };
    if group.delimiter() != Delimiter::Brace || !KEYS.iter().any(|known| key == known) {
        return None;
    }
    let options = options(table, &entries(group.stream())?)?;
    Some(match check_key(table, key) {
        Ok(()) => Diagnostic::at(braces, format!("`{key}` is a rule; {options}")),
        Err(_) => Diagnostic::at(key, format!("unknown key `{key}`; {options}")),
    })
}

/// Returns the names and the values between the braces.
fn entries(braces: TokenStream) -> Option<Vec<(String, String)>> {
    let tokens: Vec<_> = braces.into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let unquoted = |text: &str| text.trim_matches('"').to_owned();
    let mut entries = Vec::new();
    for entry in tokens.split(is_comma) {
        match entry {
            [] => {}
            [TokenTree::Literal(name), TokenTree::Punct(colon), value @ ..] if colon.as_char() == ':' => {
                let value = shown(value.iter().cloned().collect::<TokenStream>());
                entries.push((unquoted(&name.to_string()), unquoted(&value)));
            }
            _ => return None,
        }
    }
    Some(entries)
}

/// The entries that have another name than a parameter of the rule. The two lists are the `factors` of a short and of a long
/// context; the sentence asks for one of them.
const OTHER_ENTRIES: [&str; 7] =
    ["rope_type", "type", "rope_theta", "attention_factor", "partial_rotary_factor", "short_factor", "long_factor"];

/// Returns a sentence with the options for the entries of a config, if it knows all of them.
fn options(table: TableKind, entries: &[(String, String)]) -> Option<String> {
    // A `null` stands for the default.
    let find = |name: &str| {
        entries.iter().find(|(known, value)| known == name && value != "null").map(|(_, value)| value.as_str())
    };
    let rule = rule(find("rope_type").or(find("type"))?)?;
    let parameters = rule_parameters(rule);
    let is_known =
        |name: &str| OTHER_ENTRIES.contains(&name) || parameters.iter().any(|parameter| parameter.key == name);
    if !entries.iter().all(|(name, value)| is_known(name) || value == "null") {
        return None;
    }
    let (mut arguments, mut missing) = (Vec::new(), false);
    for parameter in parameters {
        let (key, given) = (parameter.key, find(parameter.key));
        match (given, parameter.default) {
            (Some(value), None) => arguments.push(value.to_owned()),
            (Some(value), Some(default)) if !is_same(value, default) => arguments.push(format!("{key} = {value}")),
            (_, Some(_)) => {}
            (None, None) => {
                missing = true;
                arguments.push(key.to_owned());
            }
        }
    }
    let is_key = |key: &str| names::find(table, key).is_some();
    let factor = if is_key("attention_factor") { "attention_factor" } else { "amplitude" };
    let mut options = Vec::new();
    options.extend(find("rope_theta").map(|base| format!("base = {base}")));
    options.push(format!("scaling = {rule}({})", arguments.join(", ")));
    options.extend(find("attention_factor").map(|value| format!("{factor} = {value}")));
    let partial = find("partial_rotary_factor").filter(|_| is_key("partial_rotary_factor"));
    options.extend(partial.map(|value| format!("partial_rotary_factor = {value}")));
    let with = if missing { " with numbers for the names" } else { "" };
    Some(format!("write `{}`{with}", options.join(", ")))
}

/// Returns the name here of a rule with parameters.
fn rule(written: &str) -> Option<&'static str> {
    let name = match SCALING_RULES.find(written) {
        Ok(i) => SCALING_RULES.all[i],
        Err(unknown) => match unknown.suggestion {
            Some(Suggestion::Here(here)) => here.trim_matches('`'),
            _ => return None,
        },
    };
    (!rule_parameters(name).is_empty()).then_some(name)
}

/// Returns whether a value is the default, which need not be written.
fn is_same(value: &str, default: Argument) -> bool {
    match default {
        Argument::Number(number) => value.parse() == Ok(number),
        other => value == other.to_string(),
    }
}
