//! Expressions that contain names, as code for the compiler.
//!
//! They have the same meaning as expressions of literals, which the macro evaluates itself.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote, quote_spanned};

use crate::diagnostic::shown;
use crate::expression::{Expression, Form, Operator};
use crate::spans::{in_place_of, span};

/// Returns the expression with its precedences kept, and with a check of each division.
pub(crate) fn code(expr: &Expression, crate_path: &TokenStream) -> TokenStream {
    let again = |expr: &Expression| code(expr, crate_path);
    match &expr.form {
        Form::Brackets(inner) => parenthesized(again(inner)),
        Form::Unary(operator, operand) => {
            let operand = again(operand);
            quote!(#operator #operand)
        }
        Form::Cast(operand, as_type) => {
            let (operand, as_type) = (again(operand), in_parentheses(as_type.clone()));
            quote!(#operand #as_type)
        }
        Form::Binary(left, operator @ Operator { text: "/", .. }, right) => {
            let (left, right, written) = (again(left), again(right), shown(expr));
            let path = quote!(#crate_path::__private);
            let checked = quote_spanned! {span(expr)=>
                divided(posenc_a #operator posenc_b, #written, posenc_a as #path::core::primitive::i128, posenc_b as #path::core::primitive::i128)
            };
            let accepted = accepted(expr, &checked, crate_path);
            // Each side is used once. If it were used twice, the code would double with each division of a chain.
            parenthesized(quote_spanned!(span(expr)=> match (#left, #right) { (posenc_a, posenc_b) => #accepted }))
        }
        Form::Binary(left, operator, right) => {
            let (left, right) = (again(left), again(right));
            quote!(#left #operator #right)
        }
        _ => not_a_statement(in_parentheses(expr.to_token_stream())),
    }
}

/// Returns code for the result of a conversion of the runtime crate, with its error at the span of the value.
pub(crate) fn accepted(value: &Expression, conversion: &TokenStream, crate_path: &TokenStream) -> TokenStream {
    let path = quote!(#crate_path::__private);
    let converted = in_place_of(value, crate_path, &quote!(#path::convert::#conversion));
    in_place_of(value, crate_path, &quote!(#path::accepted(&#converted)))
}

/// Returns `code` in which the variable `number` has the value, or one error if that is not a number.
///
/// The variable has the type of the value, by a way that the compiler does not follow for other types. It would report each
/// cast of them otherwise.
pub(crate) fn of_number(
    value: &Expression,
    number: &Ident,
    code_of_it: &TokenStream,
    crate_path: &TokenStream,
) -> TokenStream {
    let code = parenthesized(code(value, crate_path));
    let checked = quote_spanned!(span(value)=> number(#number, #number));
    let checked = in_place_of(value, crate_path, &quote!(#crate_path::__private::convert::#checked));
    parenthesized(quote_spanned! {span(value)=>
        match #code { #number => match #checked { #number => #code_of_it } }
    })
}

fn parenthesized(tokens: TokenStream) -> TokenStream {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(Span::mixed_site());
    TokenTree::from(group).into()
}

/// Replaces braces at the beginning by parentheses, because the compiler would read them as a statement.
fn not_a_statement(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter();
    match tokens.next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            parenthesized(group.stream()).into_iter().chain(tokens).collect()
        }
        first => first.into_iter().chain(tokens).collect(),
    }
}

/// Replaces groups without delimiters by parentheses.
///
/// A `macro_rules!` of the user puts such groups around fragments, and the compiler drops them from the output of a
/// procedural macro.
fn in_parentheses(tokens: TokenStream) -> TokenStream {
    let mut replaced = TokenStream::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            replaced.append(token);
            continue;
        };
        let content = in_parentheses(group.stream());
        if group.delimiter() != Delimiter::None {
            let mut kept = Group::new(group.delimiter(), content);
            kept.set_span(group.span());
            replaced.append(kept);
        } else if content.clone().into_iter().nth(1).is_none() {
            replaced.extend(content);
        } else {
            replaced.extend(parenthesized(content));
        }
    }
    replaced
}
