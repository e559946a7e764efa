//! Emits a table, or its errors, as Rust tokens. All their paths go through the facade.
//!
//! The code of a table is the content of a block, without the braces.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use crate::diagnostic::Diagnostic;
use crate::kind::Macro;
use crate::request::{Code, Included, Shape};
use crate::spans::{in_place_of, local, span};

/// Returns the block of a constant, so that a reference to the table is promoted to `'static`.
pub(crate) fn constant(value: &TokenStream) -> TokenStream {
    quote!(const { #value })
}

/// Returns a call with one byte string: a single token, however large the table.
pub(crate) fn table(shape: &Shape, bytes: &[u8], crate_path: &TokenStream) -> TokenStream {
    decoded(shape, Literal::byte_string(bytes), crate_path)
}

/// Returns the same call with the file at `path`, which begins with the entries.
pub(crate) fn table_in_file(shape: &Shape, path: &str, crate_path: &TokenStream) -> TokenStream {
    decoded(shape, quote!(#crate_path::__private::core::include_bytes!(#path)), crate_path)
}

fn decoded(shape: &Shape, bytes: impl ToTokens, crate_path: &TokenStream) -> TokenStream {
    let parameters = parameters(shape, crate_path);
    quote!(#crate_path::__private::decode::<#parameters>(#bytes))
}

/// Returns code that the compiler evaluates.
///
/// The statement carries the attribute, without which the compiler rejects tables that take it more than a few seconds.
pub(crate) fn evaluated(shape: &Shape, code: &Code, crate_path: &TokenStream) -> TokenStream {
    let (parameters, spec, table) = (parameters(shape, crate_path), local("spec"), local("table"));
    let checked = checked(shape, code, crate_path);
    // An error that no argument was blamed for is due to the preset.
    let (evaluate, (axes, _)) = (format_ident!("{}", Macro::of(code.table).functions.evaluate), size(shape, code));
    let evaluated = quote!(#crate_path::__private::#evaluate::<#parameters #axes>(#spec));
    let evaluated = in_place_of(&code.preset, crate_path, &evaluated);
    quote! {
        #[allow(long_running_const_eval)]
        let #table = const { #checked #evaluated };
        #table
    }
}

/// Returns code that includes the table from the build script's file `name`.
///
/// The file is compared with the call before it is copied, in the statement with the attribute, because that takes many
/// steps if there is a long list of frequencies.
pub(crate) fn included(
    shape: &Shape,
    code: &Code,
    Included { name, call }: &Included,
    crate_path: &TokenStream,
) -> TokenStream {
    let (dtype, Macro { writer, functions, .. }) = (shape.dtype(crate_path), Macro::of(code.table));
    let (spec, entries) = (local("spec"), local("entries"));
    let checked = checked(shape, code, crate_path);
    let path = quote!(#crate_path::__private);
    let file = format!("/{}.posenc", name.value());
    let missing = format!(
        "`file` names a table that the build script writes with `{writer}`, but this package has no build script"
    );
    let bytes = quote_spanned! {span(name)=>
        #path::core::include_bytes!(#path::core::concat!(#path::core::env!("OUT_DIR", #missing), #file))
    };
    let (entries_of_file, (axes, rows)) = (format_ident!("{}", functions.entries_of_file), size(shape, code));
    let included = quote!(#path::#entries_of_file::<#dtype #axes>(#bytes, &#spec, #rows #call));
    let (included, decoded) = (in_place_of(name, crate_path, &included), decoded(shape, &entries, crate_path));
    quote! {
        #[allow(long_running_const_eval)]
        let #entries = const { #checked #included };
        #decoded
    }
}

/// Returns code for the spec of a call, and code that reports its errors at the arguments to blame.
fn checked(shape: &Shape, code: &Code, crate_path: &TokenStream) -> TokenStream {
    let Code { frequencies, spec: calls, max_bytes, arguments, .. } = code;
    let (spec, verdict, dtype) = (local("spec"), local("verdict"), shape.dtype(crate_path));
    let blames = arguments
        .iter()
        .map(|(name, value)| in_place_of(value, crate_path, &quote!(#crate_path::__private::blame(&#verdict, #name);)));
    let private = quote!(#crate_path::__private);
    // A limit of bytes takes the place of the time limit.
    let (max_bytes, tables) = match max_bytes {
        Some(max_bytes) => (max_bytes.clone(), 0),
        None => (quote!(#private::core::primitive::usize::MAX), code.tables),
    };
    let tables = Literal::usize_unsuffixed(tables);
    let (check, (axes, rows)) = (format_ident!("{}", Macro::of(code.table).functions.check), size(shape, code));
    let check = quote!(#private::#check::<#dtype #axes>(&#spec, #rows #max_bytes, #tables));
    quote! {
        #frequencies
        let #spec = #calls;
        let #verdict = #check;
        #(#blames)*
    }
}

/// Returns the number of axes as a further generic argument, or else the number of rows as an argument before others.
fn size(shape: &Shape, code: &Code) -> (Option<TokenStream>, Option<TokenStream>) {
    if code.table.has_axes() {
        let axes = Literal::usize_unsuffixed(code.axes);
        return (Some(quote!(, #axes)), None);
    }
    let rows = &shape.seq_len;
    (None, Some(quote!(#rows,)))
}

/// Returns the errors, and after them a value of the table's type if that is known, which avoids further errors.
pub(crate) fn refusal(
    diagnostics: &[Diagnostic],
    value: Option<&TokenStream>,
    crate_path: &TokenStream,
) -> TokenStream {
    let errors = errors(diagnostics, crate_path);
    quote!(const { #errors #value })
}

pub(crate) fn errors(diagnostics: &[Diagnostic], crate_path: &TokenStream) -> TokenStream {
    let mut tokens = TokenStream::new();
    for diagnostic in diagnostics {
        tokens.extend(diagnostic.to_tokens(crate_path));
    }
    tokens
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

/// Returns a size as a generic argument, in braces unless it is a literal, because a name alone could be a type's.
fn braced(size: &TokenStream) -> TokenStream {
    match size.clone().into_iter().next() {
        Some(TokenTree::Literal(_)) if size.clone().into_iter().nth(1).is_none() => size.clone(),
        _ => quote!({ #size }),
    }
}
