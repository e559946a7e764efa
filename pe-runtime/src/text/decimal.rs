//! The shortest decimal number that identifies an `f64`, as in Rust's `{:?}`, computed by `const fn`.

use crate::exact::division;
use crate::exact::format::{Format, places};
use crate::exact::limbs;

/// Returns the shortest decimal number that rounds to a positive `f64`, as `digits * 10^exponent`.
///
/// Of several, it is the nearest. The last of the digits is not zero.
pub(crate) const fn shortest(value: f64) -> (u64, i32) {
    let (mantissa, exponent) = places(value);
    // In quarters of a last place. The numbers below a power of two are twice as close, except below the least normal
    // number.
    let to_lower = if mantissa == 1 << 52 && exponent > Format::F64.min_quantum { 1 } else { 2 };
    let exponent = exponent - 2;
    // With 18 or 19 digits before the point, since bits log10(2) is too low by at most one. 17 identify the number.
    let bits = 64 - (4 * mantissa).leading_zeros() as i64 + exponent as i64;
    let tens = ((bits * 1_292_913_986) >> 32) as i32 - 18;
    let (lower, lower_is_whole) = quotient(4 * mantissa - to_lower, exponent, tens);
    let (middle, _) = quotient(4 * mantissa, exponent, tens);
    let (upper, upper_is_whole) = quotient(4 * mantissa + 2, exponent, tens);
    // Ties go to the even mantissa.
    let ends_count = mantissa % 2 == 0;
    let least = if lower_is_whole && ends_count { lower } else { lower + 1 };
    let greatest = if upper_is_whole && !ends_count { upper - 1 } else { upper };

    let mut zeros = 18;
    loop {
        let step = 10u64.pow(zeros);
        let below = middle - middle % step;
        let above = below + step;
        match (least <= below, above <= greatest) {
            (true, is_above) if !is_above || middle - below < step / 2 => {
                return (below / step, tens + zeros as i32);
            }
            (_, true) => return (above / step, tens + zeros as i32),
            _ => zeros -= 1,
        }
    }
}

/// Returns `value * 2^exponent / 10^tens` rounded down, and whether that is exact. The number before the division is
/// less than `2^1088`, and the quotient less than `2^64`.
const fn quotient(value: u64, exponent: i32, tens: i32) -> (u64, bool) {
    // 1152 bits after the point hold multiples of the least number, and are not all zero if a quotient by 10^290, the
    // largest power of ten, is not whole.
    const BEFORE: usize = 17;
    const AFTER: usize = 18;
    let mut number = [0; BEFORE + AFTER];
    number[BEFORE + AFTER - 1] = value;
    limbs::shift_up(&mut number, (64 * AFTER as i32 + exponent) as u32);
    let mut i = 0;
    while i < tens.unsigned_abs() {
        if tens > 0 {
            division::divide(&mut number, 0, 10);
        } else {
            limbs::multiply_small(&mut number, 10);
        }
        i += 1;
    }
    let (whole, fraction) = number.split_at(BEFORE);
    (whole[BEFORE - 1], limbs::is_zero(fraction))
}
