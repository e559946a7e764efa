//! Integers of any length.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{Display, Formatter, Result, Write};

/// An integer: limbs of 64 bits, the least significant first, the last one not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Natural(Vec<u64>);

impl Natural {
    pub(super) fn new(mut limbs: Vec<u64>) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self(limbs)
    }

    pub(super) fn power_of_two(exponent: u32) -> Self {
        Self(vec![1]).shl(exponent)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the bit length, which is 0 for 0.
    pub(super) fn bits(&self) -> u32 {
        self.0.last().map_or(0, |last| 64 * self.0.len() as u32 - last.leading_zeros())
    }

    pub(super) fn limb(&self, i: usize) -> u64 {
        self.0.get(i).copied().unwrap_or(0)
    }

    /// Returns the number, if it is below `2^64`.
    pub(crate) fn small(&self) -> Option<u64> {
        (self.0.len() < 2).then(|| self.limb(0))
    }

    pub(super) fn shl(&self, bits: u32) -> Self {
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

    /// Returns the floor of the number divided by `2^bits`.
    pub(super) fn shr(&self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let pair = |i| (self.limb(i + 1) as u128) << 64 | self.limb(i) as u128;
        Self::new((limbs..self.0.len()).map(|i| (pair(i) >> bits) as u64).collect())
    }

    /// Returns the bits that `shr` drops.
    pub(super) fn rest(mut self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        if let Some(limb) = self.0.get_mut(limbs) {
            *limb &= (1 << bits) - 1;
            self.0.truncate(limbs + 1);
        }
        Self::new(self.0)
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let mut carry = 0;
        let sum = |i| {
            let sum = self.limb(i) as u128 + other.limb(i) as u128 + carry;
            carry = sum >> 64;
            sum as u64
        };
        Self::new((0..=self.0.len().max(other.0.len())).map(sum).collect())
    }

    /// Returns the difference, or 0 if it is negative.
    pub(super) fn saturating_sub(&self, other: &Self) -> Self {
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

    pub(super) fn mul(&self, other: &Self) -> Self {
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

    /// Replaces the number by its quotient by `divisor`, and returns the remainder.
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

    /// Returns the floor of `2^(bits() + precision) / self`, bit by bit, for a number other than 0.
    pub(super) fn reciprocal(&self, precision: u32) -> Self {
        let mut remainder = Self::power_of_two(self.bits() - 1);
        let mut quotient = vec![0; (precision / 64 + 2) as usize];
        // 2^(bits() - 1) is not above the number, so its quotient is 0, or 1 if it is the number.
        for bit in (0..precision + 2).rev() {
            if remainder.cmp(self) != Ordering::Less {
                remainder = remainder.saturating_sub(self);
                quotient[(bit / 64) as usize] |= 1 << (bit % 64);
            }
            remainder = remainder.shl(1);
        }
        Self::new(quotient)
    }

    /// Returns the decimal digits without leading zeros. There are none for 0.
    pub(super) fn digits(mut self) -> Vec<u8> {
        const GROUP: usize = 19; // the digits that fit in a limb
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

    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

/// Shows all digits, as an integer.
impl Display for Natural {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.clone().digits() {
            digits if digits.is_empty() => f.write_char('0'),
            digits => digits.iter().try_for_each(|digit| f.write_char((b'0' + digit) as char)),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::string::ToString;

    use proptest::prelude::*;

    use super::*;
    use crate::exact::limbs::tests::limb;
    use crate::properties;

    pub(crate) fn natural(x: u128) -> Natural {
        Natural::new(vec![x as u64, (x >> 64) as u64])
    }

    fn long() -> impl Strategy<Value = Natural> {
        prop::collection::vec(limb(), 0..6).prop_map(Natural::new)
    }

    properties! {
        #![cases(256)]

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
            let (one, floor) = (Natural::power_of_two(a.bits() + precision), a.reciprocal(precision));
            prop_assert!(a.mul(&floor).cmp(&one) != Ordering::Greater);
            prop_assert!(a.mul(&floor.add(&natural(1))).cmp(&one) == Ordering::Greater);
        }
    }
}
