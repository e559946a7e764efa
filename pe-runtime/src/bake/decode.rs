//! From the bytes of a baked table to the table.

use crate::element::Element;
use crate::element::bits::from_bits;

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
