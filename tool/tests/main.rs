//! The tests of the command, with a module for one or more subcommands.
//!
//! `cargo test --package posenc-cli --test command -- identify::` runs one module.

mod common;

mod any_table;
mod archives;
mod axial_models;
mod compare;
mod config_grids;
mod configs;
#[cfg(unix)]
mod documents;
mod explain;
mod formats;
mod grid;
mod help;
mod identify;
mod identify_axial;
mod identify_checkpoint;
mod identify_factors;
mod identify_integers;
mod identify_misses;
mod identify_models;
mod identify_recipes;
mod identify_rotary;
mod identify_vectors;
mod json;
mod plot;
#[cfg(unix)]
mod plot_terminal;
mod positions;
mod presets;
mod replacing;
mod rope;
mod sizes;
mod table;
