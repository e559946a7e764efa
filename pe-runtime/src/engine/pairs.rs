//! Numbers as unevaluated sums of two floats (double-double arithmetic): a number, and a rest of about `2^-53` of it.

#![allow(clippy::float_arithmetic, reason = "each operation states its error")]

use crate::engine::simd::{fuses, multiply_add};

/// Returns the rounding error of `product = a b`, exactly, or off by less than `2^-105` of the product if not fused.
///
/// If not fused, both factors are split after 26 bits (Dekker 1971), here by masking. The first halves have 26 bits and
/// the second ones 27, so all products of halves are exact except the last, which has up to 54 bits.
#[inline(always)]
pub(crate) fn product_error<const FUSED: bool>(a: f64, b: f64, product: f64) -> f64 {
    if fuses::<FUSED>() {
        return multiply_add::<FUSED>(a, b, -product);
    }
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
}

/// Returns the first 26 bits of a float, and the rest.
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let high = f64::from_bits(x.to_bits() & !((1 << 27) - 1));
    (high, x - high)
}

/// Returns the sum, and its rounding error exactly (Knuth's `TwoSum`).
#[inline(always)]
pub(crate) fn sum_and_error(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// Returns a number and a rest whose sum is `high + low`, for `|high| >= |low|` (Dekker's `Fast2Sum`).
#[inline(always)]
pub(crate) fn renormalised(high: f64, low: f64) -> (f64, f64) {
    let sum = high + low;
    (sum, (high - sum) + low)
}

/// Returns the product, off by less than `2^-101` of it.
///
/// In units of `2^-106` of the product: the product of the rests is dropped, 1. The products of a number and a rest are
/// at most `2^-52` together, and three roundings of numbers of at most `2^-51` add 3 times 4. Unless fused, the error
/// of the product of the numbers is off by 2 more, and its sum with the others rounds as before.
#[inline(always)]
pub(crate) fn product<const FUSED: bool>((a, a_rest): (f64, f64), (b, b_rest): (f64, f64)) -> (f64, f64) {
    let product = a * b;
    let error = product_error::<FUSED>(a, b, product);
    let error = multiply_add::<FUSED>(a, b_rest, error);
    renormalised(product, multiply_add::<FUSED>(a_rest, b, error))
}

/// Returns the sum of `a` and `b`, for `|a| >= 2 |b|`, off by less than `2^-104` of `a`.
#[inline(always)]
pub(crate) fn sum((a, a_rest): (f64, f64), (b, b_rest): (f64, f64)) -> (f64, f64) {
    let (high, low) = renormalised(a, b);
    renormalised(high, low + (a_rest + b_rest))
}
