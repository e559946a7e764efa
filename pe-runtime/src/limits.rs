//! What is too large or too small.

/// The largest `d_model`: `2^24`, far above any model's, so that the error bounds hold for every pair.
///
/// ```
/// use posenc::{MAX_D_MODEL, Spec};
///
/// assert!(Spec::new(MAX_D_MODEL).check_table::<f32>(0, 0).is_ok());
/// assert!(Spec::new(MAX_D_MODEL + 1).check_table::<f32>(0, 0).is_err());
/// ```
pub const MAX_D_MODEL: usize = 1 << 24;

/// The largest distance of a position from zero: `2^53`, up to where every integer is an `f64`.
///
/// ```
/// use posenc::{MAX_POSITION, Spec};
///
/// let mut row = [0.0f32; 2];
/// assert!(Spec::new(2).encode(-MAX_POSITION, &mut row).is_ok());
/// assert!(Spec::new(2).encode(MAX_POSITION + 1, &mut row).is_err());
/// ```
pub const MAX_POSITION: i64 = 1 << 53;

/// The largest size of a shift, `2^24`, and the least, `2^-42`: the exponents' denominator is an integer below `2^120` in units
/// of the shift's last bit. The largest and the exponent 2 also bound the sizes of frequencies.
pub(crate) const MAX_FREQ_SHIFT: f64 = 16_777_216.0;
pub(crate) const MIN_FREQ_SHIFT: f64 = f64::from_bits((1023 - 42) << 52);

pub(crate) const fn in_range(position: i128) -> Option<i64> {
    if position.unsigned_abs() <= MAX_POSITION as u128 { Some(position as i64) } else { None }
}
