//! The command `posenc`: sinusoidal positional-encoding tables for those who do not write Rust.
#![forbid(unsafe_code)]

mod args;
mod compare;
mod config;
mod entry;
mod explain;
mod failure;
mod identify;
mod input;
mod output;
mod presets;
mod table;
mod text;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::failure::Failure;

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Table(args) => table::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Identify(args) => identify::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Presets(args) => presets::run(&args),
    };
    outcome.unwrap_or_else(Failure::report)
}
