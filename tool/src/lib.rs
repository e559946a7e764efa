//! The implementation of the command `posenc`.
//!
//! It is a library so that a fuzzer can read files with the same code. It is not a public API and may change in any
//! version.
#![forbid(unsafe_code)]

mod args;
mod compare;
mod config;
mod entry;
mod explain;
mod failure;
mod format;
mod grid;
mod identify;
mod input;
mod output;
mod parameters;
mod presets;
mod rope;
mod scaling;
mod stored;
mod table;
mod text;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};

pub use crate::args::FileArgs;
pub use crate::config::{Given, Told, read as read_config};
pub use crate::entry::{Entry, Found};
pub use crate::failure::Failure;
pub use crate::format::Literal;
pub use crate::input::{Matrix, read as read_table};
pub use crate::stored::Stored;

/// Runs the command with the arguments of the process and returns its exit status.
#[must_use]
pub fn run() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Table(args) => table::run(&args),
        Command::Rope(args) => rope::run(&args),
        Command::Grid(args) => grid::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Identify(args) => identify::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Presets(args) => presets::run(&args),
    };
    outcome.unwrap_or_else(Failure::report)
}
