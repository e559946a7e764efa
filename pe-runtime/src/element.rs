//! The number types a table can hold.

use core::fmt::{self, Debug, Formatter};

#[cfg(feature = "alloc")]
use crate::round;
use crate::rounding::Format;

/// An element type of a table: `f64`, `f32`, and of 16 bits [`F16Bits`] and [`Bf16Bits`] or, with the feature `half`,
/// `half::f16` and `half::bf16`.
///
/// Every entry is rounded once, from the exact value to the element type, in the 16-bit types too: a table in `f32` or
/// `f64` that is narrowed afterwards is rounded twice.
///
/// Sealed: the decoding of baked tables relies on every bit pattern being a value.
///
/// ```
/// use posenc::{Element, Spec, SpecError};
///
/// /// The encoding of one position, in any element type.
/// fn encode<T: Element>(spec: Spec, position: i64) -> Result<Vec<T>, SpecError> {
///     let mut row = vec![T::default(); spec.d_model()];
///     spec.encode(position, &mut row)?;
///     Ok(row)
/// }
///
/// assert_eq!(encode::<f64>(Spec::new(2), 0)?, [0.0, 1.0]);
/// assert_eq!(<f64 as Element>::DTYPE, "f64");
/// # Ok::<(), SpecError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of a table",
    note = "the element types are `f32`, `f64`, `F16Bits` and `Bf16Bits`, and with the feature `half` `half::f16` and `half::bf16`; \
            rows of an array are given as one slice, `as_flattened_mut()`"
)]
pub trait Element: sealed::Format + Copy + PartialEq + Debug + Default + Send + Sync + 'static {
    /// The name of the type, as the macro's `dtype` key takes it.
    const DTYPE: &'static str;
}

pub(crate) mod sealed {
    /// What rounding needs to know of an element type.
    pub trait Format: Sized {
        /// The binary format of the type.
        const FORMAT: super::Format;

        /// Columns in floats, precise enough for the type.
        #[cfg(feature = "alloc")]
        type Block: crate::block::Block;

        /// The element nearest to all numbers within `error` of `high + rest`, or not 0 for undecided. They are far from overflow.
        #[cfg(feature = "alloc")]
        fn round(high: f64, rest: f64, error: f64) -> (Self, u32);
    }
}

/// A 16-bit IEEE 754 number (half precision: 11 significant bits, up to 65504) as its bits, for programs that only carry it.
/// With the feature `half` there is `half::f16`, which computes.
///
/// ```
/// use posenc::{F16Bits, Spec};
///
/// let mut row = [F16Bits::default(); 2];
/// Spec::new(2).encode(0, &mut row)?;
/// assert_eq!(row, [F16Bits(0x0000), F16Bits(0x3c00)]); // 0 and 1
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct F16Bits(pub u16);

/// A `bfloat16` number (the first 16 bits of an `f32`: 8 significant bits) as its bits, for programs that only carry it.
/// With the feature `half` there is `half::bf16`, which computes.
///
/// ```
/// use posenc::{Bf16Bits, Spec};
///
/// let mut row = [Bf16Bits::default(); 2];
/// Spec::new(2).encode(0, &mut row)?;
/// assert_eq!(row, [Bf16Bits(0x0000), Bf16Bits(0x3f80)]); // 0 and 1
/// # Ok::<(), posenc::SpecError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Bf16Bits(pub u16);

macro_rules! shows_its_bits {
    ($($element:ident)*) => { $(
        impl Debug for $element {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($element), "({:#06x})"), self.0)
            }
        }
    )* };
}

shows_its_bits!(F16Bits Bf16Bits);

macro_rules! elements {
    ($($element:ty = $dtype:literal, $format:ident, $block:ident, $round:path;)*) => { $(
        impl sealed::Format for $element {
            const FORMAT: Format = Format::$format;
            #[cfg(feature = "alloc")]
            type Block = crate::block::$block;

            #[cfg(feature = "alloc")]
            #[inline(always)]
            fn round(high: f64, rest: f64, error: f64) -> (Self, u32) {
                $round(high, rest, error)
            }
        }

        impl Element for $element {
            const DTYPE: &'static str = $dtype;
        }
    )* };
}

elements! {
    f32 = "f32", F32, Plain, round::f32;
    f64 = "f64", F64, Split, round::f64;
    F16Bits = "f16_bits", F16, Plain, round::f16_bits;
    Bf16Bits = "bf16_bits", BF16, Plain, round::bf16_bits;
}

#[cfg(feature = "half")]
elements! {
    half::f16 = "f16", F16, Plain, round::f16;
    half::bf16 = "bf16", BF16, Plain, round::bf16;
}

/// The element with these bits in its low `size_of::<T>()` bytes; a trait method could not be `const`.
#[expect(unsafe_code, reason = "a generic const fn has no safe way from bits to a float")]
pub(crate) const fn from_bits<T: Element>(bits: u64) -> T {
    // SAFETY: the integer read has the size of `T` in each arm, and `Element` is sealed to types without padding for
    // which every bit pattern is valid.
    unsafe {
        match size_of::<T>() {
            2 => core::mem::transmute_copy(&(bits as u16)),
            4 => core::mem::transmute_copy(&(bits as u32)),
            8 => core::mem::transmute_copy(&bits),
            _ => unreachable!(),
        }
    }
}

/// The same entries by the name of another element type of the same size and alignment: its own, where a generic `const fn` knows
/// it only by its format.
#[expect(unsafe_code, reason = "a generic const fn has no safe way from a type to itself")]
pub(crate) const fn reinterpret<T: Element, U: Element>(entries: &mut [T]) -> &mut [U] {
    assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>());
    // SAFETY: as many elements of the same size and alignment, and `Element` is sealed to types without padding for which every
    // bit pattern is valid.
    unsafe { core::slice::from_raw_parts_mut(entries.as_mut_ptr().cast(), entries.len()) }
}

/// The entries of all rows; `as_flattened_mut` is `const` only since Rust 1.87.
#[expect(unsafe_code, reason = "there is no safe way yet that is `const`")]
pub(crate) const fn flatten_mut<T: Element, const N: usize, const D: usize>(rows: &mut [[T; D]; N]) -> &mut [T] {
    // SAFETY: an array of arrays is `N * D` elements without a gap.
    unsafe { core::slice::from_raw_parts_mut(rows.as_mut_ptr().cast(), N * D) }
}

/// The bytes of `entries`, in the byte order of this machine.
#[expect(unsafe_code, reason = "a generic fn has no safe way from floats to bytes without a copy")]
#[must_use]
pub fn as_bytes<T: Element>(entries: &[T]) -> &[u8] {
    // SAFETY: `Element` is sealed to types without padding, so all of these bytes are initialised, and they have no alignment.
    unsafe { core::slice::from_raw_parts(entries.as_ptr().cast(), size_of_val(entries)) }
}

/// The bytes of `words`, in the byte order of this machine.
#[cfg(feature = "alloc")]
#[expect(unsafe_code, reason = "there is no safe way to read a file into words that unoptimised code hashes quickly")]
pub(crate) fn as_bytes_mut(words: &mut [u64]) -> &mut [u8] {
    // SAFETY: `u64` has no padding and is valid for all bits, so these bytes are initialised and may be any; they have no alignment,
    // and are borrowed as the words were.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), size_of_val(words)) }
}

/// The bits of an entry, at the low end.
pub(crate) fn to_bits<T: Element>(entry: T) -> u64 {
    let bytes = as_bytes(core::slice::from_ref(&entry));
    let first = if cfg!(target_endian = "big") { 8 - bytes.len() } else { 0 };
    let mut padded = [0; 8];
    padded[first..][..bytes.len()].copy_from_slice(bytes);
    u64::from_ne_bytes(padded)
}

/// The table whose elements stand in `bytes`, row by row, in the byte order of the target: one copy, whatever the size.
///
/// This is what `sinusoidal_table!` expands to a call of.
#[must_use]
pub const fn decode<T: Element, const N: usize, const D: usize, const LEN: usize>(bytes: &[u8; LEN]) -> [[T; D]; N] {
    const { assert!(LEN == size_of::<[[T; D]; N]>()) }
    rows(bytes)
}

/// The same, whose length is not known from its type.
///
/// # Panics
///
/// Unless it is that of the table.
#[expect(unsafe_code, reason = "an element-wise loop would take the compiler microseconds an entry")]
#[must_use]
pub const fn rows<T: Element, const N: usize, const D: usize>(bytes: &[u8]) -> [[T; D]; N] {
    /// Aligned as bytes are, so that the compiler copies from place to place; `read_unaligned` makes it copy twice.
    #[derive(Clone, Copy)]
    #[repr(C, packed)]
    struct Packed<T>(T);

    assert!(bytes.len() == size_of::<[[T; D]; N]>());
    // SAFETY: `bytes` is readable for the size of the result, as asserted, and as a packed struct needs no alignment; `Element` is
    // sealed to types for which every bit pattern is valid.
    unsafe { (*bytes.as_ptr().cast::<Packed<[[T; D]; N]>>()).0 }
}

/// Zeros, in the place of a table that `sinusoidal_table!` had to refuse: with a value of the right type beside it, its error
/// stays the only one. Nothing that holds them compiles.
#[must_use]
pub const fn no_table<T: Element, const N: usize, const D: usize>() -> [[T; D]; N] {
    [[from_bits(0); D]; N]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_become_the_element_that_has_them() {
        assert_eq!(from_bits::<f32>(0x3fc0_0000), 1.5);
        assert_eq!(from_bits::<f64>(0xc004_0000_0000_0000), -2.5);
        assert_eq!(from_bits::<F16Bits>(0xc100), F16Bits(0xc100));
        assert_eq!(from_bits::<Bf16Bits>(0xc020), Bf16Bits(0xc020));
    }

    #[test]
    fn decode_keeps_the_order_of_rows_and_columns() {
        let table = [[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
        let mut bytes = [0; 24];
        for (four, entry) in bytes.chunks_exact_mut(4).zip(table.as_flattened()) {
            four.copy_from_slice(&entry.to_ne_bytes());
        }
        assert_eq!(decode::<f32, 3, 2, 24>(&bytes), table);
        assert_eq!(decode::<f64, 0, 2, 0>(b""), [[0.0; 2]; 0]);
    }
}
