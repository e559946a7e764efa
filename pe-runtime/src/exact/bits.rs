//! Doubles put together and taken apart by their bits, without floating-point arithmetic.

/// Returns `2^exponent`, a normal number.
pub(crate) const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// `value / 2^bits` for an integer `value`. Exact, without floating-point arithmetic.
pub(crate) const fn divide_exactly(value: u64, bits: u32) -> f64 {
    if value == 0 { 0.0 } else { f64::from_bits((value as f64).to_bits() - ((bits as u64) << 52)) }
}

/// 1, 0 or -1, as `value` is positive, zero (of either sign) or negative.
///
/// By its bits: programs may have their processor take subnormal numbers for zeros, in a comparison too.
pub(crate) const fn sign(value: f64) -> i32 {
    sign_of_bits(value.to_bits())
}

/// Not inlined: LLVM makes a comparison of floats of one with the bits of a float that it sees.
#[inline(never)]
const fn sign_of_bits(bits: u64) -> i32 {
    match bits << 1 {
        0 => 0,
        _ if bits >> 63 == 0 => 1,
        _ => -1,
    }
}

pub(crate) const fn is_zero(value: f64) -> bool {
    sign(value) == 0
}
