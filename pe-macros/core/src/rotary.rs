//! `rotary_table!`: a rotary cache as one or two tables.

use posenc_runtime::{Columns, Packing, Repeat, Rope, RopePreset};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::arguments::{Arguments, Value};
use crate::choice::{choice, preset};
use crate::diagnostic::Diagnostic;
use crate::expression::Expression;
use crate::named_expression::code;
use crate::number::{Given, exact, size, unless_named};
use crate::read::{Lists, Read, keep};
use crate::reader::one;
use crate::request::{Output, Refusal, Request, first_rows, request};
use crate::sinusoidal::size_tokens;
use crate::spans::{in_place_of, span};
use crate::table::Table;

/// Checks all arguments, so that two errors are reported together.
pub(crate) fn tables<'a>(
    arguments: &Arguments,
    crate_path: &TokenStream,
    lists: &'a mut Lists,
) -> Result<Vec<Request<'a>>, Refusal> {
    let mut diagnostics = Vec::new();
    let seq_len = keep(unless_named(&arguments.seq_len, |value| size("seq_len", value)), &mut diagnostics);
    let preset: Option<RopePreset> = arguments.find("preset").and_then(|value| keep(preset(value), &mut diagnostics));
    let width = keep(width(arguments, preset, crate_path), &mut diagnostics);
    let (head_dim, head_code) = match unless_named(&arguments.d_model, |value| size("head_dim", value)) {
        Ok(Given::Known(head_dim)) => (head_dim, quote!(#head_dim)),
        _ => (2, code(&arguments.d_model, crate_path)),
    };
    let (rope, calls) = begun(preset, arguments, (head_dim, &head_code), width.as_ref(), crate_path);
    let mut read = Read::new(&Table::Rope(rope), calls, crate_path);
    read.options(arguments, lists, &mut diagnostics);
    // Unknown names have been reported.
    let chosen = arguments.find("packing").and_then(|value| choice::<Packing>(value).ok());
    let is_repeated = arguments.find("repeat").and_then(|value| choice::<Repeat>(value).ok()).unwrap_or_default();
    diagnostics.extend(one_file(arguments));

    let Table::Rope(rope) = read.table else { unreachable!("it was one") };
    let known_seq_len = seq_len.and_then(Given::known);
    let rows = size_tokens("seq_len", known_seq_len, &arguments.seq_len, crate_path);
    let output = |packing: Packing| {
        let (variant, calls) = (format_ident!("{packing:?}"), &read.calls);
        let columns =
            width.as_ref().map(|width| width.of_table(packing, is_repeated != Repeat::None, &arguments.d_model));
        let spec = match width {
            Some(Width::Known(_)) => rope.packed(packing).ok(),
            _ => None,
        };
        Output {
            sizes: seq_len.and(columns).map(|columns| [rows.clone(), columns]),
            baked: spec.and_then(|spec| first_rows(spec, known_seq_len)),
            spec: quote!(#crate_path::__private::spec_of_rope(&#calls, #crate_path::Packing::#variant)),
        }
    };
    let outputs = packings(chosen).into_iter().map(output).collect();
    request(read, arguments, outputs, diagnostics)
}

/// Returns the packing that is given, or the packings of two tables.
pub(crate) fn packings(chosen: Option<Packing>) -> Vec<Packing> {
    chosen.map_or_else(|| vec![Packing::Cos, Packing::Sin], |packing| vec![packing])
}

/// Returns the error of a file without the table that is in it.
pub(crate) fn one_file(arguments: &Arguments) -> Option<Diagnostic> {
    let (Some(file), None) = (arguments.find("file"), arguments.find("packing")) else { return None };
    let sentence = "`file` names the file of one table; add `packing`, and write two calls for two tables";
    Some(Diagnostic::at(file, sentence))
}

/// Returns the code of both tables.
pub(crate) fn pair(cos: &TokenStream, sin: &TokenStream, crate_path: &TokenStream) -> TokenStream {
    quote!(#crate_path::CosSin { cos: { #cos }, sin: { #sin } })
}

/// Returns the type of two tables of a type.
pub(crate) fn pair_type(array: &TokenStream, crate_path: &TokenStream) -> TokenStream {
    quote!(#crate_path::CosSin<#array>)
}

/// Returns the cache of the preset for a head, and the code for it.
fn begun(
    preset: Option<RopePreset>,
    arguments: &Arguments,
    (head_dim, head_code): (usize, &TokenStream),
    width: Option<&Width>,
    crate_path: &TokenStream,
) -> (Rope<'static>, TokenStream) {
    let (new, calls) = (Rope::new(head_dim), quote!(#crate_path::Rope::new(#head_code)));
    match (preset, arguments.find("frequencies"), width) {
        (Some(preset), None, _) => {
            let variant = format_ident!("{preset:?}");
            let calls = quote!(#crate_path::Rope::preset(#crate_path::RopePreset::#variant).with_head_dim(#head_code));
            (Rope::preset(preset).with_head_dim(head_dim), calls)
        }
        // A list of frequencies replaces the frequencies of the preset and their rule, not its width.
        (Some(_), Some(_), Some(Width::Known(width))) => (new.rotary_dim(*width), quote!(#calls.rotary_dim(#width))),
        _ => (new, calls),
    }
}

/// The number of columns that are rotated.
enum Width {
    Known(usize),
    Named(TokenStream),
}

impl Width {
    /// Returns the width of a table as it is written in a type.
    fn of_table(&self, packing: Packing, repeated: bool, head_dim: &Expression) -> TokenStream {
        let both = !matches!(packing, Packing::Cos | Packing::Sin);
        match (self, both, repeated) {
            (Self::Known(width), both, _) => {
                let width = if both { *width } else { width / 2 };
                let mut literal = Literal::usize_unsuffixed(if repeated { width.saturating_mul(2) } else { width });
                literal.set_span(span(head_dim));
                literal.into_token_stream()
            }
            (Self::Named(width), true, false) | (Self::Named(width), false, true) => width.clone(),
            (Self::Named(width), true, true) => quote!(2 * (#width)),
            (Self::Named(width), false, false) => quote!((#width) / 2),
        }
    }
}

/// Returns the number of columns that are rotated: given, as a share, as in the preset, or all.
fn width(arguments: &Arguments, preset: Option<RopePreset>, crate_path: &TokenStream) -> Result<Width, Diagnostic> {
    let Arguments { d_model: head_dim, .. } = arguments;
    let (rotary_dim, share) = (arguments.find("rotary_dim"), arguments.find("partial_rotary_factor"));
    let named = |rotary_dim: &Expression| {
        let private = quote!(#crate_path::__private);
        let sizes = [head_dim, rotary_dim].map(|size| code(size, crate_path));
        let code = quote!(#private::accepted(&#private::convert::rotary_dim(#(#sizes),*)));
        Width::Named(in_place_of(rotary_dim, crate_path, &code))
    };
    let known = unless_named(head_dim, |value| size("head_dim", value))?.known();
    let of_preset = preset.map(Rope::preset).filter(|rope| 2 * rope.pairs() != rope.head_dim());
    if let Some(error) = one_width(arguments) {
        return Err(error);
    }
    let rope = match (rotary_dim, share, known) {
        (Some(rotary_dim), _, _) => {
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
    match rope.spec(Columns::Both) {
        Ok(spec) => Ok(Width::Known(spec.d_model())),
        Err(error) => {
            let given = rotary_dim.or(share).map(Value::to_token_stream);
            Err(Diagnostic::at(given.unwrap_or_else(|| head_dim.to_token_stream()), error))
        }
    }
}

/// Returns the error of a width that is given twice.
pub(crate) fn one_width(arguments: &Arguments) -> Option<Diagnostic> {
    let (Some(rotary_dim), Some(_)) = (arguments.find("rotary_dim"), arguments.find("partial_rotary_factor")) else {
        return None;
    };
    let sentence = "`rotary_dim` and `partial_rotary_factor` set the same parameter; remove one";
    Some(Diagnostic::at(rotary_dim, sentence))
}

const NEEDS_LITERALS: &str =
    "a share of a head needs literals for `head_dim` and `partial_rotary_factor`; write `rotary_dim` instead";
