//! Wide unsigned numbers: fractions of one in fixed point.
//!
//! Everything is integer arithmetic and `const fn`. An *ulp* here is one unit of the last place kept, `2^(-64 L)`; every
//! operation states its error in it.

/// A fraction of one in `[0, 1)` with `64 L` bits, `L >= 2`: limb 0 holds the first 64 bits after the binary point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed<const L: usize>(pub(crate) [u64; L]);

impl<const L: usize> Fixed<L> {
    pub(crate) const ZERO: Self = Self([0; L]);
    /// One half.
    pub(crate) const HALF: Self = {
        let mut limbs = [0; L];
        limbs[0] = 1 << 63;
        Self(limbs)
    };
    /// Bits of the fraction.
    pub(crate) const BITS: u32 = 64 * L as u32;

    /// The first `L` limbs of a longer fraction: below it by less than 1 ulp.
    pub(crate) const fn from_prefix(limbs: &[u64]) -> Self {
        let mut out = [0; L];
        let mut i = 0;
        while i < L {
            out[i] = limbs[i];
            i += 1;
        }
        Self(out)
    }

    /// `numerator / denominator`, which must be below one: floor, error < 1 ulp.
    pub(crate) const fn ratio(numerator: u64, denominator: u64) -> Self {
        Self::ZERO.div_small(numerator, denominator)
    }

    /// `numerator / denominator` as integer part and fraction, both numbers below `2^127`: floor, error < 1 ulp.
    ///
    /// Bit by bit, since a denominator may have more than 64 of them.
    pub(crate) const fn quotient(numerator: u128, denominator: u128) -> (u64, Self) {
        let mut out = [0; L];
        let mut remainder = numerator % denominator;
        let mut bit = 0;
        while bit < 64 * L {
            remainder <<= 1;
            if remainder >= denominator {
                remainder -= denominator;
                out[bit / 64] |= 1 << (63 - bit % 64);
            }
            bit += 1;
        }
        (low(numerator / denominator), Self(out))
    }

    pub(crate) const fn is_zero(&self) -> bool {
        let mut i = 0;
        while i < L {
            if self.0[i] != 0 {
                return false;
            }
            i += 1;
        }
        true
    }

    pub(crate) const fn is_below(&self, other: &Self) -> bool {
        let mut i = 0;
        while i < L {
            if self.0[i] != other.0[i] {
                return self.0[i] < other.0[i];
            }
            i += 1;
        }
        false
    }

    /// `1 - self`, short of it by exactly 1 ulp, and so always a fraction.
    pub(crate) const fn complement(mut self) -> Self {
        let mut i = 0;
        while i < L {
            self.0[i] = !self.0[i];
            i += 1;
        }
        self
    }

    /// `self + other` mod 1. Exact.
    pub(crate) const fn wrapping_add(self, other: &Self) -> Self {
        self.carrying_add(other).1
    }

    /// `self + other` as integer part and fraction. Exact.
    pub(crate) const fn carrying_add(mut self, other: &Self) -> (u64, Self) {
        let mut carry = false;
        let mut i = L;
        while i > 0 {
            i -= 1;
            let (sum, over) = self.0[i].overflowing_add(other.0[i]);
            let (sum, over_again) = sum.overflowing_add(carry as u64);
            self.0[i] = sum;
            carry = over | over_again;
        }
        (carry as u64, self)
    }

    /// `self - other` mod 1. Exact.
    pub(crate) const fn wrapping_sub(mut self, other: &Self) -> Self {
        let mut borrow = false;
        let mut i = L;
        while i > 0 {
            i -= 1;
            let (difference, under) = self.0[i].overflowing_sub(other.0[i]);
            let (difference, under_again) = difference.overflowing_sub(borrow as u64);
            self.0[i] = difference;
            borrow = under | under_again;
        }
        self
    }

    /// `self * other`: below it by less than 2 ulp.
    ///
    /// Column `s` of the schoolbook product (limbs `i + j = s`) weighs `2^(-64 (s + 2))`. Columns beyond `L` are left out:
    /// together they are below `L 2^(-64 (L + 1))`, far less than 1 ulp, and the floor takes less than 1 ulp more.
    pub(crate) const fn mul(&self, other: &Self) -> Self {
        let mut out = [0; L];
        multiply(&self.0, &other.0, &mut out);
        Self(out)
    }

    /// `self * factor` as integer part and fraction. Exact.
    pub(crate) const fn mul_small(mut self, factor: u64) -> (u64, Self) {
        let mut carry = 0;
        let mut i = L;
        while i > 0 {
            i -= 1;
            let product = self.0[i] as u128 * factor as u128 + carry as u128;
            self.0[i] = low(product);
            carry = low(product >> 64);
        }
        (carry, self)
    }

    /// `self * factor / 2^64`: floor, error < 1 ulp.
    pub(crate) const fn mul_down(&self, factor: u64) -> Self {
        let mut out = [0; L];
        let mut carry = 0;
        let mut i = L;
        while i > 0 {
            i -= 1;
            let product = self.0[i] as u128 * factor as u128 + carry as u128;
            if i + 1 < L {
                out[i + 1] = low(product);
            }
            carry = low(product >> 64);
        }
        out[0] = carry;
        Self(out)
    }

    /// `(integer + self) / divisor` for `integer < divisor`: floor, error < 1 ulp.
    pub(crate) const fn div_small(mut self, integer: u64, divisor: u64) -> Self {
        divide(&mut self.0, integer, divisor);
        self
    }

    /// `self * 2^bits` mod 1. Exact.
    pub(crate) const fn shl(self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let mut out = [0; L];
        let mut i = 0;
        while i + limbs < L {
            let pair = (self.0[i + limbs] as u128) << 64 | self.limb(i + limbs + 1) as u128;
            out[i] = low((pair << bits) >> 64);
            i += 1;
        }
        Self(out)
    }

    /// `self / 2^bits`: floor, error < 1 ulp.
    pub(crate) const fn shr(self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let mut out = [0; L];
        let mut i = limbs;
        while i < L {
            let previous = if i > limbs { self.0[i - limbs - 1] } else { 0 };
            let pair = (previous as u128) << 64 | self.0[i - limbs] as u128;
            out[i] = low(pair >> bits);
            i += 1;
        }
        Self(out)
    }

    pub(crate) const fn leading_zeros(&self) -> u32 {
        let mut zeros = 0;
        let mut i = 0;
        while i < L {
            zeros += self.0[i].leading_zeros();
            if self.0[i] != 0 {
                break;
            }
            i += 1;
        }
        zeros
    }

    /// 128 bits from bit `first` on, as `self.shl(first)` begins.
    pub(crate) const fn window(&self, first: u32) -> u128 {
        let (limb, bits) = ((first / 64) as usize, first % 64);
        let pair = (self.limb(limb) as u128) << 64 | self.limb(limb + 1) as u128;
        // Two steps, since a shift by 64 is not one.
        pair << bits | (self.limb(limb + 2) >> 1 >> (63 - bits)) as u128
    }

    const fn limb(&self, i: usize) -> u64 {
        if i < L { self.0[i] } else { 0 }
    }
}

/// The body of [`Fixed::mul`], once for all lengths: the wide tiers are seldom run, and code made for each would be large.
#[inline(never)]
const fn multiply(a: &[u64], b: &[u64], out: &mut [u64]) {
    let len = out.len();
    let mut sum = 0u128;
    let mut column = len + 1;
    while column > 0 {
        column -= 1;
        let mut overflow = 0u64;
        let mut i = (column + 1).saturating_sub(len);
        while i < len && i <= column {
            let (total, over) = sum.overflowing_add(a[i] as u128 * b[column - i] as u128);
            sum = total;
            overflow += over as u64;
            i += 1;
        }
        if column + 1 < len {
            out[column + 1] = low(sum);
        }
        sum = (sum >> 64) | (overflow as u128) << 64;
    }
    out[0] = low(sum);
}

/// The body of [`Fixed::div_small`], once for all lengths.
#[inline(never)]
const fn divide(limbs: &mut [u64], integer: u64, divisor: u64) {
    let mut remainder = integer;
    let mut i = 0;
    while i < limbs.len() {
        let dividend = (remainder as u128) << 64 | limbs[i] as u128;
        limbs[i] = low(dividend / divisor as u128);
        remainder = low(dividend % divisor as u128);
        i += 1;
    }
}

/// The high half of a 256-bit product: floor, error < 1.
pub(crate) const fn mul_high(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + (middle & LOW);
    a1 * b1 + (middle >> 64) + (other >> 64)
}

const fn low(wide: u128) -> u64 {
    wide as u64
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::effort::cases;

    type Two = Fixed<2>;

    fn value(x: Two) -> u128 {
        x.window(0)
    }

    fn two(x: u128) -> Two {
        Fixed([low(x >> 64), low(x)])
    }

    /// The 256-bit product of two 128-bit numbers, high half, by 32-bit digits: another road than `mul`.
    fn high_product(a: u128, b: u128) -> u128 {
        let digits = |x: u128| [0, 1, 2, 3].map(|i| (x >> (32 * i)) & 0xffff_ffff);
        let mut columns = [0u128; 8];
        for (i, x) in digits(a).into_iter().enumerate() {
            for (j, y) in digits(b).into_iter().enumerate() {
                columns[i + j] += (x * y) & 0xffff_ffff;
                columns[i + j + 1] += (x * y) >> 32;
            }
        }
        let mut carry = 0;
        let digits = columns.map(|column| {
            let total = column + carry;
            carry = total >> 32;
            total & 0xffff_ffff
        });
        (0..4).map(|i| digits[4 + i] << (32 * i)).sum()
    }

    type Wide = Fixed<82>;

    /// Limbs at random, of zeros and of ones: what carries and borrows stumble over.
    pub(crate) fn limb() -> impl Strategy<Value = u64> {
        prop_oneof![any::<u64>(), Just(0), Just(u64::MAX)]
    }

    fn padded(limbs: [u64; 5]) -> Fixed<10> {
        let mut padded = [0; 10];
        padded[..5].copy_from_slice(&limbs);
        Fixed(padded)
    }

    /// `1/n - 1/(3 n^3) + 1/(5 n^5) - ...` (the arc tangent of `1/n`) or, without `alternating`, its hyperbolic sister.
    fn arc_tangent(n: u64, alternating: bool) -> Wide {
        let mut power = Wide::ratio(1, n);
        let (mut sum, mut odd, mut plus) = (power, 1, true);
        while !power.is_zero() {
            power = power.div_small(0, n).div_small(0, n);
            odd += 2;
            plus = !(plus && alternating);
            let term = power.div_small(0, odd);
            sum = if plus { sum.wrapping_add(&term) } else { sum.wrapping_sub(&term) };
        }
        sum
    }

    fn is_prefix(constant: &[u64], value: &Wide) -> bool {
        constant == &value.0[..constant.len()]
    }

    /// By Machin's formula and its like for the logarithm: another road than the library that made them.
    #[test]
    fn constants_are_what_their_names_say() {
        let quarter_pi = arc_tangent(5, true).shl(2).wrapping_sub(&arc_tangent(239, true));
        assert!(is_prefix(&crate::exact::constants::QUARTER_PI, &quarter_pi));

        // ln 2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749)
        let nine = arc_tangent(26, false).mul_small(9).1;
        let half_ln_2 = nine.wrapping_sub(&arc_tangent(4801, false)).wrapping_add(&arc_tangent(8749, false).shl(2));
        assert!(is_prefix(&crate::exact::constants::HALF_LN_2, &half_ln_2));

        // The reciprocals by their products, from below: each factor is cut, by less than 2^-5120.
        let is_reciprocal = |constant: &[u64], value: &Wide, factor| {
            let product = value.mul(&Wide::from_prefix(&[constant, &[0, 0]].concat())).mul_small(factor);
            product.0 == 0 && product.1.complement().leading_zeros() >= 5120 - 3
        };
        assert!(is_reciprocal(&crate::exact::constants::INVERSE_TAU, &quarter_pi, 8)); // 8 (π/4) (1/2π) = 1
        assert!(is_reciprocal(&crate::exact::constants::HALF_LOG2_E, &half_ln_2, 4)); // 4 (ln 2 / 2) (1 / 2 ln 2) = 1
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(256)))]

        #[test]
        fn a_quotient_is_the_long_division(numerator in 0..1u128 << 127, shift in 0u32..127, denominator in 1..1u128 << 127, other in 0u32..127) {
            let (numerator, denominator) = (numerator >> shift, (denominator >> other).max(1));
            let (integer, fraction) = Two::quotient(numerator, denominator);
            prop_assert_eq!(integer, low(numerator / denominator));
            // rest 2^128 = fraction denominator + remainder, the high halves of which tell.
            let rest = numerator % denominator;
            let high = high_product(value(fraction), denominator);
            let low = value(fraction).wrapping_mul(denominator);
            let exact = low == 0 && high == rest;
            prop_assert!(exact || (high + 1 == rest && low.wrapping_neg() < denominator));
            if denominator < 1 << 64 && numerator < denominator {
                prop_assert_eq!(fraction, Two::ratio(numerator as u64, denominator as u64));
            }
        }

        #[test]
        fn two_limbs_behave_as_u128(a in prop::array::uniform2(limb()), b in prop::array::uniform2(limb()), bits in 0u32..128, small in limb()) {
            let (a, b) = (value(Fixed(a)), value(Fixed(b)));
            prop_assert_eq!(value(two(a).wrapping_add(&two(b))), a.wrapping_add(b));
            prop_assert_eq!(two(a).carrying_add(&two(b)).0 == 1, a.checked_add(b).is_none());
            prop_assert_eq!(value(two(a).wrapping_sub(&two(b))), a.wrapping_sub(b));
            prop_assert_eq!(value(two(a).complement()), !a);
            prop_assert_eq!(value(two(a).shl(bits)), a << bits);
            prop_assert_eq!(value(two(a).shr(bits)), a >> bits);
            prop_assert_eq!(two(a).window(bits), a << bits);
            prop_assert_eq!(two(a).leading_zeros(), a.leading_zeros());
            prop_assert_eq!(two(a).is_zero(), a == 0);
            prop_assert_eq!(value(two(a).mul_small(small).1), a.wrapping_mul(u128::from(small)));
            prop_assert_eq!(u128::from(two(a).mul_small(small).0), high_product(a, u128::from(small)));
            prop_assert_eq!(value(two(a).mul_down(small)), (high_product(a, u128::from(small)) << 64) | (a.wrapping_mul(u128::from(small)) >> 64));
            prop_assert_eq!(value(two(a).div_small(0, small.max(1))), a / u128::from(small.max(1)));
        }

        #[test]
        fn a_window_is_the_beginning_of_what_is_shifted(a: [u64; 6], first in 0u32..384) {
            prop_assert_eq!(Fixed(a).window(first), Fixed(a).shl(first).window(0));
        }

        #[test]
        fn a_product_is_short_by_less_than_two_ulp(a in prop::array::uniform2(limb()), b in prop::array::uniform2(limb())) {
            let (a, b) = (value(Fixed(a)), value(Fixed(b)));
            let (exact, product) = (high_product(a, b), value(two(a).mul(&two(b))));
            prop_assert!(exact.wrapping_sub(product) <= 1, "{product:x} {exact:x}");
        }

        #[test]
        fn so_is_a_longer_one(a in prop::array::uniform5(limb()), b in prop::array::uniform5(limb())) {
            let exact = Fixed::<5>::from_prefix(&padded(a).mul(&padded(b)).0);
            let shortfall = exact.wrapping_sub(&Fixed(a).mul(&Fixed(b)));
            prop_assert!(shortfall.leading_zeros() >= Fixed::<5>::BITS - 1, "{shortfall:x?}");
        }

        #[test]
        fn a_wide_product_agrees_with_its_narrow_prefix(a: [u64; 6], b: [u64; 6]) {
            let (a, b) = (Fixed(a), Fixed(b));
            let narrow = value(two(a.window(0)).mul(&two(b.window(0))));
            // The prefixes are short by less than an ulp each, the narrow product by less than two.
            prop_assert!(a.mul(&b).window(0).wrapping_sub(narrow) <= 4);
        }
    }
}
