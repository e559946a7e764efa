//! Writes a table, or what is wrong with it, as Rust tokens that name nothing but the facade.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::LitStr;

use crate::diagnostic::Diagnostic;
use crate::request::{Refusal, Shape, SpecCode};
use crate::spans::{in_place_of, local, span};

/// One call around one byte string: a single token for the compiler to carry, whatever the size of the table.
pub(crate) fn table(shape: &Shape, bytes: &[u8], crate_path: &TokenStream) -> TokenStream {
    let parameters = parameters(shape, crate_path);
    let len = Literal::usize_unsuffixed(bytes.len());
    let bytes = Literal::byte_string(bytes);
    quote!(const { #crate_path::__private::decode::<#parameters, #len>(#bytes) })
}

/// Code that the compiler evaluates. The outer block is what a reference to a constant is promoted from; the statement carries the
/// attribute, without which the compiler would refuse tables that take it some seconds.
pub(crate) fn evaluated(shape: &Shape, code: &SpecCode, crate_path: &TokenStream) -> TokenStream {
    let (parameters, spec, table) = (parameters(shape, crate_path), local("spec"), local("table"));
    let checked = checked(shape, code, crate_path);
    // Whatever no argument was blamed for is the preset's doing.
    let evaluated = in_place_of(&code.preset, crate_path, &quote!(#crate_path::const_table::<#parameters>(#spec)));
    quote!(const {
        #[allow(long_running_const_eval)]
        let #table = const { #checked #evaluated };
        #table
    })
}

/// The table in a file of the build script, `name` being that of the file. Whether it is this table is found out before it is copied,
/// where the statement's attribute holds: of a long list of frequencies that takes many steps.
pub(crate) fn included(shape: &Shape, code: &SpecCode, name: &LitStr, crate_path: &TokenStream) -> TokenStream {
    let (parameters, dtype) = (parameters(shape, crate_path), shape.dtype(crate_path));
    let (spec, entries, seq_len) = (local("spec"), local("entries"), &shape.seq_len);
    let checked = checked(shape, code, crate_path);
    let path = quote!(#crate_path::__private);
    let file = format!("/{}.posenc", name.value());
    let missing = "`file` names a table that the build script has written with `posenc::build_script::write_table`; this package has \
                   no build script";
    let bytes = quote_spanned! {span(name)=>
        #path::include_bytes!(#path::concat!(#path::env!("OUT_DIR", #missing), #file))
    };
    let included = in_place_of(name, crate_path, &quote!(#path::entries_of_file::<#dtype>(#bytes, &#spec, #seq_len)));
    quote!(const {
        #[allow(long_running_const_eval)]
        let #entries = const { #checked #included };
        #path::rows::<#parameters>(#entries)
    })
}

/// The spec of a call, and code that puts what is wrong with it on the argument concerned.
fn checked(shape: &Shape, code: &SpecCode, crate_path: &TokenStream) -> TokenStream {
    let SpecCode { frequencies, spec: calls, max_bytes, arguments, .. } = code;
    let (spec, verdict, dtype) = (local("spec"), local("verdict"), shape.dtype(crate_path));
    let seq_len = &shape.seq_len;
    let blames = arguments
        .iter()
        .map(|(name, value)| in_place_of(value, crate_path, &quote!(#crate_path::__private::blame(&#verdict, #name);)));
    quote! {
        #frequencies
        let #spec = #calls;
        let #verdict = #spec.check_table::<#dtype>(#seq_len, #max_bytes);
        #(#blames)*
    }
}

/// The errors, and after them a value of the type the table would have had, where it is known, so that they stay the only ones.
pub(crate) fn refusal(Refusal { diagnostics, shape }: &Refusal, crate_path: &TokenStream) -> TokenStream {
    let errors = errors(diagnostics, crate_path);
    let value = shape.as_ref().map(|shape| no_table(shape, crate_path));
    quote!(const { #errors #value })
}

pub(crate) fn errors(diagnostics: &[Diagnostic], crate_path: &TokenStream) -> TokenStream {
    diagnostics.iter().map(|diagnostic| diagnostic.to_tokens(crate_path)).collect()
}

pub(crate) fn no_table(shape: &Shape, crate_path: &TokenStream) -> TokenStream {
    let parameters = parameters(shape, crate_path);
    quote!(#crate_path::__private::no_table::<#parameters>())
}

fn parameters(shape: &Shape, crate_path: &TokenStream) -> TokenStream {
    let dtype = shape.dtype(crate_path);
    let (seq_len, d_model) = (braced(&shape.seq_len), braced(&shape.d_model));
    quote!(#dtype, #seq_len, #d_model)
}

/// A size as a generic argument: braces around what is not a literal, since a name could be a type's.
fn braced(size: &TokenStream) -> TokenStream {
    match size.clone().into_iter().next() {
        Some(TokenTree::Literal(_)) if size.clone().into_iter().nth(1).is_none() => size.clone(),
        _ => quote!({ #size }),
    }
}
