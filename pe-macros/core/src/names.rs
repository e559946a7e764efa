//! The names of the keys of each macro, and suggestions for unknown ones.

use std::sync::LazyLock;

use posenc_runtime::Suggestion;
use posenc_runtime::reflection::{Names, Of, PARAMETERS, Parameter, TableKind, Unknown};
use proc_macro2::Ident;

use crate::diagnostic::Diagnostic;

/// The keys that come before the parameters of the table.
const FIRST_KEYS: [&str; 2] = ["dtype", "preset"];

/// The keys that come after them.
const LAST_KEYS: [&str; 2] = ["max_bytes", "file"];

/// Returns the keys of a macro, in the order of the list of parameters.
#[must_use]
pub fn keys(table: TableKind) -> Vec<&'static str> {
    let parameters = PARAMETERS.iter().filter(|parameter| parameter.is_of(table)).map(|parameter| parameter.key);
    FIRST_KEYS.into_iter().chain(parameters).chain(LAST_KEYS).collect()
}

/// The name of the base in the configurations of models, which `rotary_table!` accepts too.
pub(crate) const BASE_OF_CONFIGS: &str = "rope_theta";

/// The keys of a macro as names to look up, with names from elsewhere for what is no parameter.
fn names(table: TableKind, elsewhere: &'static [(&'static str, &'static str)]) -> Names {
    Names { of: Of::Things("key"), all: keys(table).leak(), paths: &[], elsewhere }
}

static SINUSOIDAL_NAMES: LazyLock<Names> = LazyLock::new(|| {
    names(
        TableKind::Sinusoidal,
        &[
            ("max_len", "`seq_len`, the first argument"),
            ("embed_dim", "`d_model`, the second argument"),
            ("positions", "`Spec::fill_positions` at run time"),
            ("model", "`preset`"),
            ("type", "`dtype`"),
            ("img_size", "`grid_table!`, with img_size / patch_size points along each axis"),
            ("patch_size", "`grid_table!`, with img_size / patch_size points along each axis"),
        ],
    )
});

static ROTARY_NAMES: LazyLock<Names> = LazyLock::new(|| {
    names(
        TableKind::Rotary,
        &[
            ("max_len", "`seq_len`, the first argument"),
            ("max_position_embeddings", "`seq_len`, the first argument"),
            ("dim", "`head_dim`, the second argument"),
            ("model", "`preset`"),
            ("type", "`dtype`"),
        ],
    )
});

static GRID_NAMES: LazyLock<Names> = LazyLock::new(|| {
    names(
        TableKind::Grid,
        &[
            ("img_size", "the shape: img_size / patch_size points along each axis"),
            ("patch_size", "the shape: img_size / patch_size points along each axis"),
            ("grid_size", "the shape, the first argument"),
            ("embed_dim", "`d_model`, the second argument"),
            ("normalize", "`preset = detr_normalized`"),
            ("model", "`preset`"),
            ("type", "`dtype`"),
        ],
    )
});

/// Checks that a key is one of a macro's.
pub(crate) fn check_key(table: TableKind, key: &Ident) -> Result<(), Diagnostic> {
    let names: &'static Names = match table {
        TableKind::Sinusoidal => &SINUSOIDAL_NAMES,
        TableKind::Rotary => &ROTARY_NAMES,
        TableKind::Grid => &GRID_NAMES,
    };
    let written = key.to_string();
    let Err(unknown) = names.find(&written) else { return Ok(()) };
    if written == BASE_OF_CONFIGS && table == TableKind::Rotary {
        return Ok(());
    }
    let parameters = PARAMETERS.iter().filter(|parameter| parameter.is_of(table));
    let mut elsewhere = names.elsewhere.iter().chain(parameters.flat_map(|parameter| parameter.elsewhere));
    let here = elsewhere.find(|(name, _)| *name == written).map(|&(_, here)| Suggestion::Here(here));
    Err(Diagnostic::at(key, Unknown { suggestion: here.or(unknown.suggestion), ..unknown }))
}

/// Returns the parameter of a key.
pub(crate) fn parameter(table: TableKind, key: &Ident) -> Result<&'static Parameter, Diagnostic> {
    check_key(table, key)?;
    let is_it = |parameter: &&Parameter| key == parameter.key && parameter.is_of(table);
    Ok(PARAMETERS.iter().find(is_it).expect("the other keys are read elsewhere"))
}
