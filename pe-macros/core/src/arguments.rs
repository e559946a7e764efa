//! Reads the macro's input into arguments and options, judging only its grammar.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, parenthesized};

use crate::diagnostic::{Diagnostic, Diagnostics};

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
    pub(crate) options: Vec<(Ident, Value)>,
}

/// The value of an option.
pub(crate) enum Value {
    One(Expr),
    /// `[value, ...]`
    List {
        brackets: TokenTree,
        values: Vec<Expr>,
    },
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::One(value) => value.to_tokens(tokens),
            Self::List { brackets, .. } => brackets.to_tokens(tokens),
        }
    }
}

const FORM: &str = "write `sinusoidal_table!(seq_len, d_model)`, then options as `key = value`";

/// The longest value that is read, in characters: far more than a number takes, far less than nests too deep for the stack.
const MAX_VALUE_LENGTH: usize = 1000;

/// The longest list that is read: of frequencies for up to 131072 columns. It takes two seconds; a million took 22, and 1.5 GB.
const MAX_LIST_LENGTH: usize = 1 << 16;

/// Reads the input argument by argument.
pub(crate) fn arguments(input: TokenStream) -> Result<Arguments, Diagnostics> {
    let (mut sizes, mut options, mut diagnostics) = (Vec::new(), Vec::new(), Vec::new());
    for argument in between_commas(input) {
        match argument.and_then(|tokens| Argument::read(&tokens)) {
            Ok(Argument::Option(key, _)) if key == "seq_len" || key == "d_model" => {
                diagnostics.push(Diagnostic::at(&key, format!("`{key}` is given by its place, without a key; {FORM}")));
            }
            Ok(Argument::Option(key, value)) => options.push((key, value)),
            Ok(Argument::Value(value)) if sizes.len() < 2 && options.is_empty() => sizes.push(value),
            Ok(Argument::Value(value)) => {
                diagnostics.push(Diagnostic::at(value, format!("one value too many; {FORM}")));
            }
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let missing = if sizes.is_empty() { "`seq_len` and `d_model` are" } else { "`d_model` is" };
    let missing = Diagnostic::at(sizes.last(), format!("{missing} missing; {FORM}"));
    let mut sizes = sizes.into_iter();
    match (sizes.next(), sizes.next()) {
        (Some(seq_len), Some(d_model)) => Ok(Arguments { seq_len, d_model, options }),
        _ => Err(vec![missing]),
    }
}

/// The input split at its commas; one after the last part is allowed.
fn between_commas(input: TokenStream) -> Vec<Result<Vec<TokenTree>, Diagnostic>> {
    let (mut parts, mut part) = (Vec::new(), Vec::new());
    for token in input {
        match token {
            comma if is_comma(&comma) => parts.push(if part.is_empty() {
                Err(Diagnostic::at(comma, format!("a comma without a value before it; {FORM}")))
            } else {
                Ok(std::mem::take(&mut part))
            }),
            token => part.push(token),
        }
    }
    if !part.is_empty() {
        parts.push(Ok(part));
    }
    parts
}

/// The number of values between commas; one after the last value is allowed.
fn length_of_list(input: TokenStream) -> usize {
    let (mut values, mut after_comma) = (0, true);
    for token in input {
        values += usize::from(after_comma);
        after_comma = is_comma(&token);
    }
    values
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')
}

enum Argument {
    Value(Expr),
    Option(Ident, Value),
}

impl Argument {
    fn read(tokens: &[TokenTree]) -> Result<Self, Diagnostic> {
        match tokens {
            [TokenTree::Ident(key), TokenTree::Punct(equals), value @ ..] if equals.as_char() == '=' => {
                if value.is_empty() {
                    return Err(Diagnostic::at(equals, format!("`{key}` has no value; write `{key} = value`")));
                }
                Ok(Self::Option(key.unraw(), Value::read(value)?))
            }
            [TokenTree::Ident(key), TokenTree::Punct(colon), ..]
                if colon.as_char() == ':' && colon.spacing() == Spacing::Alone =>
            {
                Err(Diagnostic::at(colon, format!("a colon after `{key}`; write `{key} = value`")))
            }
            value => expression(value).map(Self::Value),
        }
    }
}

impl Value {
    fn read(tokens: &[TokenTree]) -> Result<Self, Diagnostic> {
        match tokens {
            // What a `macro_rules!` of the user passes on as one expression.
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
                Self::read(&group.stream().into_iter().collect::<Vec<_>>())
            }
            [brackets @ TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
                if length_of_list(group.stream()) > MAX_LIST_LENGTH {
                    let sentence = format!(
                        "a list of more than {MAX_LIST_LENGTH} values, the most that are read; give the name of a constant that holds them"
                    );
                    return Err(Diagnostic::at(brackets, sentence));
                }
                let values = between_commas(group.stream())
                    .into_iter()
                    .map(|value| expression(&value?))
                    .collect::<Result<_, _>>()?;
                Ok(Self::List { brackets: brackets.clone(), values })
            }
            value => expression(value).map(Self::One),
        }
    }
}

/// One expression. What syn says of others is about Rust, not about this macro.
fn expression(tokens: &[TokenTree]) -> Result<Expr, Diagnostic> {
    let tokens: TokenStream = tokens.iter().cloned().collect();
    let length = tokens.to_string().len();
    if length > MAX_VALUE_LENGTH {
        let sentence =
            format!("a value of {length} characters, but at most {MAX_VALUE_LENGTH} are read; write its result");
        return Err(Diagnostic::at(tokens, sentence));
    }
    syn::parse2(tokens.clone())
        .map_err(|_| Diagnostic::at(&tokens, format!("`{}` is not a value; {FORM}", tokens.to_token_stream())))
}
