//! Numbers as unevaluated sums of two floats (double-double arithmetic): a number, and a rest of about `2^-53` of it.

#![allow(clippy::float_arithmetic, reason = "each operation states its error")]

use crate::engine::simd::{fuses, multiply_add};

/// Returns the rounding error of `product = a b`, exactly, or off by at most `2^-104` of the product if not fused.
///
/// If not fused, both factors are split after 26 bits (Dekker 1971), here by masking. The first halves have 26 bits and
/// the second ones 27, so all products of halves are exact except the last, which has up to 54 bits and is below
/// `2^-50` of the product (`proofs/product_error.gappa`).
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

/// Returns a number and a rest whose sum is `high + low` (Dekker's `Fast2Sum`).
///
/// It is exact if `|high| >= |low|`, or if `high` is a multiple of the last place of `low`.
#[inline(always)]
pub(crate) fn renormalised(high: f64, low: f64) -> (f64, f64) {
    let sum = high + low;
    (sum, (high - sum) + low)
}

/// Returns the product of two pairs whose rests are at most `2^-50` of the numbers.
///
/// The rest of the product is at most `2^-48` of it, and the sum is off by less than `2^-98` of it
/// (`proofs/pairs.gappa`). In units of `2^-53` of the product: the rests contribute 8 each and the rounding error of
/// the numbers' product 1, which makes a rest of about 17. Dropping the product of the rests costs `64 2^-53`. Two
/// roundings of about 9 and 17 add `26 2^-53`, and unless fused two more products and the error of `product_error` add
/// `20 2^-53`.
#[inline(always)]
pub(crate) fn product<const FUSED: bool>((a, a_rest): (f64, f64), (b, b_rest): (f64, f64)) -> (f64, f64) {
    let product = a * b;
    let rest = multiply_add::<FUSED>(a, b_rest, product_error::<FUSED>(a, b, product));
    (product, multiply_add::<FUSED>(a_rest, b, rest))
}

/// Returns the quotient of a pair, whose rest is at most half a unit in the last place, by a float. Its rest is as small.
///
/// It is off by less than `9.9 2^-106` of the quotient, and `5.4 2^-106` if fused (`proofs/quotient.gappa`): the quotient of the
/// rests, which are `2^-52` together, is rounded, and so is their sum. Unless fused, the remainder is off by the error of
/// `product_error`, and rounded.
#[inline(always)]
pub(crate) fn quotient<const FUSED: bool>((a, a_rest): (f64, f64), divisor: f64) -> (f64, f64) {
    let quotient = a / divisor;
    let product = quotient * divisor;
    // The product is close to the number, so the difference is exact.
    let rest = (a - product) - product_error::<FUSED>(quotient, divisor, product);
    renormalised(quotient, (rest + a_rest) / divisor)
}

/// Returns the sum of two pairs, for `|a| >= |b|`.
///
/// Only the sums of the rests are rounded. The rests grow if the numbers nearly cancel; `proofs/precise_sine.gappa`
/// bounds those of a polynomial.
#[inline(always)]
pub(crate) fn sum((a, a_rest): (f64, f64), (b, b_rest): (f64, f64)) -> (f64, f64) {
    let (sum, error) = renormalised(a, b);
    (sum, error + (a_rest + b_rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worst case of an unfused product: the last product of halves has 54 bits, and the product is just above 1.
    #[test]
    fn an_unfused_product_error_is_off_by_its_bound() {
        const UNIT: f64 = 1.0 / (1u64 << 52) as f64;
        let low = (1 << 27) - 1;
        let (x, bits) = (1.0 + f64::from(low) * UNIT, (1u128 << 52) + low as u128);
        let exact = (bits * bits) as i128 - (((x * x) / UNIT) as i128) * (1 << 52);
        let error = (product_error::<false>(x, x, x * x) / UNIT / UNIT) as i128;
        assert_eq!((exact - error).abs(), 1);
    }
}
