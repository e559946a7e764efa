//! Expands a call, from its tokens to the tokens of the table.

use std::path::Path;

use posenc_runtime::reflection::TableKind;
use posenc_runtime::{CheckedTable, FirstRows, Spec, SpecError};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::arguments::{Call, arguments};
use crate::axial;
use crate::build_script_file;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::emit;
use crate::expression::{Expression, Form};
use crate::grid;
use crate::items::{self, Item};
use crate::read::Lists;
use crate::request::{Refusal, Request, Shape, Source};
use crate::rotary;
use crate::sinusoidal;
use crate::table::{AnyGrid, Baked, grid_of};
use crate::table_folder;
use crate::tokens::is_punct;

/// What all tables of a call share.
struct Context<'a> {
    /// The byte order of the target.
    big_endian: bool,
    /// The path of the facade.
    crate_path: &'a TokenStream,
    /// The folder for large tables, if there is one.
    folder: Option<&'a Path>,
}

/// The type and the value of an expansion.
struct Value {
    array: TokenStream,
    value: TokenStream,
}

/// The errors of a call, and a value of its type without the entries, if the type is known.
struct Failure {
    diagnostics: Diagnostics,
    placeholder: Option<Value>,
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self { diagnostics, placeholder: None }
    }
}

/// Reads and checks the arguments of a call.
fn request<'a>(
    kind: TableKind,
    input: TokenStream,
    crate_path: &TokenStream,
    lists: &'a mut Lists,
) -> Result<Vec<Request<'a>>, Refusal> {
    let kind = if kind == TableKind::Rotary && begins_with_tuple(&input) { TableKind::Axial } else { kind };
    let arguments = arguments(input, kind)?;
    match kind {
        TableKind::Sinusoidal => sinusoidal::table(&arguments, crate_path, lists),
        TableKind::Rotary => rotary::tables(&arguments, crate_path, lists),
        TableKind::Grid => grid::table(&arguments, crate_path, lists),
        TableKind::Axial => axial::tables(&arguments, crate_path, lists),
    }
}

/// Returns whether the first argument is a shape with axes.
fn begins_with_tuple(input: &TokenStream) -> bool {
    let first: Vec<_> = input.clone().into_iter().take_while(|token| !is_punct(token, ',')).collect();
    match (Expression::parse(&first), &first[..]) {
        (Some(expression), _) => matches!(expression.without_brackets().form, Form::Tuple(_)),
        // It may be a shape with an error.
        (None, [TokenTree::Group(group)]) if group.delimiter() == Delimiter::Parenthesis => {
            group.stream().into_iter().any(|token| is_punct(&token, ','))
        }
        _ => false,
    }
}

/// Expands `byte_order (crate_path) input`, which is what the facade's macro passes on.
///
/// The byte order is the target's, `big` or `little`. The path is the facade's, and the input is what the user wrote.
/// Large tables go to files in `folder`, if there is one, and otherwise into the expansion like small tables.
#[must_use]
pub fn expand(kind: TableKind, call: TokenStream, folder: Option<&Path>) -> TokenStream {
    let Call { big_endian, crate_path, input } = match syn::parse2(call) {
        Ok(call) => call,
        Err(error) => return error.into_compile_error(),
    };
    let context = Context { big_endian, crate_path: &crate_path, folder };
    if items::is_items(&input) {
        let items = match items::items(input) {
            Ok(items) => items,
            Err(diagnostic) => return emit::errors(&[diagnostic], &crate_path),
        };
        let mut tokens = TokenStream::new();
        for item in &items {
            tokens.extend(expanded(item, value(kind, item.arguments.clone(), &context), &crate_path));
        }
        return tokens;
    }
    match value(kind, input, &context) {
        Ok(Value { value, .. }) => emit::constant(&value),
        Err(Failure { diagnostics, placeholder }) => {
            emit::refusal(&diagnostics, placeholder.map(|placeholder| placeholder.value).as_ref(), &crate_path)
        }
    }
}

/// How a table will be made, as known before any entry is computed.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Outcome<'a> {
    /// The macro computes it.
    Baked {
        /// The parameters of the table.
        spec: Spec<'a>,
        /// The number of rows.
        seq_len: usize,
        /// The name of the element type.
        dtype: &'static str,
        /// The size of the table.
        bytes: usize,
    },
    /// The macro computes this grid, or a table of an axial rotary embedding that is the same.
    BakedGrid {
        /// The parameters of the table.
        grid: AnyGrid<'a>,
        /// The name of the element type.
        dtype: &'static str,
        /// The size of the table.
        bytes: usize,
    },
    /// The compiler evaluates it, or includes it from a file.
    Left,
    /// The call has errors.
    Refused,
}

/// Calls `see` with the outcome of each table of a call with this `input`.
///
/// With it, a fuzzer finds out how long [`expand`] would take, and which tables it returns.
pub fn foresee(kind: TableKind, input: TokenStream, mut see: impl FnMut(&Outcome)) {
    let mut of_call = |input| {
        let mut lists = Lists::default();
        match request(kind, input, &TokenStream::new(), &mut lists) {
            Ok(tables) => tables.iter().for_each(|table| see(&outcome(table))),
            Err(_) => see(&Outcome::Refused),
        }
    };
    if !items::is_items(&input) {
        of_call(input);
    } else if let Ok(items) = items::items(input) {
        for item in items {
            of_call(item.arguments);
        }
    } else {
        see(&Outcome::Refused);
    }
}

fn outcome<'a>(Request { shape: Shape { dtype, .. }, source }: &Request<'a>) -> Outcome<'a> {
    let Source::Macro(baked, table) = source else { return Outcome::Left };
    let (dtype, bytes) = (dtype.name(), table.bytes());
    match *baked {
        Baked::Rows(FirstRows { spec, seq_len }) => Outcome::Baked { spec, seq_len, dtype, bytes },
        Baked::Grid(grid) => Outcome::BakedGrid { grid, dtype, bytes },
        Baked::Axial(table) => match grid_of(&table) {
            Ok(grid) => Outcome::BakedGrid { grid, dtype, bytes },
            Err(_) => Outcome::Refused,
        },
    }
}

/// Returns the item, or its errors.
///
/// If its type is known, the errors are followed by an item of that type without the entries.
fn expanded(item: &Item, table: Result<Value, Failure>, crate_path: &TokenStream) -> TokenStream {
    match table {
        Ok(Value { array, value }) => item.with(&array, &value, crate_path),
        Err(Failure { diagnostics, placeholder }) => {
            let mut tokens = item.refused(&diagnostics, crate_path);
            if let Some(Value { array, value }) = placeholder {
                tokens.extend(item.with(&array, &value, crate_path));
            }
            tokens
        }
    }
}

/// Returns the table of a call, or the two tables of a rotary cache.
fn value(kind: TableKind, input: TokenStream, context: &Context) -> Result<Value, Failure> {
    let crate_path = context.crate_path;
    let mut lists = Lists::default();
    let requests = request(kind, input, crate_path, &mut lists).map_err(|Refusal { diagnostics, shapes }| {
        let placeholder = |shape: Shape| of_type(&shape, emit::no_table(&shape, crate_path), crate_path);
        let together = |shapes: Vec<_>| together(shapes.into_iter().map(placeholder).collect(), crate_path);
        Failure { diagnostics, placeholder: shapes.map(together) }
    })?;
    let tables = requests.iter().map(|request| table(request, context)).collect::<Result<_, _>>()?;
    Ok(together(tables, crate_path))
}

/// Returns the only table, or both as a pair.
fn together(mut tables: Vec<Value>, crate_path: &TokenStream) -> Value {
    let sin = tables.pop().expect("a call has a table");
    match tables.pop() {
        None => sin,
        Some(cos) => Value {
            array: rotary::pair_type(&cos.array, crate_path),
            value: rotary::pair(&cos.value, &sin.value, crate_path),
        },
    }
}

fn of_type(shape: &Shape, value: TokenStream, crate_path: &TokenStream) -> Value {
    Value { array: shape.array(crate_path), value }
}

fn table(Request { shape, source }: &Request, context: &Context) -> Result<Value, Failure> {
    let crate_path = context.crate_path;
    let value = match source {
        Source::Macro(_, table) => {
            computed(shape, table, context).map_err(|error| vec![Diagnostic::at(&shape.seq_len, error)])?
        }
        Source::Compiler(code) => emit::evaluated(shape, code, crate_path),
        Source::File(code, file) => match build_script_file::check(&file.name, code.table) {
            Ok(()) => emit::included(shape, code, file, crate_path),
            Err(diagnostic) => {
                let placeholder = of_type(shape, emit::no_table(shape, crate_path), crate_path);
                return Err(Failure { diagnostics: vec![diagnostic], placeholder: Some(placeholder) });
            }
        },
    };
    Ok(of_type(shape, value, crate_path))
}

/// Returns the table in a file if it is large, and otherwise, or if that is not possible, as a literal.
fn computed(shape: &Shape, table: &CheckedTable, context: &Context) -> Result<TokenStream, SpecError> {
    let &Context { big_endian, crate_path, folder } = context;
    if let Some(folder) = folder.filter(|_| table.bytes() >= table_folder::LEAST_BYTES) {
        if let Some(path) = table_folder::path(folder, table, big_endian) {
            return Ok(emit::table_in_file(shape, &path, crate_path));
        }
    }
    Ok(emit::table(shape, &table.entries(big_endian)?, crate_path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuple_is_a_shape_and_other_commas_are_not() {
        let is_shape = |input: &str| begins_with_tuple(&input.parse().expect("tokens"));
        assert!(["(4, 8), 6", "(8,), 6", "(4 +, 8), 6", "((4, 8)), 6", "(), 6"].into_iter().all(is_shape));
        assert!(!["(8), 6", "(f::<A, B>()), 6", "(f(4, 8)), 6", "(4, 8).1, 6", "8, 6", ""].into_iter().any(is_shape));
    }
}
