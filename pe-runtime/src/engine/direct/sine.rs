//! The sine of an angle in turns, by polynomials.

use crate::engine::direct::phase::Phase;
use crate::engine::pairs::{product, product_error, renormalised, sum};
use crate::engine::polynomials::{PRECISE_SINE, PRECISE_SINE_TAIL, SINE};
use crate::engine::simd::multiply_add;

/// Returns the value of a polynomial.
#[inline(always)]
fn horner<const FUSED: bool, const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut i = N - 1;
    let mut value = coefficients[i];
    while i > 0 {
        i -= 1;
        value = multiply_add::<FUSED>(value, x, coefficients[i]);
    }
    value
}

/// Returns the sine of a phase. The error is derived at [`DIRECT_ONE_FLOAT`](crate::error_bounds::DIRECT_ONE_FLOAT).
#[inline(always)]
pub(crate) fn sine<const FUSED: bool>(phase: Phase) -> f64 {
    let x = phase.turns + phase.rest;
    flipped(x * horner::<FUSED, 8>(&SINE, x * x), phase.flip)
}

/// Returns the sine of a phase as a number and a rest.
///
/// The error is derived at [`DIRECT_TWO_FLOATS`](crate::error_bounds::DIRECT_TWO_FLOATS).
#[inline(always)]
pub(crate) fn precise_sine<const FUSED: bool>(phase: Phase) -> (f64, f64) {
    let x = renormalised(phase.turns, phase.error + phase.rest);
    let square = x.0 * x.0;
    let square = (square, multiply_add::<FUSED>(x.0 + x.0, x.1, product_error::<FUSED>(x.0, x.0, square)));
    let mut value = (horner::<FUSED, 5>(&PRECISE_SINE_TAIL, square.0), 0.0);
    let mut i = PRECISE_SINE.len();
    while i > 0 {
        i -= 1;
        value = sum(PRECISE_SINE[i], product::<FUSED>(square, value));
    }
    let (sine, rest) = product::<FUSED>(x, value);
    (flipped(sine, phase.flip), flipped(rest, phase.flip))
}

#[inline(always)]
fn flipped(x: f64, sign_bit: u64) -> f64 {
    f64::from_bits(x.to_bits() ^ sign_bit)
}
