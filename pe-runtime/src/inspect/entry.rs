//! The entries of tables as bits and as numbers.

use core::cmp::Ordering;

use crate::element::Element;
use crate::element::bits::as_bytes;
use crate::exact::rounding::Format;

/// Returns the bits of an entry, at the low end.
pub(crate) fn to_bits<T: Element>(entry: T) -> u64 {
    let bytes = as_bytes(core::slice::from_ref(&entry));
    let first = if cfg!(target_endian = "big") { 8 - bytes.len() } else { 0 };
    let mut padded = [0; 8];
    padded[first..][..bytes.len()].copy_from_slice(bytes);
    u64::from_ne_bytes(padded)
}

/// Returns the bits without the sign: of two finite numbers the larger one has the larger.
fn magnitude<T: Element>(entry: T) -> u64 {
    to_bits(entry) & !sign::<T>()
}

const fn sign<T: Element>() -> u64 {
    1 << (T::FORMAT.width - 1)
}

/// Returns the magnitude of infinity; those above are no numbers.
const fn infinity<T: Element>() -> u64 {
    let Format { precision, width, .. } = T::FORMAT;
    ((1 << (width - precision)) - 1) << (precision - 1)
}

pub(crate) fn is_finite<T: Element>(entry: T) -> bool {
    magnitude(entry) < infinity::<T>()
}

/// Returns the steps between two finite numbers. The magnitudes number them from zero on, and are below 2^63.
pub(crate) fn ulps_between<T: Element>(this: T, other: T) -> u64 {
    let same_side = (to_bits(this) ^ to_bits(other)) & sign::<T>() == 0;
    let (this, other) = (magnitude(this), magnitude(other));
    if same_side { this.abs_diff(other) } else { this + other }
}

/// Returns the number that an entry stands for, exactly.
#[allow(clippy::float_arithmetic, reason = "products with powers of two")]
pub(crate) fn value<T: Element>(entry: T) -> f64 {
    let Format { precision, min_quantum, width } = T::FORMAT;
    if width == 64 {
        return f64::from_bits(to_bits(entry));
    }
    let magnitude = magnitude(entry);
    let size = match magnitude.cmp(&infinity::<T>()) {
        Ordering::Less => {
            let (field, fraction) = (magnitude >> (precision - 1), magnitude & ((1 << (precision - 1)) - 1));
            let implicit = u64::from(field > 0) << (precision - 1);
            // From 2^-149 to below 2^128, all of which are normal numbers of `f64`.
            let quantum = f64::from_bits(((1023 + min_quantum + field.saturating_sub(1) as i32) as u64) << 52);
            (fraction | implicit) as f64 * quantum
        }
        Ordering::Equal => f64::INFINITY,
        Ordering::Greater => f64::NAN,
    };
    if to_bits(entry) & sign::<T>() == 0 { size } else { -size }
}
