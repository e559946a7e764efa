//! Exact numbers of any length, intervals between two of them, and their decimal digits: for explanations, and for sums that integers do
//! not decide, where time does not matter.
//!
//! Products, whole parts and decimals are exact, so the only errors are those that an interval begins with.

pub(crate) mod decimal;
pub(crate) mod dyadic;
pub(crate) mod interval;
mod natural;
pub(crate) mod signed;
