//! The implementation of the command `posenc`.
//!
//! It is a library so that a fuzzer can read files with the same code. It is not a public API and may change in any
//! version.
//!
//! A room uses only itself and those above it:
//!
//! | room | holds |
//! |---|---|
//! | `text` | failures and exit statuses |
//! | `files` | opening and writing files, reading configs |
//! | `keys` | the values of options, and the options for the keys of each kind of table |
//! | `cli` | the command line: the options of each command, with their help |
//! | `answers` | answers as JSON, and what is shown meanwhile |
//! | `commands` | the commands, each in a file or a folder |
//! | `main` | the program |
#![forbid(unsafe_code)]

mod answers;
mod cli;
mod commands;
mod files;
mod keys;
mod text;

use std::process::ExitCode;

use clap::FromArgMatches;

use crate::cli::{Cli, Command};

pub use crate::commands::identify::candidates;
pub use crate::files::config::{ConfigFile, Given, TableFromConfig, read as read_config};
pub use crate::files::input::{TableBytes, read as read_table};
pub use crate::text::failure::Failure;

/// Runs the command with the arguments of the process and returns its exit status.
#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::from_arg_matches(&commands::help::command().get_matches()).unwrap_or_else(|error| error.exit());
    let outcome = match cli.command {
        Command::Table(args) => commands::table::run(&args),
        Command::Rope(args) => commands::rope::run(&args),
        Command::Grid(args) => commands::grid::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Identify(args) => commands::identify::run(&args),
        Command::Plot(args) => commands::plot::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Presets(args) => commands::presets::run(&args),
        Command::Completions(args) => commands::help::print_completions(&args),
        Command::Man(args) => commands::help::write_man_pages(&args),
    };
    outcome.unwrap_or_else(Failure::report)
}
