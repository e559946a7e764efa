//! From `f32` to the 16-bit formats, where that is the second rounding: right for all that is not on a tie.
//!
//! A number is rounded to `f32` first. Ties between 16-bit numbers are `f32` themselves, so the first rounding does not step over
//! one. It may end on one, from either side; then this does not decide.

/// The bits of the 16-bit IEEE 754 number nearest to `x`, and whether `x` is no tie. For sizes below 65520.
#[inline(always)]
pub(crate) fn to_f16(x: f32) -> (u16, bool) {
    // 2^-14, the least normal number: 15 - 1 below in exponent, 127 in the f32's own.
    const LEAST_NORMAL: u32 = (127 - 14) << 23;
    let size = f32::from_bits(x.to_bits() & 0x7fff_ffff);
    let exponent = x.to_bits() & 0x7f80_0000;
    let exponent = if exponent > LEAST_NORMAL { exponent } else { LEAST_NORMAL };
    // Numbers of 2^13 times the size have the last place that the result has, and adding one rounds to it.
    let rounder = f32::from_bits(exponent + (13 << 23));
    let rounded = size + rounder;
    let last_places = rounded.to_bits() - rounder.to_bits();
    // Exact, and for a tie half a last place, which is the rounder times 2^-23.
    let cut = size - (rounded - rounder);
    let decided = f32::from_bits(cut.to_bits() & 0x7fff_ffff) * 16_777_216.0 != rounder;
    let sign = x.to_bits() >> 31 << 15;
    ((sign | (last_places + ((exponent - LEAST_NORMAL) >> 13))) as u16, decided)
}

/// The bits of the `bfloat16` nearest to `x`, and whether `x` is no tie. For sizes that do not round to infinity.
#[inline(always)]
pub(crate) fn to_bf16(x: f32) -> (u16, bool) {
    let bits = x.to_bits();
    (((bits + 0x8000) >> 16) as u16, bits & 0xffff != 0x8000)
}
