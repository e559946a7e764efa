//! Runs the examples that pass posenc's tables to tensor libraries.

use crate::command::Run;
use crate::failure::Outcome;
use crate::root::target_dir;
use crate::{install, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also run clippy, which compiles everything once more
    #[arg(long)]
    lints: bool,
}

const FRAMEWORKS: [&str; 2] = ["candle", "burn"];

/// Options of cargo for few optimisations: only candle's products of matrices have some, as they would take too long.
const QUICK_BUILD: [&str; 4] = [
    "--config=profile.release.opt-level=0",
    "--config=profile.release.package.candle-core.opt-level=1",
    "--config=profile.release.package.gemm-common.opt-level=1",
    "--config=profile.release.package.gemm-f32.opt-level=1",
];

/// The part of CI. Without optimisations, which take most of the time, the printed errors mean nothing.
pub(crate) fn sample() -> Outcome {
    examples(&["candle"], false, &QUICK_BUILD)
}

/// The part of CI in full.
pub(crate) fn full() -> Outcome {
    examples(&FRAMEWORKS, true, &[])
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    examples(&FRAMEWORKS, arguments.lints, &[])
}

fn examples(frameworks: &[&str], lints: bool, options: &[&str]) -> Outcome {
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
        if lints {
            // Release mode shares macros and build scripts with the build.
            let clippy = cargo("clippy").args(["--release", "--manifest-path", &manifest]);
            clippy.args(["--", "-D", "warnings"]).run()?;
        }
        cargo("run").args(["--release", "--manifest-path", &manifest]).args(options).run()?;
    }
    Ok(())
}
