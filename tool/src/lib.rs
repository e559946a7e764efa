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
mod help;
mod identify;
mod input;
mod json;
mod names;
mod open;
mod output;
mod parameters;
mod plot;
mod presets;
mod progress;
mod rope;
mod scaling;
mod stored;
mod table;
mod text;
mod values;
mod write;

use std::process::ExitCode;

use clap::FromArgMatches;

use crate::args::{Cli, Command};

pub use crate::args::FileArgs;
pub use crate::config::{Given, TableFromConfig, read as read_config};
pub use crate::entry::{Entry, Found};
pub use crate::failure::Failure;
pub use crate::format::Literal;
pub use crate::identify::candidates;
pub use crate::input::{Matrix, read as read_table};
pub use crate::stored::Stored;

/// Runs the command with the arguments of the process and returns its exit status.
#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::from_arg_matches(&help::command().get_matches()).unwrap_or_else(|error| error.exit());
    let outcome = match cli.command {
        Command::Table(args) => table::run(&args),
        Command::Rope(args) => rope::run(&args),
        Command::Grid(args) => grid::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Identify(args) => identify::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Presets(args) => presets::run(&args),
        Command::Completions(args) => help::print_completions(&args),
        Command::Man(args) => help::write_man_pages(&args),
    };
    outcome.unwrap_or_else(Failure::report)
}
