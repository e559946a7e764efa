//! Converts integers to floats, or to sums of two: components of rotations, and frequencies.

#![allow(clippy::float_arithmetic, reason = "multiplies by powers of two only")]

use crate::exact::float::Float;
use crate::exact::rotation::Rotation;
use crate::float_bits::power_of_two;

/// Returns a component of a rotation times `size`, a power of two, as a float.
///
/// It is off by less than 0.51 units of `2^-53 size`.
#[cfg(feature = "alloc")]
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

/// Returns the first 53 bits of a number as a float and the next 63 as another, or `None` beyond `2^±500`.
///
/// Their sum is off by less than `2^-105` of the number.
pub(crate) const fn number_and_rest<const L: usize>(number: &Float<L>) -> Option<(f64, f64)> {
    const HIGH_BITS: u32 = f64::MANTISSA_DIGITS;
    const LOW_BITS: u32 = 63;
    if number.exponent.abs() > 500 {
        return None;
    }
    let bits = number.fraction.window(0);
    let (high, low) = ((bits >> (128 - HIGH_BITS)) as i64, (bits << HIGH_BITS >> (128 - LOW_BITS)) as i64);
    let unit = power_of_two(number.exponent - HIGH_BITS as i32);
    Some((high as f64 * unit, low as f64 * (unit * power_of_two(-(LOW_BITS as i32)))))
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::fixed::Fixed;
    use crate::properties;

    properties! {
        #![cases(256)]

        #[test]
        fn a_number_and_its_rest_have_116_bits(high in 1u64 << 63.., low: u64, last: u64, exponent in -500i32..=500) {
            let (number, rest) = number_and_rest(&Float { fraction: Fixed([high, low, last]), exponent }).unwrap();
            // In units of 2^(exponent - 116), both are integers of at most 116 and 63 bits.
            let unit = power_of_two(116 - exponent);
            let bits = ((number * unit) as u128) + ((rest * unit) as u128);
            let exact = (u128::from(high) << 64 | u128::from(low)) >> 12;
            // Rounding the rest to an `f64` costs at most 2^9 units.
            prop_assert!(bits.abs_diff(exact) <= 1 << 9, "{bits:x} for {exact:x}");
        }
    }

    #[test]
    fn numbers_beyond_the_limits_are_refused() {
        let of = |exponent| number_and_rest(&Float { fraction: Fixed([1 << 63, 0]), exponent });
        assert_eq!((of(501), of(-501)), (None, None));
        assert_eq!((of(1), of(500).is_some(), of(-500).is_some()), (Some((1.0, 0.0)), true, true));
    }
}
