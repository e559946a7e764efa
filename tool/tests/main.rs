//! The tests of the command, with a module for one or more subcommands.
//!
//! `cargo test --package posenc-cli --test command -- identify::` runs one module.

mod common;

mod compare;
mod formats;
mod grid;
mod identify;
mod identify_rotary;
mod table;
mod words;
