//! Quotients and roots of wide unsigned numbers.
//!
//! Like the rest of the arithmetic, which is in [`limbs`](crate::exact::limbs), they work in place, in as many limbs as a
//! slice has.

use crate::exact::format::decompose;
use crate::exact::limbs::{add, bits, complement, copy, low, normalise, set, shift_down, shift_up};

/// Replaces `x` by `(integer + x) / divisor`, for `integer < divisor`, rounded down: error < 1 ulp.
#[inline(never)]
pub(crate) const fn divide(x: &mut [u64], integer: u64, divisor: u64) {
    let mut remainder = integer;
    let mut i = 0;
    while i < x.len() {
        let dividend = (remainder as u128) << 64 | x[i] as u128;
        x[i] = low(dividend / divisor as u128);
        // The processor has no division of 128 bits, so a second one for the remainder would cost as much.
        remainder = low(dividend).wrapping_sub(x[i].wrapping_mul(divisor));
        i += 1;
    }
}

/// Divides a fraction of at least 1/2 by the absolute value of a finite number other than 0.
///
/// Returns the exponent of the quotient, whose fraction is at least 1/2 again: relative error < `2^(3 - 64 L)`.
pub(crate) const fn divide_f64(x: &mut [u64], divisor: f64) -> i32 {
    let (mantissa, exponent) = decompose(divisor);
    // Half of it is less than the fraction of the divisor, and the first limb becomes the integer part.
    shift_down(x, 1);
    let integer = x[0];
    shift_up(x, 64);
    divide(x, integer, mantissa << 11);
    -exponent - normalise(x)
}

/// Divides `x` by a fraction that is greater and at least 1/2, rounded down: error < 1 ulp.
///
/// This is long division (Knuth, *The Art of Computer Programming* 2, 4.3.1, algorithm D). `remainder` is memory for it.
#[inline(never)]
pub(crate) const fn divide_by(x: &mut [u64], divisor: &[u64], remainder: &mut [u64]) {
    copy(x, remainder);
    let mut i = 0;
    while i < x.len() {
        let top = remainder[0];
        shift_up(remainder, 64);
        // Too large by at most 2, because the divisor is at least 1/2.
        let mut digit = if top >= divisor[0] {
            u64::MAX
        } else {
            low(((top as u128) << 64 | remainder[0] as u128) / divisor[0] as u128)
        };
        let mut rest = top as i128 - subtract_product(remainder, divisor, digit) as i128;
        while rest < 0 {
            digit -= 1;
            rest += add(remainder, divisor) as i128;
        }
        x[i] = digit;
        i += 1;
    }
}

/// Subtracts `factor` times `digit` from `x` mod 1, and returns what was missing above the fraction. Exact.
const fn subtract_product(x: &mut [u64], factor: &[u64], digit: u64) -> u64 {
    let mut carry = 0;
    let mut i = x.len();
    while i > 0 {
        i -= 1;
        let product = factor[i] as u128 * digit as u128 + carry;
        let (difference, under) = x[i].overflowing_sub(low(product));
        x[i] = difference;
        carry = (product >> 64) + under as u128;
    }
    low(carry)
}

/// Replaces `x`, which is at least 1/4, by its square root: error < 2 ulp.
///
/// Newton's iteration starts with the largest number whose first 32 bits are right. Each step doubles the number of bits, because
/// a root of at least 1/2 squares the error. The first steps take a limb more than these bits, and all bits beyond it remain
/// ones. They cut `x` too, so their results are rounded down by less than 2 ulp of their limbs. The result of the last step
/// is rounded down by less than 1. The others are memory for it.
#[inline(never)]
pub(crate) const fn square_root(x: &mut [u64], [root, quotient, remainder]: [&mut [u64]; 3]) {
    set(root, !(x[0].isqrt() << 32 | u32::MAX as u64));
    complement(root);
    let mut correct = 32;
    while correct < bits(x) {
        correct *= 2;
        let limbs = if correct < bits(x) { (correct / 64 + 1) as usize } else { x.len() };
        let (root, quotient, remainder) =
            (root.split_at_mut(limbs).0, quotient.split_at_mut(limbs).0, remainder.split_at_mut(limbs).0);
        copy(x, quotient);
        divide_by(quotient, root, remainder);
        let carry = add(root, quotient);
        shift_down(root, 1);
        root[0] |= carry << 63;
    }
    copy(root, x);
}

/// Sets `x` to the fraction of `numerator / denominator`, both below `2^127`, and returns the integer part.
///
/// The fraction is rounded down: error < 1 ulp. The division is bit by bit, because a denominator may have more than 64
/// bits.
#[inline(never)]
pub(crate) const fn quotient(x: &mut [u64], numerator: u128, denominator: u128) -> u64 {
    let mut remainder = numerator % denominator;
    if denominator <= u64::MAX as u128 {
        set(x, 0);
        divide(x, low(remainder), low(denominator));
        return low(numerator / denominator);
    }
    let mut i = 0;
    while i < x.len() {
        let (mut limb, mut bit) = (0, 0);
        while bit < 64 {
            remainder <<= 1;
            limb <<= 1;
            if remainder >= denominator {
                remainder -= denominator;
                limb |= 1;
            }
            bit += 1;
        }
        x[i] = limb;
        i += 1;
    }
    low(numerator / denominator)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::limbs::tests::{difference, high_product, limb, made, padded, two, value};
    use crate::exact::limbs::{is_less, leading_zeros, multiply, set_f64};
    use crate::properties;

    /// Returns whether `x 2^128 = quotient divisor + remainder`, which the halves of the product show.
    fn is_quotient(quotient: u128, x: u128, divisor: u128) -> bool {
        let (high, low) = (high_product(quotient, divisor), quotient.wrapping_mul(divisor));
        if low == 0 { high == x } else { high + 1 == x && low.wrapping_neg() < divisor }
    }

    properties! {
        #![cases(256)]

        #[test]
        fn a_quotient_by_a_limb_is_rounded_down(a in prop::array::uniform2(limb()), divisor in limb()) {
            let (a, divisor) = (value(&a), divisor.max(1));
            prop_assert_eq!(made(a, |x| divide(x, 0, divisor)).0, a / u128::from(divisor));
        }

        #[test]
        fn a_quotient_is_the_long_division(
            numerator in 0..1u128 << 127, shift in 0u32..127,
            denominator in 1..1u128 << 127, other in 0u32..127,
        ) {
            let (numerator, denominator) = (numerator >> shift, (denominator >> other).max(1));
            let (fraction, integer) = made(0, |x| quotient(x, numerator, denominator));
            prop_assert_eq!(integer, low(numerator / denominator));
            // rest 2^128 = fraction denominator + remainder, which the high halves show.
            let rest = numerator % denominator;
            let high = high_product(fraction, denominator);
            let low = fraction.wrapping_mul(denominator);
            let exact = low == 0 && high == rest;
            prop_assert!(exact || (high + 1 == rest && low.wrapping_neg() < denominator));
            if denominator < 1 << 64 && numerator < denominator {
                prop_assert_eq!(fraction, made(0, |x| divide(x, numerator as u64, denominator as u64)).0);
            }
        }

        #[test]
        fn long_quotients_and_roots_are_rounded_down(
            a in prop::array::uniform2(limb()), b in prop::array::uniform2(limb()),
        ) {
            let (x, divisor) = (value(&a).min(value(&b)), value(&a).max(value(&b)) | 1 << 127);
            prop_assert_eq!(is_less(&a, &b), value(&a) < value(&b));
            prop_assume!(x < divisor);
            let quotient = made(x, |x| divide_by(x, &two(divisor), &mut [0; 2])).0;
            prop_assert!(is_quotient(quotient, x, divisor));

            let square = x | 1 << 126;
            let root = made(square, |x| square_root(x, [&mut [0; 2], &mut [0; 2], &mut [0; 2]])).0;
            prop_assert!(high_product(root, root) <= square);
            prop_assert!(root >= u128::MAX - 1 || high_product(root + 2, root + 2) >= square);
        }

        /// At its last bit the remainder equals the denominator.
        #[test]
        fn a_quotient_that_ends_is_exact(factor in 1 << 95..1u128 << 96, numerator in 0..1u128 << 30, bits in 0u32..31) {
            let (fraction, integer) = made(0, |x| quotient(x, factor * numerator, factor << bits));
            prop_assert_eq!((fraction, u128::from(integer)), ((numerator << 97) << (31 - bits), numerator >> bits));

            let (eighths, divisor) = (numerator % 8, factor << 32);
            let quotient = made((divisor >> 3) * eighths, |x| divide_by(x, &two(divisor), &mut [0; 2])).0;
            prop_assert_eq!(quotient, eighths << 125);
        }

        /// The division with the quotients' first limbs near their estimates.
        #[test]
        fn a_long_quotient_times_its_divisor_is_what_was_divided(
            a in prop::array::uniform5(limb()), b in prop::array::uniform5(limb()),
        ) {
            let (mut x, mut divisor) = (a, b);
            x[0] >>= 1;
            divisor[0] |= 1 << 63;
            let dividend = padded(x);
            divide_by(&mut x, &divisor, &mut [0; 5]);
            let mut product = padded(x);
            multiply(&mut product, &padded(divisor));
            // Below what was divided by less than the divisor in the last place of the quotient, and 2 ulp of the product.
            let rest = difference(dividend, &product);
            prop_assert!(leading_zeros(&rest) >= 319 || is_less(&rest[5..], &divisor), "{rest:x?}");
        }

        /// The first steps of a long root take fewer limbs.
        #[test]
        fn a_long_root_is_off_by_less_than_two_ulp(a in prop::array::uniform5(limb())) {
            let (mut root, two_ulp) = (a, [0, 0, 0, 0, 2]);
            root[0] |= 1 << 62;
            let number = padded(root);
            square_root(&mut root, [&mut [0; 5], &mut [0; 5], &mut [0; 5]]);
            let squared = |root| {
                let mut square = padded(root);
                multiply(&mut square, &padded(root));
                square
            };
            prop_assert!(!is_less(&number, &squared(difference(root, &two_ulp))), "{root:x?}");
            let carry = add(&mut root, &two_ulp);
            prop_assert!(carry == 1 || is_less(&number, &squared(root)), "{root:x?}");
        }

        #[test]
        fn a_quotient_by_a_float_is_as_precise_as_stated(a in prop::array::uniform5(limb()), divisor in 1..f64::INFINITY.to_bits()) {
            let divisor = f64::from_bits(divisor);
            let (mut x, mut factor) = (a, [0; 10]);
            x[0] |= 1 << 63;
            let mut quotient = padded(x);
            let exponent = divide_f64(&mut quotient, divisor) + set_f64(&mut factor, divisor);
            prop_assert!(quotient[0] >> 63 == 1);
            multiply(&mut quotient, &factor);
            prop_assert!((0..2).contains(&exponent));
            shift_up(&mut quotient, exponent as u32);
            prop_assert!(leading_zeros(&difference(padded(x), &quotient)) >= 640 - 4);
        }
    }
}
