//! The arithmetic of `posenc`, which re-exports the public items of this crate. Use `posenc` instead.
//!
//! This crate computes sinusoidal, rotary and grid positional encodings in which every entry is the correctly rounded
//! value of the formula. The exact tier is a pipeline of one module per step: the frequency in turns, the phase by
//! wrapping multiplication, sine and cosine in fixed point, and one rounding. It uses integer arithmetic throughout, so
//! the bits do not depend on the compiler, target, floating-point unit or math library. It is `const fn`, so the
//! compiler can run it too. The fast tier and the const-eval tier add angles in floats. If their error bound leaves an
//! entry undecided, the exact tier computes it, so all tiers produce the same bits.
//!
//! This crate does not imitate the rounding errors of a framework, and it does not learn encodings.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The docs link to all that the default features of `posenc` have.
#![cfg_attr(not(all(feature = "inspect", feature = "std")), allow(rustdoc::broken_intra_doc_links))]
#![deny(clippy::float_arithmetic)]
#![allow(
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "a const fn cannot call From; each range is stated beside the cast or in the function's docs"
)]
#![allow(clippy::inline_always, reason = "only inlined code is compiled for the vector instructions of the machine")]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

/// Returns the value of a result, or returns from the function with its error, as `?` does outside a `const fn`.
///
/// The error is converted by a function if one is given.
macro_rules! try_const {
    ($result:expr $(, $convert:path)?) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err($($convert)?(error)),
        }
    };
}

/// Implements `Debug` with the text of `Display`.
macro_rules! debug_as_display {
    ($type:ty $(, $($parameter:tt)*)?) => {
        /// Shows the same text as [`Display`](core::fmt::Display).
        impl $(<$($parameter)*>)? core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
}

#[macro_use]
mod spec;
mod axial;
mod bake;
#[cfg(test)]
mod effort;
mod element;
mod engine;
mod error_bounds;
mod exact;
mod float_bits;
mod grid;
#[cfg(feature = "inspect")]
mod inspect;
mod limits;
mod plan;
#[cfg(test)]
mod properties;
pub mod reflection;
mod rope;
mod table;
mod text;

pub use axial::AxialRope;
#[cfg(feature = "serde")]
pub use axial::config::AxialConfig;
pub use axial::error::AxialError;
pub use axial::macro_call::AxialMacroCall;
#[doc(hidden)]
pub use axial::packed::AxialTable;
pub use axial::parameters::AxialParameters;
pub use axial::preset::AxialPreset;
#[cfg(feature = "std")]
pub use bake::build_script;
#[doc(hidden)]
pub use bake::const_table::{
    accepted, blame, check_axial_evaluated, check_evaluated, check_grid_evaluated, check_rotary_evaluated, const_axial,
};
pub use bake::const_table::{const_grid, const_table};
#[doc(hidden)]
pub use bake::convert;
#[doc(hidden)]
pub use bake::decode::{decode, no_table};
pub use bake::error::TableError;
#[doc(hidden)]
pub use bake::file_format::{entries_of_axial_file, entries_of_file, entries_of_grid_file};
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use bake::source::{CheckedTable, FirstRows, Identity, Source, UntypedTable};
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use bake::table_file::{Found, TableFile, inspect_file};
#[cfg(feature = "bytemuck")]
pub use bytemuck;
pub use element::{Bf16Bits, Element, F16Bits, Q7, Q15, Q31};
pub use grid::Grid;
pub use grid::error::GridError;
pub use grid::macro_call::GridMacroCall;
pub use grid::parameters::GridParameters;
pub use grid::preset::GridPreset;
pub use grid::values::{Extent, Widths};
#[cfg(feature = "half")]
pub use half;
#[cfg(all(feature = "inspect", feature = "alloc"))]
pub use inspect::compare::against_spec::Comparison;
#[cfg(feature = "inspect")]
pub use inspect::compare::{compare, histogram::Bucket, mismatch::Mismatch, report::Report};
#[cfg(all(feature = "inspect", feature = "alloc"))]
pub use inspect::explain;
#[cfg(feature = "inspect")]
pub use inspect::{share::Share, translation::const_translation};
pub use limits::{MAX_D_MODEL, MAX_POSITION};
#[cfg(feature = "ndarray")]
pub use ndarray;
pub use rope::Rope;
pub use rope::axes::{SectionOrder, axis_of_pair};
#[cfg(feature = "serde")]
pub use rope::config::{ConfigError, RopeConfig};
pub use rope::error::RopeError;
pub use rope::macro_call::RopeMacroCall;
pub use rope::parameters::RopeParameters;
pub use rope::preset::RopePreset;
pub use rope::rotate::{Head, Rotate, rotate_halves, rotate_pairs};
#[doc(hidden)]
pub use rope::spec_of_rope;
pub use rope::tables::CosSin;
pub use rope::token_rows::{MropePositions, TokenRows};
pub use spec::Spec;
pub use spec::amplitude::Amplitude;
pub use spec::arrangement::PairColumns;
pub use spec::axial_choices::{AxialNest, AxialRest};
pub use spec::choices::{Columns, FrequencyDtype, Layout, Odd, Order, Packing, Pairing, Repeat};
pub use spec::error::SpecError;
pub use spec::grid_choices::{Nest, Rest};
#[doc(hidden)]
pub use spec::keys::conflicts;
pub use spec::macro_call::MacroCall;
#[doc(hidden)]
pub use spec::names::Listed;
pub use spec::names::{NameError, Suggestion};
pub use spec::position::Position;
pub use spec::preset::Preset;
pub use spec::quantiser::Quantiser;
#[doc(hidden)]
pub use spec::quantiser::check_quantiser;
#[doc(hidden)]
pub use spec::scaling::MAX_ARGUMENTS;
pub use spec::scaling::Scaling;
pub use spec::values::{Frequencies, Parameters};
#[cfg(feature = "alloc")]
pub use table::Table;
pub use table::aligned::Aligned;
pub use table::compare_error::CompareError;
pub use table::embeddings;
#[cfg(feature = "alloc")]
pub use table::encoder::Encoder;
#[cfg(feature = "alloc")]
pub use table::fill::sinusoidal_table;
pub use table::row_range::RowRange;
pub use table::rows::{Flat, Rows};
#[doc(hidden)]
pub use text::message::Message;

/// The parameters of the scaling rules.
pub mod scaling {
    pub use crate::spec::scaling::{Dynamic, Linear, Llama3, LongRope, Ntk, Proportional, Yarn};
}

/// The cfgs of the proofs with which this crate is compiled, or `none`. The build script lists them.
#[doc(hidden)]
pub const PROOF: &str = match option_env!("POSENC_PROOF") {
    Some(cfgs) => cfgs,
    None => "none",
};
