//! The macro behind `posenc::sinusoidal_table!` as a function of tokens, for the procedural macro, tests and a fuzzer: an
//! implementation detail of `posenc`, without a stable API.
//!
//! Each module uses only those above it:
//!
//! | module | holds |
//! |---|---|
//! | `spans` | where the expansion's tokens stand |
//! | `diagnostic` | a sentence about a stretch of the input |
//! | `names` | the keys, and what may have been meant by an unknown name |
//! | `arguments` | grammar: a call as sizes and options |
//! | `items` | grammar: statics and constants |
//! | `number` | the values of literals |
//! | `named_expression` | expressions with names, as code for the compiler |
//! | `dtype` | the element types, and tables of them as bytes |
//! | `parameters` | the options as a `Spec`, and as code that makes it |
//! | `request` | what a call asks for, or why that is refused |
//! | `check` | from arguments to a request |
//! | `build_script_file` | whether a file with entries is as a build script wrote it |
//! | `emit` | the expansion's tokens |
//! | `expand` | from call to expansion, by way of all of these |
#![forbid(unsafe_code)]
#![allow(clippy::cast_possible_truncation, reason = "used where the loss is looked for, in `number::exact`")]

mod arguments;
mod build_script_file;
mod check;
mod diagnostic;
mod dtype;
mod emit;
mod expand;
mod items;
mod named_expression;
mod names;
mod number;
mod parameters;
mod request;
mod spans;
#[cfg(test)]
mod tests;

pub use expand::{Outcome, expand, foresee};
pub use items::is_items;
pub use names::KEYS;
