//! Files: reading tables and configs, and writing tables.

pub(crate) mod config;
pub(crate) mod format;
pub(crate) mod input;
pub(crate) mod open;
pub(crate) mod output;

/// What a failure says of a name for the table of a file without names.
const UNNAMED: &str = "which contains a single unnamed table; leave out --name";
