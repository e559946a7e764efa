//! Wide unsigned numbers: fixed-point fractions below one, in as many limbs as a slice has.
//!
//! Limb 0 holds the first 64 bits after the binary point. An *ulp* is one unit in the last place, `2^(-64 L)` in `L`
//! limbs. Every function states its error in ulp. All functions use integer arithmetic only and are `const fn`.
//!
//! All precisions use these functions. They are compiled once, because a small machine has no room for one copy per
//! precision. They work in place, in memory of the caller, because a number of the widest precision takes 640 bytes of
//! stack. The functions that the narrow tier calls for every angle may be inlined into it, where the compiler knows the
//! length. The longer functions must not be inlined.

use crate::exact::format::decompose;

/// The limbs of frequencies and phases in the narrow tier. After a whole progression and a scaling rule, more than 250
/// bits are correct.
pub(crate) const NARROW: usize = 5;

/// The limbs of frequencies that become floats. After a whole progression and a scaling rule, more than 120
/// bits are correct.
#[cfg(feature = "alloc")]
pub(crate) const FOR_FLOATS: usize = 3;

/// Returns the number of bits of a fraction.
pub(crate) const fn bits(x: &[u64]) -> u32 {
    64 * x.len() as u32
}

/// Sets `x` to the absolute value of a finite number other than 0, as a fraction of at least 1/2.
///
/// Returns the exponent. Exact.
pub(crate) const fn set_f64(x: &mut [u64], value: f64) -> i32 {
    let (mantissa, exponent) = decompose(value);
    set(x, mantissa << 11);
    exponent + 1
}

/// Copies the first limbs of a fraction of at least the same length. The copy is too small by less than 1 ulp.
pub(crate) const fn copy(from: &[u64], to: &mut [u64]) {
    let mut i = 0;
    while i < to.len() {
        to[i] = from[i];
        i += 1;
    }
}

/// Sets the first limb to `first`, and all others to zero.
pub(crate) const fn set(x: &mut [u64], first: u64) {
    let mut i = 0;
    while i < x.len() {
        x[i] = 0;
        i += 1;
    }
    x[0] = first;
}

pub(crate) const fn is_zero(x: &[u64]) -> bool {
    is_zero_from(x, 0)
}

/// Returns whether all bits from bit `first` on are zero.
#[inline(never)]
pub(crate) const fn is_zero_from(x: &[u64], first: u32) -> bool {
    let mut i = (first / 64) as usize;
    let mut bits = first % 64;
    while i < x.len() {
        if x[i] << bits != 0 {
            return false;
        }
        bits = 0;
        i += 1;
    }
    true
}

/// Adds `other` to `x` mod 1, and returns the integer part of the sum. Exact.
#[inline(never)]
pub(crate) const fn add(x: &mut [u64], other: &[u64]) -> u64 {
    let mut carry = false;
    let mut i = x.len();
    while i > 0 {
        i -= 1;
        let (sum, over) = x[i].overflowing_add(other[i]);
        let (sum, over_again) = sum.overflowing_add(carry as u64);
        x[i] = sum;
        carry = over | over_again;
    }
    carry as u64
}

/// Subtracts `other` from `x` mod 1, and returns whether the difference was negative. Exact.
#[inline(never)]
pub(crate) const fn subtract(x: &mut [u64], other: &[u64]) -> bool {
    let mut borrow = false;
    let mut i = x.len();
    while i > 0 {
        i -= 1;
        let (difference, under) = x[i].overflowing_sub(other[i]);
        let (difference, under_again) = difference.overflowing_sub(borrow as u64);
        x[i] = difference;
        borrow = under | under_again;
    }
    borrow
}

/// Replaces `x` by `1 - x` minus exactly 1 ulp, which is always a fraction.
#[inline]
pub(crate) const fn complement(x: &mut [u64]) {
    let mut i = 0;
    while i < x.len() {
        x[i] = !x[i];
        i += 1;
    }
}

/// Replaces `x` by `-x` mod 1. Exact.
#[inline(never)]
pub(crate) const fn negate(x: &mut [u64]) {
    complement(x);
    let mut i = x.len();
    let mut carry = true;
    while i > 0 && carry {
        i -= 1;
        (x[i], carry) = x[i].overflowing_add(1);
    }
}

/// Multiplies `x` by the first limbs of `factor`: too small by less than 2 ulp, plus the error of truncating `factor`.
///
/// Column `s` of the schoolbook product (limbs `i + j = s`) has the weight `2^(-64 (s + 2))`. Columns beyond `L` are
/// omitted. Together they are below `L 2^(-64 (L + 1))`, far less than 1 ulp. Rounding down costs less than 1 ulp more.
///
/// The product is formed in place, because no later column reads the limb that a column writes.
#[inline(never)]
pub(crate) const fn multiply(x: &mut [u64], factor: &[u64]) {
    // Copies that know the length are several times as fast. Small machines have no room for them.
    #[cfg(feature = "alloc")]
    match x.len() {
        FOR_FLOATS => return multiply_limbs(x, factor, FOR_FLOATS),
        NARROW => return multiply_narrow(x, factor),
        _ => {}
    }
    multiply_limbs(x, factor, x.len());
}

/// Implements [`multiply`] for `NARROW` limbs without loops and indices, for which the compiler's interpreter takes long.
#[cfg(feature = "alloc")]
const fn multiply_narrow(x: &mut [u64], factor: &[u64]) {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4, ..]) = (&*x, factor) else { panic!("`NARROW` limbs") };
    let (a0, a1, a2, a3, a4) = (*a0 as u128, *a1 as u128, *a2 as u128, *a3 as u128, *a4 as u128);
    let (b0, b1, b2, b3, b4) = (*b0 as u128, *b1 as u128, *b2 as u128, *b3 as u128, *b4 as u128);
    // Adds a column of products to the integer part of the column below it. The halves are added separately, so no sum
    // overflows.
    macro_rules! column {
        ($carry:expr; $($a:ident $b:ident),*) => {{
            let (mut sum, mut high) = ($carry, 0);
            $(
                let product = $a * $b;
                sum += product & u64::MAX as u128;
                high += product >> 64;
            )*
            (sum, high)
        }};
    }
    let (sum, high) = column!(0u128; a1 b4, a2 b3, a3 b2, a4 b1);
    let (sum, high) = column!((sum >> 64) + high; a0 b4, a1 b3, a2 b2, a3 b1, a4 b0);
    let (sum, high) = column!((sum >> 64) + high; a0 b3, a1 b2, a2 b1, a3 b0);
    x[4] = low(sum);
    let (sum, high) = column!((sum >> 64) + high; a0 b2, a1 b1, a2 b0);
    x[3] = low(sum);
    let (sum, high) = column!((sum >> 64) + high; a0 b1, a1 b0);
    x[2] = low(sum);
    let (sum, high) = column!((sum >> 64) + high; a0 b0);
    x[1] = low(sum);
    x[0] = low((sum >> 64) + high);
}

/// Implements [`multiply`] for a length of `len`, which the compiler may know.
#[inline(always)]
pub(crate) const fn multiply_limbs(x: &mut [u64], factor: &[u64], len: usize) {
    let (x, factor) = (x.split_at_mut(len).0, factor.split_at(len).0);
    // The halves of products are added separately, so no sum overflows.
    let mut sum = 0u128;
    let mut column = len + 1;
    while column > 0 {
        column -= 1;
        let mut high = 0u128;
        let (mut i, end) = if column < len { (0, column + 1) } else { (column + 1 - len, len) };
        while i < end {
            let product = x[i] as u128 * factor[column - i] as u128;
            sum += product as u64 as u128;
            high += product >> 64;
            i += 1;
        }
        if column + 1 < len {
            x[column + 1] = low(sum);
        }
        sum = (sum >> 64) + high;
    }
    x[0] = low(sum);
}

/// Multiplies `x` by `factor` mod 1, and returns the integer part of the product. Exact.
#[inline]
pub(crate) const fn multiply_small(x: &mut [u64], factor: u64) -> u64 {
    let mut carry = 0;
    let mut i = x.len();
    while i > 0 {
        i -= 1;
        let product = x[i] as u128 * factor as u128 + carry as u128;
        x[i] = low(product);
        carry = low(product >> 64);
    }
    carry
}

/// Multiplies `x` by `factor / 2^64`, rounded down: error < 1 ulp.
#[inline]
pub(crate) const fn multiply_down(x: &mut [u64], factor: u64) {
    let mut carry = multiply_small(x, factor);
    let mut i = 0;
    while i < x.len() {
        (x[i], carry) = (carry, x[i]);
        i += 1;
    }
}

/// Returns whether `x` is less than `other`.
pub(crate) const fn is_less(x: &[u64], other: &[u64]) -> bool {
    let mut i = 0;
    while i < x.len() {
        if x[i] != other[i] {
            return x[i] < other[i];
        }
        i += 1;
    }
    false
}

/// Multiplies `x` by `2^bits` mod 1. Exact.
#[inline]
pub(crate) const fn shift_up(x: &mut [u64], bits: u32) {
    if bits == 0 {
        return;
    }
    let (limbs, bits) = ((bits / 64) as usize, bits % 64);
    let mut i = 0;
    while i < x.len() {
        let pair = (limb(x, i + limbs) as u128) << 64 | limb(x, i + limbs + 1) as u128;
        x[i] = low((pair << bits) >> 64);
        i += 1;
    }
}

/// Divides `x` by `2^bits`, rounded down: error < 1 ulp.
#[inline(never)]
pub(crate) const fn shift_down(x: &mut [u64], bits: u32) {
    let (limbs, bits) = ((bits / 64) as usize, bits % 64);
    let mut i = x.len();
    while i > 0 {
        i -= 1;
        let own = if i >= limbs { x[i - limbs] } else { 0 };
        let previous = if i > limbs { x[i - limbs - 1] } else { 0 };
        x[i] = low(((previous as u128) << 64 | own as u128) >> bits);
    }
}

/// Returns the number of zeros before the first 1 bit.
#[inline]
pub(crate) const fn leading_zeros(x: &[u64]) -> u32 {
    let mut zeros = 0;
    let mut i = 0;
    while i < x.len() {
        zeros += x[i].leading_zeros();
        if x[i] != 0 {
            break;
        }
        i += 1;
    }
    zeros
}

/// Shifts out the zeros before the first 1 bit, and returns their number.
#[inline(never)]
pub(crate) const fn normalise(x: &mut [u64]) -> i32 {
    let zeros = leading_zeros(x);
    shift_up(x, zeros);
    zeros as i32
}

/// Returns the 128 bits from bit `first` on, which are the first bits of `x` shifted up by `first`.
#[inline]
pub(crate) const fn window(x: &[u64], first: u32) -> u128 {
    let (i, bits) = ((first / 64) as usize, first % 64);
    let pair = (limb(x, i) as u128) << 64 | limb(x, i + 1) as u128;
    // Two shifts, because shifting by 64 at once would overflow.
    pair << bits | (limb(x, i + 2) >> 1 >> (63 - bits)) as u128
}

const fn limb(x: &[u64], i: usize) -> u64 {
    if i < x.len() { x[i] } else { 0 }
}

pub(crate) const fn low(wide: u128) -> u64 {
    wide as u64
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::constants::{HALF_LN_2, HALF_LOG2_E, INVERSE_TAU, QUARTER_PI};
    use crate::exact::division::divide;
    use crate::properties;

    pub(crate) fn value(x: &[u64]) -> u128 {
        u128::from(x[0]) << 64 | u128::from(x[1])
    }

    pub(crate) fn two(x: u128) -> [u64; 2] {
        [low(x >> 64), low(x)]
    }

    /// Returns the two limbs after `act`, and what it returns.
    pub(crate) fn made<T>(x: u128, act: impl Fn(&mut [u64]) -> T) -> (u128, T) {
        let mut x = two(x);
        let returned = act(&mut x);
        (value(&x), returned)
    }

    /// Returns the high half of a 256-bit product, computed with 32-bit digits, independently of `multiply`.
    pub(crate) fn high_product(a: u128, b: u128) -> u128 {
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

    /// Random limbs, zeros and all ones, which test carries and borrows.
    pub(crate) fn limb() -> impl Strategy<Value = u64> {
        prop_oneof![any::<u64>(), Just(0), Just(u64::MAX)]
    }

    fn product<const L: usize>(mut a: [u64; L], b: &[u64]) -> [u64; L] {
        multiply(&mut a, b);
        a
    }

    pub(crate) fn difference<const L: usize>(mut a: [u64; L], b: &[u64]) -> [u64; L] {
        subtract(&mut a, b);
        a
    }

    pub(crate) fn padded(limbs: [u64; 5]) -> [u64; 10] {
        let mut padded = [0; 10];
        padded[..5].copy_from_slice(&limbs);
        padded
    }

    type Wide = [u64; 82];

    /// Returns `1/n - 1/(3 n^3) + 1/(5 n^5) - ...`, the arc tangent of `1/n`, or without `alternating` its hyperbolic
    /// one.
    fn arc_tangent(n: u64, alternating: bool) -> Wide {
        let mut power = [0; 82];
        divide(&mut power, 1, n);
        let (mut sum, mut odd, mut plus) = (power, 1, true);
        while !is_zero(&power) {
            divide(&mut power, 0, n);
            divide(&mut power, 0, n);
            odd += 2;
            plus = !(plus && alternating);
            let mut term = power;
            divide(&mut term, 0, odd);
            if plus {
                add(&mut sum, &term);
            } else {
                subtract(&mut sum, &term);
            }
        }
        sum
    }

    /// Recomputes the constants by Machin's formula and a similar one for the logarithm, independently of their script.
    #[test]
    fn constants_are_what_their_names_say() {
        let mut quarter_pi = arc_tangent(5, true);
        shift_up(&mut quarter_pi, 2);
        subtract(&mut quarter_pi, &arc_tangent(239, true));
        assert!(quarter_pi.starts_with(&QUARTER_PI));

        // ln 2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749)
        let (mut half_ln_2, mut last) = (arc_tangent(26, false), arc_tangent(8749, false));
        multiply_small(&mut half_ln_2, 9);
        subtract(&mut half_ln_2, &arc_tangent(4801, false));
        shift_up(&mut last, 2);
        add(&mut half_ln_2, &last);
        assert!(half_ln_2.starts_with(&HALF_LN_2));

        // The reciprocals are checked by their products, which are too small: each factor is truncated by less than
        // 2^-5120.
        let is_reciprocal = |constant: &[u64], value: Wide, factor| {
            let mut product = product(value, &[constant, &[0, 0]].concat());
            let whole = multiply_small(&mut product, factor);
            complement(&mut product);
            whole == 0 && leading_zeros(&product) >= 5120 - 3
        };
        assert!(is_reciprocal(&INVERSE_TAU, quarter_pi, 8)); // 8 (π/4) (1/2π) = 1
        assert!(is_reciprocal(&HALF_LOG2_E, half_ln_2, 4)); // 4 (ln 2 / 2) (1 / 2 ln 2) = 1
    }

    properties! {
        #![cases(256)]

        #[test]
        fn two_limbs_behave_as_u128(
            a in prop::array::uniform2(limb()), b in prop::array::uniform2(limb()),
            bits in 0u32..128, small in limb(),
        ) {
            let (a, b) = (value(&a), value(&b));
            prop_assert_eq!(made(a, |x| add(x, &two(b))), (a.wrapping_add(b), a.checked_add(b).is_none().into()));
            prop_assert_eq!(made(a, |x| subtract(x, &two(b))), (a.wrapping_sub(b), a < b));
            prop_assert_eq!(made(a, complement).0, !a);
            prop_assert_eq!(made(a, negate).0, a.wrapping_neg());
            prop_assert_eq!(made(a, |x| shift_up(x, bits)).0, a << bits);
            prop_assert_eq!(made(a, |x| shift_down(x, bits)).0, a >> bits);
            prop_assert_eq!(window(&two(a), bits), a << bits);
            prop_assert_eq!(leading_zeros(&two(a)), a.leading_zeros());
            prop_assert_eq!(made(a, normalise), (a.checked_shl(a.leading_zeros()).unwrap_or(0), a.leading_zeros() as i32));
            prop_assert_eq!(is_zero(&two(a)), a == 0);
            prop_assert_eq!(is_zero_from(&two(a), bits), a << bits == 0);
            let high = high_product(a, u128::from(small));
            let low_half = a.wrapping_mul(u128::from(small));
            prop_assert_eq!(made(a, |x| multiply_small(x, small)), (low_half, low(high)));
            prop_assert_eq!(made(a, |x| multiply_down(x, small)).0, (high << 64) | (low_half >> 64));
        }

        #[test]
        fn a_window_is_the_beginning_of_what_is_shifted(a: [u64; 6], first in 0u32..384) {
            let mut shifted = a;
            shift_up(&mut shifted, first);
            prop_assert_eq!(window(&a, first), value(&shifted));
            prop_assert_eq!(is_zero_from(&a, first), is_zero(&shifted));
        }

        /// Shifts by any number of whole limbs and bits, down and up again.
        #[test]
        fn what_is_shifted_down_and_up_has_lost_its_last_bits(a in prop::array::uniform5(limb()), bits in 0u32..400) {
            let mut shifted = a;
            shift_down(&mut shifted, bits);
            prop_assert!(leading_zeros(&shifted) >= bits.min(320));
            shift_up(&mut shifted, bits);
            prop_assert!(leading_zeros(&difference(a, &shifted)) >= 320 - bits.min(320));
        }

        #[test]
        fn a_product_is_short_by_less_than_two_ulp(a in prop::array::uniform2(limb()), b in prop::array::uniform2(limb())) {
            let (exact, product) = (high_product(value(&a), value(&b)), value(&product(a, &b)));
            prop_assert!(exact.wrapping_sub(product) <= 1, "{product:x} {exact:x}");
        }

        #[test]
        fn so_is_a_longer_one(a in prop::array::uniform5(limb()), b in prop::array::uniform5(limb())) {
            let mut exact = [0; 5];
            copy(&product(padded(a), &padded(b)), &mut exact);
            let shortfall = difference(exact, &product(a, &b));
            prop_assert!(leading_zeros(&shortfall) >= 320 - 1, "{shortfall:x?}");
        }

        #[test]
        fn a_wide_product_agrees_with_its_narrow_prefix(a: [u64; 6], b: [u64; 6]) {
            let narrow = value(&product([a[0], a[1]], &b[..2]));
            // The prefixes are too small by less than an ulp each, and the narrow product by less than two.
            prop_assert!(value(&product(a, &b)).wrapping_sub(narrow) <= 4);
        }
    }
}
