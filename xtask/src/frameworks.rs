//! Runs the examples that pass posenc's tables to tensor libraries.

use crate::command::Run;
use crate::failure::Outcome;
use crate::{install, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also run clippy, which compiles everything once more
    #[arg(long)]
    lints: bool,
}

/// A part of CI. It ignores the figures, because the optimisations they need double the compile time.
pub(crate) fn quickly() -> Outcome {
    examples(false, &[("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")])
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    examples(arguments.lints, &[])
}

fn examples(lints: bool, envs: &[(&str, &str)]) -> Outcome {
    // Both use one directory, because they share many dependencies.
    let target_dir = workspace::target_dir("target/frameworks");
    let cargo = |subcommand: &str| {
        let run = Run::cargo(subcommand).env("CARGO_TARGET_DIR", &target_dir);
        let run = run.env("CANDLE_NUM_THREADS", "1"); // posenc also uses one
        envs.iter().fold(run, |run, (name, value)| run.env(name, value))
    };
    let host = workspace::host()?;
    for framework in ["candle", "burn"] {
        let manifest = format!("examples/{framework}/Cargo.toml");
        install::dependencies(&manifest, &["--target", &host])?;
        cargo("tree").args(["--depth", "1", "--manifest-path", &manifest]).run()?;
        cargo("fmt").args(["--check", "--manifest-path", &manifest]).run()?;
        if lints {
            // Release mode shares macros and build scripts with the build.
            let clippy = cargo("clippy").args(["--release", "--manifest-path", &manifest]);
            clippy.args(["--", "-D", "warnings"]).run()?;
        }
        cargo("run").args(["--release", "--manifest-path", &manifest]).run()?;
    }
    Ok(())
}
