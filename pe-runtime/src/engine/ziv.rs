//! Rounds floats with an error to an element, if all numbers within the error round to the same one (Ziv's method).
#![allow(clippy::float_arithmetic, reason = "see `lanes`")]

use crate::element::kernel::FloatEnclosure;
#[cfg(feature = "alloc")]
use crate::element::{Bf16Bits, F16Bits, Q7, Q15, Q31};
use crate::error_bounds::F32_QUARTER_PLACES;
#[cfg(feature = "alloc")]
use crate::error_bounds::{DIRECT_ONE_FLOAT, Tier, one_float};
use crate::exact::format::Format;
use crate::exact::rounding::Enclosure;
#[cfg(feature = "alloc")]
use crate::float_bits::{ROUNDER, binary_places, power_of_two};

/// Returns the interval of all numbers within `error` of `number + rest`.
#[inline(always)]
pub(crate) const fn around(number: f64, rest: f64, error: f64) -> FloatEnclosure {
    FloatEnclosure { number, least: rest - error, greatest: rest + error }
}

#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn f32(FloatEnclosure { number, least, greatest }: FloatEnclosure, _: f64) -> (f32, u32) {
    let (low, high) = ((number + least) as f32, (number + greatest) as f32);
    // The error is at least `LEAST_ONE_FLOAT`, so the two cannot both be zeros or subnormal numbers, some of which the
    // processor may take as equal.
    (high, (low != high) as u32)
}

#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn f64(FloatEnclosure { number, least, greatest }: FloatEnclosure, _: f64) -> (f64, u32) {
    let (low, high) = (number + least, number + greatest);
    (high, (low != high) as u32)
}

#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn f16_bits(FloatEnclosure { number, greatest, .. }: FloatEnclosure, _: f64) -> (F16Bits, u32) {
    let (bits, undecided) = to_f16(number, greatest);
    (F16Bits(bits), undecided)
}

#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn bf16_bits(FloatEnclosure { number, greatest, .. }: FloatEnclosure, _: f64) -> (Bf16Bits, u32) {
    let (bits, undecided) = to_bf16(number, greatest);
    (Bf16Bits(bits), undecided)
}

#[cfg(all(feature = "alloc", feature = "half"))]
#[inline(always)]
pub(crate) fn f16(FloatEnclosure { number, greatest, .. }: FloatEnclosure, _: f64) -> (half::f16, u32) {
    let (bits, undecided) = to_f16(number, greatest);
    (half::f16::from_bits(bits), undecided)
}

#[cfg(all(feature = "alloc", feature = "half"))]
#[inline(always)]
pub(crate) fn bf16(FloatEnclosure { number, greatest, .. }: FloatEnclosure, _: f64) -> (half::bf16, u32) {
    let (bits, undecided) = to_bf16(number, greatest);
    (half::bf16::from_bits(bits), undecided)
}

/// Returns the integer of up to 16 bits nearest to all numbers in an enclosure, shifted by the zero point and clamped.
///
/// The second number is not 0 if they are undecided.
///
/// In units of `2^-places`, the enclosure is less than 1/2 wide, and the sum is off by at most 1/2 from the lower end plus
/// half an integer plus 1. So all numbers plus half an integer are from `sum - 3/2` to `sum`. Unless the places of the sum
/// are 0 or 1, there is no integer among these, and all of them have the integer part of the sum.
#[cfg(feature = "alloc")]
#[inline(always)]
fn to_narrow_integer<const WIDTH: u32>(
    FloatEnclosure { number, least: below, .. }: FloatEnclosure,
    rounder: f64,
    (least, greatest): (i32, i32),
) -> (i32, u32) {
    let places = const { binary_places(WIDTH) };
    let sum = ((number + below) + rounder).to_bits() as i32;
    let undecided = sum & ((1 << places) - 2) == 0 || const { !enclosures_are_narrow(WIDTH) };
    ((sum >> places).clamp(least, greatest), undecided as u32)
}

/// Returns whether all enclosures of integers of a width are less than half of the last of the [`binary_places`] wide.
///
/// An amplitude is below `2^(width + 1)` units. Twice the error of a sum of 64 rotations is below 2^8 units of `ERROR`, and
/// that of direct evaluation is below 4.
#[cfg(feature = "alloc")]
const fn enclosures_are_narrow(width: u32) -> bool {
    let sum = one_float(Tier::Fast) * power_of_two(8);
    let direct = DIRECT_ONE_FLOAT * power_of_two(2);
    let error = if sum > direct { sum } else { direct };
    error * power_of_two((width + 1 + binary_places(width) + 1) as i32) < 1.0
}

/// Returns the integer of 32 bits nearest to all numbers in an enclosure, shifted by the zero point of `rounder` and
/// clamped.
///
/// The second number is not 0 if they are undecided. If a tie lies between the ends, these round to different integers.
/// The low 32 bits of the sum are the integer, because those of [`ROUNDER`] are zeros.
#[cfg(feature = "alloc")]
#[inline(always)]
fn to_wide_integer(value: FloatEnclosure, rounder: f64, (least, greatest): (i32, i32)) -> (i32, u32) {
    let FloatEnclosure { number, least: below, greatest: above } = value;
    let (low, high) = ((number + below) + rounder, (number + above) + rounder);
    let (least, greatest) = (ROUNDER + f64::from(least), ROUNDER + f64::from(greatest));
    let clamped = if high < greatest { high } else { greatest };
    let clamped = if clamped > least { clamped } else { least };
    (clamped.to_bits() as i32, (low != high) as u32)
}

macro_rules! integers {
    ($($dtype:ident: $element:ty = $integer:ident by $to_integer:path, as $make:expr;)*) => { $(
        #[cfg(feature = "alloc")]
        #[inline(always)]
        pub(crate) fn $dtype(value: FloatEnclosure, rounder: f64) -> ($element, u32) {
            let limits = (core::primitive::$integer::MIN as i32, core::primitive::$integer::MAX as i32);
            let (integer, undecided) = $to_integer(value, rounder, limits);
            ($make(integer as core::primitive::$integer), undecided)
        }
    )* };
}

integers! {
    q7: Q7 = i8 by to_narrow_integer::<8>, as Q7;
    q15: Q15 = i16 by to_narrow_integer::<16>, as Q15;
    q31: Q31 = i32 by to_wide_integer, as Q31;
    i8: i8 = i8 by to_narrow_integer::<8>, as core::convert::identity;
    i16: i16 = i16 by to_narrow_integer::<16>, as core::convert::identity;
    u8: u8 = u8 by to_narrow_integer::<8>, as core::convert::identity;
}

/// Returns the bits that all numbers in an enclosure round to, if they round to the same.
///
/// The functions above leave some entries undecided that this function decides.
pub(crate) const fn enclosed(value: FloatEnclosure, format: Format) -> Option<u64> {
    match Enclosure::between(value.number + value.least, value.number + value.greatest) {
        Some(enclosure) => enclosure.round(format),
        None => None,
    }
}

/// Returns the least magnitude for which the functions and macros below round to 16 bits.
#[inline(always)]
pub(crate) const fn least(error: f64, format: Format) -> f32 {
    let least = (error * F32_QUARTER_PLACES) as f32;
    if format.precision == Format::F16.precision { least.max(f32::from_bits(F16_LEAST_NORMAL)) } else { least }
}

/// The bits of the least normal number of 16 bits as an `f32`.
const F16_LEAST_NORMAL: u32 = (127 - 14) << 23;

/// What is subtracted from the bits of an `f32` before they are cut: the difference of the exponent biases, 127 and 15,
/// less half of the last place that remains. The fraction is cut from 23 bits to 10.
pub(crate) const F16_BIAS: u32 = F16_LEAST_NORMAL - (1 << 23) - 0x1000;

/// Returns the bits of the 16-bit IEEE 754 number nearest to all numbers within `error` of `value`.
///
/// The second number is not 0 if they are undecided, as for all results below the normal numbers. The magnitude of
/// `value` must be below 65,520.
#[cfg(feature = "alloc")]
#[inline(always)]
fn to_f16(value: f64, error: f64) -> (u16, u32) {
    let bits = (value as f32).to_bits();
    let size = bits & 0x7fff_ffff;
    // The exponent and the fraction, plus half a unit in the last place. A tie leaves none of the bits that are cut.
    let sum = size.wrapping_sub(F16_BIAS);
    let tie = sum.trailing_zeros() >= 13;
    let small = f32::from_bits(size) < least(error, Format::F16);
    ((bits >> 16 & 0x8000 | sum >> 13) as u16, (tie | small) as u32)
}

/// Returns the bits of the `bfloat16` nearest to all numbers within `error` of `value`.
///
/// The second number is not 0 if they are undecided. `value` must not round to infinity.
#[cfg(feature = "alloc")]
#[inline(always)]
fn to_bf16(value: f64, error: f64) -> (u16, u32) {
    let bits = (value as f32).to_bits();
    // Plus half a unit in the last place. A tie leaves none of the bits that are cut.
    let sum = bits.wrapping_add(0x8000);
    let tie = sum.trailing_zeros() >= 16;
    let small = f32::from_bits(bits & 0x7fff_ffff) < least(error, Format::BF16);
    ((sum >> 16) as u16, (tie | small) as u32)
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::exact::rounding::Magnitude;
    use crate::float_bits::fixed_point_rounder;

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

    /// Checks enclosures around every half-integer and every integer up to one beyond the type, and that all that are not
    /// near a tie are decided.
    fn check_integers<const WIDTH: u32>(limits: (i32, i32), zero_point: i64) {
        let (rounder, places) = (fixed_point_rounder(WIDTH, zero_point), binary_places(WIDTH) as i32);
        let clamped =
            |units: f64| (units.round_ties_even() as i64 + zero_point).clamp(limits.0.into(), limits.1.into());
        let error = power_of_two(-places - 3);
        for integer in limits.0 - 1..=limits.1 + 1 {
            for steps in -20..=20 {
                for (middle, is_tie) in [(0.5, true), (0.0, false), (0.25, false)] {
                    let units =
                        f64::from(integer) - zero_point as f64 + middle + f64::from(steps) * power_of_two(-places - 2);
                    let enclosure = around(units, 0.0, error);
                    let (found, undecided) = to_narrow_integer::<WIDTH>(enclosure, rounder, limits);
                    if undecided == 0 {
                        assert_eq!([i64::from(found); 2], [units - error, units + error].map(clamped), "{units}");
                    }
                    assert!(undecided == 0 || (is_tie && i32::abs(steps) <= 7), "{units}");
                }
            }
        }
    }

    #[test]
    fn what_is_decided_in_integers_is_right() {
        for zero_point in [-128, -1, 0, 5, 127] {
            check_integers::<8>((-128, 127), zero_point);
        }
        for zero_point in [0, 1, 128, 255] {
            check_integers::<8>((0, 255), zero_point);
        }
        check_integers::<16>((-32_768, 32_767), 0);
        check_integers::<16>((-32_768, 32_767), -32_768);
    }
}
