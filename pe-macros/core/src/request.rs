//! The result of checking a call.
//!
//! It is the type of the table and the source of its entries, or the reasons for rejecting the call.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::LitStr;

use crate::baked::Baked;
use crate::diagnostic::Diagnostics;
use crate::dtype::{Dtype, Table};
use crate::made::Made;

/// The type of a table, `[[dtype; d_model]; seq_len]`.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) dtype: Dtype,
    /// A literal, or the user's expression.
    pub(crate) seq_len: TokenStream,
    pub(crate) d_model: TokenStream,
}

/// A call without known errors.
pub(crate) struct Request<'a> {
    pub(crate) shape: Shape,
    pub(crate) source: Source<'a>,
}

/// The source of the entries.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub(crate) enum Source<'a> {
    /// The macro computes them. The table has been checked.
    Macro(Baked<'a>, Table<'a>),
    /// The compiler computes them, because it knows the values of names.
    Compiler(Code),
    /// They are in a file written by the build script, if that is the table of this call.
    File(Code, Included),
}

/// A file of the build script.
pub(crate) struct Included {
    pub(crate) name: LitStr,
    /// The call that makes its table, as in the file if the parameters are known, and otherwise as it is written.
    pub(crate) call: String,
}

/// The parameters as code, for the compiler to evaluate.
pub(crate) struct Code {
    pub(crate) made: Made,
    /// Definitions of the lists.
    pub(crate) frequencies: TokenStream,
    pub(crate) spec: TokenStream,
    /// `None` if it is not given. The limit is then a number of entries.
    pub(crate) max_bytes: Option<TokenStream>,
    /// The arguments by their names in errors, in the order in which they are blamed.
    pub(crate) arguments: Vec<(String, TokenStream)>,
    /// The preset, or the first argument.
    pub(crate) preset: TokenStream,
}

/// The errors of a call, and the shape of its table if that is known.
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
    /// Returns the path of the element type.
    pub(crate) fn dtype(&self, crate_path: &TokenStream) -> TokenStream {
        let dtype = format_ident!("{}", self.dtype.name());
        quote!(#crate_path::__private::#dtype)
    }

    /// Returns the type of the table.
    pub(crate) fn array(&self, crate_path: &TokenStream) -> TokenStream {
        let (dtype, Self { seq_len, d_model, .. }) = (self.dtype(crate_path), self);
        quote!([[#dtype; #d_model]; #seq_len])
    }
}
