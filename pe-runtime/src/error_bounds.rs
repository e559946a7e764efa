//! Every bound of an error that a tier relies on, and the thresholds that follow from them, each with its derivation.
//!
//! A bound that is too small can give a wrong bit, so the proofs are run with wrong bounds, too: `--cfg posenc_fault="..."` makes some of
//! them far too small, which the oracle has to notice, or far too large, which may change no bit.

/// The relative error of [`power`](crate::exact::frequency::power) in `L` limbs is below `2^(POWER_ERROR_BITS - 64 L)` for every `L <= 80`.
///
/// In ulp: the logarithm is off by less than `4 (0.73 2^12 + 2) < 2^13.6`, its product with `x <= 2` by `2 2^13.6 + 4`, that of the
/// exponent, at most 1074, with `x` by 1074: `t` by less than `2^14.7`. Then `f ln(2)/2` is off by less than `2^13.2`, its exponential
/// by `2^13.2 + 8`, the square by `2^14.3`. It is above 1/2 less that error, hence relatively off by less than `2^15.4`.
pub(crate) const POWER_ERROR_BITS: u32 = 16;

/// The relative error of a frequency made by up to `2^24` products with one ratio, as an exponent beside `2^(-64 L)`.
///
/// After `i < 2^24` products it is below `2^(4 - 320) + i (2^(16 - 320) + 2^(3 - 320)) < 2^(41 - 320)`.
pub(crate) const PROGRESSION_ERROR_BITS: u32 = POWER_ERROR_BITS + 25;

/// The error of sine and cosine in `L` limbs, in bits beyond that of the phase.
///
/// In ulp, `e` being the error of the phase (and 1 if it is shifted): the angle `x` is off by less than `1.58 e + 6`, its
/// square `y` by `1.57` times that and 2. The tails of the series add half (cosine) or a sixth (sine) of that and 4; the cosine is
/// kept halved. Both end below `2 e + 12`, and so below `2^(error_bits + 3)`, since a phase's `error_bits` are at least 4.
pub(crate) const WIDE_ERROR_BITS: u32 = 3;

/// The error of sine and cosine in 128-bit integers, in units of `2^-127`, of an angle of `m` units of its own that is off by
/// `m_error` of them.
///
/// The series, by Horner, adds 1 for each coefficient and 1 for each product and damps what it gets by `y < 0.617`: less than 4.3 units
/// of `2^-128`, beside a half (cosine) or a sixth (sine) of the error of `y`, which is below `1.24 m_error + 5.2`. So the cosine, halved,
/// is off by less than `0.31 m_error + 5`; the sine, times `x`, by `0.5 m_error + 6` with the products.
pub(crate) const fn narrow_error(m_error: u128) -> u128 {
    if cfg!(posenc_fault = "exact_tiny") {
        0
    } else if cfg!(posenc_fault = "all_huge") {
        m_error + (1 << 126)
    } else {
        m_error + 6
    }
}

/// A component of a rotation of the exact tier is off by less than so many units of `2^-126` amplitudes, which
/// [`Enclosure::in_units`](crate::exact::rounding::Enclosure::in_units) sees to.
///
/// In length that is below 724. Doubling and adding keep the error below `2^26` units, `2^-100`, within [`DOUBLINGS`] and
/// [`COARSE_ROWS`].
pub(crate) const ROTATION_ERROR: u128 = 512;

/// Doublings of a rotation after which it is taken from the exact tier again.
///
/// One turns an error of `e` units in length into less than `2 e + 4`, so many turn 724 into less than `2^16 (724 + 4) < 2^26`, which is
/// `2^-100`.
///
/// Tables of more than `2^16` rows get there, and an [`Encoder`](crate::Encoder) for as many. Without it the bits of no table in memory would
/// change: 44 doublings make `2^-72` of the error, less than the slack of the bound for so many levels. But an `Encoder` can be asked for
/// `2^53` rows.
#[cfg(feature = "alloc")]
pub(crate) const DOUBLINGS: u32 = 16;

/// Coarse rows, each made from the one before, after which one is taken from the exact tier again.
///
/// The step from one row to the next is off by less than 724 units in length, and an addition adds less than 9. So 64 steps, from one
/// coarse row to the next, are off by less than `64 (724 + 9)`, and a coarse row, which begins with 724, by less than `2^26` after so many.
pub(crate) const COARSE_ROWS: usize = 1024;

/// With one `f64` a number, a sine after `n` products of rotations is off by less than `(n + 2)` times 2 to this, in amplitudes.
///
/// In units of `2^-53` amplitudes: a vector that is set is off by less than 0.51 in each component, 0.75 in length. A product of
/// two vectors adds their errors; its own roundings are those of two products, together at most 1 in size, and of their sum,
/// below 2 in each component and 2.83 in length. (A fused sum does without one of them.) After `n` products of `n + 1` vectors
/// that is below `0.75 (n + 1) + 2.83 n`; adding the error and taking it off rounds once more, by 1. All is below `4 (n + 2)`.
pub(crate) const fn one_float_exponent(tier: Tier) -> i32 {
    faulty(tier, -51, -91)
}

/// The same with two `f64` a number, a multiple of `2^-26` amplitudes and a rest of at most half of that.
///
/// The multiples have no more than 26 bits, so their products, and the sum of two of them, are exact.
///
/// In units of `2^-80` amplitudes: a vector that is set is off by less than 0.51 in each component, 0.75 in length. The rest of a
/// product is a sum of four products, each of a number of size 1 and a rest of `2^-27`: rounding the sum of a multiple and its rest
/// adds 1 in two of them, together 1.42; the products 2.83; the partial sums, below 2, 2.42 and 2.83 times `2^-27`, 7.25. That is
/// 11.5. Splitting the product anew adds 0.5: in length 17. After `n` products of `n + 1` vectors it is below
/// `0.75 (n + 1) + 17 n`; adding the error to the rest and taking it off rounds by another 3. All is below `32 (n + 2)`.
pub(crate) const fn two_floats_exponent(tier: Tier) -> i32 {
    faulty(tier, -75, -115)
}

/// Which tier adds angles in floats. Faults are injected into one of them, or both.
#[derive(Clone, Copy)]
pub(crate) enum Tier {
    /// That of the run time.
    #[cfg(feature = "alloc")]
    Fast,
    /// That of the compiler.
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

/// How many errors large a value has to be if rounding it to `f32` first is to decide its rounding to 16 bits.
///
/// A value that is so many errors large has an error of less than half a place of `f32` (a quarter, to leave no doubt about the
/// rounding of this product). Then a tie between 16-bit numbers, which is an `f32`, cannot lie between the value and the exact one
/// unless the value is rounded to it: what is not a tie is on the right side of all of them.
pub(crate) const F32_QUARTER_PLACES: f64 = if cfg!(posenc_fault = "sixteen_tiny") { 1.0 } else { 67_108_864.0 };

/// The fewest rows that angles are added for. Fewer are as quick from the exact tier; and with more, a step is below `2^53` in size, so
/// the floats that rotations are at are exact.
pub(crate) const MIN_ROWS: usize = 4;

/// Amplitudes from `2^-MAX_AMPLITUDE_EXPONENT` to `2^MAX_AMPLITUDE_EXPONENT` keep all floats far from overflow and from subnormal
/// numbers, which some programs make their processors treat as zeros.
pub(crate) const MAX_AMPLITUDE_EXPONENT: i32 = 64;

/// False for the x87, whose results may have more bits than an `f64`, and so two roundings.
pub(crate) const ROUNDS_TO_F64: bool = !cfg!(all(target_arch = "x86", not(target_feature = "sse2")));
