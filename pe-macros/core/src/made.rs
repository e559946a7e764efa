//! What the parameters of a call are of.

use posenc_runtime::{SpecError, of_rope};

/// What the parameters are: a `Spec`, that of a table of a `Rope`, or a `Grid` of this many axes.
#[derive(Clone, Copy)]
pub(crate) enum Made {
    Spec,
    Rope,
    Grid(usize),
}

impl Made {
    /// Returns an error in the terms of what is made.
    pub(crate) fn told(self, error: SpecError) -> SpecError {
        match self {
            Self::Rope => of_rope(error, false),
            Self::Spec | Self::Grid(_) => error,
        }
    }

    /// Returns the function that a build script calls to write the file of a table.
    pub(crate) fn writer(self) -> &'static str {
        match self {
            Self::Spec | Self::Rope => "posenc::build_script::write_table",
            Self::Grid(_) => "posenc::build_script::write_grid",
        }
    }
}
