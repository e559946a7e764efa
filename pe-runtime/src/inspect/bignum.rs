//! Exact numbers of any length, intervals between two of them, and their decimal digits: for [`explain`](crate::explain) and for
//! sums that integers do not decide, where time does not matter.
//!
//! Products, whole parts and decimals are exact, so the only errors are those that an interval begins with.

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::cmp::Ordering;
use core::fmt::{Display, Formatter, Result, Write};

use crate::exact::fixed::Fixed;
use crate::exact::format::Format;
use crate::exact::format::decompose;
use crate::exact::rounding::Magnitude;

/// An integer: limbs of 64 bits, the least significant first, the last one not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Natural(Vec<u64>);

impl Natural {
    fn new(mut limbs: Vec<u64>) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self(limbs)
    }

    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bits it takes: none for 0.
    fn bits(&self) -> u32 {
        self.0.last().map_or(0, |last| 64 * self.0.len() as u32 - last.leading_zeros())
    }

    fn limb(&self, i: usize) -> u64 {
        self.0.get(i).copied().unwrap_or(0)
    }

    /// The number, if it is below `2^64`.
    pub(crate) fn small(&self) -> Option<u64> {
        (self.0.len() < 2).then(|| self.limb(0))
    }

    fn shl(&self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let mut out = vec![0; limbs];
        let mut carry = 0;
        for &limb in &self.0 {
            let wide = (limb as u128) << bits | carry as u128;
            out.push(wide as u64);
            carry = (wide >> 64) as u64;
        }
        out.push(carry);
        Self::new(out)
    }

    /// The floor of the number over `2^bits`.
    fn shr(&self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let pair = |i| (self.limb(i + 1) as u128) << 64 | self.limb(i) as u128;
        Self::new((limbs..self.0.len()).map(|i| (pair(i) >> bits) as u64).collect())
    }

    /// What `shr` leaves.
    fn rest(mut self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        if let Some(limb) = self.0.get_mut(limbs) {
            *limb &= (1 << bits) - 1;
            self.0.truncate(limbs + 1);
        }
        Self::new(self.0)
    }

    fn add(&self, other: &Self) -> Self {
        let mut carry = 0;
        let sum = |i| {
            let sum = self.limb(i) as u128 + other.limb(i) as u128 + carry;
            carry = sum >> 64;
            sum as u64
        };
        Self::new((0..=self.0.len().max(other.0.len())).map(sum).collect())
    }

    /// The difference, or 0 in the place of a negative one.
    fn saturating_sub(&self, other: &Self) -> Self {
        let mut borrow = false;
        let difference = |i| {
            let (difference, under) = self.limb(i).overflowing_sub(other.limb(i));
            let (difference, under_again) = difference.overflowing_sub(borrow as u64);
            borrow = under | under_again;
            difference
        };
        let limbs = (0..self.0.len().max(other.0.len())).map(difference).collect();
        if borrow { Self(Vec::new()) } else { Self::new(limbs) }
    }

    fn mul(&self, other: &Self) -> Self {
        let mut out = vec![0; self.0.len() + other.0.len()];
        for (i, &a) in self.0.iter().enumerate() {
            let mut carry = 0;
            for (j, &b) in other.0.iter().enumerate() {
                // (2^64 - 1)^2 + 2 (2^64 - 1) is 2^128 - 1.
                let sum = a as u128 * b as u128 + out[i + j] as u128 + carry;
                out[i + j] = sum as u64;
                carry = sum >> 64;
            }
            out[i + other.0.len()] = carry as u64;
        }
        Self::new(out)
    }

    /// The remainder by `divisor`, the quotient taking the place of the number.
    fn divide(&mut self, divisor: u64) -> u64 {
        let mut remainder = 0;
        for limb in self.0.iter_mut().rev() {
            let dividend = (remainder as u128) << 64 | *limb as u128;
            *limb = (dividend / divisor as u128) as u64;
            remainder = (dividend % divisor as u128) as u64;
        }
        *self = Self::new(core::mem::take(&mut self.0));
        remainder
    }

    /// The floor of `2^(bits() + precision) / self`, bit by bit, for a number other than 0.
    fn reciprocal(&self, precision: u32) -> Self {
        let mut remainder = Self(vec![1]).shl(self.bits() - 1);
        let mut quotient = vec![0; (precision / 64 + 2) as usize];
        // 2^(bits() - 1) is not above the number, and has a quotient of 1 only if it is the number.
        for bit in (0..precision + 2).rev() {
            if remainder.cmp(self) != Ordering::Less {
                remainder = remainder.saturating_sub(self);
                quotient[(bit / 64) as usize] |= 1 << (bit % 64);
            }
            remainder = remainder.shl(1);
        }
        Self::new(quotient)
    }

    /// The decimal digits, the first one not zero: none for 0.
    fn digits(mut self) -> Vec<u8> {
        const GROUP: usize = 19; // as many as a limb holds
        let mut digits = Vec::new();
        while !self.is_zero() {
            let mut group = self.divide(10u64.pow(GROUP as u32));
            for _ in 0..GROUP {
                digits.push((group % 10) as u8);
                group /= 10;
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits.reverse();
        digits
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

/// All digits, as an integer.
impl Display for Natural {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.clone().digits() {
            digits if digits.is_empty() => f.write_char('0'),
            digits => digits.iter().try_for_each(|digit| f.write_char((b'0' + digit) as char)),
        }
    }
}

/// `mantissa 2^exponent`, exactly.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    mantissa: Natural,
    exponent: i32,
}

impl Dyadic {
    pub(crate) fn small(value: u64) -> Self {
        Self { mantissa: Natural::new(vec![value]), exponent: 0 }
    }

    /// The size of a finite number.
    pub(crate) fn of_f64(value: f64) -> Self {
        let (mantissa, exponent) = decompose(value);
        Self { mantissa: Natural::new(vec![mantissa]), exponent: exponent - 52 }
    }

    /// The size of the finite number with these bits, other than the sign's.
    pub(crate) fn of_bits(bits: u64, format: Format) -> Self {
        let (mantissa, exponent) = format.places(bits);
        Self { mantissa: Natural::new(vec![mantissa]), exponent }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    fn mul(&self, other: &Self) -> Self {
        Self { mantissa: self.mantissa.mul(&other.mantissa), exponent: self.exponent + other.exponent }
    }

    pub(crate) fn times_power_of_two(&self, exponent: i32) -> Self {
        Self { mantissa: self.mantissa.clone(), exponent: self.exponent + exponent }
    }

    /// The integer part and the rest.
    fn split(&self) -> (Natural, Self) {
        match self.exponent {
            up @ 0.. => (self.mantissa.shl(up as u32), Self::small(0)),
            down => {
                let down = down.unsigned_abs();
                let rest = Self { mantissa: self.mantissa.clone().rest(down), exponent: self.exponent };
                (self.mantissa.shr(down), rest)
            }
        }
    }

    /// Both mantissas in units of the smaller of the last places, and its exponent.
    fn aligned(&self, other: &Self) -> (Natural, Natural, i32) {
        let exponent = self.exponent.min(other.exponent);
        let mantissa = |x: &Self| x.mantissa.shl((x.exponent - exponent) as u32);
        (mantissa(self), mantissa(other), exponent)
    }

    /// The distance of two numbers.
    pub(crate) fn distance(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        // One of the two is zero.
        Self { mantissa: a.saturating_sub(&b).add(&b.saturating_sub(&a)), exponent }
    }

    pub(crate) fn cmp(&self, other: &Self) -> Ordering {
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }

    fn add(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Self { mantissa: a.add(&b), exponent }
    }

    /// To 128 bits, the last one standing for all that follow: it rounds as the whole would.
    pub(crate) fn magnitude(&self) -> Magnitude {
        let dropped = self.mantissa.bits().saturating_sub(128);
        let first = self.mantissa.shr(dropped);
        let sticky = !self.mantissa.clone().rest(dropped).is_zero();
        let mantissa = (first.limb(1) as u128) << 64 | first.limb(0) as u128 | sticky as u128;
        Magnitude { mantissa, exponent: self.exponent + dropped as i32 }
    }

    /// The largest number of `format` that is not above this one: its bits, and the exponent of its last place.
    pub(crate) fn floor(&self, format: Format) -> (u64, i32) {
        let first = self.exponent + self.mantissa.bits() as i32 - 1;
        let normal = first - (format.precision as i32 - 1);
        let quantum = if self.is_zero() { format.min_quantum } else { normal.max(format.min_quantum) };
        // Fewer than `precision` bits; the implicit one adds the 1 that makes the exponent field of a normal number.
        let kept = self.times_power_of_two(-quantum).split().0.limb(0);
        ((((quantum - format.min_quantum) as u64) << (format.precision - 1)) + kept, quantum)
    }

    /// To `count` significant digits, to nearest; half way, to the smaller one.
    pub(crate) fn decimal(&self, count: usize) -> Decimal {
        let (whole, Self { mantissa: mut rest, exponent: last_place }) = self.split();
        let mut digits = whole.digits();
        let mut exponent = digits.len() as i32 - 1;
        let places = last_place.unsigned_abs(); // of a rest that is not zero
        let ten = Natural(vec![10]);
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
        Decimal { digits, exponent }
    }
}

/// Adds 1 to the last digit. Whether that took one digit more, of which the last one, a zero, is left out again.
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

/// Significant digits, the first one of which counts `10^exponent`; none for 0. Fewer than were asked for stand for an exact number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    digits: Vec<u8>,
    exponent: i32,
}

impl Decimal {
    /// Whether the two are the same number, of as many digits or not.
    fn equals(&self, other: &Self) -> bool {
        let significant = |x: &Self| x.digits.iter().rposition(|&digit| digit > 0).map_or(0, |last| last + 1);
        let (len, other_len) = (significant(self), significant(other));
        self.exponent == other.exponent && self.digits[..len] == other.digits[..other_len]
    }

    /// A power of ten above every number that rounds to this one.
    pub(crate) fn bound(&self) -> String {
        format!("1e{}", self.exponent + 1)
    }
}

/// Plain from 0.00001 to 40 digits before the point, and with an exponent beyond.
impl Display for Decimal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let digit = |f: &mut Formatter<'_>, i: i32| {
            let digit = usize::try_from(i).ok().and_then(|i| self.digits.get(i)).unwrap_or(&0);
            f.write_char((b'0' + digit) as char)
        };
        let len = self.digits.len() as i32;
        let (first, point, exponent) = match self.exponent {
            _ if len == 0 => return f.write_char('0'),
            plain @ 0..40 => (0, plain, None),
            plain @ -5..0 => (plain, 0, None),
            exponent => (0, 0, Some(exponent)),
        };
        // Where the number begins with zeros, they are digits before the first one.
        let offset = if first < 0 { first } else { 0 };
        for i in offset..=point + offset {
            digit(f, i)?;
        }
        if point + offset + 1 < len {
            f.write_char('.')?;
        }
        for i in point + offset + 1..len {
            digit(f, i)?;
        }
        exponent.map_or(Ok(()), |exponent| write!(f, "e{exponent}"))
    }
}

/// A number known to lie between two others; exactly known if they are the same.
#[derive(Clone, Debug)]
pub(crate) struct Interval {
    pub(crate) low: Dyadic,
    pub(crate) high: Dyadic,
}

impl Interval {
    pub(crate) fn exact(value: Dyadic) -> Self {
        Self { low: value.clone(), high: value }
    }

    /// `value 2^exponent`, give or take `2^error_bits` ulp.
    pub(crate) fn around<const L: usize>(value: &Fixed<L>, error_bits: u32, exponent: i32) -> Self {
        let value = Natural::new(value.0.iter().rev().copied().collect());
        let error = Natural(vec![1]).shl(error_bits);
        let end = |mantissa| Dyadic { mantissa, exponent: exponent - Fixed::<L>::BITS as i32 };
        Self { low: end(value.saturating_sub(&error)), high: end(value.add(&error)) }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.high.is_zero()
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        Self { low: self.low.add(&other.low), high: self.high.add(&other.high) }
    }

    pub(crate) fn mul(&self, other: &Self) -> Self {
        Self { low: self.low.mul(&other.low), high: self.high.mul(&other.high) }
    }

    pub(crate) fn times_power_of_two(&self, exponent: i32) -> Self {
        Self { low: self.low.times_power_of_two(exponent), high: self.high.times_power_of_two(exponent) }
    }

    /// One over a number that is certainly not zero: relative to its size `2^(1 - precision)` wider than it has to be.
    pub(crate) fn reciprocal(&self, precision: u32) -> Self {
        let floor = |x: &Dyadic| {
            let exponent = -(x.mantissa.bits() as i32) - precision as i32 - x.exponent;
            Dyadic { mantissa: x.mantissa.reciprocal(precision), exponent }
        };
        let mut high = floor(&self.low);
        high.mantissa = high.mantissa.add(&Natural(vec![1]));
        Self { low: floor(&self.high), high }
    }

    /// The integer part and the rest, if the first is certain, and those of the lower end if the interval is the `last` one.
    pub(crate) fn split(&self, last: bool) -> Option<(Natural, Self)> {
        let ((whole, low), (high_whole, high)) = (self.low.split(), self.high.split());
        match whole == high_whole {
            true => Some((whole, Self { low, high })),
            false if last => Some((whole, Self::exact(low))),
            false => None,
        }
    }

    /// To `count` significant digits, if they are certain, and those of the lower end if the interval is the `last` one.
    pub(crate) fn decimal(&self, count: usize, last: bool) -> Option<Decimal> {
        let (low, high) = (self.low.decimal(count), self.high.decimal(count));
        match low.equals(&high) {
            // An end that happens to be short does not make the number so.
            true if low.digits.len() < high.digits.len() => Some(high),
            agree => (agree || last).then_some(low),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::string::{String, ToString};

    use proptest::prelude::*;

    use super::*;
    use crate::effort::cases;
    use crate::exact::fixed::tests::limb;

    fn natural(x: u128) -> Natural {
        Natural::new(vec![x as u64, (x >> 64) as u64])
    }

    fn long() -> impl Strategy<Value = Natural> {
        prop::collection::vec(limb(), 0..6).prop_map(Natural::new)
    }

    /// The digits and the exponent that the language prints.
    fn printed(value: f64, count: usize) -> (String, i32) {
        let text = format!("{value:.*e}", count - 1);
        let (digits, exponent) = text.split_once('e').unwrap();
        (digits.replace('.', ""), exponent.parse().unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(256)))]

        #[test]
        fn naturals_behave_as_u128(a: u128, b: u128, zeros in 0u32..128, bits in 0u32..128, small in 1u64..) {
            let (a, b) = (a >> zeros, b >> bits);
            prop_assert_eq!(natural(a).bits(), 128 - a.leading_zeros());
            prop_assert_eq!(natural(a >> 1).add(&natural(b >> 1)), natural((a >> 1) + (b >> 1)));
            prop_assert_eq!(natural(a).saturating_sub(&natural(b)), natural(a.saturating_sub(b)));
            prop_assert_eq!(natural(a >> 64).mul(&natural(b >> 64)), natural((a >> 64) * (b >> 64)));
            prop_assert_eq!(natural(a).shr(bits), natural(a >> bits));
            prop_assert_eq!(natural(a).rest(bits), natural(a & ((1 << bits) - 1)));
            prop_assert_eq!(natural(a).cmp(&natural(b)), a.cmp(&b));
            prop_assert_eq!(natural(a).to_string(), a.to_string());
            let mut quotient = natural(a);
            prop_assert_eq!(quotient.divide(small) as u128, a % small as u128);
            prop_assert_eq!(quotient, natural(a / small as u128));
        }

        #[test]
        fn long_naturals_keep_the_laws(a in long(), b in long(), c in long(), bits in 0u32..400) {
            prop_assert_eq!(a.add(&b).mul(&c), a.mul(&c).add(&b.mul(&c)));
            prop_assert_eq!(a.add(&b).saturating_sub(&b), a.clone());
            prop_assert_eq!(a.shl(bits).shr(bits), a.clone());
            prop_assert_eq!(a.shr(bits).shl(bits).add(&a.clone().rest(bits)), a.clone());
            prop_assert_eq!(a.cmp(&b).reverse(), b.cmp(&a));
        }

        #[test]
        fn a_reciprocal_is_short_by_less_than_one(a in long(), precision in 1u32..300) {
            prop_assume!(!a.is_zero());
            let (one, floor) = (Natural(vec![1]).shl(a.bits() + precision), a.reciprocal(precision));
            prop_assert!(a.mul(&floor).cmp(&one) != Ordering::Greater);
            prop_assert!(a.mul(&floor.add(&natural(1))).cmp(&one) == Ordering::Greater);
        }

        #[test]
        fn decimals_are_those_that_the_language_prints(bits in 0..f64::MAX.to_bits(), count in 1usize..60) {
            let value = f64::from_bits(bits + 1);
            // One that ends half way, in a 5 with nothing behind it, the language rounds to even.
            let longer = Dyadic::of_f64(value).decimal(count + 2).digits;
            prop_assume!(longer.len() != count + 1 || longer.last() != Some(&5));
            let decimal = Dyadic::of_f64(value).decimal(count);
            let mut digits: String = decimal.digits.iter().map(|digit| (b'0' + digit) as char).collect();
            while digits.len() < count {
                digits.push('0');
            }
            prop_assert_eq!((digits, decimal.exponent), printed(value, count));
        }

        #[test]
        fn text_says_the_number(value in prop_oneof![1e-9..1e-3, 0.1..1e6, 1e30..1e50], count in 20usize..50) {
            prop_assert_eq!(Dyadic::of_f64(value).decimal(count).to_string().parse::<f64>(), Ok(value));
        }

        #[test]
        fn the_floor_is_the_number_itself_and_the_one_below_what_is_less(bits in 1..f64::MAX.to_bits(), narrow in 1..f32::MAX.to_bits()) {
            for (format, bits) in [(Format::F64, bits), (Format::F32, narrow as u64)] {
                let number = Dyadic::of_bits(bits, format);
                prop_assert_eq!(number.floor(format).0, bits);
                let less = number.distance(&Dyadic { mantissa: natural(1), exponent: -5000 });
                prop_assert_eq!(less.floor(format).0, bits - 1);
            }
            prop_assert_eq!(Dyadic::of_bits(bits, Format::F64).cmp(&Dyadic::of_f64(f64::from_bits(bits))), Ordering::Equal);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(256)))]

        /// However long a number is, it rounds as all of it would: half way to even, and by anything more or less than that.
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
            assert_eq!(Dyadic::of_f64(value).decimal(40).to_string(), text);
        }
        let text = |value, count| Dyadic::of_f64(value).decimal(count).to_string();
        let of_60_digits = f64::from_bits(4_563_440_565_314_798_199);
        assert!(text(of_60_digits, 60).ends_with("9375") && text(of_60_digits, 59).ends_with("937"));
        assert_eq!([text(2.5, 1), text(3.5, 1), text(2.75, 1), text(9.75, 1)], ["2", "3", "3", "10"]);
        assert_eq!([text(0.999, 2), text(999.0, 2), text(0.25, 1), text(0.25, 2)], ["1.0", "1000", "0.2", "0.25"]);
    }

    #[test]
    fn what_the_ends_disagree_on_is_not_told() {
        let interval = Interval { low: Dyadic::of_f64(1.24), high: Dyadic::of_f64(1.26) };
        assert_eq!(interval.decimal(1, false).unwrap().to_string(), "1");
        assert_eq!(interval.decimal(2, false), None);
        assert_eq!(interval.decimal(2, true).unwrap().to_string(), "1.2");
        assert_eq!(interval.split(false).unwrap().0.small(), Some(1));
        let over = Interval { low: Dyadic::of_f64(1.5), high: Dyadic::of_f64(2.5) };
        assert!(over.split(false).is_none());
        let (whole, rest) = over.split(true).unwrap();
        assert_eq!((whole.small(), rest.decimal(3, false).unwrap().to_string()), (Some(1), "0.5".into()));
        let reciprocal = Interval::exact(Dyadic::small(3)).reciprocal(200);
        assert_eq!(reciprocal.low.cmp(&reciprocal.high), Ordering::Less);
        assert_eq!(reciprocal.decimal(20, false).unwrap().to_string(), "0.33333333333333333333");
    }
}
