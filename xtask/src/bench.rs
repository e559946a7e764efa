//! Measures what posenc costs at run time.

use std::ffi::OsString;

use crate::command::{Run, python};
use crate::failure::Outcome;

const MANIFEST: &str = "benches/Cargo.toml";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Leave out the libraries that posenc is compared with, which takes a minute instead of many to build
    #[arg(long)]
    alone: bool,
    /// Print criterion's statistics instead
    #[arg(long)]
    criterion: bool,
    /// Measure the libraries of Python instead
    #[arg(long, conflicts_with_all = ["alone", "criterion"])]
    peers: bool,
    /// Rounds, or `worst` for the most expensive entries; with `--criterion` its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.peers {
        return python().arg("scripts/peers.py").args(&arguments.rest).run();
    }
    let run = if arguments.criterion { Run::cargo("bench") } else { Run::cargo("run").arg("--release") };
    let run = run.args(["--manifest-path", MANIFEST]);
    let run = if arguments.alone { run.arg("--no-default-features") } else { run };
    run.arg("--").args(&arguments.rest).run()
}
