//! The keys of each macro, and suggestions for unknown ones.

use posenc_runtime::reflection::{PARAMETERS, Parameter, TableKind, find_key};
use proc_macro2::Ident;

use crate::diagnostic::Diagnostic;
use crate::kind::Macro;

/// Returns the keys of a macro, in the order of the list of parameters.
#[must_use]
pub fn keys(table: TableKind) -> &'static [&'static str] {
    Macro::of(table).keys.all
}

/// Checks that a key is one of a macro's.
pub(crate) fn check_key(table: TableKind, key: &Ident) -> Result<(), Diagnostic> {
    let (Macro { keys, synonyms, .. }, written) = (Macro::of(table), key.to_string());
    match find_key(keys, table, &written) {
        Err(unknown) if synonyms.iter().all(|(name, _)| *name != written) => Err(Diagnostic::at(key, unknown)),
        _ => Ok(()),
    }
}

/// Returns a parameter of a kind of table, if it has that.
pub(crate) fn find(table: TableKind, key: &str) -> Option<&'static Parameter> {
    PARAMETERS.iter().find(|parameter| parameter.key == key && parameter.is_of(table))
}

/// Returns the parameter of a key that is read like the others.
pub(crate) fn parameter(table: TableKind, key: &Ident) -> Result<&'static Parameter, Diagnostic> {
    check_key(table, key)?;
    Ok(find(table, &key.to_string()).expect("the other keys are read elsewhere"))
}
