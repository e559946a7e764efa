//! Requests and answers of posenc as text.
//!
//! The command `posenc`, the Python package and the page in the browser share this library. It reads what users write,
//! with the sentences of the macros for values that are wrong, makes the tables, and writes the answers. A module uses
//! only the modules above it:
//!
//! | module | content |
//! |---|---|
//! | `words` | numbers of things, lists of names |
//! | `json` | JSON as Python writes it |
//! | `spelling` | names in any spelling |
//! | `checkpoints` | what the names of checkpoints begin with |
//! | `names` | presets and choices by name |
//! | `values` | numbers, and the checks of each alone |
//! | `rule` | scaling rules |
//! | `dtype` | element types by name |
//! | `given` | the parameters that are given, and the tables that have them |
//! | `calls` | the macro call that makes the same table |
//! | `rows` | the rows of a table, computed piece by piece |
//! | `request` | a table of any kind as it was asked for |
//! | `read_call` | a macro call as text, read back |
//! | `presets` | what is said of each preset |
//! | `identified` | what is said of a table or a vector that was identified |
#![forbid(unsafe_code)]

#[macro_use]
pub mod dtype;

pub mod calls;
pub mod checkpoints;
pub mod given;
pub mod identified;
pub mod json;
pub mod names;
pub mod presets;
pub mod read_call;
pub mod request;
pub mod rows;
pub mod rule;
pub mod spelling;
pub mod values;
pub mod words;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
