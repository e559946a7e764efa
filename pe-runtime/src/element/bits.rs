//! Conversions of elements from and to bits and bytes.

use crate::element::Element;
use crate::exact::format::Format;

/// Returns the element with these bits in its low `size_of::<T>()` bytes.
///
/// It is not a trait method, because a trait method cannot be `const`.
#[expect(unsafe_code, reason = "a generic const fn has no safe way from bits to an element")]
pub(crate) const fn from_bits<T: Element>(bits: u64) -> T {
    // SAFETY: in each arm the integer that is read has the size of `T`, and `Element` is sealed to types without
    // padding for which every bit pattern is valid.
    unsafe {
        // In a `const` block, so that only one arm is compiled.
        match const { size_of::<T>() } {
            1 => core::mem::transmute_copy(&(bits as u8)),
            2 => core::mem::transmute_copy(&(bits as u16)),
            4 => core::mem::transmute_copy(&(bits as u32)),
            8 => core::mem::transmute_copy(&bits),
            _ => unreachable!(),
        }
    }
}

/// Returns the same entries as another element type of the same size and alignment.
///
/// A generic `const fn` that knows its element type only by the format uses this to name the type.
#[expect(unsafe_code, reason = "a generic const fn has no safe way from a type to itself")]
pub(crate) const fn reinterpret<T: Element, U: Element>(entries: &mut [T]) -> &mut [U] {
    assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>());
    // SAFETY: the number, size and alignment of the elements are the same, and `Element` is sealed to types without
    // padding for which every bit pattern is valid.
    unsafe { core::slice::from_raw_parts_mut(entries.as_mut_ptr().cast(), entries.len()) }
}

/// Returns the entries in pairs, without the last one if their number is odd. `as_chunks_mut` is `const` only since Rust
/// 1.88.
#[expect(unsafe_code, reason = "there is no safe way yet that is `const`")]
pub(crate) const fn pairs_mut<T: Element>(entries: &mut [T]) -> &mut [[T; 2]] {
    // SAFETY: an array of two elements has their alignment and no gaps, and the pairs are not more than the entries.
    unsafe { core::slice::from_raw_parts_mut(entries.as_mut_ptr().cast(), entries.len() / 2) }
}

/// Returns the entries of all rows. `as_flattened_mut` is `const` only since Rust 1.87.
#[expect(unsafe_code, reason = "there is no safe way yet that is `const`")]
pub(crate) const fn flatten_mut<T: Element, const N: usize, const D: usize>(rows: &mut [[T; D]; N]) -> &mut [T] {
    // SAFETY: an array of arrays is `N * D` elements without gaps.
    unsafe { core::slice::from_raw_parts_mut(rows.as_mut_ptr().cast(), N * D) }
}

/// Returns the bytes of `entries`, in the byte order of this machine.
#[cfg(any(feature = "alloc", feature = "inspect", test))]
#[expect(unsafe_code, reason = "a generic fn has no safe way from floats to bytes without a copy")]
#[must_use]
pub(crate) fn as_bytes<T: Element>(entries: &[T]) -> &[u8] {
    // SAFETY: `Element` is sealed to types without padding, so all these bytes are initialised, and bytes need no
    // alignment.
    unsafe { core::slice::from_raw_parts(entries.as_ptr().cast(), size_of_val(entries)) }
}

/// Returns the bytes of `words`, in the byte order of this machine.
#[cfg(feature = "alloc")]
#[expect(unsafe_code, reason = "there is no safe way to read a file into words that unoptimised code hashes quickly")]
pub(crate) fn as_bytes_mut(words: &mut [u64]) -> &mut [u8] {
    // SAFETY: `u64` has no padding and every bit pattern is valid for it, so these bytes are initialised and may be set
    // to anything. Bytes need no alignment, and the result borrows the words exclusively.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), size_of_val(words)) }
}

/// Returns the bits of the same number in a wider format.
///
/// Every number of the narrower format except zero must be a normal number of the wider one. A NaN keeps its sign and
/// payload, and becomes quiet. If the formats have the same width, the bits are returned unchanged.
///
/// This uses integers only, because a processor may treat subnormal numbers as zeros, and because its conversions
/// cannot be used in a `const fn`.
pub(crate) const fn widened(bits: u64, from: Format, to: Format) -> u64 {
    if from.width == to.width {
        return bits;
    }
    let sign = bits >> (from.width - 1);
    let magnitude = bits & !(sign << (from.width - 1));
    let gain = to.precision - from.precision;
    let widened = if magnitude == 0 {
        0
    } else if magnitude >= from.infinity() {
        let payload = (magnitude - from.infinity()) << gain;
        let quiet = if payload == 0 { 0 } else { 1 << (to.precision - 2) };
        to.infinity() | payload | quiet
    } else {
        // The number is `significand 2^quantum`. The significand is normalised to the full precision, even if it is
        // subnormal.
        let (significand, quantum) = from.places(magnitude);
        let shift = significand.leading_zeros() - (64 - from.precision);
        let (significand, quantum) = (significand << shift, quantum - shift as i32);
        // The implicit bit of the significand adds the 1 that the exponent field lacks.
        let binade = (quantum - gain as i32 - to.min_quantum) as u64;
        (binade << (to.precision - 1)) + (significand << gain)
    };
    sign << (to.width - 1) | widened
}

/// Formats numbers as their bits.
macro_rules! formats_bits {
    ($element:ident: $($radix:ident)*) => { $(
        /// Formats the bits.
        impl core::fmt::$radix for $element {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::$radix::fmt(&self.0, f)
            }
        }
    )* };
}

pub(crate) use formats_bits;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::{Bf16Bits, F16Bits, Q7, Q15, Q31};

    #[test]
    fn bits_become_the_element_that_has_them() {
        assert_eq!(from_bits::<f32>(0x3fc0_0000), 1.5);
        assert_eq!(from_bits::<f64>(0xc004_0000_0000_0000), -2.5);
        assert_eq!(from_bits::<F16Bits>(0xc100), F16Bits(0xc100));
        assert_eq!(from_bits::<Bf16Bits>(0xc020), Bf16Bits(0xc020));
        assert_eq!((from_bits::<Q7>(0x80), from_bits::<u8>(0x80), from_bits::<i8>(0xff)), (Q7(-128), 128, -1));
        assert_eq!((from_bits::<Q15>(0x8000), from_bits::<Q31>(0xffff_fffe)), (Q15(-32_768), Q31(-2)));
    }
}
