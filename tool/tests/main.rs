//! The tests of the command, a module for a subcommand or a few: `cargo test --package posenc-cli --test command -- identify::` runs
//! some.

mod common;

mod compare;
mod identify;
mod table;
mod words;
