//! The error bounds that the tiers rely on, and the thresholds that follow from them, each with its derivation.
//!
//! Gappa proves what float operations add (the scripts in `proofs`, run by `cargo xtask proofs`).
//!
//! A bound that is too small can give a wrong bit, so the proofs are also run with wrong bounds. The cfg `posenc_fault`,
//! which the build script sets, makes some of them far too small, which the oracle must notice, or far too large, which
//! must not change any bit.

#![allow(clippy::float_arithmetic, reason = "multiplies integers by powers of two")]

use crate::float_bits::power_of_two;

/// The relative error of [`power`](crate::exact::power::power) is below `2^(POWER_ERROR_BITS - 64 L)` for
/// `L <= 80`.
///
/// All errors are in ulp. The logarithm is off by less than `4 (0.73 2^12 + 2) < 2^13.6`. Its product with `x <= 2` is
/// off by less than `2 2^13.6 + 4`, and the product of `x` with the exponent, which is at most 1074, by less than 1074.
/// So `t` is off by less than `2^14.7`. Then `f ln(2)/2` is off by less than `2^13.2`, and its 256th part by less than
/// 38. The exponential of that is off by less than 44. Squaring an `e` turns an error into less than twice that and 2
/// more, so after 9 squarings it is below `512 44 + 1022 < 2^14.6`. The last square is above 1/2 minus that error, so its
/// relative error is below `2^15.6`.
pub(crate) const POWER_ERROR_BITS: u32 = 16;

/// The relative error of the multiplier of a [ramp](crate::exact::scaling::LoweredScaling::Ramp) is below 2 to this, times
/// `2^(-64 L)`.
///
/// The growth is off by less than 3 ulp, times an index below `2^24` by less than `2^25.6`, and with the reciprocal by less
/// than `2^25.7`. The multiplier is at least `2^-16`.
pub(crate) const RAMP_ERROR_BITS: u32 = 42;

/// The error bits that a [band](crate::exact::scaling::LoweredScaling::Band) adds to a frequency.
///
/// Let the relative error of the frequency be `e` ulp, at least `2^16`. All numbers are in units of a power of two that
/// is less than four times the frequency at the upper end. A product with the radians of a turn is off by less than 7 ulp, and
/// the distance of a frequency from the lower end by less than `e + 8`. The width is at least 1/1028, since `most` is at least
/// `257/256` times `least`. The growth is a quotient by it of at most `1028/2^11`, off by less than
/// `1028 (1.01 + 7 1028/2^11) + 1 < 4653`. So the product with the distance is off by less than `0.502 (e + 8) + 4655`, and
/// times `2^11`, with the reciprocal, by less than `1029 e + 2^23.2 < 1176 e`. The multiplier is at least `2^-16`.
pub(crate) const BAND_ERROR_BITS: u32 = 27;

/// The relative error of the multiplier of a [logarithmic band](crate::exact::scaling::LoweredScaling::LogBand) is below 2 to
/// this, times `2^(-64 L)`.
///
/// In units of `2^13`, a logarithm is off by less than `2^(13.6 - 13) + 1 < 2.6` ulp, a sum of two by less than 5, and the
/// fall of frequencies in octaves with each index by less than 6, or by less than 3 if it is that of the ratio. The width is
/// an octave at least, so `2^-13`, and what the multiplier falls by with each octave is a quotient by it. That is at most 1 and
/// off by less than `2^13 (2.6 + 1) + 1 < 2^14.9`. The octaves from frequency 0 to the band, and from the first frequency to the
/// last, are at most 1/7 of a unit. So the product with the first is off by less than `2^14.9 / 7 + 7`. The fall with each index
/// adds 8 ulp times an index below `2^24` and another `2^14.9 / 7`, together less than `2^27.1`. In units of 1 it is below
/// `2^40.1`, and the multiplier is at least `2^-16`.
pub(crate) const LOG_BAND_ERROR_BITS: u32 = 57;

/// The error of the quotient of [`Size::Mscale`](crate::exact::factor::Size::Mscale) is below 2 to this in ulp.
///
/// The logarithm, divided by `2^5`, is off by less than `2^13.6 / 32 + 1 < 389` ulp. Times `ln(2) / 20` and the scale it is
/// off by less than 20, and shifted by up to 5 bits by less than 640. The sum is at least `2^-12`, so its relative error is
/// below `2^21.4`, and that of the quotient of two below `2^22.5`.
pub(crate) const MSCALE_ERROR_BITS: u32 = 23;

/// The error of the root of [`Size::LongRope`](crate::exact::factor::Size::LongRope) is below 2 to this in ulp.
///
/// A logarithm, divided by `2^6`, is off by less than `2^13.6 / 64 + 1 < 195` ulp, and at least 1/64. So its relative error
/// is below `2^13.7`, that of a sum of two below `2^14.7`, and that of their quotient below `2^15.3`. A root halves it.
pub(crate) const LONGROPE_ERROR_BITS: u32 = 16;

/// The bits that the error of a size grows by if it is expressed in [`Units`](crate::exact::factor::Units).
///
/// All errors are in ulp. Let the fraction, at least 1/2, be off by less than `2^e`. Its product with another fraction is
/// off by less than `2^e + 2`, normalised by less than `2^(e + 1) + 4`, and halved by less than `2^e + 3`. The quotient by a
/// fraction of at least 1/2 is off by less than `2^(e + 1) + 7`, and normalised by less than `2^(e + 2) + 14 < 2^(e + 5)`.
pub(crate) const UNITS_ERROR_BITS: u32 = 5;

/// The relative error of a frequency after up to `2^24` products with one ratio is below 2 to this, times `2^(-64 L)`.
///
/// After `i < 2^24` products in 5 limbs it is below `2^(5 - 320) + i (2^(15.6 - 320) + 2^(3 - 320)) < 2^(40 - 320)`. The first
/// frequency may be a power too, which counts as one more product. If the ratio is the product of two powers, it is below
/// twice that.
pub(crate) const PROGRESSION_ERROR_BITS: u32 = POWER_ERROR_BITS + 25;

/// The relative error of a frequency that is a number of 16 bits, or the reciprocal of one, times the unit, is below 2 to this, times
/// `2^(-64 L)`.
///
/// It is `2^5` for the unit, and `2^3` each for the quotient and the product.
pub(crate) const ROUNDED_ERROR_BITS: u32 = 6;

/// The error of sine and cosine in `L` limbs, in bits beyond the error of the phase.
///
/// All errors are in ulp. Let `e` be the error of the phase, plus 1 if the phase is shifted. The angle `x` is off by
/// less than `1.58 e + 6`, and its square `y` by less than `1.57` times that plus 2. The tails of the series are off by
/// half (cosine) or a sixth (sine) of the error of `y`, plus 4. The cosine is kept halved. Both results are off by less
/// than `2 e + 12`, and so by less than `2^(error_bits + 3)`, because the `error_bits` of a phase are at least 4.
pub(crate) const WIDE_ERROR_BITS: u32 = 3;

/// Returns the error of sine and cosine in 128-bit integers, in units of `2^-127`.
///
/// The argument is the error of the mantissa `m` of the angle, in units of the mantissa's last place.
///
/// Each step of Horner's scheme adds 1 for the coefficient and 1 for the product, and multiplies the previous error by
/// `y < 0.617`. That is less than 4.3 units of `2^-128`, plus half (cosine) or a sixth (sine) of the error of `y`,
/// which is below `1.24 m_error + 5.2`. The cosine, whose tail is halved, is therefore off by less than
/// `0.31 m_error + 5`. The sine, which is multiplied by `x`, is off by less than `0.5 m_error + 6`, its products
/// included.
pub(crate) const fn narrow_error(m_error: u128) -> u128 {
    if cfg!(posenc_fault = "exact_tiny") {
        0
    } else if cfg!(posenc_fault = "all_huge") {
        m_error + (1 << 126)
    } else {
        m_error + 6
    }
}

/// The error bound of each component of a rotation from the exact tier, in units of `2^-126` amplitudes.
///
/// [`Enclosure::in_units`](crate::exact::rounding::Enclosure::in_units) enforces it: the error of what it returns is
/// below 511 units, so the error in length is below 724. Within the limit [`COARSE_ROWS`], adding keeps the error in
/// length below `2^26` units, which is `2^-100`.
pub(crate) const ROTATION_ERROR: u128 = 512;

/// The number of coarse rows, each made from the previous one, after which the exact tier computes one anew.
///
/// A coarse row is the first of a run of 192 rows. The step from one row to the next is off by less than 724 units in
/// length, and an addition adds less than 9. Three steps and 6 doublings are the angle from one coarse row to the next,
/// which is off by less than `192 (724 + 9)`. A coarse row, which starts with an error of 724, is therefore off by less
/// than `2^26` after this many.
pub(crate) const COARSE_ROWS: usize = 256;

/// Returns the unit of the error bound of sums with one `f64` per number.
///
/// After `n` products of rotations, a sine is off by less than `n + 2` units of an amplitude.
///
/// All errors are in `2^-53` amplitudes, and lengths are those of the vectors (sine, cosine). A vector from direct
/// evaluation is off by less than 7.5 in length ([`DIRECT_ONE_FLOAT`]), by less than 10.5 with an amplitude, and by less
/// than `12/64` in its angle ([`ANGLE_SHARE`]). One from the exact tier is off by less.
///
/// The errors of two vectors add up in their product. The product itself rounds two products, whose absolute values add
/// up to at most 1 and the error of the lengths, and their sum, which adds less than 2.1 in each component
/// (`proofs/one_float.gappa`) and 3 in length. (A fused sum saves one of these roundings.) After `n` products of
/// `n + 1` vectors, one of which has the amplitude, the error is below `7.7 (n + 1) + 3 + 3 n`. The two ends of the
/// enclosure are rounded twice more, by 1 each: the error bound is subtracted from the second product, and then twice
/// the bound is added to the sum (`proofs/one_float_ends.gappa`). The total is below `12 (n + 2)`.
///
/// If each component of the vectors is precise relative to itself, as those of the const-eval tier are, then the bound
/// also holds in units of `2 s` for a sine. Here `s` is the absolute value of the first sine, plus that of the sine `u` of
/// each other vector `(u, v)`, times the amplitude. That decides small sines. All sines are at most `s`. A product adds
/// to the error of a sine `7.5 s` for `v`, `7.5 |u|` for `u`, `2 s + |u|` for its roundings, and `|u|` times the error of
/// the cosine, which is less than `10.7 n + 10.7`. The first sine is off by `10.5 s`. Since all `|u|` add up to at most
/// `s`, the sum is below `9.5 n + 8.5 + 10.7 n + 10.7 + 10.5` units of `s`, and with the last rounding below `12 (n + 2)`
/// of `2 s`.
pub(crate) const fn one_float(tier: Tier) -> f64 {
    12.0 * power_of_two(faulty(tier, -53))
}

/// What is added to the sine `s` in [`one_float`] for errors of the angles of the const-eval tier.
///
/// A frequency is off by less than `2 2^-128` turns: truncating it adds 1 unit, shifting it down another, and the error
/// of [`PROGRESSION_ERROR_BITS`] is far below 1. The position from which a run starts is at most one step beyond the
/// table, and below `2^54`. All steps from there to a row of the table add up to at most `2^54`. Times 2π, the two angles
/// are off by less than `2^-70` each. What is added makes the bound larger by `12 (n + 2) 2^-53 2^-19`, which is above
/// `2^-67`.
pub(crate) const CONST_EVAL_PHASE: f64 = power_of_two(-20);

/// Returns the unit of the error bound of sums with two `f64` per number.
///
/// The first is a multiple of `2^-26` amplitudes, and the second a rest of at most half of that. After `n` products of
/// rotations, a sine is off by less than `n + 2` units of an amplitude.
///
/// The multiples have at most 26 bits, so their products, and the sum of two of them, are exact.
///
/// All errors are in units of `2^-80` amplitudes. A vector from direct evaluation is off by less than 1 in its value
/// ([`DIRECT_TWO_FLOATS`]), by at most 1 in each component by splitting it, and by `32/64` in its angle
/// ([`ANGLE_SHARE`]), together less than 3 in length. One from the exact tier is off by less. The rest of a product is
/// a sum of four products, each of a number of at most 1 and a rest of at most `2^-27` (both of which rounding may
/// exceed slightly). Rounding the sum of a multiple and its rest adds 1 in two of them, and rounding the products 1 in
/// each. The partial sums, which are just above 2, 3 and 4 times `2^-27` at most, add 2, 2 and 4. Splitting the product
/// again adds 1. Together these are 15 in each component (`proofs/two_floats.gappa`) and 21.3 in length. After `n`
/// products of `n + 1` vectors the error is below `3 (n + 1) + 21.3 n`. The two ends of the enclosure are rounded twice
/// more, by 1 and 4: the error bound is subtracted from the first product of the rest, and then twice the bound is added
/// to the rest (`proofs/two_floats_ends.gappa`). The total is below `32 (n + 2)`.
pub(crate) const fn two_floats(tier: Tier) -> f64 {
    32.0 * power_of_two(faulty(tier, -80))
}

/// The relative error bound of direct evaluation with one `f64` per number, apart from the error of the angle.
///
/// All errors are in units of `2^-53`, relative to the sine of an angle of at most a quarter turn. The angle `x` is
/// rounded twice, 2. The sine is no more sensitive than its argument. The polynomial for `sin(2π x)/x` is off by 1.63.
/// It is at least 3.98 and falls from 2π, and about half as sensitive as its argument `x^2`, whose rounding adds 0.51.
/// The last step of Horner's scheme rounds the result, 1, and its product, which is at most 0.58 of the result. The
/// step before it contributes 0.58 and 0.08, the one before that 0.08, and all others 0.01: 2.33 in all, and 1.67 if
/// fused. The product with `x` adds 1. That makes less than 7.5. The amplitude is cut to 53 bits, 2, and the product
/// with it adds 1, together less than 10.5 (`proofs/sine.gappa`). Adding the error bound and subtracting it rounds once
/// more, by 1.
#[cfg(feature = "alloc")]
pub(crate) const DIRECT_ONE_FLOAT: f64 = 12.0 * power_of_two(faulty(Tier::Direct, -53));

/// The relative error bound of direct evaluation with two `f64` per number, apart from the error of the angle.
///
/// The polynomial is off by less than `2^-90`, relative to the sine. Its last five coefficients contribute at most
/// `2^-30` of the result, because the angle is at most a quarter turn. They are evaluated with one `f64`, which is off
/// by less than `2^-52.8` of that, or `2^-82.8`. The other steps are products and sums of pairs, each off by less than
/// `2^-98` (see `engine::pairs`), and so are the angle and the amplitude. The total is below `2^-82`, and below `2^-83`
/// if all steps are taken together (`proofs/precise_sine.gappa`).
#[cfg(feature = "alloc")]
pub(crate) const DIRECT_TWO_FLOATS: f64 = power_of_two(faulty(Tier::Direct, -80));

/// The error bound of direct evaluation due to the angle, per turn before reduction and per amplitude.
///
/// All errors are in units of `2^-106`, relative to the angle. The frequency is the product of two powers. Each has 116
/// bits in two `f64`, of which the second is rounded, and is off by less than 1.007 with the error of the integers it
/// is made from, one of which may be what a rule multiplies the frequency by. The product of two pairs adds 8.7 if
/// fused and 16.95 otherwise, together less than 19 (`proofs/frequency.gappa`). If it is divided by a number of its
/// own, that adds 5.4 if fused and 9.9 otherwise, together less than 29 (`proofs/quotient.gappa`). A frequency that is
/// computed on its own is off by less than 1.007. The error of the first `f64`'s product with the position is at most
/// `2^-53`. It is exact if fused, and otherwise off by 4. The product of the second `f64`, which is at most `2^-52`, is
/// rounded, 2, and so is the sum of the two, 3.2. That is less than 38.3 units.
/// A turn is 2π, so 241 are needed, and the bound is 256 (`proofs/phase.gappa`).
///
/// The reduction adds nothing. It rounds only if the reduced angle is at least an eighth of a turn. The rounding error
/// and its sums with other parts are then relative to the sine, and belong to [`DIRECT_ONE_FLOAT`] and
/// [`DIRECT_TWO_FLOATS`] (`proofs/angle.gappa`).
#[cfg(feature = "alloc")]
pub(crate) const DIRECT_PHASE: f64 = 16.0 * power_of_two(faulty(Tier::Direct, -102));

/// The largest part of the unit of a sum's error by which the angle of one of its vectors may be off.
#[cfg(feature = "alloc")]
pub(crate) const ANGLE_SHARE: f64 = 1.0 / 64.0;

/// The largest angle, in turns, that is evaluated directly.
///
/// The nearest multiple of 1/2 is then found with an error below `2^-11`, and what remains of the angle is below
/// `1/4 + 2^-10`, for which the polynomials are made.
#[cfg(feature = "alloc")]
pub(crate) const MAX_TURNS: f64 = power_of_two(40);

/// The smallest angle, in turns, that is evaluated directly.
///
/// All products and their rounding errors are then far above the subnormal numbers.
#[cfg(feature = "alloc")]
pub(crate) const MIN_TURNS: f64 = power_of_two(-400);

/// A lower limit of the error bound of direct evaluation, and of the const-eval tier, with one `f64` per number.
///
/// All entries that are subnormal in `f32` or `bfloat16` are then undecided. Some programs make the processor treat such
/// numbers as zeros.
pub(crate) const LEAST_ONE_FLOAT: f64 = power_of_two(-125);

/// A lower limit of the error bound of direct evaluation with two `f64` per number, for the same reason.
#[cfg(feature = "alloc")]
pub(crate) const LEAST_TWO_FLOATS: f64 = power_of_two(-500);

/// A tier that computes in floats. Faults are injected into one of them, or into all.
#[derive(Clone, Copy)]
pub(crate) enum Tier {
    /// Direct evaluation, at any positions.
    #[cfg(feature = "alloc")]
    Direct,
    /// Angle addition at run time.
    #[cfg(feature = "alloc")]
    Fast,
    /// Angle addition at compile time.
    ConstEval,
}

/// Returns the exponent of a unit, or with a fault one that is far too small or far too large.
const fn faulty(tier: Tier, exponent: i32) -> i32 {
    let is_tiny = match tier {
        #[cfg(feature = "alloc")]
        Tier::Direct => cfg!(posenc_fault = "direct_tiny"),
        #[cfg(feature = "alloc")]
        Tier::Fast => cfg!(posenc_fault = "fast_tiny"),
        Tier::ConstEval => cfg!(posenc_fault = "const_eval_tiny"),
    };
    if is_tiny {
        exponent - 40
    } else if cfg!(any(posenc_fault = "floats_huge", posenc_fault = "all_huge")) {
        -1
    } else {
        exponent
    }
}

/// The least ratio of a value to its error at which rounding to `f32` first decides the rounding to 16 bits.
///
/// At this ratio the error is at most a quarter of a unit in the last place of `f32`. Less than half would be enough; a
/// quarter also covers the rounding of the product with this constant. A tie between two 16-bit numbers is an `f32`.
/// Therefore it cannot lie between the value and the exact value, unless the value is rounded to the tie. A rounded
/// value that is not a tie is on the correct side of all ties.
pub(crate) const F32_QUARTER_PLACES: f64 = if cfg!(posenc_fault = "sixteen_tiny") { 1.0 } else { 67_108_864.0 };

/// The fewest rows for which angles are added.
///
/// The compiler evaluates fewer rows as fast in the exact tier. From this number on a step is below `2^53` in absolute
/// value, so the positions at which rotations are evaluated are exact floats.
pub(crate) const MIN_ROWS: usize = 4;

/// The amplitudes for which angles are added are from `2^-MAX_AMPLITUDE_EXPONENT` to `2^MAX_AMPLITUDE_EXPONENT`.
///
/// All floats are then far from overflow and from subnormal numbers, which some programs make the processor treat as
/// zeros.
pub(crate) const MAX_AMPLITUDE_EXPONENT: i32 = 64;

/// Whether results are rounded to `f64` once. The x87 may keep more bits than an `f64` has, and so round twice.
pub(crate) const ROUNDS_TO_F64: bool = !cfg!(all(target_arch = "x86", not(target_feature = "sse2")));
