//! `rotary_table!`: a rotary cache as one or two tables of [`sinusoidal_table!`](crate::expand).

use posenc_runtime::{Packing, Repeat, Rope, RopePreset, keys};
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Expr, parse_quote};

use crate::arguments::{Arguments, Value, for_each_option};
use crate::choice::{choice, preset};
use crate::diagnostic::{Diagnostic, Diagnostics, shown};
use crate::named_expression::code;
use crate::names::{BASE_OF_CONFIGS, ROTARY_NAMES, check_key};
use crate::number::{Given, exact, size, unless_named};
use crate::parameters::is_word;
use crate::reader::one;
use crate::spans::{in_place_of, span};

/// What is made of the table of a call, or of the cosines and the sines.
pub(crate) enum Parts<T> {
    One(T),
    Two([T; 2]),
}

/// Calls `table` with the arguments of each table of a rotary cache.
pub(crate) fn parts<T>(
    arguments: Arguments,
    crate_path: &TokenStream,
    mut table: impl FnMut(&Arguments) -> T,
) -> Result<Parts<T>, Diagnostics> {
    let (mut arguments, packing) = lowered(arguments, crate_path)?;
    let first = table(&arguments);
    if packing.is_some() {
        return Ok(Parts::One(first));
    }
    let columns = &mut arguments.options[0];
    *columns = option("columns", "sin", columns.0.span());
    Ok(Parts::Two([first, table(&arguments)]))
}

/// Lowers the keys of a rotary cache to those of its table, or without a packing to those of the cosines.
///
/// The columns are the first option.
fn lowered(
    Arguments { seq_len, d_model: head_dim, options }: Arguments,
    crate_path: &TokenStream,
) -> Result<(Arguments, Option<Packing>), Diagnostics> {
    let options: Vec<_> = options.into_iter().map(|(key, value)| (by_its_name_here(key), value)).collect();
    let mut diagnostics = Vec::new();
    for_each_option(&options, &mut diagnostics, |key, _| check_key(&ROTARY_NAMES, key));
    let find = |name| options.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let preset = keep(find("preset").map(preset::<RopePreset>), &mut diagnostics);
    let repeat = keep(find("repeat").map(choice::<Repeat>), &mut diagnostics).unwrap_or_default();
    let packing = keep(find("packing").map(choice::<Packing>), &mut diagnostics);
    let width = width(&head_dim, preset, find("rotary_dim"), find("partial_rotary_factor"), crate_path);
    let width = keep(Some(width), &mut diagnostics);
    if let (Some(file), None) = (find("file"), find("packing")) {
        let sentence = "`file` names the file of one table; add `packing`, and write two calls for two tables";
        diagnostics.push(Diagnostic::at(file, sentence));
    }
    let (Some(width), true) = (width, diagnostics.is_empty()) else { return Err(diagnostics) };

    let mut common = preset.zip(find("preset")).map_or_else(Vec::new, |(preset, at)| inherited(preset, at, &options));
    common.push(option("amplitude", "attention_factor", span(&head_dim)));
    for (key, value) in options {
        match key.to_string().as_str() {
            "preset" | "rotary_dim" | "partial_rotary_factor" | "packing" => {}
            "attention_factor" if is_word(&value) => {
                let written = shown(&value);
                let sentence = format!("`attention_factor` is `{written}`, but must be a number");
                return Err(vec![Diagnostic::at(value, sentence)]);
            }
            "attention_factor" => {
                common.retain(|(key, _)| key != "amplitude");
                common.push((key, value));
            }
            _ => common.push((key, value)),
        }
    }
    let (keys, columns): (&[(&str, &str)], _) = match packing {
        None | Some(Packing::Cos) => (&[("columns", "cos")], Columns::One),
        Some(Packing::Sin) => (&[("columns", "sin")], Columns::One),
        Some(Packing::CosSin) => (&[("layout", "halves"), ("order", "cos_sin")], Columns::Both),
        Some(Packing::SinCos) => (&[("layout", "halves")], Columns::Both),
        Some(Packing::Complex) => (&[("order", "cos_sin")], Columns::Both),
    };
    let own = keys.iter().map(|(key, value)| option(key, value, span(&head_dim)));
    let options = own.chain(common).collect();
    let d_model = width.of_table(columns, repeat != Repeat::None, &head_dim);
    Ok((Arguments { seq_len, d_model, options }, packing))
}

/// Returns the code of both tables.
pub(crate) fn pair(cos: &TokenStream, sin: &TokenStream, crate_path: &TokenStream) -> TokenStream {
    quote!(#crate_path::CosSin { cos: { #cos }, sin: { #sin } })
}

/// Returns the type of two tables of a type.
pub(crate) fn pair_type(array: &TokenStream, crate_path: &TokenStream) -> TokenStream {
    quote!(#crate_path::CosSin<#array>)
}

/// Replaces the name of the base in the configurations of models.
fn by_its_name_here(key: Ident) -> Ident {
    if key == BASE_OF_CONFIGS { Ident::new("base", key.span()) } else { key }
}

fn keep<T>(result: Option<Result<T, Diagnostic>>, diagnostics: &mut Diagnostics) -> Option<T> {
    result.transpose().unwrap_or_else(|diagnostic| {
        diagnostics.push(diagnostic);
        None
    })
}

/// The columns of a table.
#[derive(Clone, Copy, PartialEq)]
enum Columns {
    One,
    Both,
}

/// The number of columns that are rotated.
enum Width {
    Known(usize),
    Named(TokenStream),
}

impl Width {
    /// Returns the width of a table.
    fn of_table(&self, columns: Columns, repeated: bool, head_dim: &Expr) -> Expr {
        match (self, columns == Columns::Both, repeated) {
            (Self::Known(width), both, _) => {
                let width = if both { *width } else { width / 2 };
                let mut literal = Literal::usize_unsuffixed(if repeated { width.saturating_mul(2) } else { width });
                literal.set_span(span(head_dim));
                parse_quote!(#literal)
            }
            (Self::Named(width), true, false) | (Self::Named(width), false, true) => Expr::Verbatim(width.clone()),
            (Self::Named(width), true, true) => Expr::Verbatim(quote!(2 * (#width))),
            (Self::Named(width), false, false) => Expr::Verbatim(quote!((#width) / 2)),
        }
    }
}

/// Returns the number of columns that are rotated: given, as a share, as in the preset, or all.
fn width(
    head_dim: &Expr,
    preset: Option<RopePreset>,
    rotary_dim: Option<&Value>,
    share: Option<&Value>,
    crate_path: &TokenStream,
) -> Result<Width, Diagnostic> {
    let named = |rotary_dim: &Expr| {
        let private = quote!(#crate_path::__private);
        let sizes = [head_dim, rotary_dim].map(|size| code(size, crate_path));
        let code = quote!(#private::accepted(&#private::convert::rotary_dim(#(#sizes),*)));
        Width::Named(in_place_of(rotary_dim, crate_path, &code))
    };
    let known = unless_named(head_dim, |value| size("head_dim", value))?.known();
    let of_preset = preset.map(Rope::preset).filter(|rope| 2 * rope.pairs() != rope.head_dim());
    let rope = match (rotary_dim, share, known) {
        (Some(rotary_dim), Some(_), _) => {
            return Err(Diagnostic::at(
                rotary_dim,
                "`rotary_dim` and `partial_rotary_factor` are two names of one thing; remove one",
            ));
        }
        (Some(rotary_dim), None, _) => {
            let value = one("rotary_dim", rotary_dim)?;
            match (unless_named(value, |value| size("rotary_dim", value))?, known) {
                (Given::Known(rotary_dim), Some(head_dim)) => Rope::new(head_dim).rotary_dim(rotary_dim),
                _ => return Ok(named(value)),
            }
        }
        (None, Some(share), Some(known)) => {
            match unless_named(one("partial_rotary_factor", share)?, |value| exact("partial_rotary_factor", value))? {
                Given::Known(share) => Rope::new(known).partial_rotary_factor(share),
                Given::Named => return Err(Diagnostic::at(share, NEEDS_LITERALS)),
            }
        }
        (None, Some(share), None) => return Err(Diagnostic::at(share, NEEDS_LITERALS)),
        (None, None, Some(head_dim)) => of_preset.unwrap_or(Rope::new(head_dim)).with_head_dim(head_dim),
        (None, None, None) if of_preset.is_some() => return Err(Diagnostic::at(head_dim, NEEDS_LITERALS)),
        (None, None, None) => return Ok(named(head_dim)),
    };
    match rope.packed(Packing::CosSin) {
        Ok(spec) => Ok(Width::Known(spec.d_model())),
        Err(error) => {
            let given = rotary_dim.or(share).map(ToTokens::to_token_stream);
            Err(Diagnostic::at(given.unwrap_or_else(|| head_dim.to_token_stream()), error))
        }
    }
}

const NEEDS_LITERALS: &str =
    "a share of a head needs literals for `head_dim` and `partial_rotary_factor`; write `rotary_dim` instead";

/// Returns the options of a preset that no other option overrides.
fn inherited(preset: RopePreset, at: &Value, options: &[(Ident, Value)]) -> Vec<(Ident, Value)> {
    let Ok(spec) = Rope::preset(preset).packed(Packing::Complex) else { return Vec::new() };
    let has = |name: &str| options.iter().any(|(key, _)| key == name);
    keys(&spec)
        .filter(|(key, _)| !matches!(*key, "order" | "amplitude") && !has(key) && !has("frequencies"))
        .map(|(key, value)| option(key, &value.to_string(), span(at)))
        .collect()
}

/// Returns an option, with the span of what it follows from.
fn option(key: &str, value: &str, span: Span) -> (Ident, Value) {
    let value: TokenStream = value.parse().expect("what a spec shows are tokens");
    let value: Vec<_> = value.into_iter().map(|token| in_place(token, span)).collect();
    let key = Ident::new(key, span);
    let Ok(value) = Value::of_key(&key, &value, "") else { unreachable!("what a spec shows is a value") };
    (key, value)
}

fn in_place(token: TokenTree, span: Span) -> TokenTree {
    let mut token = match token {
        TokenTree::Group(group) => {
            let inner = group.stream().into_iter().map(|token| in_place(token, span)).collect();
            TokenTree::Group(Group::new(group.delimiter(), inner))
        }
        token => token,
    };
    token.set_span(span);
    token
}
