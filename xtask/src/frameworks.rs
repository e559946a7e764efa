//! Runs the examples that pass posenc's tables to tensor libraries, and the study of what such tables change in a model.

use crate::check::WARNINGS_FAIL;
use crate::command::Run;
use crate::failure::Outcome;
use crate::root::target_dir;
use crate::{install, workspace};

/// The packages with candle.
const CANDLE: [&str; 2] = ["candle", "does_it_matter"];

/// The part of CI: the packages with candle fit the interface of posenc.
pub(crate) fn sample() -> Outcome {
    for package in CANDLE {
        prepare(package)?;
        cargo("check", package).run()?;
    }
    Ok(())
}

pub(crate) fn run() -> Outcome {
    for framework in CANDLE.into_iter().chain(["burn"]) {
        prepare(framework)?;
        cargo("tree", framework).args(["--depth", "1"]).run()?;
        // Release mode shares macros and build scripts with the build.
        cargo("clippy", framework).arg("--release").args(WARNINGS_FAIL).run()?;
        cargo("run", framework).arg("--release").run()?;
    }
    Ok(())
}

fn prepare(framework: &str) -> Outcome {
    install::dependencies(&manifest(framework), &["--target", &workspace::host()?])
}

fn manifest(framework: &str) -> String {
    format!("examples/{framework}/Cargo.toml")
}

/// Returns a run of cargo. They use one directory, because they share many dependencies.
fn cargo(subcommand: &str, framework: &str) -> Run {
    let run = Run::cargo(subcommand).args(["--manifest-path", &manifest(framework)]);
    // As many threads as posenc uses.
    run.env("CARGO_TARGET_DIR", target_dir("target/frameworks")).env("CANDLE_NUM_THREADS", "1")
}
