//! What differs between the kinds of tables in sentences.

use posenc_runtime::TableError;
use posenc_runtime::reflection::TableKind;

/// Returns an error in the terms of what is made.
pub(crate) fn in_terms_of(table: TableKind, error: TableError) -> TableError {
    match (table, error) {
        (TableKind::Rotary, TableError::Spec(error)) => TableError::of_rope(error),
        _ => error,
    }
}

/// Returns the function that a build script calls to write the file of a table.
pub(crate) fn writer(table: TableKind) -> &'static str {
    match table {
        TableKind::Sinusoidal | TableKind::Rotary => "posenc::build_script::write_table",
        TableKind::Grid => "posenc::build_script::write_grid",
    }
}
