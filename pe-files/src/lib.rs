//! Files with tables.
//!
//! The command `posenc` and the page in the browser share this library. It reads tables from files, which are untrusted
//! input, and writes tables. A module uses only the modules above it:
//!
//! | module | content |
//! |---|---|
//! | `source` | the bytes of a file, of which parts are read |
//! | `element` | the types of entries in files |
//! | `format` | the formats that are written |
//! | `input` | the formats that are read |
#![forbid(unsafe_code)]

pub mod element;
pub mod format;
pub mod input;
pub mod source;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
