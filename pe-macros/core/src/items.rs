//! The item form: statics and constants whose type is inferred from the table.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::diagnostic::Diagnostic;
use crate::spans::first;
use crate::tokens::{is_name, is_punct};

/// `#[attribute] pub static NAME: Aligned = (seq_len, d_model, key = value, ...);`
pub(crate) struct Item {
    attributes: Vec<Attribute>,
    visibility: TokenStream,
    /// `static` or `const`.
    keyword: Ident,
    name: Ident,
    aligned: bool,
    pub(crate) arguments: TokenStream,
}

/// `#[...]`
struct Attribute {
    tokens: TokenStream,
    /// Whether it is `cfg`.
    is_condition: bool,
}

impl ToTokens for Attribute {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens.clone());
    }
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
    let tokens: Vec<_> = input.into_iter().collect();
    let (mut rest, mut items) = (&*tokens, Vec::new());
    while !rest.is_empty() {
        let (item, after) = item(rest)?;
        items.push(item);
        rest = after;
    }
    Ok(items)
}

/// Parses the first item, and returns the tokens after it too.
fn item(tokens: &[TokenTree]) -> Result<(Item, &[TokenTree]), Diagnostic> {
    let (attributes, rest) = attributes(tokens);
    let (visibility, rest) = rest.split_at(length_of_visibility(rest));
    let (keyword, rest) = match rest {
        [TokenTree::Ident(keyword), rest @ ..] if keyword == "static" || keyword == "const" => (keyword.clone(), rest),
        _ => return Err(found(rest, "expected `static` or `const`")),
    };
    let (name, rest) = match rest {
        [TokenTree::Ident(name), ..] if name == "mut" => return Err(found(rest, "a table cannot be `mut`")),
        [TokenTree::Ident(name), rest @ ..] if is_name(name) => (name.clone(), rest),
        _ => return Err(found(rest, "expected the name of the table")),
    };
    let (aligned, rest) = match rest {
        [colon, wrapper, rest @ ..]
            if is_punct(colon, ':')
                && is_aligned(wrapper)
                && !rest.first().is_some_and(|token| is_punct(token, '<')) =>
        {
            (true, rest)
        }
        [colon, rest @ ..] if is_punct(colon, ':') => {
            return Err(found(rest, "the type of the table is inferred and must be omitted"));
        }
        _ => (false, rest),
    };
    let rest = match rest {
        [equals, rest @ ..] if is_punct(equals, '=') => rest,
        _ => return Err(found(rest, "expected `=`")),
    };
    let Some((arguments, rest)) = rest.split_first().and_then(|(first, rest)| Some((arguments_of(first)?, rest)))
    else {
        return Err(found(rest, "expected the arguments of the table in parentheses"));
    };
    let rest = match rest {
        [semicolon, rest @ ..] if is_punct(semicolon, ';') => rest,
        _ => return Err(found(rest, "expected `;` after the table")),
    };
    let visibility = visibility.iter().cloned().collect();
    Ok((Item { attributes, visibility, keyword, name, aligned, arguments }, rest))
}

/// Returns the error about the first of the tokens.
fn found(tokens: &[TokenTree], sentence: &str) -> Diagnostic {
    Diagnostic::at(tokens.first(), format!("{sentence}; {FORM}"))
}

/// Returns the attributes at the beginning of the tokens, and the tokens after them.
fn attributes(mut tokens: &[TokenTree]) -> (Vec<Attribute>, &[TokenTree]) {
    let mut attributes = Vec::new();
    while let [hash, TokenTree::Group(group), rest @ ..] = tokens {
        if !is_punct(hash, '#') || group.delimiter() != Delimiter::Bracket {
            break;
        }
        let is_condition = matches!(first(group.stream()), Some(TokenTree::Ident(name)) if name == "cfg");
        attributes.push(Attribute { tokens: tokens[..2].iter().cloned().collect(), is_condition });
        tokens = rest;
    }
    (attributes, tokens)
}

/// Returns the number of tokens that are `pub`, `pub(...)`, or `$vis:vis` of the user's own macro.
fn length_of_visibility(tokens: &[TokenTree]) -> usize {
    match tokens {
        [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::None => 1,
        [TokenTree::Ident(public), TokenTree::Group(group), ..]
            if public == "pub" && group.delimiter() == Delimiter::Parenthesis =>
        {
            2
        }
        [TokenTree::Ident(public), ..] if public == "pub" => 1,
        _ => 0,
    }
}

fn is_aligned(token: &TokenTree) -> bool {
    matches!(only(token.clone()), TokenTree::Ident(wrapper) if wrapper == "Aligned")
}

/// Returns what is in parentheses.
fn arguments_of(token: &TokenTree) -> Option<TokenStream> {
    match only(token.clone()) {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group.stream()),
        _ => None,
    }
}

/// Returns the only token of a fragment of the user's own macro, or the token itself if it is anything else.
fn only(token: TokenTree) -> TokenTree {
    if let TokenTree::Group(group) = &token {
        let mut tokens = group.stream().into_iter();
        if let (Delimiter::None, Some(first), None) = (group.delimiter(), tokens.next(), tokens.next()) {
            return only(first);
        }
    }
    token
}

impl Item {
    /// Returns the errors of the item, under its `cfg` attributes.
    pub(crate) fn refused(&self, diagnostics: &[Diagnostic], crate_path: &TokenStream) -> TokenStream {
        let conditions: Vec<_> = self.attributes.iter().filter(|attribute| attribute.is_condition).collect();
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
