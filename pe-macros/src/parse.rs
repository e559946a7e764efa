//! Reads the macro's input into arguments and options, judging only its grammar.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Token, parenthesized};

use crate::complaint::{Complaint, Complaints};

/// What the facade's `macro_rules!` hands over: the byte order of the target, the path of the facade, the user's tokens.
pub(crate) struct Call {
    pub(crate) big_endian: bool,
    pub(crate) crate_path: TokenStream,
    pub(crate) input: TokenStream,
}

impl Parse for Call {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let byte_order: Ident = input.parse()?;
        let path;
        parenthesized!(path in input);
        Ok(Self { big_endian: byte_order == "big", crate_path: path.parse()?, input: input.parse()? })
    }
}

/// `seq_len, d_model, key = value, ...`
pub(crate) struct Arguments {
    pub(crate) seq_len: Expr,
    pub(crate) d_model: Expr,
    pub(crate) options: Vec<(Ident, Expr)>,
}

const FORM: &str = "write `sinusoidal_table!(seq_len, d_model)`, then options as `key = value`";

/// Splits the input at its commas.
pub(crate) fn arguments(input: TokenStream) -> Result<Arguments, Complaints> {
    let end = input.clone().into_iter().last();
    let Items { places, options } = syn::parse2(input).map_err(|error| vec![error.into()])?;
    let given = places.len();
    let mut places = places.into_iter();
    let (Some(seq_len), Some(d_model)) = (places.next(), places.next()) else {
        let missing = if given == 0 { "`seq_len` and `d_model` are" } else { "`d_model` is" };
        return Err(vec![Complaint::at(end, format!("{missing} missing; {FORM}"))]);
    };
    let extra: Complaints =
        places.map(|extra| Complaint::at(extra, format!("an argument too many after `d_model`; {FORM}"))).collect();
    if extra.is_empty() { Ok(Arguments { seq_len, d_model, options }) } else { Err(extra) }
}

/// The input as it stands: values, and values with a key.
#[derive(Default)]
struct Items {
    places: Vec<Expr>,
    options: Vec<(Ident, Expr)>,
}

impl Parse for Items {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut items = Self::default();
        while !input.is_empty() {
            if input.peek(Ident::peek_any) && input.peek2(Token![=]) && !input.peek2(Token![==]) {
                let key = input.call(Ident::parse_any)?;
                let equals: Token![=] = input.parse()?;
                if input.is_empty() {
                    return Err(syn::Error::new(equals.span, format!("`{key}` has no value; write `{key} = value`")));
                }
                items.options.push((key, value(input)?));
            } else {
                items.places.push(value(input)?);
            }
            if !input.is_empty() {
                input
                    .parse::<Token![,]>()
                    .map_err(|error| syn::Error::new(error.span(), format!("expected `,`; {FORM}")))?;
            }
        }
        Ok(items)
    }
}

fn value(input: ParseStream) -> syn::Result<Expr> {
    if input.peek(Token![,]) {
        return Err(input.error(format!("expected a value; {FORM}")));
    }
    input.parse()
}
