//! Doubles put together and taken apart by their bits, without floating-point arithmetic.

use crate::exact::rounding::Format;

/// Returns `2^exponent`, a normal number.
pub(crate) const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Returns the size of a finite number as a mantissa and the exponent of its last place: `|value| = mantissa 2^exponent`.
pub(crate) const fn places(value: f64) -> (u64, i32) {
    Format::F64.places(value.to_bits() & !(1 << 63))
}

/// Returns the mantissa and the exponent of `|value| = mantissa 2^(exponent - 52)`, with `2^52 <= mantissa < 2^53` for a finite
/// `value` other than 0; of 0 the mantissa is 0.
pub(crate) const fn decompose(value: f64) -> (u64, i32) {
    let (mantissa, exponent) = places(value);
    // A branch that is foreseen: every undecided entry comes through here.
    if mantissa >> 52 == 1 {
        return (mantissa, exponent + 52);
    }
    let zeros = mantissa.leading_zeros() - 11;
    (mantissa << zeros, exponent + 52 - zeros as i32)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_taken_apart_exactly() {
        assert_eq!([-1022, -1, 0, 1023].map(power_of_two), [f64::MIN_POSITIVE, 0.5, 1.0, 2f64.powi(1023)]);
        assert_eq!(decompose(1.0), (1 << 52, 0));
        assert_eq!(decompose(-10_000.0), (10_000 << 39, 13));
        assert_eq!(decompose(f64::MIN_POSITIVE), (1 << 52, -1022));
        assert_eq!(decompose(f64::from_bits(3)), (3 << 51, -1073));
        assert_eq!(decompose(f64::MAX), ((1 << 53) - 1, 1023));
        assert_eq!(decompose(-0.0).0, 0);
        assert_eq!(places(f64::from_bits(3)), (3, -1074));
        assert_eq!(places(-1.0), (1 << 52, -52));
        assert_eq!([0, 1, 6, 1 << 25].map(|value| divide_exactly(value, 2)), [0.0, 0.25, 1.5, 8_388_608.0]);
    }
}
