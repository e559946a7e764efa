//! The item form: statics and constants whose type is inferred from the table.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Token, Visibility, parenthesized};

use crate::diagnostic::Diagnostic;

/// `#[attribute] pub static NAME: Aligned = (seq_len, d_model, key = value, ...);`
pub(crate) struct Item {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    /// `static` or `const`.
    keyword: Ident,
    name: Ident,
    aligned: bool,
    pub(crate) arguments: TokenStream,
}

const FORM: &str =
    "write `static NAME = (seq_len, d_model, ...);`, or `static NAME: Aligned = ...` to align the table to 64 bytes";

/// Returns whether the input consists of items, rather than the arguments of one table.
#[must_use]
pub fn is_items(input: &TokenStream) -> bool {
    // A fragment such as `$vis:vis` of the user's own macro is a group without delimiters, possibly empty.
    fn flatten(tokens: TokenStream, flat: &mut Vec<TokenTree>) {
        for token in tokens.into_iter().take(3) {
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => flatten(group.stream(), flat),
                token => flat.push(token),
            }
        }
    }
    let mut tokens = Vec::new();
    flatten(input.clone(), &mut tokens);
    match &*tokens {
        [TokenTree::Punct(punct), ..] => punct.as_char() == '#',
        [TokenTree::Ident(ident), rest @ ..] if ident == "const" => matches!(rest, [TokenTree::Ident(_), ..]),
        [TokenTree::Ident(ident), ..] => ident == "pub" || ident == "static",
        _ => false,
    }
}

/// Parses all items of the input.
pub(crate) fn items(input: TokenStream) -> Result<Vec<Item>, Diagnostic> {
    let all = |input: ParseStream| {
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(input.parse()?);
        }
        Ok(items)
    };
    all.parse2(input).map_err(|error| Diagnostic {
        sentence: error.to_string(),
        start: error.span(),
        end: error.span(),
    })
}

impl Parse for Item {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attributes = Attribute::parse_outer(input)?;
        let visibility = input.parse()?;
        let keyword = if input.peek(Token![const]) || input.peek(Token![static]) {
            input.call(syn::ext::IdentExt::parse_any)?
        } else {
            return Err(input.error(format!("expected `static` or `const`; {FORM}")));
        };
        if input.peek(Token![mut]) {
            return Err(input.error(format!("a table cannot be `mut`; {FORM}")));
        }
        let name = input.parse().map_err(|error| at(&error, "expected the name of the table"))?;
        let aligned = input.parse::<Option<Token![:]>>()?.is_some();
        if aligned {
            let wrapper = input.parse::<Ident>();
            if !wrapper.as_ref().is_ok_and(|wrapper| wrapper == "Aligned") || input.peek(Token![<]) {
                let span = wrapper.map_or_else(|error| error.span(), |wrapper| wrapper.span());
                return Err(syn::Error::new(
                    span,
                    format!("the type of the table is inferred and must be omitted; {FORM}"),
                ));
            }
        }
        input.parse::<Token![=]>().map_err(|error| at(&error, "expected `=`"))?;
        let arguments;
        if !input.peek(syn::token::Paren) {
            return Err(input.error(format!("expected the arguments of the table in parentheses; {FORM}")));
        }
        parenthesized!(arguments in input);
        let arguments = arguments.parse()?;
        input.parse::<Token![;]>().map_err(|error| at(&error, "expected `;` after the table"))?;
        Ok(Self { attributes, visibility, keyword, name, aligned, arguments })
    }
}

fn at(error: &syn::Error, what: &str) -> syn::Error {
    syn::Error::new(error.span(), format!("{what}; {FORM}"))
}

impl Item {
    /// Returns the errors of the item, under its `cfg` attributes.
    pub(crate) fn refused(&self, diagnostics: &[Diagnostic], crate_path: &TokenStream) -> TokenStream {
        let conditions: Vec<_> = self.attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect();
        let mut tokens = TokenStream::new();
        for diagnostic in diagnostics {
            let error = diagnostic.to_tokens(crate_path);
            tokens.extend(quote!(#(#conditions)* #error));
        }
        tokens
    }

    /// Returns the item with a table of this type and value.
    ///
    /// The value is a plain block. With a constant of its own the compiler would copy the table once more.
    pub(crate) fn with(&self, table: &TokenStream, value: &TokenStream, crate_path: &TokenStream) -> TokenStream {
        let Self { attributes, visibility, keyword, name, aligned, .. } = self;
        let (table, value) = if *aligned {
            (quote!(#crate_path::Aligned<#table>), quote!(#crate_path::Aligned({ #value })))
        } else {
            (table.to_token_stream(), quote!({ #value }))
        };
        quote!(#(#attributes)* #visibility #keyword #name: #table = #value;)
    }
}
