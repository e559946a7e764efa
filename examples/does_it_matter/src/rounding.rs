//! Rounding to 16-bit floats and to integers, of numbers in `f64`.

/// Rounds to bf16, to nearest, ties to even.
pub fn bf16(value: f64) -> f64 {
    to_float(value, 8, -126)
}

/// Rounds to IEEE's half precision. Values from 65,520 on, which become infinite there, do not occur here.
pub fn f16(value: f64) -> f64 {
    to_float(value, 11, -14)
}

/// Rounds to a float with a significand of `bits` and normal numbers from `2^least` on.
fn to_float(value: f64, bits: i32, least: i32) -> f64 {
    let exponent = ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    to_multiple(value, 2f64.powi(exponent.max(least) - bits + 1))
}

/// Rounds a sine or a cosine to a signed integer of `bits`, with 1 as the largest.
pub fn to_integer(value: f64, bits: i32) -> f64 {
    to_multiple(value, 1.0 / (2f64.powi(bits - 1) - 1.0))
}

fn to_multiple(value: f64, step: f64) -> f64 {
    (value / step).round_ties_even() * step
}
