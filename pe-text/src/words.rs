//! Numbers of things, lists of names, and parameters as options.

use std::fmt::Display;

use posenc::reflection::Value;

/// Returns `1 thing` or `2 things`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns names between backquotes.
#[must_use]
pub fn listed(names: &[impl Display]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Returns a key of the macro as an option of the command.
#[must_use]
pub fn option((key, value): &(&str, Value)) -> String {
    let text = match value {
        Value::Numbers(numbers) => numbers.iter().map(|number| format!("{number:?}")).collect::<Vec<_>>().join(","),
        _ => value.to_string(),
    };
    format!("--{}={text}", key.replace('_', "-"))
}
