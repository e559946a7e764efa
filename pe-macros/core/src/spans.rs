//! The spans of the expansion's tokens.
//!
//! They are the spans of the user's tokens that caused them, so that the compiler's errors point at the user's tokens.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, format_ident};

/// Returns the spans of the first and last of `tokens`, or of the whole call if there are none.
pub(crate) fn ends(tokens: impl ToTokens) -> (Span, Span) {
    let tokens = tokens.into_token_stream();
    let start = first(tokens.clone()).map_or_else(Span::call_site, |token| token.span());
    let end = last(tokens).map_or(start, |token| token.span());
    (start, end)
}

/// Returns the span of an expression, for the tokens put around it.
///
/// Compiler errors about those tokens then point at the expression.
pub(crate) fn span(tokens: impl ToTokens) -> Span {
    ends(tokens).0.resolved_at(Span::mixed_site())
}

/// Returns a local variable's name that cannot clash with the user's names.
///
/// Hygiene alone is not enough: a constant of the user with the same name would turn the variable into a pattern.
pub(crate) fn local(name: &str) -> Ident {
    format_ident!("posenc_{name}", span = Span::mixed_site())
}

/// Returns such a name with the span of `tokens`, so that compiler errors about the variable point at them.
pub(crate) fn local_at(name: &str, tokens: impl ToTokens) -> Ident {
    let mut name = local(name);
    name.set_span(span(tokens));
    name
}

/// Returns `code` with the span of `tokens`, so that compiler errors about it point at them.
pub(crate) fn in_place_of(tokens: impl ToTokens, crate_path: &TokenStream, code: &TokenStream) -> TokenStream {
    spread(code, ends(tokens), crate_path)
}

/// Returns `code` with its last token at `end` and all others at `start`.
///
/// The tokens resolve names where the facade's path does.
pub(crate) fn spread(code: &TokenStream, (start, end): (Span, Span), crate_path: &TokenStream) -> TokenStream {
    let origin = crate_path.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let (start, end) = (start.resolved_at(origin), end.resolved_at(origin));
    let count = code.clone().into_iter().count();
    let mut spread = TokenStream::new();
    for (i, mut token) in code.clone().into_iter().enumerate() {
        token.set_span(if i + 1 < count { start } else { end });
        spread.append(token);
    }
    spread
}

/// Returns the first token written in the source.
///
/// A fragment such as `$n:expr` of the user's own macro wraps it in a group, and the span of the group is the one of
/// `$n`.
pub(crate) fn first(tokens: TokenStream) -> Option<TokenTree> {
    tokens.into_iter().next().and_then(|token| within(token, first))
}

fn last(tokens: TokenStream) -> Option<TokenTree> {
    tokens.into_iter().last().and_then(|token| within(token, last))
}

/// Returns a token, or what `inner` finds in it if it is a fragment of the user's own macro.
fn within(token: TokenTree, inner: fn(TokenStream) -> Option<TokenTree>) -> Option<TokenTree> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => inner(group.stream()),
        token => Some(token),
    }
}
