//! The fast tier, for the rows of equally spaced positions: angles of a few coarse and a few fine rows, added.
//!
//! With `B = 2^fine_levels`, row `a B + b` has the angles of coarse row `a` and of fine row `b`. Either are products of anchors,
//! the angles of `2^level` rows, one for each bit of their numbers; the anchors, and the angles of the first row, come from the
//! exact tier. An entry that the error of all this leaves undecided is computed by the exact tier.

#![allow(clippy::float_arithmetic, reason = "see `lanes`")]

mod coarse_rows;
mod grow;
pub(crate) mod lanes;
mod prepare;
pub(crate) mod simd;
mod write;

pub(crate) use prepare::FastRows;
