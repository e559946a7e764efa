//! Rounds floats with an error to an element, if all numbers within the error round to the same one (Ziv's method).
#![allow(clippy::float_arithmetic, reason = "see `lanes`")]

use crate::element::{Bf16Bits, F16Bits};
use crate::error_bounds::F32_QUARTER_PLACES;
use crate::exact::format::Format;
use crate::exact::rounding::Enclosure;

#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn f32(high: f64, rest: f64, error: f64) -> (f32, u32) {
    let (low, high) = ((high + (rest - error)) as f32, (high + (rest + error)) as f32);
    // The error is at least `LEAST_ONE_FLOAT`, so the two cannot both be zeros or subnormal numbers, some of which the
    // processor may take as equal.
    (high, (low != high) as u32)
}

#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn f64(high: f64, rest: f64, error: f64) -> (f64, u32) {
    let (low, high) = (high + (rest - error), high + (rest + error));
    (high, (low != high) as u32)
}

#[inline(always)]
pub(crate) const fn f16_bits(high: f64, _: f64, error: f64) -> (F16Bits, u32) {
    let (bits, undecided) = to_f16(high, error);
    (F16Bits(bits), undecided)
}

#[inline(always)]
pub(crate) const fn bf16_bits(high: f64, _: f64, error: f64) -> (Bf16Bits, u32) {
    let (bits, undecided) = to_bf16(high, error);
    (Bf16Bits(bits), undecided)
}

#[cfg(all(feature = "alloc", feature = "half"))]
#[inline(always)]
pub(crate) fn f16(high: f64, _: f64, error: f64) -> (half::f16, u32) {
    let (bits, undecided) = to_f16(high, error);
    (half::f16::from_bits(bits), undecided)
}

#[cfg(all(feature = "alloc", feature = "half"))]
#[inline(always)]
pub(crate) fn bf16(high: f64, _: f64, error: f64) -> (half::bf16, u32) {
    let (bits, undecided) = to_bf16(high, error);
    (half::bf16::from_bits(bits), undecided)
}

/// Returns the bits that all numbers within `error` of a number and a rest round to, if they round to the same.
///
/// The functions above leave some entries undecided that this function decides.
pub(crate) const fn enclosed((high, rest, error): (f64, f64, f64), format: Format) -> Option<u64> {
    match Enclosure::between(high + (rest - error), high + (rest + error)) {
        Some(enclosure) => enclosure.round(format),
        None => None,
    }
}

/// Returns the bits of the 16-bit IEEE 754 number nearest to all numbers within `error` of `value`.
///
/// The second number is not 0 if they are undecided, as for all results below the normal numbers. The magnitude of
/// `value` must be below 65520.
#[inline(always)]
const fn to_f16(value: f64, error: f64) -> (u16, u32) {
    // The exponent bias changes from 127 to 15, and the fraction is cut from 23 bits to 10.
    const LEAST_NORMAL: u32 = (127 - 14) << 23;
    let bits = (value as f32).to_bits();
    let size = bits & 0x7fff_ffff;
    // The exponent and the fraction, plus half a unit in the last place. A tie leaves none of the bits that are cut.
    let sum = size.wrapping_sub(LEAST_NORMAL - (1 << 23) - 0x1000);
    let tie = sum.trailing_zeros() >= 13;
    let least = ((error * F32_QUARTER_PLACES) as f32).max(f32::from_bits(LEAST_NORMAL));
    let small = f32::from_bits(size) < least;
    ((bits >> 16 & 0x8000 | sum >> 13) as u16, (tie | small) as u32)
}

/// Returns the bits of the `bfloat16` nearest to all numbers within `error` of `value`.
///
/// The second number is not 0 if they are undecided. `value` must not round to infinity.
#[inline(always)]
const fn to_bf16(value: f64, error: f64) -> (u16, u32) {
    let bits = (value as f32).to_bits();
    // Plus half a unit in the last place. A tie leaves none of the bits that are cut.
    let sum = bits.wrapping_add(0x8000);
    let tie = sum.trailing_zeros() >= 16;
    let small = f32::from_bits(bits & 0x7fff_ffff) < (error * F32_QUARTER_PLACES) as f32;
    ((sum >> 16) as u16, (tie | small) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::rounding::Magnitude;
    use crate::float_bits::power_of_two;

    /// The exponent of the least error of the tiers: at least 2 times `2^-51` of an amplitude that is at least `2^-64`.
    const LEAST_ERROR: i32 = -114;

    /// Returns the bits of the number, rounded with integers.
    fn nearest(value: f64, format: Format) -> u16 {
        let size = Magnitude::of_f64(value).round(format) as u16;
        size | u16::from(value < 0.0) << 15
    }

    /// Rounds a value with an error, compares a decided result with both ends, and returns whether it was decided.
    fn decided(value: f64, error: f64, format: Format, round: fn(f64, f64) -> (u16, u32)) -> bool {
        let (low, high) = (value - error, value + error);
        assert!(low + error == value && high - error == value, "exact ends");
        let (bits, undecided) = round(value, error);
        if undecided == 0 {
            let ends = [nearest(low, format), nearest(high, format)];
            assert_eq!([bits; 2], ends, "{value:e}, give or take {error:e}, to {} bits", format.precision);
        }
        undecided == 0
    }

    /// Checks values around every midpoint of two numbers and around every number, in steps of errors from far below an
    /// ulp of `f32` to far above. It also checks values that are no midpoint, but would become one if rounded to `f32`
    /// first.
    fn check(format: Format, round: fn(f64, f64) -> (u16, u32)) {
        let (mut far, mut decided_far) = (0, 0);
        let number = |bits: u64| {
            let (mantissa, exponent) = format.places(bits);
            mantissa as f64 * power_of_two(exponent)
        };
        // Amplitudes are at most 2^64 here, and at most the largest number of the format.
        let last = Magnitude::of_f64(format.max().min(power_of_two(65))).round(format);
        for bits in 0..last {
            let (this, middle) = (number(bits), f64::midpoint(number(bits), number(bits + 1)));
            let exponent = ((middle.to_bits() >> 52) as i32 - 1023).max(LEAST_ERROR + 1);
            for relative in [-50, -45, -40, -30, -28, -27, -26, -25, -24, -23, -20, -15, -8, -2] {
                let error = power_of_two((exponent + relative).max(LEAST_ERROR));
                for steps in [-5, -3, -2, -1, 0, 1, 2, 3, 5] {
                    for sign in [1.0, -1.0] {
                        let off = f64::from(steps) * (error / 2.0);
                        decided(sign * (middle + off), error, format, round);
                        decided(sign * (this + off), error, format, round);
                        // Half an ulp of `f32` away, which rounds to even, and that is the midpoint.
                        let half_place = power_of_two((exponent - 24).max(LEAST_ERROR - 10));
                        if relative > -49 {
                            decided(sign * (middle + half_place.copysign(off) + off), error, format, round);
                        }
                    }
                }
                // A quarter of the way from one number to the next, everything must be decided.
                let quarter = f64::midpoint(this, middle);
                if relative < -26 && error < quarter * power_of_two(-27) && quarter >= power_of_two(-14) {
                    far += 1;
                    decided_far += u32::from(decided(quarter, error, format, round));
                }
            }
        }
        assert!(far > 10_000 && decided_far == far, "{decided_far} of {far}");
    }

    #[test]
    fn what_is_decided_in_f16_is_right() {
        check(Format::F16, to_f16);
    }

    #[test]
    fn what_is_decided_in_bf16_is_right() {
        check(Format::BF16, to_bf16);
    }
}
