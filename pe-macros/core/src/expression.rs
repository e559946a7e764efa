//! Grammar: one value as an expression, and what is said about tokens that are none.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::TokenStreamExt;
use syn::Expr;

use crate::diagnostic::{Diagnostic, shown};

/// The longest supported value, in characters.
///
/// It is far more than a number needs, and too short to nest deep enough to exhaust the stack.
const MAX_VALUE_LENGTH: usize = 1000;

/// Parses one expression.
///
/// The errors of syn are about Rust's grammar, not about this macro's, so they are not passed on.
pub(crate) fn expression(tokens: &[TokenTree], write: &str) -> Result<Expr, Diagnostic> {
    let tokens: TokenStream = tokens.iter().cloned().collect();
    let length = tokens.to_string().len();
    if length > MAX_VALUE_LENGTH {
        let sentence = format!(
            "the length of this expression is {length} characters, but must be at most {MAX_VALUE_LENGTH}; write its value"
        );
        return Err(Diagnostic::at(tokens, sentence));
    }
    match syn::parse2(in_parentheses(tokens.clone())) {
        Ok(value) if !has_keyword(tokens.clone()) => Ok(value),
        _ => Err(not_a_value(tokens, write)),
    }
}

/// Returns whether there is an `if` or the like, except in the input of a macro.
///
/// syn refuses them itself, unless another crate of the build enables its feature `full`.
fn has_keyword(tokens: TokenStream) -> bool {
    let mut after_bang = false;
    tokens.into_iter().any(|token| {
        let is_input = after_bang;
        after_bang = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '!');
        match token {
            TokenTree::Ident(name) => KEYWORDS.iter().any(|word| name == word),
            TokenTree::Group(group) => !is_input && has_keyword(group.stream()),
            _ => false,
        }
    })
}

/// The words with which what is no value begins.
const KEYWORDS: [&str; 5] = ["if", "let", "loop", "match", "unsafe"];

/// Replaces the braces around a value by parentheses, so that what is in them is read like any other value.
///
/// Braces after a name, a `<` or a `>` belong to something else, and what follows a `!` is the input of a macro.
fn in_parentheses(tokens: TokenStream) -> TokenStream {
    let (mut replaced, mut before) = (TokenStream::new(), None);
    for token in tokens {
        match (before, &token) {
            (Some(TokenTree::Punct(punct)), _) if punct.as_char() == '!' => replaced.append(token.clone()),
            (before, TokenTree::Group(group)) => {
                let begins_value = match before {
                    None => true,
                    Some(TokenTree::Punct(punct)) => !matches!(punct.as_char(), '<' | '>'),
                    Some(_) => false,
                };
                let delimiter = match group.delimiter() {
                    Delimiter::Brace if begins_value => Delimiter::Parenthesis,
                    other => other,
                };
                let mut inner = Group::new(delimiter, in_parentheses(group.stream()));
                inner.set_span(group.span());
                replaced.append(inner);
            }
            _ => replaced.append(token.clone()),
        }
        before = Some(token);
    }
    replaced
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
