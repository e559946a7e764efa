//! Errors in the macro's input.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};

use crate::spans::{ends, spread};

/// An error message and the part of the input it is about.
pub(crate) struct Diagnostic {
    pub(crate) sentence: String,
    pub(crate) start: Span,
    pub(crate) end: Span,
}

/// All errors of a call.
pub(crate) type Diagnostics = Vec<Diagnostic>;

impl Diagnostic {
    /// Returns an error about `tokens`, or about the whole call if there are none.
    pub(crate) fn at(tokens: impl ToTokens, sentence: impl Display) -> Self {
        let (start, end) = ends(tokens);
        Self { sentence: sentence.to_string(), start, end }
    }

    /// Returns a `compile_error!` as a statement or item.
    ///
    /// The path goes through the facade's `crate_path`, because edition 2015 has no `::core`.
    pub(crate) fn to_tokens(&self, crate_path: &TokenStream) -> TokenStream {
        let sentence = &self.sentence;
        spread(&quote!(#crate_path::__private::core::compile_error! { #sentence }), (self.start, self.end), crate_path)
    }
}

/// Returns tokens as they are written, for a sentence, without the blanks that their text has around punctuation.
pub(crate) fn shown(tokens: impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (with, without) in [(" :: ", "::"), (" . ", "."), ("! (", "!("), (" ,", ",")] {
        text = text.replace(with, without);
    }
    text
}
