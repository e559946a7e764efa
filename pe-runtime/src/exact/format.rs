//! The formats of elements, binary floating-point or integer, and the decomposition of an `f64`.

use crate::float_bits::power_of_two;

/// An IEEE 754 binary interchange format, or one with the same structure, or the integers of a type.
///
/// Values that overflow a floating-point format are not supported. An integer is what a floating-point format would have
/// in its place whose smallest positive number is 1, and which has so many bits that all numbers are subnormal.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Significant bits, including the implicit one.
    pub precision: u32,
    /// The smallest positive number is `2^min_quantum`.
    pub min_quantum: i32,
    /// The width in memory, in bits.
    pub width: u32,
    /// The integers, or `None` for a floating-point format.
    pub integers: Option<Integers>,
}

/// The integers of a type, and how they stand for real numbers.
#[derive(Clone, Copy, Debug)]
pub struct Integers {
    pub least: i64,
    pub greatest: i64,
    /// The integer that stands for 0.
    pub zero_point: i64,
    /// The binary places after the point, or `None` if the spec has the scale.
    pub fraction_bits: Option<u32>,
}

/// The precision of the format of integers: all magnitudes below `2^40` are subnormal, so their bits are the magnitudes.
///
/// Integers have up to 32 bits, and the value before it is clamped is at most one greater.
const INTEGER_PRECISION: u32 = 40;

impl Format {
    const fn of_integers(width: u32, signed: bool, fraction_bits: Option<u32>) -> Self {
        let count = 1i64 << width;
        let least = if signed { -(count / 2) } else { 0 };
        let integers = Integers { least, greatest: least + count - 1, zero_point: 0, fraction_bits };
        Self { precision: INTEGER_PRECISION, min_quantum: 0, width, integers: Some(integers) }
    }

    /// The format of [`Q7`](crate::Q7).
    pub const Q7: Self = Self::of_integers(8, true, Some(7));
    /// The format of [`Q15`](crate::Q15).
    pub const Q15: Self = Self::of_integers(16, true, Some(15));
    /// The format of [`Q31`](crate::Q31).
    pub const Q31: Self = Self::of_integers(32, true, Some(31));
    /// The format of `i8`, with the zero point 0.
    pub const I8: Self = Self::of_integers(8, true, None);
    /// The format of `i16`.
    pub const I16: Self = Self::of_integers(16, true, None);
    /// The format of `u8`, with the zero point 0.
    pub const U8: Self = Self::of_integers(8, false, None);

    /// Returns whether both formats have the same bits for the same numbers or integers.
    pub(crate) const fn is_stored_as(self, other: Self) -> bool {
        let same_integers = match (self.integers, other.integers) {
            (Some(integers), Some(others)) => integers.least == others.least,
            (integers, others) => integers.is_none() && others.is_none(),
        };
        same_integers && self.width == other.width && self.precision == other.precision
    }

    /// Returns the size of a number in memory.
    #[cfg(feature = "alloc")]
    pub(crate) const fn bytes(self) -> usize {
        self.width as usize / 8
    }

    /// Returns the format of the same integers with another zero point. A floating-point format has none.
    pub(crate) const fn with_zero_point(self, zero_point: i64) -> Self {
        match self.integers {
            Some(integers) => Self { integers: Some(Integers { zero_point, ..integers }), ..self },
            None => self,
        }
    }

    /// Returns the bits of a number, given those of its absolute value: with the sign, or shifted and clamped.
    pub(crate) const fn signed(self, negative: bool, magnitude: u64) -> u64 {
        let Some(Integers { least, greatest, zero_point, .. }) = self.integers else {
            return (negative as u64) << (self.width - 1) | magnitude;
        };
        let shifted = zero_point + if negative { -(magnitude as i64) } else { magnitude as i64 };
        let clamped = if shifted < least {
            least
        } else if shifted > greatest {
            greatest
        } else {
            shifted
        };
        clamped as u64 & ((1 << self.width) - 1)
    }

    /// Returns the bits of the real number 0.
    pub(crate) const fn zero(self) -> u64 {
        self.signed(false, 0)
    }

    /// The format of the 16-bit numbers of IEEE 754.
    pub const F16: Self = Self { precision: 11, min_quantum: -24, width: 16, integers: None };
    /// The format of the first 16 bits of an `f32`.
    pub const BF16: Self = Self { precision: 8, min_quantum: -133, width: 16, integers: None };
    /// The format of `f32`.
    pub const F32: Self = Self { precision: 24, min_quantum: -149, width: 32, integers: None };
    /// The format of `f64`.
    pub const F64: Self = Self { precision: 53, min_quantum: -1074, width: 64, integers: None };

    /// Returns the largest finite number: the greatest exponent below that of infinity, and a fraction of ones.
    pub(crate) const fn max(self) -> f64 {
        let exponent_bits = self.width - self.precision;
        let fraction = ((1 << (self.precision - 1)) - 1) << (53 - self.precision);
        let exponent = (1 << (exponent_bits - 1)) - 1;
        f64::from_bits(power_of_two(exponent).to_bits() | fraction)
    }

    /// Returns the magnitude bits of infinity. Greater ones are NaNs.
    pub(crate) const fn infinity(self) -> u64 {
        ((1 << (self.width - self.precision)) - 1) << (self.precision - 1)
    }

    /// Returns the mantissa and the exponent of the last place of a finite number with these bits, which exclude the
    /// sign.
    pub(crate) const fn places(self, bits: u64) -> (u64, i32) {
        let implicit = 1 << (self.precision - 1);
        let (field, fraction) = (bits >> (self.precision - 1), bits & (implicit - 1));
        if field == 0 {
            (fraction, self.min_quantum)
        } else {
            (fraction | implicit, self.min_quantum + (field as i32 - 1))
        }
    }
}

/// Returns the mantissa and the exponent of the last place of a finite number: `|value| = mantissa 2^exponent`.
pub(crate) const fn places(value: f64) -> (u64, i32) {
    Format::F64.places(value.to_bits() & !(1 << 63))
}

/// Returns the normalised mantissa and the exponent of a finite number: `|value| = mantissa 2^(exponent - 52)`.
///
/// For a `value` other than 0, `2^52 <= mantissa < 2^53`. For 0, the mantissa is 0.
pub(crate) const fn decompose(value: f64) -> (u64, i32) {
    let (mantissa, exponent) = places(value);
    // A predictable branch for normal numbers, because every undecided entry comes through here.
    if mantissa >> 52 == 1 {
        return (mantissa, exponent + 52);
    }
    let zeros = mantissa.leading_zeros() - 11;
    (mantissa << zeros, exponent + 52 - zeros as i32)
}

/// Returns the integer part of `value * count`, rounded to an `f64` first, as Python computes `int(value * count)`.
///
/// In integers, because some processors do not round products of floats. A value that is negative or no number gives 0.
/// A count beyond `2^53` is not rounded before.
pub(crate) const fn integer_part_of_product(value: f64, count: usize) -> usize {
    if value.is_nan() || value.is_sign_negative() || count == 0 {
        return 0;
    } else if value.is_infinite() {
        return usize::MAX;
    }
    let (mantissa, exponent) = decompose(value);
    // Below 2^117.
    let product = mantissa as u128 * count as u128;
    let dropped = (128 - product.leading_zeros()).saturating_sub(53);
    let (kept, rest) = (product >> dropped, product << (127 - dropped) << 1);
    let half = 1 << 127;
    let rounded = kept + (rest > half || (rest == half && kept % 2 == 1)) as u128;
    let integer = match dropped as i32 + exponent - 52 {
        up @ 0..=63 => rounded << up,
        down @ -63..=-1 => rounded >> -down,
        64.. => u128::MAX,
        _ => 0,
    };
    if integer < usize::MAX as u128 { integer as usize } else { usize::MAX }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::properties;

    properties! {
        #![cases(2000)]

        #[test]
        #[allow(clippy::float_arithmetic, reason = "the definition")]
        fn the_integer_part_is_that_of_the_rounded_product(
            value in prop_oneof![0.0..1.0f64, (1u32..100).prop_map(|percent| f64::from(percent) / 100.0), any::<f64>()],
            count in prop_oneof![0usize..2000, any::<u32>().prop_map(|count| count as usize)],
        ) {
            // A cast saturates, and takes NaN to 0.
            prop_assert_eq!(integer_part_of_product(value, count), (value * count as f64) as usize);
        }
    }

    #[test]
    fn decimal_shares_are_those_of_python() {
        for (share, columns, expected) in [(0.3, 20, 6), (0.7, 20, 14), (0.6, 10, 6), (0.4, 80, 32), (0.29, 100, 28)] {
            assert_eq!(integer_part_of_product(share, columns), expected);
        }
    }
    use crate::float_bits::times_power_of_two;

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
        assert_eq!([0, 1, 6, 1 << 25].map(|value| times_power_of_two(value, -2)), [0.0, 0.25, 1.5, 8_388_608.0]);
    }
}
