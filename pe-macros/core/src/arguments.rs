//! Parses the macro's input into arguments and options, checking only the grammar.

use posenc_runtime::reflection::TableKind;
use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parenthesized;
use syn::parse::{Parse, ParseStream};

use crate::config;
use crate::diagnostic::{Diagnostic, Diagnostics, shown};
use crate::expression::Expression;
use crate::kind::Macro;
use crate::names::check_key;
use crate::single_value::single_value;
use crate::tokens::is_punct;

/// The input from the facade's `macro_rules!`.
///
/// It consists of the byte order of the target, the path of the facade, and the user's tokens.
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
    pub(crate) seq_len: Expression,
    /// The width of a table, or of a head for `rotary_table!`.
    pub(crate) d_model: Expression,
    pub(crate) options: Vec<(Ident, Value)>,
}

impl Arguments {
    /// Returns the value of a key, if it is given.
    pub(crate) fn find(&self, key: &str) -> Option<&Value> {
        self.options.iter().find(|(given, _)| given == key).map(|(_, value)| value)
    }

    /// Returns the call with these arguments as it is written, without those that do not determine the table.
    pub(crate) fn call(&self, table: TableKind) -> String {
        let (name, Self { seq_len, d_model, options }) = (Macro::of(table).name, self);
        let mut call = format!("{name}!({}, {}", seq_len.to_token_stream(), d_model.to_token_stream());
        for (key, value) in options.iter().filter(|(key, _)| key != "file" && key != "max_bytes") {
            call.extend([", ", &key.to_string(), " = ", &value.to_token_stream().to_string()]);
        }
        call + ")"
    }
}

/// Reads each option, unless its key is there twice.
pub(crate) fn for_each_option(
    options: &[(Ident, Value)],
    diagnostics: &mut Diagnostics,
    mut read: impl FnMut(&Ident, &Value) -> Result<(), Diagnostic>,
) {
    for (i, (key, value)) in options.iter().enumerate() {
        let is_duplicate = options[..i].iter().any(|(earlier, _)| earlier == key);
        let duplicate = || Err(Diagnostic::at(key, format!("duplicate key `{key}`")));
        diagnostics.extend(if is_duplicate { duplicate() } else { read(key, value) }.err());
    }
}

/// The value of an option.
pub(crate) enum Value {
    One(Expression),
    /// `[value, ...]`
    List {
        brackets: TokenTree,
        values: Vec<Expression>,
    },
    /// `(value, ...)`, of keys whose values are lists or rules.
    Tuple {
        parentheses: TokenTree,
        values: Vec<Value>,
    },
    /// `name` or `name(value, ..., key = value, ...)`, of the key `scaling`.
    Rule {
        tokens: TokenStream,
        name: Ident,
        arguments: Vec<(Option<Ident>, Value)>,
    },
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::One(value) => value.to_tokens(tokens),
            Self::List { brackets, .. } => brackets.to_tokens(tokens),
            Self::Tuple { parentheses, .. } => parentheses.to_tokens(tokens),
            Self::Rule { tokens: rule, .. } => rule.to_tokens(tokens),
        }
    }
}

/// The longest supported list: the frequencies of 131,072 columns.
///
/// It takes two seconds. A million values took 22 seconds and 1.5 GB.
const MAX_LIST_LENGTH: usize = 1 << 16;

/// Parses the input argument by argument.
pub(crate) fn arguments(input: TokenStream, table: TableKind) -> Result<Arguments, Diagnostics> {
    let Macro { sizes: [seq_len, d_model], write, .. } = Macro::of(table);
    let (mut sizes, mut options, mut diagnostics) = (Vec::new(), Vec::new(), Vec::new());
    for argument in between_commas(input, write) {
        match argument.and_then(|tokens| Argument::read(&tokens, table)) {
            Ok(Argument::Option(key, _)) if key == seq_len || key == d_model => {
                diagnostics.push(Diagnostic::at(&key, format!("`{key}` is a positional argument, not a key; {write}")));
            }
            Ok(Argument::Option(key, value)) => options.push((by_its_name_here(table, key), value)),
            Ok(Argument::Value(value)) if sizes.len() < 2 && options.is_empty() => sizes.push(value),
            Ok(Argument::Value(value)) => {
                let problem = if sizes.len() < 2 {
                    "positional arguments must come before options"
                } else {
                    "too many positional arguments"
                };
                diagnostics.push(Diagnostic::at(value, format!("{problem}; {write}")));
            }
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let both = format!("`{seq_len}` and `{d_model}` are");
    let missing = if sizes.is_empty() { both } else { format!("`{d_model}` is") };
    let missing = Diagnostic::at(sizes.last(), format!("{missing} missing; {write}"));
    let mut sizes = sizes.into_iter();
    match (sizes.next(), sizes.next()) {
        (Some(seq_len), Some(d_model)) => Ok(Arguments { seq_len, d_model, options }),
        _ => Err(vec![missing]),
    }
}

/// Replaces the name of a key in the configurations of models.
fn by_its_name_here(table: TableKind, key: Ident) -> Ident {
    let here = Macro::of(table).synonyms.iter().find(|(name, _)| key == name);
    here.map(|(_, here)| Ident::new(here, key.span())).unwrap_or(key)
}

/// Splits the input at its commas. A trailing comma is allowed.
fn between_commas(input: TokenStream, write: &str) -> Vec<Result<Vec<TokenTree>, Diagnostic>> {
    let (mut parts, mut part) = (Vec::new(), Vec::new());
    for token in input {
        match token {
            comma if is_punct(&comma, ',') => parts.push(if part.is_empty() {
                Err(Diagnostic::at(comma, format!("expected a value before this comma; {write}")))
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

/// Counts the values between commas. A trailing comma is allowed.
fn length_of_list(input: TokenStream) -> usize {
    let (mut values, mut after_comma) = (0, true);
    for token in input {
        values += usize::from(after_comma);
        after_comma = is_punct(&token, ',');
    }
    values
}

enum Argument {
    Value(Expression),
    Option(Ident, Value),
}

impl Argument {
    fn read(tokens: &[TokenTree], table: TableKind) -> Result<Self, Diagnostic> {
        let write = Macro::of(table).write;
        match tokens {
            [TokenTree::Ident(key), TokenTree::Punct(equals), value @ ..] if equals.as_char() == '=' => {
                if value.is_empty() {
                    return Err(Diagnostic::at(equals, format!("expected a value after `{key} =`")));
                }
                let key = key.unraw();
                if let Some(error) = config::translated(table, &key, value) {
                    return Err(error);
                }
                // The value of an unknown key may have a grammar of its own.
                match Value::of_key(&key, value, write) {
                    Ok(value) => Ok(Self::Option(key, value)),
                    Err(error) => Err(check_key(table, &key).err().unwrap_or(error)),
                }
            }
            [TokenTree::Ident(key), TokenTree::Punct(colon), ..]
                if colon.as_char() == ':' && colon.spacing() == Spacing::Alone =>
            {
                Err(Diagnostic::at(colon, format!("expected `=` after `{key}`, found `:`")))
            }
            value => single_value(value, write).map(Self::Value),
        }
    }
}

impl Value {
    /// Parses the value of a key.
    pub(crate) fn of_key(key: &Ident, tokens: &[TokenTree], write: &str) -> Result<Self, Diagnostic> {
        match tokens {
            [parentheses @ TokenTree::Group(group)]
                if (key == "frequencies" || key == "positions" || key == "scaling")
                    && group.delimiter() == Delimiter::Parenthesis
                    && group.stream().into_iter().any(|token| is_punct(&token, ',')) =>
            {
                let values = between_commas(group.stream(), write);
                let read = if key == "scaling" { Self::read_rule } else { Self::read };
                let values = values.into_iter().map(|value| read(&value?, write)).collect::<Result<_, _>>()?;
                Ok(Self::Tuple { parentheses: parentheses.clone(), values })
            }
            _ if key == "scaling" => Self::read_rule(tokens, write),
            _ => Self::read(tokens, write),
        }
    }

    fn read(tokens: &[TokenTree], write: &str) -> Result<Self, Diagnostic> {
        match tokens {
            // A `macro_rules!` of the user passes `$n:expr` on like this.
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
                Self::read(&group.stream().into_iter().collect::<Vec<_>>(), write)
            }
            [brackets @ TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
                let length = length_of_list(group.stream());
                if length > MAX_LIST_LENGTH {
                    let sentence = format!(
                        "the length of the list is {length}, but must be at most {MAX_LIST_LENGTH}; put the values in a constant and \
                         write its name"
                    );
                    return Err(Diagnostic::at(brackets, sentence));
                }
                let values = between_commas(group.stream(), write)
                    .into_iter()
                    .map(|value| single_value(&value?, write))
                    .collect::<Result<_, _>>()?;
                Ok(Self::List { brackets: brackets.clone(), values })
            }
            value => single_value(value, write).map(Self::One),
        }
    }
}

impl Value {
    fn read_rule(tokens: &[TokenTree], write: &str) -> Result<Self, Diagnostic> {
        let (name, arguments) = match tokens {
            // A `macro_rules!` of the user passes `$rule:expr` on like this, and `$name:path` before the arguments.
            [TokenTree::Group(path), rest @ ..] if path.delimiter() == Delimiter::None => {
                let tokens: Vec<_> = path.stream().into_iter().chain(rest.iter().cloned()).collect();
                return Self::read_rule(&tokens, write);
            }
            [TokenTree::Ident(name)] => (name, TokenStream::new()),
            [TokenTree::Ident(name), TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
                (name, group.stream())
            }
            _ => {
                let tokens: TokenStream = tokens.iter().cloned().collect();
                let written = shown(tokens.clone());
                let sentence =
                    format!("`scaling` is `{written}`, but must be a rule with its arguments, such as `linear(8)`");
                return Err(Diagnostic::at(tokens, sentence));
            }
        };
        let read = |tokens: Result<Vec<TokenTree>, Diagnostic>| match tokens?.as_slice() {
            [TokenTree::Ident(key), TokenTree::Punct(equals), value @ ..] if equals.as_char() == '=' => {
                if value.is_empty() {
                    return Err(Diagnostic::at(equals, format!("expected a value after `{key} =`")));
                }
                Ok((Some(key.unraw()), Self::read(value, write)?))
            }
            value => Ok((None, Self::read(value, write)?)),
        };
        let arguments = between_commas(arguments, write).into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(Self::Rule { tokens: tokens.iter().cloned().collect(), name: name.unraw(), arguments })
    }
}
