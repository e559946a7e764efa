//! The answer of `posenc identify` about several tensors.

use serde::Serialize;

use super::Identified;

/// Which tensors of some files are tables.
#[derive(Default, Serialize)]
pub(crate) struct Checkpoint {
    pub(crate) files: usize,
    pub(crate) tensors: usize,
    /// Those with rows and columns of numbers.
    pub(crate) matrices: usize,
    pub(crate) tables: Vec<InCheckpoint>,
    /// Those with one axis whose numbers are frequencies.
    pub(crate) vectors: Vec<InCheckpoint>,
    pub(crate) failures: Vec<String>,
}

/// A tensor that is a table, or nearly one.
#[derive(Serialize)]
pub(crate) struct InCheckpoint {
    pub(crate) file: String,
    pub(crate) name: Option<String>,
    pub(crate) answer: Identified,
}
