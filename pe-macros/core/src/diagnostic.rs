//! What is wrong with the macro's input, and where.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};

use crate::spans::{ends, spread};

/// A sentence about a stretch of the input.
pub(crate) struct Diagnostic {
    pub(crate) sentence: String,
    pub(crate) start: Span,
    pub(crate) end: Span,
}

/// All that is wrong.
pub(crate) type Diagnostics = Vec<Diagnostic>;

impl Diagnostic {
    /// What is wrong with `tokens`, or with the whole call if there are none.
    pub(crate) fn at(tokens: impl ToTokens, sentence: impl Display) -> Self {
        let (start, end) = ends(tokens);
        Self { sentence: sentence.to_string(), start, end }
    }

    /// As a macro statement, or item. It is found through `crate_path`, the way to the facade: edition 2015 knows no `::core`.
    pub(crate) fn to_tokens(&self, crate_path: &TokenStream) -> TokenStream {
        let sentence = &self.sentence;
        spread(&quote!(#crate_path::__private::compile_error! { #sentence }), (self.start, self.end), crate_path)
    }
}
