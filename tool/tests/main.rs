//! The tests of the command, a module for one or more subcommands.
//!
//! `cargo test --package posenc-cli --test command -- identify::` runs one module.

mod common;
#[path = "../../pe-runtime/src/effort.rs"]
mod effort;

mod compare;
mod identify;
mod table;
mod words;
