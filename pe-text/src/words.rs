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

/// Returns text from files so that it cannot control a terminal, nor change the order of what is around it.
#[must_use]
pub fn printable(text: &str) -> String {
    let is_order = |c| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if c.is_control() || is_order(c) { ' ' } else { c }).collect()
}
