//! Binary floating-point formats, and the decomposition of an `f64`.

use crate::float_bits::power_of_two;

/// An IEEE 754 binary interchange format, or one with the same structure.
///
/// Values that overflow the format are not supported.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Significant bits, including the implicit one.
    pub precision: u32,
    /// The smallest positive number is `2^min_quantum`.
    pub min_quantum: i32,
    /// The width in memory, in bits.
    pub width: u32,
}

impl Format {
    /// The format of the 16-bit numbers of IEEE 754.
    pub const F16: Self = Self { precision: 11, min_quantum: -24, width: 16 };
    /// The format of the first 16 bits of an `f32`.
    pub const BF16: Self = Self { precision: 8, min_quantum: -133, width: 16 };
    /// The format of `f32`.
    pub const F32: Self = Self { precision: 24, min_quantum: -149, width: 32 };
    /// The format of `f64`.
    pub const F64: Self = Self { precision: 53, min_quantum: -1074, width: 64 };

    /// Returns the largest finite number: the greatest exponent below that of infinity, and a fraction of ones.
    pub(crate) const fn max(self) -> f64 {
        let exponent_bits = self.width - self.precision;
        let fraction = ((1 << (self.precision - 1)) - 1) << (53 - self.precision);
        let exponent = (1 << (exponent_bits - 1)) - 1;
        f64::from_bits(power_of_two(exponent).to_bits() | fraction)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float_bits::divide_exactly;

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
