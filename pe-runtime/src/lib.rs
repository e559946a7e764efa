//! The arithmetic of `posenc`, which re-exports what is public here: use that.
//!
//! Sinusoidal positional encodings whose every entry is the correctly rounded value of the formula. The pipeline of the exact
//! tier, a module a step, is frequency in turns, phase by wrapping multiplication, sine and cosine in fixed point, one rounding.
//! It is integer arithmetic throughout, so the bits depend on no compiler, target, floating-point unit or library; and it is
//! `const fn`, so the compiler can run it too. The fast tier, and the lean one for the compiler, add angles in floats and leave to
//! the exact one what the error of that leaves undecided; so their bits are the same.
//!
//! What this crate does not do: imitate the rounding errors of a framework, rotate queries and keys, or learn encodings.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(clippy::float_arithmetic)]
#![allow(
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "a const fn has no From; each range stands beside the cast or in the function's doc"
)]
#![allow(clippy::inline_always, reason = "what is not inlined is not compiled for the vectors that the machine has")]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

#[allow(clippy::unreadable_literal, reason = "made by a script, for machines")]
mod constants;
#[macro_use]
mod choices;
mod aligned;
#[cfg(feature = "alloc")]
mod alike;
mod amplitude;
mod arrangement;
#[cfg(all(test, feature = "alloc"))]
mod audit;
#[cfg(feature = "alloc")]
mod block;
#[cfg(feature = "std")]
pub mod build_script;
mod check;
mod checksum;
mod compare;
mod const_table;
#[doc(hidden)]
pub mod convert;
mod decimal;
#[cfg(feature = "alloc")]
mod dyadic;
#[cfg(test)]
mod effort;
mod element;
mod embeddings;
mod encode;
#[cfg(feature = "alloc")]
mod encoder;
mod error;
#[cfg(feature = "alloc")]
mod explain;
mod fixed;
mod frequency;
mod lean;
mod macro_call;
#[doc(hidden)]
pub mod names;
mod parameters;
mod phase;
mod position;
mod preset;
mod report;
mod rotation;
mod round;
mod rounding;
#[cfg(feature = "alloc")]
mod run;
mod same;
mod sentence;
mod show;
#[cfg(feature = "alloc")]
mod simd;
#[cfg(feature = "alloc")]
mod similarity;
mod sincos;
mod spec;
mod spectrum;
mod stored;
#[cfg(feature = "alloc")]
mod table;
mod translation;
mod wave;

pub use aligned::Aligned;
#[cfg(feature = "alloc")]
pub use alike::first_alike;
pub use amplitude::Amplitude;
#[doc(hidden)]
pub use arrangement::Targets;
pub use choices::{Columns, Layout, Odd, Order, Pairing};
pub use compare::{CompareError, Flat, Rows, compare};
pub use const_table::const_table;
#[doc(hidden)]
pub use const_table::{accepted, blame};
pub use element::{Bf16Bits, Element, F16Bits};
#[doc(hidden)]
pub use element::{as_bytes, decode, no_table, rows};
pub use embeddings::{EmbeddingError, add, concat};
#[cfg(feature = "alloc")]
pub use encoder::Encoder;
pub use error::SpecError;
#[cfg(feature = "alloc")]
pub use explain::{Explanation, Neighbour};
#[cfg(feature = "half")]
pub use half;
pub use macro_call::MacroCall;
#[doc(hidden)]
pub use macro_call::{Value, keys};
pub use names::{NameError, Suggestion};
#[cfg(feature = "ndarray")]
pub use ndarray;
pub use parameters::{Frequencies, Parameters};
pub use position::Position;
pub use preset::Preset;
pub use report::{Report, Worst};
#[doc(hidden)]
pub use sentence::Sentence;
#[cfg(feature = "alloc")]
pub use spec::sinusoidal_table;
#[doc(hidden)]
pub use spec::targets;
pub use spec::{MAX_D_MODEL, MAX_POSITION, Spec};
#[doc(hidden)]
pub use stored::stored;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use stored::{Found, inspect};
#[cfg(feature = "alloc")]
pub use table::Table;
pub use translation::const_translation;
