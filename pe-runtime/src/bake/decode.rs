//! Converts the bytes of a baked table to the table.

use crate::element::Element;
use crate::element::bits::from_bits;

/// Returns the table whose elements are at the beginning of `bytes`, row by row, in the byte order of the target.
///
/// It takes one copy, whatever the size.
///
/// The macros expand to calls of this function. The bytes are a literal, the entries of a build script's file, or a whole
/// file, which the macro has just checked.
///
/// # Panics
///
/// Panics if there are fewer bytes.
#[expect(unsafe_code, reason = "an element-wise loop would take the compiler microseconds per entry")]
#[must_use]
pub const fn decode<T: Element, const N: usize, const D: usize>(bytes: &[u8]) -> [[T; D]; N] {
    /// Has the alignment of bytes, so that the compiler copies directly. `read_unaligned` makes it copy twice.
    #[derive(Clone, Copy)]
    #[repr(C, packed)]
    struct Packed<T>(T);

    let is_whole = bytes.len() >= size_of::<[[T; D]; N]>();
    assert!(is_whole, "the file of the table changed during compilation; compile again");
    // SAFETY: `bytes` is readable for the size of the result, as asserted, and a packed struct needs no alignment.
    // `Element` is sealed to types for which every bit pattern is valid.
    unsafe { (*bytes.as_ptr().cast::<Packed<[[T; D]; N]>>()).0 }
}

/// Returns zeros in place of a table that `sinusoidal_table!` had to reject.
///
/// With a value of the right type beside it, the macro's error stays the only one. Code that contains these zeros does
/// not compile.
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
        assert_eq!(decode::<f32, 3, 2>(&bytes), table);
        assert_eq!(decode::<f64, 0, 2>(b""), [[0.0; 2]; 0]);
    }

    #[test]
    fn entries_are_the_beginning_of_a_file() {
        assert_eq!(decode::<u8, 1, 2>(b"abc"), [*b"ab"]);
        assert!(std::panic::catch_unwind(|| decode::<u8, 1, 4>(b"abc")).is_err());
    }
}
