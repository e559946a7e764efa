//! Converts a component of a rotation to a float, or to a sum of two.

#![allow(clippy::float_arithmetic, reason = "multiplies by powers of two only")]

use crate::exact::bits::power_of_two;
use crate::exact::rotation::Rotation;

/// Returns a component of a rotation times `size`, a power of two, as a float.
///
/// It is off by less than 0.51 units of `2^-53 size`.
pub(crate) const fn float(value: i128, size: f64) -> f64 {
    const UNIT: f64 = power_of_two(64 - Rotation::BITS);
    // The bits shifted out are less than 2^-62.
    (value >> 64) as i64 as f64 * (UNIT * size)
}

/// Returns the same as a multiple of `2^-26 size` and a rest of at most half of that.
///
/// Their sum is off by less than 0.51 units of `2^-80 size`.
pub(crate) const fn multiple_and_rest(value: i128, size: f64) -> (f64, f64) {
    const LOW_BITS: i32 = Rotation::BITS - 26;
    const HIGH_UNIT: f64 = power_of_two(-26);
    const LOW_UNIT: f64 = power_of_two(-90);
    let high = (value + (1 << (LOW_BITS - 1))) >> LOW_BITS;
    // Below 2^99 in magnitude, of which 63 bits are kept.
    let low = (value - (high << LOW_BITS)) >> 36;
    (high as i64 as f64 * (HIGH_UNIT * size), low as i64 as f64 * (LOW_UNIT * size))
}
