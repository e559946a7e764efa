//! Direct evaluation: entries at any position, each from the position and the frequency of its column, in floats.
//!
//! The angle in turns is the product of the position and the frequency. It is reduced by half turns, exactly, and a
//! polynomial gives its sine. A cosine is the sine of the angle plus a quarter turn, so every column takes the same
//! steps, eight columns at a time. The error is bounded relative to the entry, so small entries are decided too. The
//! exact tier computes the entries that the bound leaves undecided, and the rows of positions that are too large or too
//! small.

#![allow(clippy::float_arithmetic, reason = "has a proven error bound, by which undecided entries are found")]

mod angles;
mod exact_entries;
mod phase;
mod rows;
mod sine;

pub(crate) use angles::{set_row, set_step};
pub(crate) use exact_entries::ExactEntries;
pub(crate) use phase::phase;
pub(crate) use rows::{DirectRow, fill, suits};
pub(crate) use sine::{precise_sine, sine};
