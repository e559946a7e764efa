//! Runs the examples that pass posenc's tables to tensor libraries, and the study of what such tables change in a model.

use crate::check::WARNINGS_FAIL;
use crate::run::{Outcome, Run, target_dir};
use crate::{install, workspace};

/// The packages with candle.
const CANDLE: [&str; 2] = ["candle", "does_it_matter"];

/// The part of CI: the packages with candle fit the interface of posenc.
pub(crate) fn sample() -> Outcome {
    CANDLE.into_iter().try_for_each(|package| {
        prepare(package)?;
        cargo("check", package).run()
    })
}

pub(crate) fn run() -> Outcome {
    CANDLE.into_iter().chain(["burn"]).try_for_each(|package| {
        prepare(package)?;
        cargo("tree", package).words("--depth 1").run()?;
        // Release mode shares macros and build scripts with the build.
        cargo("clippy", package).arg("--release").words(WARNINGS_FAIL).run()?;
        cargo("run", package).arg("--release").run()
    })
}

fn prepare(package: &str) -> Outcome {
    install::dependencies(&format!("examples/{package}/Cargo.toml"), &format!("--target {}", workspace::host()?))
}

/// Returns a run of cargo. They use one directory, because they share many dependencies.
fn cargo(subcommand: &str, package: &str) -> Run {
    let run = Run::line(&format!("cargo {subcommand} --manifest-path examples/{package}/Cargo.toml"));
    // As many threads as posenc uses.
    run.env("CARGO_TARGET_DIR", target_dir("target/frameworks")).env("CANDLE_NUM_THREADS", "1")
}
