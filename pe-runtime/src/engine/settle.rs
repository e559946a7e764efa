//! What the quick rounding of a sum of angles leaves undecided.

#![allow(clippy::float_arithmetic, reason = "see `lanes`")]

use crate::exact::format::Format;
use crate::exact::rounding::Enclosure;
use crate::exact::sinusoid::{Function, Sinusoid};

/// Returns the bits of an entry, its function at `position`, which is within `error` of a number and a rest.
pub(crate) const fn settle(
    sinusoid: &Sinusoid,
    function: Function,
    position: f64,
    sum: (f64, f64),
    error: f64,
    format: Format,
) -> u64 {
    match enclosed(sum, error, format) {
        Some(bits) => bits,
        None => sinusoid.round_at(function, position, format),
    }
}

/// Returns the bits that all numbers within `error` of a number and a rest round to, if they do: some entries the quick rounding leaves
/// undecided for its own sake.
pub(crate) const fn enclosed((high, rest): (f64, f64), error: f64, format: Format) -> Option<u64> {
    match Enclosure::between(high + (rest - error), high + (rest + error)) {
        Some(enclosure) => enclosure.round(format),
        None => None,
    }
}
