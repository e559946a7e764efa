//! `rotary_table!` with a shape: a rotary embedding of several axes as one or two tables.

use posenc_runtime::reflection::axial_axis_names;
use posenc_runtime::{AxialPreset, Packing};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::arguments::Arguments;
use crate::choice::{choice, preset};
use crate::grid::{sizes, tuple};
use crate::number::{Given, size, unless_named};
use crate::read::{Lists, Read, keep};
use crate::reader::size_literal;
use crate::request::{Output, Refusal, Request, request};
use crate::rotary::{one_file, one_width, packings};
use crate::sinusoidal::size_tokens;
use crate::table::{Baked, Table, any_axial, packed, size_of_table};

/// Checks all arguments, so that two errors are reported together.
pub(crate) fn tables<'a>(
    arguments: &Arguments,
    crate_path: &TokenStream,
    lists: &'a mut Lists,
) -> Result<Vec<Request<'a>>, Refusal> {
    let mut diagnostics = Vec::new();
    let shape = sizes(tuple(&arguments.seq_len)?, crate_path, &mut diagnostics);
    let preset: Option<AxialPreset> = arguments.find("preset").and_then(|value| keep(preset(value), &mut diagnostics));
    let head_dim = keep(unless_named(&arguments.d_model, |value| size("head_dim", value)), &mut diagnostics)
        .and_then(Given::known);
    let width = size_tokens("head_dim", head_dim, &arguments.d_model, crate_path);
    let points = shape.iter().map(|points| &points.code);
    let calls = if let Some(preset) = preset {
        let variant = format_ident!("{preset:?}");
        quote!(#crate_path::AxialRope::preset(#crate_path::AxialPreset::#variant, [#(#points),*], #width))
    } else {
        quote!(#crate_path::AxialRope::new([#(#points),*], #width))
    };
    let any: Vec<_> = shape.iter().map(|points| points.value.unwrap_or(1)).collect();
    let rope = any_axial(preset, &any, head_dim.unwrap_or(2));
    let mut read = Read::new(&Table::Axial(rope), calls, crate_path);
    read.axes = axial_axis_names(preset, shape.len());
    read.reader.named = head_dim.is_none() || shape.iter().any(|points| points.value.is_none());
    read.options(arguments, lists, &mut diagnostics);
    // Unknown names have been reported.
    let chosen = arguments.find("packing").and_then(|value| choice::<Packing>(value).ok());
    diagnostics.extend(one_file(arguments).into_iter().chain(one_width(arguments)));

    let Table::Axial(rope) = read.table else { unreachable!("it was one") };
    let (is_known, calls, sized) = (read.is_known(), &read.calls, &read.calls_for_rows);
    let output = |packing: Packing| {
        let variant = format_ident!("{packing:?}");
        let private = quote!(#crate_path::__private);
        let table = |calls| quote!(#private::AxialTable { rope: #calls, packing: #crate_path::Packing::#variant });
        let (table_of_size, known) = (table(sized), packed(&rope, packing));
        let rows_and_columns = if is_known {
            let [rows, columns] = size_of_table(&known);
            [size_literal("shape", rows, crate_path), size_literal("head_dim", columns, crate_path)]
        } else {
            [quote!(#sized.rows()), quote!(#table_of_size.columns())]
        };
        Output { sizes: Some(rows_and_columns), baked: Some(Baked::Axial(known)), spec: table(calls) }
    };
    let outputs = packings(chosen).into_iter().map(output).collect();
    request(read, arguments, outputs, diagnostics)
}
