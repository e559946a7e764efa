//! Runs the examples that pass posenc's tables to tensor libraries.

use crate::check::WARNINGS_FAIL;
use crate::command::Run;
use crate::failure::Outcome;
use crate::root::target_dir;
use crate::{install, workspace};

/// Options of cargo for few optimisations: only candle's products of matrices have some, as they would take too long.
const QUICK_BUILD: [&str; 4] = [
    "--config=profile.release.opt-level=0",
    "--config=profile.release.package.candle-core.opt-level=1",
    "--config=profile.release.package.gemm-common.opt-level=1",
    "--config=profile.release.package.gemm-f32.opt-level=1",
];

/// The part of CI. Without optimisations, which take most of the time, the printed errors mean nothing.
pub(crate) fn sample() -> Outcome {
    examples(&["candle"], &QUICK_BUILD)
}

pub(crate) fn run() -> Outcome {
    examples(&["candle", "burn"], &[])
}

fn examples(frameworks: &[&str], options: &[&str]) -> Outcome {
    // Both use one directory, because they share many dependencies.
    let target_dir = target_dir("target/frameworks");
    let cargo = |subcommand: &str| {
        let run = Run::cargo(subcommand).env("CARGO_TARGET_DIR", &target_dir);
        run.env("CANDLE_NUM_THREADS", "1") // posenc also uses one
    };
    let host = workspace::host()?;
    for framework in frameworks {
        let manifest = format!("examples/{framework}/Cargo.toml");
        install::dependencies(&manifest, &["--target", &host])?;
        cargo("tree").args(["--depth", "1", "--manifest-path", &manifest]).run()?;
        cargo("fmt").args(["--check", "--manifest-path", &manifest]).run()?;
        if options.is_empty() {
            // Release mode shares macros and build scripts with the build.
            cargo("clippy").args(["--release", "--manifest-path", &manifest]).args(WARNINGS_FAIL).run()?;
        }
        cargo("run").args(["--release", "--manifest-path", &manifest]).args(options).run()?;
    }
    Ok(())
}
