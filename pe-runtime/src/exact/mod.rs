//! The exact tier: sine and cosine in integer arithmetic, in as many bits as the rounding of an entry needs.

#[macro_use]
mod ladder;

pub(crate) mod bits;
#[allow(clippy::unreadable_literal, reason = "made by a script, for machines")]
pub(crate) mod constants;
pub(crate) mod factor;
pub(crate) mod fixed;
pub(crate) mod float;
pub(crate) mod format;
pub(crate) mod frequency;
pub(crate) mod limbs;
pub(crate) mod phase;
pub(crate) mod rotation;
pub(crate) mod rounding;
pub(crate) mod sincos;
pub(crate) mod sinusoid;
#[cfg(all(feature = "inspect", feature = "alloc"))]
pub(crate) mod unscaled;
