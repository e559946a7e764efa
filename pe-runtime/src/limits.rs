//! Limits on sizes, positions and shifts.

/// The largest `d_model`: `2^24`.
///
/// It is far above the width of any model, and small enough that the error bounds hold for every pair.
///
/// # Examples
///
/// ```
/// use posenc::{MAX_D_MODEL, Spec};
///
/// assert!(Spec::new(MAX_D_MODEL).check_table::<f32>(0, 0).is_ok());
/// assert!(Spec::new(MAX_D_MODEL + 1).check_table::<f32>(0, 0).is_err());
/// ```
pub const MAX_D_MODEL: usize = 1 << 24;

/// The largest absolute value of a position: `2^53`.
///
/// Every integer up to it is exactly representable as an `f64`.
///
/// # Examples
///
/// ```
/// use posenc::{MAX_POSITION, Spec};
///
/// let mut row = [0.0f32; 2];
/// assert!(Spec::new(2).encode(-MAX_POSITION, &mut row).is_ok());
/// assert!(Spec::new(2).encode(MAX_POSITION + 1, &mut row).is_err());
/// ```
pub const MAX_POSITION: i64 = 1 << 53;

/// More integers than any element type has.
pub(crate) const INTEGERS: i64 = 1 << 36;

/// The largest absolute value of a `freq_shift`, `2^24`, and the smallest other than 0, `2^-42`.
///
/// In units of the shift's last bit, the denominator of the exponents is then an integer below `2^120`. The largest
/// shift and the largest exponent, 2, also bound the magnitudes of the frequencies.
pub(crate) const MAX_FREQ_SHIFT: f64 = 16_777_216.0;
pub(crate) const MIN_FREQ_SHIFT: f64 = f64::from_bits((1023 - 42) << 52);

/// The largest denominator of a `freq_offset`: the numbers of the exponents, times it, have at most 36 bits.
pub(crate) const MAX_FREQ_OFFSET_DENOMINATOR: i64 = 1024;

/// The most seconds that a macro call may take to evaluate, by an estimate for a slow machine, unless it has the key
/// `max_bytes`.
pub(crate) const MAX_SECONDS: u64 = 10;

pub(crate) const fn in_range(position: i128) -> Option<i64> {
    if position.unsigned_abs() <= MAX_POSITION as u128 { Some(position as i64) } else { None }
}
