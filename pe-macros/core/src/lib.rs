//! The macros behind `posenc::sinusoidal_table!`, `posenc::rotary_table!` and `posenc::grid_table!`, as a function on
//! tokens.
//!
//! The procedural macros, the tests and a fuzzer call it. It is an implementation detail of `posenc` and has no stable
//! API.
//!
//! Each module uses only modules above it:
//!
//! | module | content |
//! |---|---|
//! | `tokens` | what single tokens are |
//! | `spans` | the spans of the tokens in the expansion |
//! | `diagnostic` | an error message and the part of the input it is about |
//! | `kind` | the macro of each kind of table: its name, what it takes, and what differs in code and sentences |
//! | `names` | the keys of each macro, and suggestions for unknown ones |
//! | `expression` | grammar: expressions |
//! | `single_value` | grammar: one value of an argument |
//! | `config` | the rule in the `config.json` of a model, as options |
//! | `arguments` | grammar: a call as sizes and options |
//! | `choice` | choices and presets by their names |
//! | `items` | grammar: statics and constants |
//! | `number` | the values of literals |
//! | `named_expression` | expressions that contain names, as code for the compiler |
//! | `table` | the parameters of tables of all kinds, and the tables that the macros compute themselves |
//! | `dtype` | the element types |
//! | `reader` | values of arguments, as numbers and as code |
//! | `quantiser` | the scale and the zero point of integers |
//! | `blame` | the arguments that errors are about |
//! | `read` | the options as parameters, and as code that sets them |
//! | `scaling` | scaling rules with their arguments |
//! | `request` | a valid call, or the reasons for rejecting it |
//! | `sinusoidal` | from the arguments of `sinusoidal_table!` to a request |
//! | `rotary` | the same for `rotary_table!` |
//! | `grid` | the same for `grid_table!` |
//! | `axial` | the same for `rotary_table!` with a shape |
//! | `build_script_file` | whether a file is unchanged since a build script wrote it |
//! | `table_folder` | files of large tables, in a folder of the macro's own |
//! | `emit` | the tokens of the expansion |
//! | `expand` | from call to expansion, using all of the above |
#![forbid(unsafe_code)]
#![allow(clippy::cast_possible_truncation, reason = "`number::exact` checks for the loss")]

mod arguments;
mod axial;
mod blame;
mod build_script_file;
mod choice;
mod config;
mod diagnostic;
mod dtype;
mod emit;
mod expand;
mod expression;
mod grid;
mod items;
mod kind;
mod named_expression;
mod names;
mod number;
mod quantiser;
mod read;
mod reader;
mod request;
mod rotary;
mod scaling;
mod single_value;
mod sinusoidal;
mod spans;
mod table;
mod table_folder;
#[cfg(test)]
mod tests;
mod tokens;

pub use expand::{Outcome, expand, foresee};
pub use items::is_items;
pub use names::keys;
pub use posenc_runtime::reflection::TableKind;
pub use table::{AnyGrid, OfAxes};
