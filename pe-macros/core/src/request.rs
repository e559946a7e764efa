//! What a call asks for, once its arguments are understood: a table's type and where its entries come from, or why there is none.

use posenc_runtime::Spec;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::LitStr;

use crate::diagnostic::Diagnostics;
use crate::dtype::Dtype;

/// The type of a table, `[[dtype; d_model]; seq_len]`.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) dtype: Dtype,
    /// A literal, or what the user has written in its place.
    pub(crate) seq_len: TokenStream,
    pub(crate) d_model: TokenStream,
}

/// A table that can be made, as far as can be told here.
pub(crate) struct Request<'a> {
    pub(crate) shape: Shape,
    pub(crate) source: Source<'a>,
}

/// Where the entries come from.
pub(crate) enum Source<'a> {
    /// From here.
    Macro { spec: Spec<'a>, seq_len: usize },
    /// From the compiler, which knows what names mean.
    Compiler(SpecCode),
    /// From a file that the build script has written, if it is that of this call.
    File(SpecCode, LitStr),
}

/// The parameters as code, for the compiler to evaluate.
pub(crate) struct SpecCode {
    pub(crate) frequencies: TokenStream,
    pub(crate) spec: TokenStream,
    pub(crate) max_bytes: TokenStream,
    /// The arguments, by the names that errors give them, the first to mend coming first.
    pub(crate) arguments: Vec<(String, TokenStream)>,
    /// The preset, or the first argument.
    pub(crate) preset: TokenStream,
}

/// Why a table cannot be made, and the shape it would have had if that much is known.
pub(crate) struct Refusal {
    pub(crate) diagnostics: Diagnostics,
    pub(crate) shape: Option<Shape>,
}

impl From<Diagnostics> for Refusal {
    fn from(diagnostics: Diagnostics) -> Self {
        Self { diagnostics, shape: None }
    }
}

impl Shape {
    /// The path of the element type.
    pub(crate) fn dtype(&self, crate_path: &TokenStream) -> TokenStream {
        let dtype = format_ident!("{}", self.dtype.name());
        quote!(#crate_path::__private::#dtype)
    }

    /// The type of the table.
    pub(crate) fn array(&self, crate_path: &TokenStream) -> TokenStream {
        let (dtype, Self { seq_len, d_model, .. }) = (self.dtype(crate_path), self);
        quote!([[#dtype; #d_model]; #seq_len])
    }
}
