//! The error bounds that the tiers rely on, and the thresholds that follow from them, each with its derivation.
//!
//! A bound that is too small can give a wrong bit, so the proofs are also run with wrong bounds. The cfg `posenc_fault`,
//! which the build script sets, makes some of them far too small, which the oracle must notice, or far too large, which
//! must not change any bit.

/// The relative error of [`power`](crate::exact::frequency::power) is below `2^(POWER_ERROR_BITS - 64 L)` for
/// `L <= 80`.
///
/// All errors are in ulp. The logarithm is off by less than `4 (0.73 2^12 + 2) < 2^13.6`. Its product with `x <= 2` is
/// off by less than `2 2^13.6 + 4`, and the product of `x` with the exponent, which is at most 1074, by less than 1074.
/// So `t` is off by less than `2^14.7`. Then `f ln(2)/2` is off by less than `2^13.2`, its exponential by less than
/// `2^13.2 + 8`, and the square by less than `2^14.3`. The square is above 1/2 minus that error, so its relative error
/// is below `2^15.4`.
pub(crate) const POWER_ERROR_BITS: u32 = 16;

/// The relative error of a frequency after up to `2^24` products with one ratio is below 2 to this, times `2^(-64 L)`.
///
/// After `i < 2^24` products in 5 limbs it is below `2^(4 - 320) + i (2^(16 - 320) + 2^(3 - 320)) < 2^(41 - 320)`.
pub(crate) const PROGRESSION_ERROR_BITS: u32 = POWER_ERROR_BITS + 25;

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
/// below 511 units, so the error in length is below 724. Within the limits [`DOUBLINGS`] and [`COARSE_ROWS`], doubling
/// and adding keep the error in length below `2^26` units, which is `2^-100`.
pub(crate) const ROTATION_ERROR: u128 = 512;

/// The number of doublings of a rotation after which the exact tier computes it anew.
///
/// One doubling turns an error of `e` units in length into less than `2 e + 4`. So this many doublings turn 724 units
/// into less than `2^16 (724 + 4) < 2^26`, which is `2^-100`.
///
/// Only tables of more than `2^16` rows, and an [`Encoder`](crate::Encoder) for that many, reach this limit. Without it
/// no table that fits into memory would change: after 44 doublings the error is `2^-72`, which is less than the slack
/// of the bound for that many levels. But an `Encoder` can have far more rows than fit.
#[cfg(feature = "alloc")]
pub(crate) const DOUBLINGS: u32 = 16;

/// The number of coarse rows, each made from the previous one, after which the exact tier computes one anew.
///
/// The step from one row to the next is off by less than 724 units in length, and an addition adds less than 9. From
/// one coarse row to the next there are at most 64 steps, which are off by less than `64 (724 + 9)`. A coarse row,
/// which starts with an error of 724, is therefore off by less than `2^26` after this many.
pub(crate) const COARSE_ROWS: usize = 1024;

/// Returns the exponent `k` of the error bound with one `f64` per number.
///
/// After `n` products of rotations, a sine is off by less than `(n + 2) 2^k` amplitudes.
///
/// All errors are in units of `2^-53` amplitudes. A vector that is set is off by less than 0.51 in each component, and
/// 0.75 in length. The errors of two vectors add up in their product. The product itself rounds two products, whose
/// absolute values add up to at most 1, and their sum, which adds less than 2 in each component and 2.83 in length. (A
/// fused sum saves one of these roundings.) After `n` products of `n + 1` vectors the error is below
/// `0.75 (n + 1) + 2.83 n`. Adding the error bound and subtracting it rounds once more, by 1. The total is below
/// `4 (n + 2)`.
pub(crate) const fn one_float_exponent(tier: Tier) -> i32 {
    faulty(tier, -51, -91)
}

/// Returns the exponent `k` of the error bound with two `f64` per number.
///
/// The first is a multiple of `2^-26` amplitudes, and the second a rest of at most half of that. After `n` products of
/// rotations, a sine is off by less than `(n + 2) 2^k` amplitudes.
///
/// The multiples have at most 26 bits, so their products, and the sum of two of them, are exact.
///
/// All errors are in units of `2^-80` amplitudes. A vector that is set is off by less than 0.51 in each component, and
/// 0.75 in length. The rest of a product is a sum of four products, each of a number of at most 1 and a rest of at most
/// `2^-27`. Rounding the sum of a multiple and its rest adds 1 in two of them, together 1.42. The products add 2.83.
/// The partial sums, which are below 2, 2.42 and 2.83 times `2^-27`, add 7.25. Together these are 11.5. Splitting the
/// product again adds 0.5, which makes 17 in length. After `n` products of `n + 1` vectors the error is below
/// `0.75 (n + 1) + 17 n`. Adding the error bound to the rest and subtracting it adds another 3 by rounding. The total
/// is below `32 (n + 2)`.
pub(crate) const fn two_floats_exponent(tier: Tier) -> i32 {
    faulty(tier, -75, -115)
}

/// A tier that adds angles in floats. Faults are injected into one of them, or into both.
#[derive(Clone, Copy)]
pub(crate) enum Tier {
    /// The tier for run time.
    #[cfg(feature = "alloc")]
    Fast,
    /// The tier for compile time.
    ConstEval,
}

const fn faulty(tier: Tier, exponent: i32, tiny: i32) -> i32 {
    let is_tiny = match tier {
        #[cfg(feature = "alloc")]
        Tier::Fast => cfg!(posenc_fault = "fast_tiny"),
        Tier::ConstEval => cfg!(posenc_fault = "const_eval_tiny"),
    };
    if is_tiny {
        tiny
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
/// For fewer rows the exact tier is as fast. From this number on a step is below `2^53` in absolute value, so the
/// positions at which rotations are evaluated are exact floats.
pub(crate) const MIN_ROWS: usize = 4;

/// The amplitudes for which angles are added are from `2^-MAX_AMPLITUDE_EXPONENT` to `2^MAX_AMPLITUDE_EXPONENT`.
///
/// All floats are then far from overflow and from subnormal numbers, which some programs make the processor treat as
/// zeros.
pub(crate) const MAX_AMPLITUDE_EXPONENT: i32 = 64;

/// Whether results are rounded to `f64` once. The x87 may keep more bits than an `f64` has, and so round twice.
pub(crate) const ROUNDS_TO_F64: bool = !cfg!(all(target_arch = "x86", not(target_feature = "sse2")));
