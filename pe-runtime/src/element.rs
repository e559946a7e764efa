//! The number types a table can hold.

use core::fmt::Debug;

use crate::rounding::Format;

/// An element type of a table: `f32` or `f64`.
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
pub trait Element: sealed::Format + Copy + PartialEq + Debug + Default + Send + Sync + 'static {
    /// The name of the type, as the macro's `dtype` key takes it.
    const DTYPE: &'static str;
}

pub(crate) mod sealed {
    /// What rounding needs to know of an element type.
    pub trait Format {
        /// The binary format of the type.
        const FORMAT: super::Format;
    }
}

impl sealed::Format for f32 {
    const FORMAT: Format = Format::F32;
}

impl Element for f32 {
    const DTYPE: &'static str = "f32";
}

impl sealed::Format for f64 {
    const FORMAT: Format = Format::F64;
}

impl Element for f64 {
    const DTYPE: &'static str = "f64";
}

/// The element with these bits in its low `size_of::<T>()` bytes; a trait method could not be `const`.
#[expect(unsafe_code, reason = "a generic const fn has no safe way from bits to a float")]
pub(crate) const fn from_bits<T: Element>(bits: u64) -> T {
    // SAFETY: the integer read has the size of `T` in each arm, and `Element` is sealed to types without padding for
    // which every bit pattern is valid.
    unsafe {
        match size_of::<T>() {
            4 => core::mem::transmute_copy(&(bits as u32)),
            8 => core::mem::transmute_copy(&bits),
            _ => unreachable!(),
        }
    }
}

/// The table whose elements stand in `bytes`, row by row, in the byte order of the target: one copy, whatever the size.
///
/// This is what `sinusoidal_table!` expands to a call of.
#[expect(unsafe_code, reason = "an element-wise loop would take the compiler microseconds an entry")]
#[must_use]
pub const fn decode<T: Element, const N: usize, const D: usize, const LEN: usize>(bytes: &[u8; LEN]) -> [[T; D]; N] {
    const { assert!(LEN == size_of::<[[T; D]; N]>()) }
    // SAFETY: `bytes` is readable for LEN bytes, the size of the result, as asserted; `read_unaligned` asks for no
    // alignment; `Element` is sealed to types for which every bit pattern is valid.
    unsafe { bytes.as_ptr().cast::<[[T; D]; N]>().read_unaligned() }
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
