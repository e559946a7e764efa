//! From floats with an error to an element, if all numbers within the error round to the same.
#![allow(clippy::float_arithmetic, reason = "see `block`")]

use crate::element::{Bf16Bits, F16Bits};

#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn f32(high: f64, rest: f64, error: f64) -> (f32, u32) {
    let (low, high) = ((high + (rest - error)) as f32, (high + (rest + error)) as f32);
    // An error is far above the least `f32`, so the two are not zeros of different signs.
    (high, low.to_bits() ^ high.to_bits())
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

/// The bits of the 16-bit IEEE 754 number nearest to all numbers within `error` of `value`, or not 0 for undecided, as all below
/// the normal ones are. For sizes below 65520.
#[inline(always)]
const fn to_f16(value: f64, error: f64) -> (u16, u32) {
    // The exponent is biased by 15, not 127, and the fraction cut from 23 bits to 10.
    const LEAST_NORMAL: u32 = (127 - 14) << 23;
    let x = value as f32;
    let size = x.to_bits() & 0x7fff_ffff;
    let tie = size & 0x1fff == 0x1000;
    let least = ((error * F32_QUARTER_PLACES) as f32).max(f32::from_bits(LEAST_NORMAL));
    let small = f32::from_bits(size) < least;
    let rounded = size.wrapping_sub(LEAST_NORMAL - (1 << 23) - 0x1000) >> 13;
    ((x.to_bits() >> 31 << 15 | rounded) as u16, (tie | small) as u32)
}

/// The bits of the `bfloat16` nearest to all numbers within `error` of `value`, or not 0 for undecided. For sizes that do not
/// round to infinity.
#[inline(always)]
const fn to_bf16(value: f64, error: f64) -> (u16, u32) {
    let x = value as f32;
    let bits = x.to_bits();
    let tie = bits & 0xffff == 0x8000;
    let small = f32::from_bits(bits & 0x7fff_ffff) < (error * F32_QUARTER_PLACES) as f32;
    ((bits.wrapping_add(0x8000) >> 16) as u16, (tie | small) as u32)
}

/// A value that is so many errors large has an error of less than half a place of `f32` (a quarter, to leave no doubt about the
/// rounding of this product). Then a tie between 16-bit numbers, which is an `f32`, cannot lie between the value and the exact one
/// unless the value is rounded to it: what is not a tie is on the right side of all of them.
const F32_QUARTER_PLACES: f64 = 67_108_864.0;
