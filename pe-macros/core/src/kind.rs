//! The macro of each kind of table: its name, what it takes, and what differs in code and sentences.

use std::sync::LazyLock;

use posenc_runtime::reflection::{Named, Names, Of, PARAMETERS, TableKind};
use posenc_runtime::{AxialPreset, GridPreset, Preset, RopePreset, TableError};

/// What differs between the macros.
pub(crate) struct Macro {
    pub(crate) name: &'static str,
    /// How it is told from the others.
    pub(crate) form: &'static str,
    /// The names of its two sizes.
    pub(crate) sizes: [&'static str; 2],
    /// How it is written.
    pub(crate) write: &'static str,
    /// The names of the two sizes in errors.
    pub(crate) sizes_in_errors: [&'static [&'static str]; 2],
    /// Its keys, with names from elsewhere for what is no parameter.
    pub(crate) keys: LazyLock<Names>,
    /// Names of keys in the configurations of models that it accepts too, each with the key.
    pub(crate) synonyms: &'static [(&'static str, &'static str)],
    /// The names of its presets.
    pub(crate) presets: &'static Names,
    /// Returns an error in the terms of what is made.
    pub(crate) in_its_terms: fn(TableError) -> TableError,
    /// The function that a build script calls to write the file of a table.
    pub(crate) writer: &'static str,
    pub(crate) functions: Functions,
}

/// The functions of the facade for a table that the macro does not compute.
///
/// A kind with axes has their number as a generic argument. The others have the number of rows as an argument.
pub(crate) struct Functions {
    /// Computes the table in the compiler.
    pub(crate) evaluate: &'static str,
    /// Checks the parameters before.
    pub(crate) check: &'static str,
    /// Returns the entries of a file of the build script.
    pub(crate) entries_of_file: &'static str,
}

impl Macro {
    /// Returns the macro of a kind of table.
    pub(crate) fn of(table: TableKind) -> &'static Self {
        match table {
            TableKind::Sinusoidal => &SINUSOIDAL,
            TableKind::Rotary => &ROTARY,
            TableKind::Grid => &GRID,
            TableKind::Axial => &AXIAL,
        }
    }
}

static SINUSOIDAL: Macro = Macro {
    name: "sinusoidal_table",
    form: "sinusoidal_table!",
    sizes: ["seq_len", "d_model"],
    write: "write `sinusoidal_table!(seq_len, d_model, key = value, ...)`",
    sizes_in_errors: [&["seq_len"], &["d_model"]],
    keys: LazyLock::new(|| {
        keys(
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
    }),
    synonyms: &[],
    presets: Preset::NAMES,
    in_its_terms: |error| error,
    writer: "posenc::build_script::write_table",
    functions: Functions { evaluate: "const_table", check: "check_evaluated", entries_of_file: "entries_of_file" },
};

static ROTARY: Macro = Macro {
    name: "rotary_table",
    form: "rotary_table!(seq_len, ..)",
    sizes: ["seq_len", "head_dim"],
    write: "write `rotary_table!(seq_len, head_dim, key = value, ...)`",
    sizes_in_errors: [&["seq_len"], &["head_dim", "d_model"]],
    keys: LazyLock::new(|| {
        keys(
            TableKind::Rotary,
            &[
                ("max_len", "`seq_len`, the first argument"),
                ("max_position_embeddings", "`seq_len`, the first argument"),
                ("dim", "`head_dim`, the second argument"),
                ("model", "`preset`"),
                ("type", "`dtype`"),
            ],
        )
    }),
    synonyms: &[("rope_theta", "base")],
    presets: RopePreset::NAMES,
    in_its_terms: |error| match error {
        TableError::Spec(error) => TableError::of_rope(error),
        error => error,
    },
    writer: "posenc::build_script::write_table",
    functions: Functions {
        evaluate: "const_table",
        check: "check_rotary_evaluated",
        entries_of_file: "entries_of_file",
    },
};

static GRID: Macro = Macro {
    name: "grid_table",
    form: "grid_table!",
    sizes: ["shape", "d_model"],
    write: "write `grid_table!((height, width), d_model, key = value, ...)`",
    // The rows of a grid are its shape.
    sizes_in_errors: [&["shape", "seq_len"], &["d_model"]],
    keys: LazyLock::new(|| {
        keys(
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
    }),
    synonyms: &[],
    presets: GridPreset::NAMES,
    in_its_terms: |error| error,
    writer: "posenc::build_script::write_grid",
    functions: Functions {
        evaluate: "const_grid",
        check: "check_grid_evaluated",
        entries_of_file: "entries_of_grid_file",
    },
};

static AXIAL: Macro = Macro {
    name: "rotary_table",
    form: "rotary_table!((h, w), ..)",
    sizes: ["shape", "head_dim"],
    write: "write `rotary_table!((height, width), head_dim, key = value, ...)`",
    // The rows are the shape.
    sizes_in_errors: [&["shape", "seq_len"], &["head_dim", "d_model"]],
    keys: LazyLock::new(|| {
        keys(
            TableKind::Axial,
            &[
                ("img_size", "the shape: img_size / patch_size points along each axis"),
                ("patch_size", "the shape: img_size / patch_size points along each axis"),
                ("grid_size", "the shape, the first argument"),
                ("feat_shape", "the shape, the first argument"),
                ("dim", "`head_dim`, the second argument"),
                ("attention_factor", "a rule without one, because axes would differ in it"),
                ("model", "`preset`"),
                ("type", "`dtype`"),
            ],
        )
    }),
    synonyms: &[("rope_theta", "base")],
    presets: AxialPreset::NAMES,
    in_its_terms: |error| error,
    writer: "posenc::build_script::write_grid",
    functions: Functions {
        evaluate: "const_axial",
        check: "check_axial_evaluated",
        entries_of_file: "entries_of_axial_file",
    },
};

/// Returns the keys of a macro in the order of the list of parameters, with names from elsewhere.
fn keys(table: TableKind, elsewhere: &'static [(&'static str, &'static str)]) -> Names {
    let mut all = vec!["dtype", "preset"];
    for parameter in &PARAMETERS {
        if parameter.is_of(table) {
            all.push(parameter.key);
        }
    }
    all.extend_from_slice(&["max_bytes", "file"]);
    Names { of: Of::Things("key"), all: all.leak(), paths: &[], elsewhere }
}
