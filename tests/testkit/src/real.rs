//! Arbitrary-precision numbers, and their rounding to the bits of an element type.

use std::cmp::Ordering;

use dashu_float::round::mode::HalfEven;
use dashu_float::{Context, FBig, FpResult};
use posenc::{Bf16Bits, F16Bits};

use crate::Bits;

/// An arbitrary-precision number.
pub type Real = FBig<HalfEven>;

/// Converts a finite number without rounding.
pub fn exactly(x: f64) -> Real {
    Real::try_from(x).expect("a finite number")
}

/// Returns the value of an operation whose result is finite.
pub fn finite(result: FpResult<Real>) -> Real {
    result.expect("a finite number").value()
}

/// Adds exactly, as all operations without a precision do.
pub fn sum(a: &Real, b: &Real) -> Real {
    finite(Context::<HalfEven>::new(0).add(a.repr(), b.repr()))
}

/// Multiplies exactly.
pub fn product(a: &Real, b: &Real) -> Real {
    finite(Context::<HalfEven>::new(0).mul(a.repr(), b.repr()))
}

/// Returns the smallest exponent of a power of two greater than |x|.
pub fn magnitude(x: &Real) -> isize {
    x.repr().exponent() + signed(x.repr().digits())
}

/// Converts a count of bits to a signed number.
pub fn signed(count: usize) -> isize {
    count.try_into().expect("some bits")
}

/// Returns a power of two that is an `f64`, or 0 or infinity beyond them.
pub fn power_of_two(exponent: isize) -> f64 {
    match u64::try_from(exponent + 1022) {
        Ok(above) => f64::from_bits((above + 1).min(2047) << 52),
        Err(_) => f64::from_bits(u64::try_from(exponent + 1074).map_or(0, |place| 1 << place)),
    }
}

/// Returns the bits of the `T` nearest to `x`.
///
/// Ties go to even. From half an ulp beyond the largest number on, the result is infinity.
pub fn nearest<T: Ieee>(x: &Real) -> u64 {
    if *x == Real::ZERO {
        return 0;
    }
    let (significand, exponent) = x.repr().clone().into_parts();
    let negative = *x < Real::ZERO;
    let sign = u64::from(negative) << (T::WIDTH - 1);
    if magnitude(x) > T::MAX_EXPONENT {
        return sign | T::INFINITY;
    }
    let significand = if negative { -significand } else { significand };
    // Count in units of half an ulp: an odd count is a tie if no lower bits were dropped.
    let last = (magnitude(x) - T::SIGNIFICAND_BITS).max(T::LEAST_EXPONENT);
    let dropped = last - 1 - exponent;
    let cut = dropped.max(0).unsigned_abs();
    let halves = (&significand << (-dropped).max(0).unsigned_abs()) >> cut;
    let tie = &halves << cut == significand;
    let halves = u64::try_from(halves).expect("one bit more than a significand");
    let up = match halves % 4 {
        1 => !tie,
        3 => true,
        _ => false,
    };
    // The leading bit of a normal significand adds the missing 1 to the exponent field. A carry does too, up to
    // infinity.
    let binade = (last - T::LEAST_EXPONENT).unsigned_abs() as u64;
    sign | (halves / 2 + u64::from(up) + (binade << (T::SIGNIFICAND_BITS - 1)))
}

/// Returns the nearest integer, ties to even.
pub fn nearest_integer(x: &Real) -> i64 {
    let floor = x.floor();
    let twice = sum(x, &-&floor) << 1;
    let floor = i64::try_from(floor.to_int().value()).expect("a small integer");
    match twice.cmp(&Real::ONE) {
        Ordering::Less => floor,
        Ordering::Equal => floor + floor.rem_euclid(2),
        Ordering::Greater => floor + 1,
    }
}

/// The format of an element type.
pub trait Ieee: Bits {
    /// The name for messages.
    const NAME: &'static str;
    /// The width in bits.
    const WIDTH: u32;
    /// The number of significand bits, including the implicit leading bit.
    const SIGNIFICAND_BITS: isize;
    /// The exponent of the last place of subnormal numbers.
    const LEAST_EXPONENT: isize;
    /// The largest finite number.
    const MAX: f64;

    /// The exponent of the power of two just above the largest number.
    const MAX_EXPONENT: isize = 3 - Self::LEAST_EXPONENT - Self::SIGNIFICAND_BITS;
    /// The bits of positive infinity: all ones in the exponent field.
    const INFINITY: u64 = (1 << (Self::WIDTH - 1)) - (1 << (Self::SIGNIFICAND_BITS - 1));
    /// The bit of the sign.
    const SIGN: u64 = 1 << (Self::WIDTH - 1);

    /// Returns the number that has these bits, which must be finite.
    fn value(bits: u64) -> f64 {
        let implicit = 1 << (Self::SIGNIFICAND_BITS - 1);
        let (size, sign) = (bits & !Self::SIGN, if bits & Self::SIGN == 0 { 1.0 } else { -1.0 });
        let (binade, fraction) = (size / implicit, size % implicit);
        let significand = if binade > 0 { fraction + implicit } else { fraction };
        let place = Self::LEAST_EXPONENT - 1 + isize::try_from(binade.max(1)).expect("a few bits");
        sign * significand as f64 * power_of_two(place)
    }
}

impl Ieee for f32 {
    const NAME: &'static str = "f32";
    const WIDTH: u32 = 32;
    const SIGNIFICAND_BITS: isize = 24;
    const LEAST_EXPONENT: isize = -149;
    const MAX: f64 = f32::MAX as f64;
}

impl Ieee for f64 {
    const NAME: &'static str = "f64";
    const WIDTH: u32 = 64;
    const SIGNIFICAND_BITS: isize = 53;
    const LEAST_EXPONENT: isize = -1074;
    const MAX: f64 = f64::MAX;
}

impl Ieee for F16Bits {
    const NAME: &'static str = "f16";
    const WIDTH: u32 = 16;
    const SIGNIFICAND_BITS: isize = 11;
    const LEAST_EXPONENT: isize = -24;
    const MAX: f64 = 65504.0;
}

impl Ieee for Bf16Bits {
    const NAME: &'static str = "bf16";
    const WIDTH: u32 = 16;
    const SIGNIFICAND_BITS: isize = 8;
    const LEAST_EXPONENT: isize = -133;
    const MAX: f64 = (255u128 << 120) as f64;
}
