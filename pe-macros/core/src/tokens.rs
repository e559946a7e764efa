//! What single tokens are.

use proc_macro2::{Ident, Spacing, TokenTree};

/// Returns whether a token is a character of punctuation.
pub(crate) fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

/// Returns whether tokens begin with punctuation, written without blanks.
pub(crate) fn begins_with(tokens: &[TokenTree], text: &str) -> bool {
    let is_there = |(i, char): (usize, char)| {
        matches!(tokens.get(i), Some(TokenTree::Punct(punct))
            if punct.as_char() == char && (i + 1 == text.len() || punct.spacing() == Spacing::Joint))
    };
    text.chars().enumerate().all(is_there)
}

/// Returns whether a word is not a keyword.
pub(crate) fn is_name(word: &Ident) -> bool {
    syn::parse2::<Ident>(TokenTree::from(word.clone()).into()).is_ok()
}

/// Returns whether a token after a dot is the name or the number of a field, or of two fields, as in `x.0.1`.
pub(crate) fn is_member(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(name) => is_name(name),
        TokenTree::Literal(number) => number.to_string().bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'),
        TokenTree::Group(_) | TokenTree::Punct(_) => false,
    }
}
