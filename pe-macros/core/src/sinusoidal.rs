//! `sinusoidal_table!`: the table of a `Spec`.

use posenc_runtime::reflection::d_model;
use posenc_runtime::{Preset, Spec};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::arguments::Arguments;
use crate::choice::preset;
use crate::diagnostic::Diagnostic;
use crate::expression::Expression;
use crate::named_expression::code;
use crate::number::{Given, integer, size, unless_named};
use crate::read::{Lists, Read, keep};
use crate::reader::size_literal;
use crate::request::{Output, Refusal, Request, first_rows, request};
use crate::table::Table;

/// Checks all arguments, so that two errors are reported together.
pub(crate) fn table<'a>(
    arguments: &Arguments,
    crate_path: &TokenStream,
    lists: &'a mut Lists,
) -> Result<Vec<Request<'a>>, Refusal> {
    let mut diagnostics = Vec::new();
    let seq_len = keep(unless_named(&arguments.seq_len, |value| size("seq_len", value)), &mut diagnostics);
    let d_model = keep(unless_named(&arguments.d_model, columns), &mut diagnostics);
    let (known_seq_len, known_d_model) = (seq_len.and_then(Given::known), d_model.and_then(Given::known));
    // The other keys refine the preset, in any order.
    let preset: Preset =
        arguments.find("preset").and_then(|value| keep(preset(value), &mut diagnostics)).unwrap_or_default();
    let (variant, width) = (format_ident!("{preset:?}"), known_d_model.unwrap_or(2));
    let width_code = size_tokens("d_model", known_d_model, &arguments.d_model, crate_path);
    let calls = quote!(#crate_path::Spec::preset(#crate_path::Preset::#variant, #width_code));
    let mut read = Read::new(&Table::Spec(Spec::preset(preset, width)), calls, crate_path);
    read.options(arguments, lists, &mut diagnostics);

    let Table::Spec(spec) = read.table else { unreachable!("it was one") };
    let rows = size_tokens("seq_len", known_seq_len, &arguments.seq_len, crate_path);
    let output = Output {
        sizes: seq_len.and(d_model).map(|_| [rows, width_code]),
        baked: known_d_model.and_then(|_| first_rows(spec, known_seq_len)),
        spec: read.calls.clone(),
    };
    request(read, arguments, vec![output], diagnostics)
}

/// Returns a size as it is written in a type.
pub(crate) fn size_tokens(
    name: &str,
    known: Option<usize>,
    written: &Expression,
    crate_path: &TokenStream,
) -> TokenStream {
    known.map_or_else(|| code(written, crate_path), |size| size_literal(name, size, crate_path))
}

pub(crate) fn columns(value: &Expression) -> Result<usize, Diagnostic> {
    let written = integer("d_model", value)?;
    d_model(written).map_err(|error| Diagnostic::at(value, error))
}
