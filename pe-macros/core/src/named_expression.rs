//! Expressions that contain names, as code for the compiler.
//!
//! They have the same meaning as expressions of literals, which the macro evaluates itself.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote, quote_spanned};
use syn::{BinOp, Expr, ExprBinary, ExprCast, ExprUnary};

use crate::diagnostic::shown;
use crate::spans::{in_place_of, span};

/// Returns the expression with its precedences kept, and with a check of each division.
pub(crate) fn code(expr: &Expr, crate_path: &TokenStream) -> TokenStream {
    let again = |expr: &Expr| code(expr, crate_path);
    match expr {
        Expr::Group(inner) => parenthesized(again(&inner.expr)),
        Expr::Paren(inner) => parenthesized(again(&inner.expr)),
        Expr::Unary(ExprUnary { op, expr, .. }) => {
            let operand = again(expr);
            quote!(#op #operand)
        }
        Expr::Cast(ExprCast { expr, as_token, ty, .. }) => {
            let (operand, ty) = (again(expr), in_parentheses(ty.to_token_stream()));
            quote!(#operand #as_token #ty)
        }
        Expr::Binary(ExprBinary { left, op: op @ BinOp::Div(_), right, .. }) => {
            let (left, right, written) = (again(left), again(right), shown(expr));
            let path = quote!(#crate_path::__private);
            let checked = quote_spanned! {span(expr)=>
                divided(posenc_a #op posenc_b, #written, posenc_a as #path::core::primitive::i128, posenc_b as #path::core::primitive::i128)
            };
            let accepted = accepted(expr, &checked, crate_path);
            // Each side is used once. If it were used twice, the code would double with each division of a chain.
            parenthesized(quote_spanned!(span(expr)=> match (#left, #right) { (posenc_a, posenc_b) => #accepted }))
        }
        Expr::Binary(ExprBinary { left, op, right, .. }) => {
            let (left, right) = (again(left), again(right));
            quote!(#left #op #right)
        }
        other => in_parentheses(other.to_token_stream()),
    }
}

/// Returns code for the result of a conversion of the runtime crate, with its error at the span of the value.
pub(crate) fn accepted(value: &Expr, conversion: &TokenStream, crate_path: &TokenStream) -> TokenStream {
    let path = quote!(#crate_path::__private);
    let converted = in_place_of(value, crate_path, &quote!(#path::convert::#conversion));
    in_place_of(value, crate_path, &quote!(#path::accepted(&#converted)))
}

/// Returns `code` in which the variable `number` has the value, or one error if that is not a number.
///
/// The variable has the type of the value, by a way that the compiler does not follow for other types. It would report each
/// cast of them otherwise.
pub(crate) fn of_number(
    value: &Expr,
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
