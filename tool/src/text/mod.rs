//! Text that several commands print.

pub(crate) mod failure;

/// Returns text from files so that it cannot control the terminal, nor change the order of what is around it.
pub(crate) fn printable(text: &str) -> String {
    let is_order = |c| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if c.is_control() || is_order(c) { ' ' } else { c }).collect()
}
