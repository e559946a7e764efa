//! What differs between the kinds of tables in sentences.

use posenc_runtime::reflection::TableKind;
use posenc_runtime::{SpecError, of_rope};

/// Returns an error in the terms of what is made.
pub(crate) fn in_terms_of(table: TableKind, error: SpecError) -> SpecError {
    match table {
        TableKind::Rotary => of_rope(error, false),
        TableKind::Sinusoidal | TableKind::Grid => error,
    }
}

/// Returns the function that a build script calls to write the file of a table.
pub(crate) fn writer(table: TableKind) -> &'static str {
    match table {
        TableKind::Sinusoidal | TableKind::Rotary => "posenc::build_script::write_table",
        TableKind::Grid => "posenc::build_script::write_grid",
    }
}
