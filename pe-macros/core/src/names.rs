//! The names of the keys, and suggestions for unknown ones.

use posenc_runtime::names::{Names, Of, Unknown};
use posenc_runtime::{PARAMETERS, Parameter, Suggestion};
use proc_macro2::Ident;

use crate::diagnostic::Diagnostic;

/// The keys that come before the parameters of the table.
const FIRST_KEYS: [&str; 2] = ["dtype", "preset"];

/// The keys that come after them.
const LAST_KEYS: [&str; 2] = ["max_bytes", "file"];

/// The keys, in the order of the documentation.
pub const KEYS: [&str; FIRST_KEYS.len() + PARAMETERS.len() + LAST_KEYS.len()] = {
    let mut keys = [""; FIRST_KEYS.len() + PARAMETERS.len() + LAST_KEYS.len()];
    let mut i = 0;
    while i < keys.len() {
        keys[i] = if i < FIRST_KEYS.len() {
            FIRST_KEYS[i]
        } else if i < FIRST_KEYS.len() + PARAMETERS.len() {
            PARAMETERS[i - FIRST_KEYS.len()].key
        } else {
            LAST_KEYS[i - FIRST_KEYS.len() - PARAMETERS.len()]
        };
        i += 1;
    }
    keys
};

/// The names that other libraries have for keys that are not parameters of the table.
const OTHER_KEYS_ELSEWHERE: [(&str, &str); 4] = [
    ("max_len", "`seq_len`, the first argument"),
    ("positions", "`Spec::fill_positions` at run time"),
    ("model", "`preset`"),
    ("type", "`dtype`"),
];

/// The keys as names to look up.
static KEY_NAMES: Names = Names { of: Of::Things("key"), all: &KEYS, paths: &[], elsewhere: &[] };

/// Returns the parameter of a key.
pub(crate) fn parameter(key: &Ident) -> Result<&'static Parameter, Diagnostic> {
    let name = key.to_string();
    PARAMETERS.iter().find(|parameter| parameter.key == name).ok_or_else(|| unknown_key(key, &name))
}

fn unknown_key(key: &Ident, written: &str) -> Diagnostic {
    let elsewhere = PARAMETERS.iter().flat_map(|parameter| parameter.elsewhere).chain(&OTHER_KEYS_ELSEWHERE);
    let here = elsewhere.into_iter().find(|(name, _)| *name == written).map(|&(_, here)| Suggestion::Here(here));
    let nearest = KEY_NAMES.find(written).err().and_then(|unknown| unknown.suggestion);
    Diagnostic::at(key, Unknown { names: &KEY_NAMES, written, suggestion: here.or(nearest) })
}
