//! Grammar: one value of an argument, and what is said about tokens that are none.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::diagnostic::{Diagnostic, shown};
use crate::expression::Expression;

/// The longest supported value, in characters.
///
/// It is far more than a number needs, and too short to nest deep enough to exhaust the stack.
const MAX_VALUE_LENGTH: usize = 1000;

/// Parses one value.
pub(crate) fn single_value(tokens: &[TokenTree], write: &str) -> Result<Expression, Diagnostic> {
    let all = || tokens.iter().cloned().collect::<TokenStream>();
    let length = all().to_string().len();
    if length > MAX_VALUE_LENGTH {
        let sentence = format!(
            "the length of this expression is {length} characters, but must be at most {MAX_VALUE_LENGTH}; write its value"
        );
        return Err(Diagnostic::at(all(), sentence));
    }
    Expression::parse(tokens).ok_or_else(|| not_a_value(all(), write))
}

fn not_a_value(tokens: TokenStream, write: &str) -> Diagnostic {
    if has_block(tokens.clone()) {
        let sentence = format!(
            "blocks, `if` and `match` are not supported here; write a constant, such as `const N: usize = {tokens};`, and its name here"
        );
        return Diagnostic::at(tokens, sentence);
    }
    if let Some((before, after)) = without_comma(tokens.clone(), false) {
        let sentence = format!("expected a comma between `{before}` and `{after}`; {write}");
        return Diagnostic::at(after, sentence);
    }
    let written = shown(&tokens);
    Diagnostic::at(tokens, format!("expected a value, found `{written}`; {write}"))
}

/// Keywords that begin no value.
const KEYWORDS: [&str; 5] = ["if", "let", "loop", "match", "unsafe"];

fn has_block(tokens: TokenStream) -> bool {
    tokens.into_iter().enumerate().any(|(i, token)| match token {
        TokenTree::Ident(name) => KEYWORDS.iter().any(|word| name == word),
        TokenTree::Group(group) => i == 0 && group.delimiter() == Delimiter::Brace || has_block(group.stream()),
        _ => false,
    })
}

/// Returns the first two values that follow each other without a comma.
///
/// Outside brackets, a word before a value is a key without its `=`.
fn without_comma(tokens: TokenStream, in_brackets: bool) -> Option<(TokenTree, TokenTree)> {
    let is_word = |text: &str| text.starts_with(|first: char| first.is_lowercase());
    let mut before = None;
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            if let Some(found) = without_comma(group.stream(), true) {
                return Some(found);
            }
        }
        let is_value = match &token {
            TokenTree::Literal(_) => true,
            TokenTree::Ident(name) => name != "as",
            TokenTree::Group(_) | TokenTree::Punct(_) => false,
        };
        if let (Some(before), true) = (before, is_value) {
            return Some((before, token));
        }
        let is_end = match &token {
            TokenTree::Ident(name) => name != "as" && (in_brackets || !is_word(&name.to_string())),
            TokenTree::Literal(_) | TokenTree::Group(_) => true,
            TokenTree::Punct(_) => false,
        };
        before = is_end.then_some(token);
    }
    None
}
