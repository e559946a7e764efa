//! Numbers with finitely many bits, and their decimal digits.

use alloc::vec;
use core::cmp::Ordering;

use crate::exact::format::Format;
use crate::exact::rounding::Magnitude;
use crate::inspect::bignum::decimal::Decimal;
use crate::inspect::bignum::natural::Natural;

/// The exact number `mantissa 2^exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    pub(super) mantissa: Natural,
    pub(super) exponent: i32,
}

impl Dyadic {
    pub(crate) fn small(value: u64) -> Self {
        Self { mantissa: Natural::new(vec![value]), exponent: 0 }
    }

    /// Returns the magnitude of the finite number with these bits, which exclude the sign.
    pub(crate) fn of_bits(bits: u64, format: Format) -> Self {
        let implicit = 1 << (format.precision - 1);
        let (field, fraction) = (bits / implicit, bits % implicit);
        let mantissa = if field > 0 { fraction + implicit } else { fraction };
        let exponent = format.min_quantum + field.saturating_sub(1) as i32;
        Self { mantissa: Natural::new(vec![mantissa]), exponent }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    pub(super) fn mul(&self, other: &Self) -> Self {
        Self { mantissa: self.mantissa.mul(&other.mantissa), exponent: self.exponent + other.exponent }
    }

    pub(crate) fn times_power_of_two(&self, exponent: i32) -> Self {
        Self { mantissa: self.mantissa.clone(), exponent: self.exponent + exponent }
    }

    /// Returns the integer part and the rest.
    pub(super) fn split(&self) -> (Natural, Self) {
        match self.exponent {
            up @ 0.. => (self.mantissa.shl(up as u32), Self::small(0)),
            down => {
                let down = down.unsigned_abs();
                let rest = Self { mantissa: self.mantissa.clone().rest(down), exponent: self.exponent };
                (self.mantissa.shr(down), rest)
            }
        }
    }

    /// Returns both mantissas in units of the smaller of their last places, and its exponent.
    fn aligned(&self, other: &Self) -> (Natural, Natural, i32) {
        let exponent = self.exponent.min(other.exponent);
        let mantissa = |x: &Self| x.mantissa.shl((x.exponent - exponent) as u32);
        (mantissa(self), mantissa(other), exponent)
    }

    /// Returns the distance of two numbers.
    pub(crate) fn distance(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        // One of the two differences is zero.
        Self { mantissa: a.saturating_sub(&b).add(&b.saturating_sub(&a)), exponent }
    }

    pub(crate) fn cmp(&self, other: &Self) -> Ordering {
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Self { mantissa: a.add(&b), exponent }
    }

    /// Returns the number cut to 128 bits, with a sticky last bit, so that it rounds like the whole number.
    pub(crate) fn magnitude(&self) -> Magnitude {
        let dropped = self.mantissa.bits().saturating_sub(128);
        let first = self.mantissa.shr(dropped);
        let sticky = !self.mantissa.clone().rest(dropped).is_zero();
        let mantissa = (first.limb(1) as u128) << 64 | first.limb(0) as u128 | sticky as u128;
        Magnitude { mantissa, exponent: self.exponent + dropped as i32 }
    }

    /// Returns the largest number of `format` that is not above this one: its bits, and the exponent of its last place.
    pub(crate) fn floor(&self, format: Format) -> (u64, i32) {
        let first = self.exponent + self.mantissa.bits() as i32 - 1;
        let normal = first - (format.precision as i32 - 1);
        let quantum = if self.is_zero() { format.min_quantum } else { normal.max(format.min_quantum) };
        // At most `precision` bits. The implicit bit adds the 1 that makes the exponent field of a normal number.
        let kept = self.times_power_of_two(-quantum).split().0.limb(0);
        ((((quantum - format.min_quantum) as u64) << (format.precision - 1)) + kept, quantum)
    }

    /// Returns `count` significant digits, rounded to nearest, ties to the smaller magnitude.
    pub(crate) fn decimal(&self, count: usize) -> Decimal {
        let (whole, Self { mantissa: mut rest, exponent: last_place }) = self.split();
        let mut digits = whole.digits();
        let mut exponent = digits.len() as i32 - 1;
        let places = last_place.unsigned_abs(); // for a rest that is not zero
        let ten = Natural::new(vec![10]);
        while digits.len() <= count && !rest.is_zero() {
            rest = rest.mul(&ten);
            let digit = rest.shr(places).limb(0) as u8;
            rest = rest.rest(places);
            if digits.is_empty() && digit == 0 {
                exponent -= 1;
            } else {
                digits.push(digit);
            }
        }
        let dropped = digits.split_off(count.min(digits.len()));
        let rest_of = |digits: &[u8]| !rest.is_zero() || digits.iter().any(|&digit| digit > 0);
        let up = dropped.first().is_some_and(|&first| first > 5 || (first == 5 && rest_of(&dropped[1..])));
        let exact = !rest_of(&dropped);
        if up && increment(&mut digits) {
            exponent += 1;
        }
        while exact && digits.last() == Some(&0) {
            digits.pop();
        }
        Decimal::new(digits, exponent, exact)
    }
}

/// Adds 1 to the last digit. Returns whether this adds a digit; the last digit, a zero, is then left out.
fn increment(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return false;
        }
        *digit = 0;
    }
    digits[0] = 1;
    true
}

#[cfg(test)]
pub(crate) mod tests {
    use std::format;
    use std::string::{String, ToString};

    use proptest::prelude::*;

    use super::*;
    use crate::inspect::bignum::natural::tests::natural;
    use crate::properties;

    pub(crate) fn of_f64(value: f64) -> Dyadic {
        Dyadic::of_bits(value.abs().to_bits(), Format::F64)
    }

    /// Returns the digits and the exponent as Rust prints them.
    fn printed(value: f64, count: usize) -> (String, i32) {
        let text = format!("{value:.*e}", count - 1);
        let (digits, exponent) = text.split_once('e').unwrap();
        (digits.replace('.', ""), exponent.parse().unwrap())
    }

    properties! {
        #![cases(256)]

        #[test]
        fn decimals_are_those_that_the_language_prints(bits in 0..f64::MAX.to_bits(), count in 1usize..60) {
            let value = f64::from_bits(bits + 1);
            // Rust rounds ties, which end in a 5 with nothing after it, to even.
            let longer = of_f64(value).decimal(count + 2).digits;
            prop_assume!(longer.len() != count + 1 || longer.last() != Some(&5));
            let decimal = of_f64(value).decimal(count);
            let mut digits: String = decimal.digits.iter().map(|digit| (b'0' + digit) as char).collect();
            while digits.len() < count {
                digits.push('0');
            }
            prop_assert_eq!((digits, decimal.exponent), printed(value, count));
        }

        #[test]
        fn text_says_the_number(value in prop_oneof![1e-9..1e-3, 0.1..1e6, 1e30..1e50], count in 20usize..50) {
            prop_assert_eq!(of_f64(value).decimal(count).to_string().parse::<f64>(), Ok(value));
        }

        #[test]
        fn the_floor_is_the_number_itself_and_the_one_below_what_is_less(bits in 1..f64::MAX.to_bits(), narrow in 1..f32::MAX.to_bits()) {
            for (format, bits) in [(Format::F64, bits), (Format::F32, narrow as u64)] {
                let number = Dyadic::of_bits(bits, format);
                prop_assert_eq!(number.floor(format).0, bits);
                let less = number.distance(&Dyadic { mantissa: natural(1), exponent: -5000 });
                prop_assert_eq!(less.floor(format).0, bits - 1);
            }
        }

        /// A truncated number of any length rounds like the whole: ties to even, and otherwise by what is more or less
        /// than a tie.
        #[test]
        fn a_magnitude_rounds_as_the_whole_number_would(bits in 1..f64::MAX.to_bits() - 1) {
            let number = Dyadic::of_bits(bits, Format::F64);
            let (_, quantum) = number.floor(Format::F64);
            let power = |exponent| Dyadic { mantissa: natural(1), exponent };
            let (middle, little) = (number.add(&power(quantum - 1)), power(-5000));
            let rounded = |x: &Dyadic| x.magnitude().round(Format::F64);
            prop_assert_eq!(rounded(&number), bits);
            prop_assert_eq!(rounded(&middle), bits + (bits & 1));
            prop_assert_eq!(rounded(&middle.add(&little)), bits + 1);
            prop_assert_eq!(rounded(&middle.distance(&little)), bits);
        }
    }

    #[test]
    fn numbers_are_written_plainly_where_that_is_short() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (1000.0, "1000"),
            (-0.5, "0.5"),
            (12.75, "12.75"),
            (0.000_030_517_578_125, "0.000030517578125"),
            (0.000_007_629_394_531_25, "7.62939453125e-6"),
            (9_007_199_254_740_992.0, "9007199254740992"),
            (1e39, "999999999999999939709166371603178586112"),
            (1e40, "1.000000000000000030378602842700366689075e40"),
            (f64::from_bits(1), "4.940656458412465441765687928682213723651e-324"),
        ];
        for (value, text) in cases {
            assert_eq!(of_f64(value).decimal(40).to_string(), text);
        }
        let text = |value, count| of_f64(value).decimal(count).to_string();
        let of_60_digits = f64::from_bits(4_563_440_565_314_798_199);
        assert!(text(of_60_digits, 60).ends_with("9375") && text(of_60_digits, 59).ends_with("937"));
        assert_eq!([text(2.5, 1), text(3.5, 1), text(2.75, 1), text(9.75, 1)], ["2", "3", "3", "10"]);
        assert_eq!([text(0.999, 2), text(999.0, 2), text(0.25, 1), text(0.25, 2)], ["1.0", "1000", "0.2", "0.25"]);
    }
}
