//! Rewrites the expected results of the tests.

use crate::run::{Outcome, Run, ensure};
use crate::test::suite;
use crate::{hashes, install, workspace};

pub(crate) fn run() -> Outcome {
    snapshots()?;
    let output = Run::line("cargo test --package ui").env("TRYBUILD", "overwrite").tee()?;
    let has_ignored = output.contains("... ignored");
    ensure!(!has_ignored, "the compile errors are those of another compiler, which tests/compiler/tests/ui.rs names");
    hashes::record()?;
    Run::line("git status --short").run()
}

/// Updates the snapshot files, and then the inline snapshots, which only cargo-insta writes.
fn snapshots() -> Outcome {
    // The list of public functions, which the next command reads.
    accepting(Run::line("cargo test --package bad-input -- --ignored")).run()?;
    accepting(Run::line("cargo test --package bad-input --package posenc-macros-core")).run()?;
    accepting(suite("", &["snapshots::", "explain::", "properties::"])).run()?;
    if workspace::files("*.pending-snap")?.is_empty() {
        return Ok(());
    }
    install::cargo_subcommand("insta")?;
    Run::line("cargo insta accept --workspace").run()
}

fn accepting(run: Run) -> Run {
    run.env("INSTA_UPDATE", "always").env("INSTA_FORCE_PASS", "1")
}
