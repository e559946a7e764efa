//! What is wrong with the macro's input, and where.

use std::fmt::Display;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// A sentence about a stretch of the input.
pub(crate) struct Complaint {
    pub(crate) sentence: String,
    pub(crate) start: Span,
    pub(crate) end: Span,
}

/// All that is wrong.
pub(crate) type Complaints = Vec<Complaint>;

impl Complaint {
    /// A complaint about `tokens`, or about the whole call if there are none.
    pub(crate) fn at(tokens: impl ToTokens, sentence: impl Display) -> Self {
        let tokens = tokens.into_token_stream();
        let start = first(tokens.clone()).map_or_else(Span::call_site, |token| token.span());
        let end = last(tokens).map_or(start, |token| token.span());
        Self { sentence: sentence.to_string(), start, end }
    }

    /// As a macro statement, or item. It is found through `crate_path`, the way to the facade: edition 2015 knows no `::core`.
    pub(crate) fn to_tokens(&self, crate_path: &TokenStream) -> TokenStream {
        let sentence = &self.sentence;
        spread(&quote!(#crate_path::__private::compile_error! { #sentence }), (self.start, self.end), crate_path)
    }
}

/// `code` where `tokens` stand, so that the compiler shows those when it complains about it.
pub(crate) fn in_place_of(tokens: impl ToTokens, crate_path: &TokenStream, code: &TokenStream) -> TokenStream {
    let Complaint { start, end, .. } = Complaint::at(tokens, "");
    spread(code, (start, end), crate_path)
}

/// `code` from `start` to `end`: its last token there, all others here. They resolve where the path of the facade does.
fn spread(code: &TokenStream, (start, end): (Span, Span), crate_path: &TokenStream) -> TokenStream {
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
