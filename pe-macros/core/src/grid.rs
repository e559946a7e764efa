//! `grid_table!`: the table of a grid.

use posenc_runtime::GridPreset;
use posenc_runtime::reflection::axis_names;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::arguments::Arguments;
use crate::choice::preset;
use crate::diagnostic::{Diagnostic, Diagnostics, shown};
use crate::expression::{Expression, Form};
use crate::number::{Given, size, unless_named};
use crate::read::{Lists, Read, keep};
use crate::reader::{Arg, size_literal};
use crate::request::{Output, Refusal, Request, request};
use crate::sinusoidal::{columns, size_tokens};
use crate::table::{Baked, MAX_AXES, Table, any_grid, rows_of_grid};

/// Checks all arguments, so that two errors are reported together.
pub(crate) fn table<'a>(
    arguments: &Arguments,
    crate_path: &TokenStream,
    lists: &'a mut Lists,
) -> Result<Vec<Request<'a>>, Refusal> {
    let mut diagnostics = Vec::new();
    let written = tuple(&arguments.seq_len)?;
    let preset: Option<GridPreset> = arguments.find("preset").and_then(|value| keep(preset(value), &mut diagnostics));
    let shape = sizes(written, crate_path, &mut diagnostics);
    let d_model = keep(unless_named(&arguments.d_model, columns), &mut diagnostics);
    let known = d_model.and_then(Given::known);
    let width = size_tokens("d_model", known, &arguments.d_model, crate_path);
    let points = shape.iter().map(|points| &points.code);
    let calls = if let Some(preset) = preset {
        let variant = format_ident!("{preset:?}");
        quote!(#crate_path::Grid::preset(#crate_path::GridPreset::#variant, [#(#points),*], #width))
    } else {
        quote!(#crate_path::Grid::new([#(#points),*], #width))
    };
    let any: Vec<_> = shape.iter().map(|points| points.value.unwrap_or(1)).collect();
    let grid = any_grid(preset, &any, known.unwrap_or(2));
    let mut read = Read::new(&Table::Grid(grid), calls, crate_path);
    read.axes = axis_names(preset, shape.len());
    read.reader.named = known.is_none() || shape.iter().any(|points| points.value.is_none());
    read.options(arguments, lists, &mut diagnostics);

    let Table::Grid(grid) = read.table else { unreachable!("it was one") };
    let (baked, calls_for_rows) = (Baked::Grid(grid), &read.calls_for_rows);
    let rows = if read.is_known() {
        size_literal("shape", rows_of_grid(&grid), crate_path)
    } else {
        quote!(#calls_for_rows.rows())
    };
    let output = Output { sizes: d_model.map(|_| [rows, width]), baked: Some(baked), spec: read.calls.clone() };
    request(read, arguments, vec![output], diagnostics)
}

/// Returns the number of points along each axis.
pub(crate) fn sizes(
    written: &[Expression],
    crate_path: &TokenStream,
    diagnostics: &mut Diagnostics,
) -> Vec<Arg<usize>> {
    let sizes = written.iter().map(|points| {
        let known = keep(unless_named(points, |points| size("shape", points)), diagnostics);
        let value = known.and_then(Given::known);
        Arg { value, code: size_tokens("shape", value, points, crate_path) }
    });
    sizes.collect()
}

/// Returns the sizes of the axes.
pub(crate) fn tuple(shape: &Expression) -> Result<&[Expression], Diagnostics> {
    match &shape.without_brackets().form {
        Form::Tuple(sizes) if (1..=MAX_AXES).contains(&sizes.len()) => Ok(sizes),
        _ => {
            let written = shown(shape);
            let sentence = format!(
                "`shape` is `{written}`, but must be a tuple of at most {MAX_AXES} sizes, such as `(14, 14)` for height and width, or \
                 `(196,)` for one axis"
            );
            Err(vec![Diagnostic::at(shape, sentence)])
        }
    }
}
