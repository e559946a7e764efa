//! The tiers that compute rows in floats, and the exact tier for entries that they leave undecided.

#[cfg(feature = "alloc")]
pub(crate) mod allocation;
#[cfg(feature = "alloc")]
mod blocks;
#[cfg(feature = "alloc")]
pub(crate) mod columns;
pub(crate) mod const_eval;
#[cfg(feature = "alloc")]
pub(crate) mod direct;
pub(crate) mod dispatch;
#[cfg(all(test, feature = "alloc"))]
pub(crate) mod error_audit;
#[cfg(feature = "alloc")]
pub(crate) mod fast;
#[cfg(feature = "alloc")]
mod float_frequencies;
#[cfg(feature = "alloc")]
mod pairs;
mod polynomials;
#[cfg(feature = "alloc")]
mod simd;
mod split_float;
#[cfg(feature = "alloc")]
mod store;
mod ziv;

use crate::error_bounds::{MAX_AMPLITUDE_EXPONENT, ROUNDS_TO_F64};
use crate::exact::sinusoid::PreparedAmplitude;

/// Returns whether entries may be computed in floats.
pub(crate) const fn floats_serve(amplitude: Option<&PreparedAmplitude>) -> bool {
    match amplitude {
        Some(amplitude) => ROUNDS_TO_F64 && amplitude.exponent().abs() <= MAX_AMPLITUDE_EXPONENT,
        None => false,
    }
}
