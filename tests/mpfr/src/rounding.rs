//! From MPFR's numbers to integers and to the bits of floats: to nearest, ties to even, including subnormal numbers.

use rug::Float;

/// An IEEE 754 binary format.
#[derive(Debug)]
pub struct Format {
    /// The name of the element type.
    pub name: &'static str,
    /// The number of significant bits, including the leading one.
    pub precision: u32,
    /// The exponent of the smallest normal number, `2^min_exponent`.
    pub min_exponent: i32,
    /// The number of bits, including the sign.
    pub width: u32,
}

/// The types of floats, in the order of all arrays in this program.
pub const FORMATS: [Format; 4] = [
    Format { name: "f32", precision: 24, min_exponent: -126, width: 32 },
    Format { name: "f64", precision: 53, min_exponent: -1022, width: 64 },
    Format { name: "f16_bits", precision: 11, min_exponent: -14, width: 16 },
    Format { name: "bf16_bits", precision: 8, min_exponent: -126, width: 16 },
];

/// A number other than 0, with what is needed to round it to at most 64 bits.
///
/// Its magnitude is `(high + rest) * 2^(exponent - 127)`, with `2^127 <= high < 2^128` and `0 <= rest < 1`. `rest` is 0
/// unless `sticky`.
pub struct Digits {
    negative: bool,
    exponent: i32,
    high: u128,
    sticky: bool,
}

impl Digits {
    /// Returns `None` for zero.
    pub fn of(x: &Float) -> Option<Self> {
        // The significand is at least 1/2 and below 1, so its leading bit is the top bit of the last limb.
        let (significand, exponent) = (x.get_significand()?, x.get_exp()?);
        let mut limbs = significand.as_limbs().iter().rev();
        let mut limb = || limbs.next().map_or(0, |&limb| u128::from(limb));
        let high = (limb() << 64) | limb();
        let sticky = limbs.any(|&limb| limb != 0);
        Some(Self { negative: x.is_sign_negative(), exponent: exponent - 1, high, sticky })
    }

    /// Returns the magnitude in units of `2^exponent`, which must be below `2^64`, to nearest, ties to even.
    fn units(&self, exponent: i32) -> u64 {
        let dropped = 127 + exponent - self.exponent;
        let (kept, half_or_more, more) = match dropped {
            ..128 => {
                let (kept, rest, half) = (self.high >> dropped, self.high << (128 - dropped), 1 << 127);
                (kept, rest >= half, rest > half || self.sticky)
            }
            // From half a unit to one; below, less than half a unit.
            128 => (0, true, self.high > 1 << 127 || self.sticky),
            _ => (0, false, false),
        };
        let up = half_or_more && (more || kept & 1 == 1);
        u64::try_from(kept).expect("at most 64 bits") + u64::from(up)
    }

    /// Returns the number in units of `2^exponent`, which must be below `2^63`, to nearest, ties to even.
    pub fn integer(&self, exponent: i32) -> i64 {
        let size = i64::try_from(self.units(exponent)).expect("at most 63 bits");
        if self.negative { -size } else { size }
    }
}

impl Format {
    /// Returns the bits of the number of this format nearest to `x`. They are meaningless if `x` is out of range.
    pub fn nearest(&self, x: &Digits) -> u64 {
        // The unit of the last place is at least that of the subnormal numbers.
        let exponent = x.exponent.max(self.min_exponent);
        let kept = x.units(exponent - (self.precision - 1).cast_signed());
        // The leading bit of a normal number adds 1 to the exponent field, and so does a carry out of the significand.
        let field = u64::from(exponent.abs_diff(self.min_exponent)) << (self.precision - 1);
        (field + kept) | u64::from(x.negative) << (self.width - 1)
    }

    /// Returns the positive number with these bits.
    pub fn value(&self, bits: u64) -> Float {
        let stored = self.precision - 1;
        let field = i32::try_from(bits >> stored).expect("an exponent");
        let fraction = bits & ((1 << stored) - 1);
        let significand = if field == 0 { fraction } else { fraction | 1 << stored };
        let exponent = field.max(1) - 1 + self.min_exponent - stored.cast_signed();
        Float::with_val(64, significand) << exponent
    }

    /// Returns the midpoint between the positive number with these bits and the next.
    pub fn midpoint(&self, bits: u64) -> Float {
        (self.value(bits) + self.value(bits + 1)) / 2
    }

    /// Returns the bits of 1.
    pub fn one(&self) -> u64 {
        u64::from(self.min_exponent.unsigned_abs() + 1) << (self.precision - 1)
    }

    /// Returns whether the magnitude of a number, before rounding, is above the largest number of this format.
    pub fn is_exceeded_by(&self, x: f64) -> bool {
        self.value(self.infinity() - 1) < x.abs()
    }

    /// Returns the bits of infinity.
    pub fn infinity(&self) -> u64 {
        u64::from(2 * (self.min_exponent.unsigned_abs() + 1) + 1) << (self.precision - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use rug::ops::NegAssign;

    fn nearest(format: &Format, x: &Float) -> u64 {
        format.nearest(&Digits::of(x).expect("not 0"))
    }

    /// Returns numbers just above and just below `x`.
    fn beside(x: &Float) -> [Float; 2] {
        let mut wide = Float::with_val(300, x);
        let mut below = wide.clone();
        wide.next_up();
        below.next_down();
        [below, wide]
    }

    fn check_around(format: &Format, bits: u64) {
        let name = format.name;
        let midpoint = format.midpoint(bits);
        let even = bits + (bits & 1);
        let [below, above] = beside(&midpoint);
        assert_eq!(nearest(format, &midpoint), even, "{name}: half way above {bits:#x}");
        assert_eq!(nearest(format, &above), bits + 1, "{name}: above half way above {bits:#x}");
        assert_eq!(nearest(format, &below), bits, "{name}: below half way above {bits:#x}");
        if bits != 0 {
            let mut value = format.value(bits);
            assert_eq!(nearest(format, &value), bits, "{name}: {bits:#x} itself");
            assert!(beside(&value).iter().all(|x| nearest(format, x) == bits), "{name}: beside {bits:#x}");
            value.neg_assign();
            assert_eq!(nearest(format, &value), bits | 1 << (format.width - 1), "{name}: -{bits:#x}");
        }
    }

    #[test]
    fn all_numbers_of_16_bits_and_what_is_half_way_between_them() {
        for format in &FORMATS[2..] {
            // The last number has only infinity above it.
            for bits in 0..format.infinity() - 1 {
                check_around(format, bits);
            }
        }
    }

    #[test]
    fn numbers_of_32_and_64_bits_and_what_is_half_way_between_them() {
        let mut rng = Rng::of_block(1, 1);
        for format in &FORMATS[..2] {
            let normal = 1 << (format.precision - 1);
            let ends = [0, 1, 2, 3, normal - 2, normal - 1, normal, normal + 1, format.one() - 1, format.one()];
            let random = (0..20_000).map(|_| rng.bits() % (format.infinity() - 1));
            for bits in ends.into_iter().chain(random) {
                check_around(format, bits);
            }
        }
    }

    #[test]
    fn the_conversions_of_mpfr_agree() {
        let mut rng = Rng::of_block(2, 2);
        for _ in 0..100_000 {
            let mut x = Float::with_val(200, rng.bits()) * rng.bits() * rng.bits() + 1;
            x <<= i32::try_from(rng.integer(-1300, 700)).expect("an exponent");
            assert_eq!(nearest(&FORMATS[1], &x), x.to_f64().to_bits(), "{x}");
            x >>= 400;
            if x < f32::MAX {
                assert_eq!(nearest(&FORMATS[0], &x), u64::from(x.to_f32().to_bits()), "{x}");
            }
        }
    }

    #[test]
    fn the_largest_numbers() {
        let largest = [f64::from(f32::MAX), f64::MAX, 65_504.0, f64::from(f32::from_bits(0x7f7f_0000))];
        for (format, largest) in FORMATS.iter().zip(largest) {
            for size in [largest, -largest] {
                assert!(!format.is_exceeded_by(size), "{}", format.name);
                let next = if size > 0.0 { size.next_up() } else { size.next_down() };
                assert!(format.is_exceeded_by(next), "{}", format.name);
            }
        }
    }

    #[test]
    fn known_bits() {
        let one = Float::with_val(60, 1);
        assert_eq!(FORMATS.each_ref().map(|format| nearest(format, &one)), [0x3f80_0000, 0x3ff0 << 48, 0x3c00, 0x3f80]);
        assert_eq!(FORMATS.each_ref().map(Format::one), [0x3f80_0000, 0x3ff0 << 48, 0x3c00, 0x3f80]);
        assert_eq!(FORMATS.each_ref().map(Format::infinity), [0x7f80_0000, 0x7ff0 << 48, 0x7c00, 0x7f80]);
        let tiny = -Float::with_val(60, 1) >> 2000u32;
        assert_eq!(FORMATS.each_ref().map(|format| nearest(format, &tiny)), [1 << 31, 1 << 63, 1 << 15, 1 << 15]);
    }
}
