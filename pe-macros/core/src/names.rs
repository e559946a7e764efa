//! The names of the keys of each macro, and suggestions for unknown ones.

use posenc_runtime::names::{Names, Of, Unknown};
use posenc_runtime::{PARAMETERS, Suggestion};
use proc_macro2::Ident;

use crate::diagnostic::Diagnostic;

/// The keys that come before the parameters of the table.
const FIRST_KEYS: [&str; 2] = ["dtype", "preset"];

/// The keys that come after them.
const LAST_KEYS: [&str; 2] = ["max_bytes", "file"];

/// The keys of `sinusoidal_table!`, in the order of the documentation.
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

/// The keys of `rotary_table!`, in the order of the documentation.
pub const ROTARY_KEYS: [&str; 16] = [
    "dtype",
    "preset",
    "base",
    "scaling",
    "frequencies",
    "rotary_dim",
    "partial_rotary_factor",
    "attention_factor",
    "repeat",
    "packing",
    "start",
    "step",
    "scale",
    "unit",
    "max_bytes",
    "file",
];

/// The keys of `grid_table!`, in the order of the documentation.
pub const GRID_KEYS: [&str; 19] = [
    "dtype",
    "preset",
    "first",
    "nest",
    "widths",
    "rest",
    "zero_rows",
    "extent",
    "base",
    "freq_shift",
    "frequencies",
    "order",
    "start",
    "step",
    "scale",
    "unit",
    "amplitude",
    "max_bytes",
    "file",
];

/// The name of the base in the configurations of models, which `rotary_table!` accepts too.
pub(crate) const BASE_OF_CONFIGS: &str = "rope_theta";

/// The keys of a macro as names to look up, with names from elsewhere for what is not a parameter of a `Spec`.
pub(crate) static SINUSOIDAL_NAMES: Names = Names {
    of: Of::Things("key"),
    all: &KEYS,
    paths: &[],
    elsewhere: &[
        ("max_len", "`seq_len`, the first argument"),
        ("embed_dim", "`d_model`, the second argument"),
        ("positions", "`Spec::fill_positions` at run time"),
        ("model", "`preset`"),
        ("type", "`dtype`"),
        ("img_size", "`grid_table!`, with img_size / patch_size points along each axis"),
        ("patch_size", "`grid_table!`, with img_size / patch_size points along each axis"),
    ],
};

pub(crate) static ROTARY_NAMES: Names = Names {
    of: Of::Things("key"),
    all: &ROTARY_KEYS,
    paths: &[],
    elsewhere: &[
        ("max_len", "`seq_len`, the first argument"),
        ("max_position_embeddings", "`seq_len`, the first argument"),
        ("dim", "`head_dim`, the second argument"),
        ("rotary_pct", "`partial_rotary_factor`"),
        ("mscale", "`mscale` of `scaling = yarn(...)`"),
        ("amplitude", "`attention_factor`"),
        ("columns", "`packing`"),
        ("layout", "`packing`"),
        ("order", "`packing`"),
        ("part", "`packing = cos` or `packing = sin`"),
        ("interleaved", "`rotate_pairs` if true, or `rotate_halves` if false, with the same cache"),
        ("model", "`preset`"),
        ("type", "`dtype`"),
    ],
};

pub(crate) static GRID_NAMES: Names = Names {
    of: Of::Things("key"),
    all: &GRID_KEYS,
    paths: &[],
    elsewhere: &[
        ("img_size", "the shape: img_size / patch_size points along each axis"),
        ("patch_size", "the shape: img_size / patch_size points along each axis"),
        ("grid_size", "the shape, the first argument"),
        ("embed_dim", "`d_model`, the second argument"),
        ("layout", "`nest`"),
        ("interleaved", "`nest = pairs` if true, or `nest = blocks` if false"),
        ("cls_token", "`zero_rows = 1`"),
        ("extra_tokens", "`zero_rows`"),
        ("zero_row", "`zero_rows`"),
        ("indexing", "`first`, and the order of the axes in the shape"),
        ("reverse_coord", "`first`, and the order of the axes in the shape"),
        ("interpolation_scale", "`extent = base_size / interpolation_scale`"),
        ("base_size", "`extent = base_size / interpolation_scale`"),
        ("normalize", "`preset = detr_normalized`"),
        ("odd", "`rest`"),
        ("model", "`preset`"),
        ("type", "`dtype`"),
    ],
};

/// Checks that a key is one of a macro's.
pub(crate) fn check_key(names: &'static Names, key: &Ident) -> Result<(), Diagnostic> {
    let written = key.to_string();
    let Err(unknown) = names.find(&written) else { return Ok(()) };
    if written == BASE_OF_CONFIGS && std::ptr::eq(names, &raw const ROTARY_NAMES) {
        return Ok(());
    }
    let parameters = PARAMETERS.iter().filter(|parameter| names.all.contains(&parameter.key));
    let mut elsewhere = names.elsewhere.iter().chain(parameters.flat_map(|parameter| parameter.elsewhere));
    let here = elsewhere.find(|(name, _)| *name == written).map(|&(_, here)| Suggestion::Here(here));
    Err(Diagnostic::at(key, Unknown { suggestion: here.or(unknown.suggestion), ..unknown }))
}
