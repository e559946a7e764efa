//! The entries of tables as bits and as numbers.

use crate::element::Element;
use crate::element::bits::{as_bytes, widened};
use crate::exact::format::Format;

/// Returns the bits of an entry, at the low end.
pub(crate) fn to_bits<T: Element>(entry: T) -> u64 {
    let bytes = as_bytes(core::slice::from_ref(&entry));
    let first = if cfg!(target_endian = "big") { 8 - bytes.len() } else { 0 };
    let mut padded = [0; 8];
    padded[first..][..bytes.len()].copy_from_slice(bytes);
    u64::from_ne_bytes(padded)
}

/// Returns the bits without the sign. Of two finite numbers, the one with the larger magnitude has the larger bits.
pub(crate) fn magnitude<T: Element>(entry: T) -> u64 {
    to_bits(entry) & !sign::<T>()
}

const fn sign<T: Element>() -> u64 {
    1 << (T::FORMAT.width - 1)
}

pub(crate) fn is_finite<T: Element>(entry: T) -> bool {
    integer(entry).is_some() || magnitude(entry) < T::FORMAT.infinity()
}

/// Returns the value of an entry of an integer type, or `None` for other types.
pub(crate) fn integer<T: Element>(entry: T) -> Option<i64> {
    let (bits, integers) = (to_bits(entry) as i64, T::FORMAT.integers?);
    Some(if bits > integers.greatest { bits - (1 << T::FORMAT.width) } else { bits })
}

/// Returns the number of steps between two finite numbers. Their magnitudes are below 2^63 and count the numbers from
/// zero on. Integers are one step apart.
pub(crate) fn ulps_between<T: Element>(this: T, other: T) -> u64 {
    if let (Some(this), Some(other)) = (integer(this), integer(other)) {
        return this.abs_diff(other);
    }
    let same_side = (to_bits(this) ^ to_bits(other)) & sign::<T>() == 0;
    let (this, other) = (magnitude(this), magnitude(other));
    if same_side { this.abs_diff(other) } else { this + other }
}

/// Returns the exact value of an entry. For an integer type it is the integer itself. All NaNs of one sign become the same NaN.
pub(crate) fn value<T: Element>(entry: T) -> f64 {
    if let Some(integer) = integer(entry) {
        return integer as f64;
    }
    if T::FORMAT.width < 64 && magnitude(entry) > T::FORMAT.infinity() {
        return f64::NAN.copysign(if to_bits(entry) & sign::<T>() == 0 { 1.0 } else { -1.0 });
    }
    f64::from_bits(widened(to_bits(entry), T::FORMAT, Format::F64))
}
