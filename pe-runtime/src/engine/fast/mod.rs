//! The fast tier: rows of equally spaced positions, from the sums of the angles of a few coarse and a few fine rows.
//!
//! With `B = 2^fine_levels`, the angle of row `a B + b` is the sum of the angles of coarse row `a` and of fine row `b`.
//! Both are products of anchors, the angles of `2^level` rows, one for each bit of their numbers. Direct evaluation gives
//! the anchors and the angles of the first row, and the exact tier if they are not precise enough. If the error of all
//! this leaves an entry undecided, it is evaluated directly, and then by the exact tier.

#![allow(clippy::float_arithmetic, reason = "see `lanes`")]

mod all_rows;
mod grow;
pub(crate) mod lanes;
mod prepare;
mod single_rows;
mod sums;

pub(crate) use all_rows::AllRows;
pub(crate) use prepare::FastRows;
pub(crate) use single_rows::SingleRows;
