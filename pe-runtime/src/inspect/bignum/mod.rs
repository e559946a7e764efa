//! Exact numbers of any length, intervals between two of them, and their decimal digits.
//!
//! Explanations use them, and so do sums that integers do not decide. Their speed does not matter. Products, integer
//! parts and decimals are exact, so the only errors are those that an interval starts with.

pub(crate) mod decimal;
pub(crate) mod dyadic;
pub(crate) mod interval;
mod natural;
pub(crate) mod signed;
