//! Rewrites the expected results of the tests.

use crate::command::Run;
use crate::failure::{Outcome, ensure};
use crate::{configurations, install, suite, test_output, workspace};

pub(crate) fn run() -> Outcome {
    snapshots()?;
    compile_errors()?;
    configurations::record()?;
    Run::new("git").args(["status", "--short"]).run()
}

/// Updates the snapshot files, and then the inline snapshots, which only cargo-insta writes.
fn snapshots() -> Outcome {
    // The list of public functions, which the next command reads.
    accepting(Run::cargo("test").args(["--package", "bad-input", "--", "--ignored"])).run()?;
    let packages = ["bad-input", "posenc-macros-core"].map(|package| ["--package", package]);
    accepting(Run::cargo("test").args(packages.as_flattened())).run()?;
    accepting(suite::run(&[], &["snapshots::", "explain::", "properties::"])).run()?;
    if workspace::files("*.pending-snap")?.is_empty() {
        return Ok(());
    }
    install::cargo_subcommand("insta")?;
    Run::cargo("insta").args(["accept", "--workspace"]).run()
}

fn accepting(run: Run) -> Run {
    run.env("INSTA_UPDATE", "always").env("INSTA_FORCE_PASS", "1")
}

/// Updates the expected compile errors.
fn compile_errors() -> Outcome {
    let output = Run::cargo("test").args(["--package", "ui"]).env("TRYBUILD", "overwrite").tee()?;
    ensure(!output.lines().any(test_output::is_ignored_test), || {
        "the compile errors are those of another compiler, which tests/compiler/tests/ui.rs names".to_owned()
    })
}
