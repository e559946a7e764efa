//! Operations on the bits of an `f64`, without floating-point arithmetic.

/// Returns `2^exponent`, which must be a normal number.
pub(crate) const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Returns `value 2^exponent`, exactly and without floating-point arithmetic, for a product that is a normal number or zero.
pub(crate) const fn times_power_of_two(value: u64, exponent: i32) -> f64 {
    if value == 0 { 0.0 } else { f64::from_bits((value as f64).to_bits().wrapping_add_signed((exponent as i64) << 52)) }
}

/// Returns 1, 0 or -1 if `value` is positive, zero (of either sign) or negative.
///
/// It tests the bits, because programs can make the processor treat subnormal numbers as zeros, even in comparisons.
pub(crate) const fn sign(value: f64) -> i32 {
    sign_of_bits(value.to_bits())
}

/// Not inlined, because LLVM turns the test into a comparison of floats if it sees that the bits come from a float.
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

/// The float that rounds others to integers: in its binade, floats are integers.
///
/// It is far above 2^34, so adding a zero point keeps it in the binade, and so does a number of units.
pub(crate) const ROUNDER: f64 = f64::from_bits(0x4338_0000_0000_0000); // 1.5 * 2^52

/// Returns what rounds numbers of units to integers and adds the zero point: the sum of [`ROUNDER`] and the zero point.
pub(crate) const fn rounder(zero_point: i64) -> f64 {
    multiples(zero_point, 0)
}

/// Returns what the fast tiers add to a number of units to round it to an integer of a width.
///
/// For up to 16 bits, the low bits of the sum are those of the number with [`binary_places`], plus the zero point, one half
/// because what follows rounds down, and 1 in the last place. For 32 bits it is the [`rounder`].
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) const fn fixed_point_rounder(width: u32, zero_point: i64) -> f64 {
    let places = binary_places(width);
    if places == 0 { rounder(zero_point) } else { multiples((zero_point << places) + (1 << (places - 1)) + 1, places) }
}

/// Returns the binary places with which the fast tiers compute integers of a width before rounding.
///
/// For up to 16 bits, the numbers up to one beyond the integers, and another 1, fit into 32 bits with these places.
#[cfg(feature = "alloc")]
pub(crate) const fn binary_places(width: u32) -> u32 {
    match width {
        8 => 22,
        16 => 15,
        _ => 0,
    }
}

/// Returns what rounds numbers to multiples of `2^-places` and adds `count` of these: [`ROUNDER`] and `count`, both times
/// `2^-places`.
const fn multiples(count: i64, places: u32) -> f64 {
    // The last place of `ROUNDER` is 1.
    f64::from_bits(ROUNDER.to_bits().wrapping_add(count as u64) - ((places as u64) << 52))
}
