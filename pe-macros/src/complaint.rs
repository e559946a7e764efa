//! What is wrong with the macro's input, and where.

use std::fmt::Display;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

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

    /// As a macro statement. It is found through `crate_path`, the way to the facade: edition 2015 knows no `::core`. All its
    /// tokens stand where the complaint does and resolve where the path does, or the compiler would underline only the first.
    pub(crate) fn to_tokens(&self, crate_path: &TokenStream) -> TokenStream {
        let sentence = &self.sentence;
        let origin = crate_path.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
        let (start, end) = (self.start.resolved_at(origin), self.end.resolved_at(origin));
        let located = crate_path.clone().into_iter().map(|mut token| {
            token.set_span(start);
            token
        });
        let path = quote_spanned!(start=> ::__private::compile_error!);
        let message = quote_spanned!(end=> { #sentence });
        quote!(#(#located)* #path #message)
    }
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
