//! The final rounding: from an enclosure of the exact value to the bits of a format, to nearest, ties to even.

use crate::error_bounds::ROTATION_ERROR;
use crate::exact::fixed::{Fixed, mul_high};
use crate::exact::format::{Format, decompose};
use crate::exact::limbs;

/// The exact number `mantissa 2^exponent`.
#[derive(Clone, Copy)]
pub(crate) struct Magnitude {
    pub(crate) mantissa: u128,
    pub(crate) exponent: i32,
}

impl Magnitude {
    /// Returns `value 2^exponent` in 128 bits. The last one is sticky, so the result rounds like the full value.
    pub(crate) const fn of(value: &[u64], exponent: i32) -> Self {
        let zeros = limbs::leading_zeros(value);
        let sticky = !limbs::is_zero_from(value, zeros + 128);
        Self { mantissa: limbs::window(value, zeros) | sticky as u128, exponent: exponent - zeros as i32 - 128 }
    }

    /// Returns the number of whole units of `2^exponent`, or `None` from `2^127` on.
    const fn floor(self, exponent: i32) -> Option<u128> {
        match self.exponent - exponent {
            up @ 0.. if self.mantissa.leading_zeros() > up as u32 => Some(self.mantissa << up),
            0.. => None,
            down @ -127..0 => Some(self.mantissa >> -down),
            _ => Some(0),
        }
    }

    /// Returns the absolute value of a finite number, exactly.
    pub(crate) const fn of_f64(value: f64) -> Self {
        let (mantissa, exponent) = decompose(value);
        Self { mantissa: mantissa as u128, exponent: exponent - 52 }
    }

    /// Returns the bits of the nearest number of `format`, with ties to even, or the nearest integer, not clamped.
    pub(crate) const fn round(self, format: Format) -> u64 {
        let Self { mantissa, exponent } = self;
        if mantissa == 0 {
            return 0;
        }
        // The last place of the result is `precision` bits from the first bit, but never below that of the subnormals.
        let first = exponent + 127 - mantissa.leading_zeros() as i32;
        let normal = first - (format.precision as i32 - 1);
        let quantum = if normal > format.min_quantum { normal } else { format.min_quantum };

        let kept = match quantum - exponent {
            shift @ ..=0 => mantissa << -shift,
            shift @ 1..=128 => {
                let half = 1 << (shift - 1);
                let kept = if shift == 128 { 0 } else { mantissa >> shift };
                let dropped = mantissa & (half | (half - 1));
                let up = dropped > half || (dropped == half && kept & 1 == 1);
                kept + up as u128
            }
            _ => 0,
        };
        // The implicit bit of `kept` adds the 1 that makes the exponent field of a normal number. A carry does the
        // same.
        (((quantum - format.min_quantum) as u64) << (format.precision - 1)) + kept as u64
    }
}

/// A number that is known to lie between two others of the same sign.
#[derive(Clone, Copy)]
pub(crate) struct Enclosure {
    negative: bool,
    low: Magnitude,
    high: Magnitude,
}

impl Enclosure {
    /// The unbounded enclosure, which decides nothing.
    pub(crate) const UNKNOWN: Self =
        Self::new(Magnitude { mantissa: 0, exponent: 0 }, Magnitude { mantissa: 1, exponent: 0 });

    /// Exactly 1.
    pub(crate) const ONE: Self = {
        let one = Magnitude { mantissa: 1 << 127, exponent: -127 };
        Self::new(one, one)
    };

    /// Returns the enclosure of a positive number with `low <= number <= high`.
    pub(crate) const fn new(low: Magnitude, high: Magnitude) -> Self {
        Self { negative: false, low, high }
    }

    /// Returns the enclosure of a number with `low <= number <= high`, or `None` if its sign is not determined.
    ///
    /// The error bound from which the ends were computed must allow for the rounding of the ends.
    pub(crate) const fn between(low: f64, high: f64) -> Option<Self> {
        if low > 0.0 {
            Some(Self::new(Magnitude::of_f64(low), Magnitude::of_f64(high)))
        } else if high < 0.0 {
            Some(Self::new(Magnitude::of_f64(high), Magnitude::of_f64(low)).negated())
        } else {
            None
        }
    }

    /// Returns the enclosure of `value 2^exponent` with an error of at most `2^error_bits` ulp.
    pub(crate) const fn around<const L: usize>(value: &Fixed<L>, error_bits: u32, exponent: i32) -> Self {
        let (mut value, mut low, mut error) = (value.0, [0; L], [0; L]);
        Self::around_in(&mut value, error_bits, exponent, [&mut low, &mut error])
    }

    /// Implements [`around`](Self::around) for all precisions, so that it is compiled once.
    ///
    /// It overwrites `value` and the numbers.
    #[inline(never)]
    pub(crate) const fn around_in(value: &mut [u64], error_bits: u32, exponent: i32, numbers: [&mut [u64]; 2]) -> Self {
        let [low, error] = numbers;
        if error_bits >= limbs::bits(value) - 1 {
            return Self::UNKNOWN;
        }
        limbs::set(error, 0);
        error[value.len() - 1 - (error_bits / 64) as usize] = 1 << (error_bits % 64);
        limbs::copy(value, low);
        if limbs::subtract(low, error) {
            limbs::set(low, 0);
        }
        let low = Magnitude::of(low, exponent);
        // The upper end may reach 1, which the limbs do not hold.
        if limbs::add(value, error) == 0 {
            return Self::new(low, Magnitude::of(value, exponent));
        }
        limbs::shift_down(value, 1);
        value[0] |= 1 << 63;
        // For the bit that was shifted out.
        value[value.len() - 1] |= 1;
        Self::new(low, Magnitude::of(value, exponent + 1))
    }

    /// Returns the product with a number between `low` and `high` units of `2^(exponent - 128)`.
    pub(crate) const fn times(self, low: u128, high: u128, exponent: i32) -> Self {
        let Self { negative, low: own_low, high: own_high } = self;
        let low = Magnitude { mantissa: mul_high(own_low.mantissa, low), exponent: own_low.exponent + exponent };
        let high =
            Magnitude { mantissa: mul_high(own_high.mantissa, high) + 1, exponent: own_high.exponent + exponent };
        Self { negative, low, high }
    }

    pub(crate) const fn negated(self) -> Self {
        Self { negative: !self.negative, ..self }
    }

    pub(crate) const fn negated_if(self, negate: bool) -> Self {
        if negate { self.negated() } else { self }
    }

    /// Returns the bits of the number if both ends round to the same bits (Ziv's test).
    ///
    /// This is correct because rounding is monotonic.
    pub(crate) const fn round(&self, format: Format) -> Option<u64> {
        match self.round_size(format) {
            Some(size) => Some(format.signed(self.negative, size)),
            None => None,
        }
    }

    /// Returns the bits of the absolute value if both ends round to the same bits, or the nearest integer, not clamped.
    pub(crate) const fn round_size(&self, format: Format) -> Option<u64> {
        // If an enclosure touches zero, not even the sign is known.
        if self.low.mantissa == 0 {
            return None;
        }
        let low = self.low.round(format);
        if low == self.high.round(format) { Some(low) } else { None }
    }

    /// Returns what [`round_size`](Self::round_size) does, and the even neighbour if the ends do not decide, because the
    /// number is a midpoint.
    pub(crate) const fn round_size_or_tie(&self, format: Format) -> u64 {
        let low = self.low.round(format);
        if low == self.high.round(format) { low } else { low + (low & 1) }
    }

    /// Returns the number in units of `2^exponent`, off by less than 512 of them, or `None` if it is not known that
    /// precisely.
    pub(crate) const fn in_units(&self, exponent: i32) -> Option<i128> {
        match (self.low.floor(exponent), self.high.floor(exponent)) {
            (Some(low), Some(high)) if high - low < ROTATION_ERROR - 1 => {
                Some(if self.negative { -(low as i128) } else { low as i128 })
            }
            _ => None,
        }
    }

    /// Returns the bits of the lower end, whether or not the rounding is decided.
    pub(crate) const fn round_low(&self, format: Format) -> u64 {
        format.signed(self.negative, self.low.round(format))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::properties;

    impl Magnitude {
        /// Compares exactly.
        fn is_at_most(self, other: Self) -> bool {
            let key =
                |m: Self| (m.exponent - m.mantissa.leading_zeros() as i32, m.mantissa << m.mantissa.leading_zeros());
            self.mantissa == 0 || (other.mantissa != 0 && key(self) <= key(other))
        }
    }

    impl Magnitude {
        /// Returns the number in units of `2^exponent`, modulo `2^128` units.
        fn units(self, exponent: i32) -> u128 {
            match self.exponent - exponent {
                up @ 0.. => self.mantissa.checked_shl(up as u32).unwrap_or(0),
                down => self.mantissa.checked_shr(down.unsigned_abs()).unwrap_or(0),
            }
        }
    }

    impl Enclosure {
        /// Returns the maximum distance of the midpoint from `other`, which has the same sign, and half the width.
        ///
        /// Both are in units of `2^exponent`, where the exponent is the third number.
        #[allow(clippy::float_arithmetic, reason = "errors are measured")]
        pub(crate) fn off(&self, other: &Self) -> (f64, f64, i32) {
            const FINER: i32 = 6;
            assert_eq!(self.negative, other.negative);
            assert_eq!(self.low.exponent, self.high.exponent);
            let units = |end: Magnitude| end.units(self.low.exponent - FINER);
            let distance = |a, b| units(a).wrapping_sub(units(b)) as i128 as f64 / f64::from(1 << FINER);
            let to = |end| f64::midpoint(distance(self.low, end), distance(self.high, end)).abs();
            (to(other.low).max(to(other.high)), distance(self.high, self.low) / 2.0, self.low.exponent)
        }

        /// Returns whether `other` lies within this enclosure, ends included.
        pub(crate) fn contains(&self, other: &Self) -> bool {
            self.negative == other.negative && self.low.is_at_most(other.low) && other.high.is_at_most(self.high)
        }

        /// Narrows the enclosure to `share` sixteenths of its width, around the same midpoint.
        pub(crate) fn narrowed(mut self, share: u128) -> Self {
            let half = (self.high.mantissa - self.low.mantissa) / 2;
            self.low.mantissa += half - half * share / 16;
            self.high.mantissa -= half - half * share / 16;
            self
        }
    }

    /// Returns the exact value of the positive number with these bits.
    fn magnitude(bits: u64, format: Format) -> Magnitude {
        let (field, fraction) = (bits >> (format.precision - 1), bits & ((1 << (format.precision - 1)) - 1));
        let implicit = ((field > 0) as u64) << (format.precision - 1);
        Magnitude {
            mantissa: (fraction | implicit) as u128,
            exponent: format.min_quantum + field.saturating_sub(1) as i32,
        }
    }

    /// Returns the midpoint of two neighbours plus `steps` 128ths of a last place.
    fn near_middle(this: Magnitude, next: Magnitude, steps: i128) -> Magnitude {
        let exponent = this.exponent - 7;
        let scaled = |m: Magnitude| (m.mantissa << (m.exponent - exponent)) as i128;
        Magnitude { mantissa: (scaled(this).midpoint(scaled(next)) + steps) as u128, exponent }
    }

    #[test]
    fn all_numbers_and_midpoints_of_the_narrow_formats_round_as_they_should() {
        for format in [Format::F16, Format::BF16] {
            let one = Magnitude::of_f64(1.0).round(format);
            for bits in 0..one {
                let (this, next) = (magnitude(bits, format), magnitude(bits + 1, format));
                assert_eq!(this.round(format), bits);
                let even = if bits & 1 == 0 { bits } else { bits + 1 };
                assert_eq!(near_middle(this, next, 0).round(format), even, "tie above {bits:04x}");
                assert_eq!(near_middle(this, next, -1).round(format), bits, "below the tie above {bits:04x}");
                assert_eq!(near_middle(this, next, 1).round(format), bits + 1, "above the tie above {bits:04x}");
            }
        }
    }

    #[test]
    fn a_value_far_below_the_least_subnormal_rounds_to_zero() {
        let tiny = |exponent| Magnitude { mantissa: u128::MAX, exponent };
        assert_eq!(tiny(-1075 - 128).round(Format::F64), 0);
        assert_eq!(tiny(-1074 - 128).round(Format::F64), 1);
        assert_eq!(tiny(-100_000).round(Format::F32), 0);
    }

    #[test]
    fn an_enclosure_decides_only_what_both_ends_agree_on() {
        // 1 - 2^-25 is the midpoint of 1 and the float below it.
        let end = |delta: i128| Magnitude { mantissa: ((1i128 << 100) - (1 << 75) + delta) as u128, exponent: -100 };
        let decided = |low, high| Enclosure::new(end(low), end(high)).round(Format::F32);
        assert_eq!(decided(1, 2), Some(0x3f80_0000));
        assert_eq!(decided(-2, -1), Some(0x3f7f_ffff));
        assert_eq!(decided(-1, 1), None);
        assert_eq!(Enclosure::new(end(1), end(2)).negated().round(Format::F32), Some(0xbf80_0000));
        assert_eq!(Enclosure::UNKNOWN.round(Format::F32), None);
    }

    #[test]
    fn an_enclosure_of_at_most_510_units_is_a_number_of_units() {
        let units = |low, high, exponent| {
            let end = |mantissa| Magnitude { mantissa, exponent };
            Enclosure::new(end(low), end(high)).in_units(-126)
        };
        assert_eq!(units(1000, 1510, -126), Some(1000));
        assert_eq!(units(1000, 1511, -126), None);
        assert_eq!(units(3, 3, -124), Some(12));
        assert_eq!(units(13, 15, -128), Some(3));
        assert_eq!(units(1 << 127, 1 << 127, -253), Some(1));
        assert_eq!(units(u128::MAX, u128::MAX, -254), Some(0));
        assert_eq!(units(1, 1, -400), Some(0));
        assert_eq!(units(1, 1, 0), Some(1 << 126));
        assert_eq!(units(1, 1, 1), None);
        assert_eq!(units(1, 1, 400), None);
        assert_eq!(Enclosure::ONE.negated().in_units(-126), Some(-(1 << 126)));
        assert_eq!(Enclosure::UNKNOWN.in_units(-126), None);
    }

    #[test]
    fn an_enclosure_that_touches_zero_does_not_decide_the_sign() {
        let tiny = |mantissa| Magnitude { mantissa, exponent: -2000 };
        assert_eq!(Enclosure::new(tiny(0), tiny(1)).round(Format::F32), None);
        assert_eq!(Enclosure::new(tiny(1), tiny(2)).negated().round(Format::F32), Some(0x8000_0000));
    }

    properties! {
        #![cases(256)]

        #[test]
        fn integers_round_as_the_conversions_of_the_language(mantissa: u128, shift in 0u32..128) {
            let integer = Magnitude { mantissa: mantissa >> shift, exponent: 0 };
            prop_assert_eq!(integer.round(Format::F64), ((mantissa >> shift) as f64).to_bits());
            // `as f32` overflows to infinity at the top, which is outside the tested range.
            let integer = Magnitude { mantissa: mantissa >> shift >> 1, exponent: 0 };
            prop_assert_eq!(integer.round(Format::F32), u64::from(((mantissa >> shift >> 1) as f32).to_bits()));
        }

        #[test]
        fn every_double_is_itself_and_narrows_as_the_conversion_of_the_language(bits in 0..f64::MAX.to_bits()) {
            let exact = magnitude(bits, Format::F64);
            prop_assert_eq!(exact.round(Format::F64), bits);
            let value = f64::from_bits(bits);
            if value < f64::from(f32::MAX) {
                prop_assert_eq!(exact.round(Format::F32), u64::from((value as f32).to_bits()));
            }
        }
    }

    #[test]
    fn the_formats_are_those_of_the_language() {
        let f32 = (f32::MANTISSA_DIGITS, f32::MIN_EXP - f32::MANTISSA_DIGITS as i32, 32);
        let f64 = (f64::MANTISSA_DIGITS, f64::MIN_EXP - f64::MANTISSA_DIGITS as i32, 64);
        for (format, expected) in [(Format::F32, f32), (Format::F64, f64)] {
            assert_eq!((format.precision, format.min_quantum, format.width), expected);
        }
        assert_eq!(Format::F64.max(), f64::MAX);
        assert_eq!(Format::F32.max(), f64::from(f32::MAX));
        assert_eq!(Format::F16.max(), 65504.0);
        assert_eq!(Format::BF16.max(), f64::from(f32::from_bits(0x7f7f_0000)));
    }
}
