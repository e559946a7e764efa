//! Requests and answers of posenc as text.
//!
//! The command `posenc`, the Python package and the page in the browser share this library. It reads what users write:
//! [names](names) of presets and choices, [numbers](values), [rules](rule) and [element types](dtype). Its sentences for
//! values that are wrong are the sentences of the macros. [`Given`](given::Given) makes tables of the parameters that
//! are given. [`calls`] writes the macro call that makes the same table, and [`identified`] the answer of
//! `posenc-identify`.
#![forbid(unsafe_code)]

pub mod calls;
pub mod dtype;
pub mod given;
pub mod identified;
pub mod names;
pub mod presets;
pub mod request;
pub mod rows;
pub mod rule;
pub mod values;
pub mod words;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
