//! Runs the integration tests, the package `tests/suite`, of which several tasks run a part.

use crate::command::Run;
use crate::failure::{Outcome, ensure};
use crate::test_output;

/// Returns a run of the suite with these options of `cargo test`, limited to tests that match one of the filters.
pub(crate) fn run(options: &[&str], filters: &[&str]) -> Run {
    Run::cargo("test").args(options).args(["--package", "suite", "--"]).args(filters)
}

/// Runs these modules of the suite, and fails if a test fails or a module has no tests.
pub(crate) fn passes(options: &[&str], modules: &[&str]) -> Outcome {
    check_modules(&run(options, modules).tee()?, modules)
}

/// Fails if one of the modules has no passing test.
pub(crate) fn check_modules(output: &str, modules: &[&str]) -> Outcome {
    let missing = modules.iter().find(|module| !test_output::has_passed(output, module));
    ensure(missing.is_none(), || format!("suite: no test of {} has run", missing.unwrap_or(&"")))
}
