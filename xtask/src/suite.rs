//! The integration tests, the package `tests/suite`: several tasks run a share of them.

use crate::command::Run;

/// The suite with these options of `cargo test`, and of its tests those whose names contain one of the filters.
pub(crate) fn run(options: &[&str], filters: &[&str]) -> Run {
    Run::cargo("test").args(options).args(["--package", "suite", "--"]).args(filters)
}
