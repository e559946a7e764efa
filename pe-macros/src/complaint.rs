//! What is wrong with the macro's input, and where.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

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

impl From<syn::Error> for Complaint {
    fn from(error: syn::Error) -> Self {
        Self { sentence: error.to_string(), start: error.span(), end: error.span() }
    }
}
