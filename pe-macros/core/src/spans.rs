//! Where the expansion's tokens stand: on the user's tokens that they are about, which the compiler shows if it refuses them.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};

/// The first and the last of `tokens`, or the whole call if there are none.
pub(crate) fn ends(tokens: impl ToTokens) -> (Span, Span) {
    let tokens = tokens.into_token_stream();
    let start = first(tokens.clone()).map_or_else(Span::call_site, |token| token.span());
    let end = last(tokens).map_or(start, |token| token.span());
    (start, end)
}

/// Where an expression stands, for the tokens put around it: what the compiler says of those is said of it.
pub(crate) fn span(tokens: impl ToTokens) -> Span {
    ends(tokens).0.resolved_at(Span::mixed_site())
}

/// A name that the user's tokens cannot mean. A constant of the user with this name would be a pattern here, hygiene or not.
pub(crate) fn local(name: &str) -> Ident {
    format_ident!("posenc_{name}", span = Span::mixed_site())
}

/// `code` where `tokens` stand, so that the compiler shows those when it complains about it.
pub(crate) fn in_place_of(tokens: impl ToTokens, crate_path: &TokenStream, code: &TokenStream) -> TokenStream {
    spread(code, ends(tokens), crate_path)
}

/// `code` from `start` to `end`: its last token there, all others here. They resolve where the path of the facade does.
pub(crate) fn spread(code: &TokenStream, (start, end): (Span, Span), crate_path: &TokenStream) -> TokenStream {
    let origin = crate_path.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let (start, end) = (start.resolved_at(origin), end.resolved_at(origin));
    let count = code.clone().into_iter().count();
    let token = |(i, mut token): (usize, TokenTree)| {
        token.set_span(if i + 1 < count { start } else { end });
        token
    };
    code.clone().into_iter().enumerate().map(token).collect()
}

/// The first token that somebody wrote: a fragment such as `$n:expr` of the user's own macro is a group around it, whose span
/// is that of `$n`.
fn first(tokens: TokenStream) -> Option<TokenTree> {
    tokens.into_iter().next().and_then(|token| within(token, first))
}

fn last(tokens: TokenStream) -> Option<TokenTree> {
    tokens.into_iter().last().and_then(|token| within(token, last))
}

fn within(token: TokenTree, inner: fn(TokenStream) -> Option<TokenTree>) -> Option<TokenTree> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => inner(group.stream()),
        token => Some(token),
    }
}
