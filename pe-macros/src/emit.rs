//! Writes a table, or what is wrong with it, as Rust tokens that name nothing but the facade.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::spec::{Refusal, Shape};

/// One call around one byte string: a single token for the compiler to carry, whatever the size of the table.
pub(crate) fn table(shape: Shape, bytes: &[u8], crate_path: &TokenStream) -> TokenStream {
    let parameters = parameters(shape, crate_path);
    let len = Literal::usize_unsuffixed(bytes.len());
    let bytes = Literal::byte_string(bytes);
    quote!(const { #crate_path::__private::decode::<#parameters, #len>(#bytes) })
}

/// The errors, and after them a value of the type the table would have had, where it is known, so that they stay the only ones.
pub(crate) fn refusal(Refusal { complaints, shape }: &Refusal, crate_path: &TokenStream) -> TokenStream {
    let errors = complaints.iter().map(|complaint| complaint.to_tokens(crate_path));
    let value = shape.map(|shape| {
        let parameters = parameters(shape, crate_path);
        quote!(#crate_path::__private::no_table::<#parameters>())
    });
    quote!(const { #(#errors)* #value })
}

fn parameters(shape: Shape, crate_path: &TokenStream) -> TokenStream {
    let dtype = format_ident!("{}", shape.dtype.name());
    let (n, d) = (Literal::usize_unsuffixed(shape.seq_len), Literal::usize_unsuffixed(shape.d_model));
    quote!(#crate_path::__private::#dtype, #n, #d)
}
