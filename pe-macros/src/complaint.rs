//! What is wrong with the macro's input, and where.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// A sentence about a stretch of the input.
pub(crate) struct Complaint {
    pub(crate) sentence: String,
    pub(crate) start: Span,
    pub(crate) end: Span,
}

/// All that is wrong; one mistake does not hide another.
pub(crate) type Complaints = Vec<Complaint>;

impl Complaint {
    /// A complaint about `tokens`, or about the whole call if there are none.
    pub(crate) fn at(tokens: impl ToTokens, sentence: impl Display) -> Self {
        let mut spans = tokens.into_token_stream().into_iter().map(|token| token.span());
        let start = spans.next().unwrap_or_else(Span::call_site);
        Self { sentence: sentence.to_string(), start, end: spans.last().unwrap_or(start) }
    }

    /// As an expression statement. `crate_path` leads to the facade: `::core` would not do, edition 2015 does not know it.
    pub(crate) fn to_tokens(&self, crate_path: &TokenStream) -> TokenStream {
        let Self { sentence, start, end } = self;
        let located = crate_path.clone().into_iter().map(|mut token| {
            token.set_span(start.resolved_at(token.span()));
            token
        });
        let path = quote::quote_spanned!(*start=> ::__private::compile_error!);
        let message = quote::quote_spanned!(*end=> { #sentence });
        quote::quote!(#(#located)* #path #message)
    }
}

impl From<syn::Error> for Complaint {
    fn from(error: syn::Error) -> Self {
        Self { sentence: error.to_string(), start: error.span(), end: error.span() }
    }
}
