//! Writes entries as literals of source code and as text.

use std::io::{self, Write};

use posenc::half::{bf16, f16};
use posenc::{Q7, Q15, Q31};

/// An entry that can be written as text, from which the same bits are read.
pub trait Literal: Copy {
    /// The type of the entries in C. If it ends with `_t`, it is declared in `stdint.h`.
    const C: &'static str;
    /// The type of the entries in Rust.
    const RUST: &'static str;
    /// What a reader of the source code has to know of the entries.
    const NOTE: &'static str;

    /// Appends a constant of C.
    ///
    /// # Errors
    ///
    /// If `code` cannot be written to.
    fn c(self, code: &mut Vec<u8>) -> io::Result<()>;

    /// Appends a literal of Rust.
    ///
    /// # Errors
    ///
    /// If `code` cannot be written to.
    fn rust(self, code: &mut Vec<u8>) -> io::Result<()>;

    /// Appends the value with as many digits as it takes to read it back.
    ///
    /// # Errors
    ///
    /// If `text` cannot be written to.
    fn decimal(self, text: &mut Vec<u8>) -> io::Result<()>;
}

/// Implements [`Literal`] for the floats of both languages.
macro_rules! float {
    ($float:ident, $c:literal, $suffix:literal) => {
        impl Literal for $float {
            const C: &'static str = $c;
            const RUST: &'static str = stringify!($float);
            const NOTE: &'static str = "";

            fn c(self, code: &mut Vec<u8>) -> io::Result<()> {
                hexadecimal(self.into(), code)?;
                code.write_all($suffix)
            }

            fn rust(self, code: &mut Vec<u8>) -> io::Result<()> {
                self.decimal(code)
            }

            fn decimal(self, text: &mut Vec<u8>) -> io::Result<()> {
                write!(text, "{self:?}")
            }
        }
    };
}

float!(f32, "float", b"f");
float!(f64, "double", b"");

/// Implements [`Literal`] for the floats that the languages lack, which source code holds as their bits.
macro_rules! bits {
    ($float:ident, $name:literal) => {
        impl Literal for $float {
            const C: &'static str = "uint16_t";
            const RUST: &'static str = "u16";
            const NOTE: &'static str = concat!("Each entry is the bits of ", $name, ".");

            fn c(self, code: &mut Vec<u8>) -> io::Result<()> {
                write!(code, "{:#06x}", self.to_bits())
            }

            fn rust(self, code: &mut Vec<u8>) -> io::Result<()> {
                self.c(code)
            }

            fn decimal(self, text: &mut Vec<u8>) -> io::Result<()> {
                f32::from(self).decimal(text)
            }
        }
    };
}

bits!(f16, "a number in IEEE half precision");
bits!(bf16, "a bfloat16");

/// Implements [`Literal`] for integers and for fixed-point numbers, which are written as their bits.
macro_rules! integer {
    ($($entry:ident: $integer:ident, $c:literal, $note:expr, $bits:expr;)*) => { $(
        impl Literal for $entry {
            const C: &'static str = $c;
            const RUST: &'static str = stringify!($integer);
            const NOTE: &'static str = $note;

            fn c(self, code: &mut Vec<u8>) -> io::Result<()> {
                let bits: fn(Self) -> $integer = $bits;
                let bits = i64::from(bits(self));
                // In C, -2147483648 is the negative of a number that does not fit into 32 bits.
                if bits == i64::from(i32::MIN) { write!(code, "({} - 1)", bits + 1) } else { write!(code, "{bits}") }
            }

            fn rust(self, code: &mut Vec<u8>) -> io::Result<()> {
                self.decimal(code)
            }

            fn decimal(self, text: &mut Vec<u8>) -> io::Result<()> {
                let bits: fn(Self) -> $integer = $bits;
                write!(text, "{}", bits(self))
            }
        }
    )* };
}

integer! {
    Q7: i8, "int8_t", "Each entry is in units of 2^-7.", Self::to_bits;
    Q15: i16, "int16_t", "Each entry is in units of 2^-15.", Self::to_bits;
    Q31: i32, "int32_t", "Each entry is in units of 2^-31.", Self::to_bits;
    i8: i8, "int8_t", "", |entry| entry;
    i16: i16, "int16_t", "", |entry| entry;
    u8: u8, "uint8_t", "", |entry| entry;
}

/// Appends a hexadecimal constant of C, without a suffix.
///
/// By the standards of C and C++ its value is exact. A decimal one may be off by a unit in the last place, and where
/// floats are computed in a wider format it may be rounded twice.
fn hexadecimal(value: f64, code: &mut Vec<u8>) -> io::Result<()> {
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = value.to_bits();
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let (lead, exponent) = match bits >> FRACTION_BITS & 0x7ff {
        0 if fraction == 0 => (0, 0),
        0 => (0, i64::from(f64::MIN_EXP - 1)),
        biased => (1, biased.cast_signed() - i64::from(f64::MAX_EXP - 1)),
    };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    write!(code, "{sign}0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::{Literal, Q7, Q15, Q31, bf16, f16};

    fn written<T: Literal>(entry: T) -> [String; 3] {
        [T::c, T::rust, T::decimal].map(|write| {
            let mut text = Vec::new();
            write(entry, &mut text).unwrap();
            String::from_utf8(text).unwrap()
        })
    }

    #[test]
    fn floats_are_hexadecimal_in_c_and_short_decimals_elsewhere() {
        for (entry, c, decimal) in [
            (1.0, "0x1p+0f", "1.0"),
            (-0.0, "-0x0p+0f", "-0.0"),
            (0.1, "0x1.99999ap-4f", "0.1"),
            (f32::from_bits(1), "0x1p-149f", "1e-45"),
            (f32::MAX, "0x1.fffffep+127f", "3.4028235e38"),
        ] {
            assert_eq!(written::<f32>(entry), [c, decimal, decimal]);
        }
        for (entry, c, decimal) in [
            (0.0, "0x0p+0", "0.0"),
            (-0.75, "-0x1.8p-1", "-0.75"),
            (f64::from_bits(1), "0x0.0000000000001p-1022", "5e-324"),
            (f64::MIN_POSITIVE, "0x1p-1022", "2.2250738585072014e-308"),
            (f64::MIN, "-0x1.fffffffffffffp+1023", "-1.7976931348623157e308"),
        ] {
            assert_eq!(written::<f64>(entry), [c, decimal, decimal]);
        }
    }

    #[test]
    fn floats_of_16_bits_are_bits_in_source_code() {
        assert_eq!(written(f16::from_bits(0x8001)), ["0x8001", "0x8001", "-5.9604645e-8"]);
        assert_eq!(written(bf16::from_f32(0.5)), ["0x3f00", "0x3f00", "0.5"]);
        assert_eq!(written(bf16::from_bits(1)), ["0x0001", "0x0001", "9.1835e-41"]);
    }

    #[test]
    fn integers_are_decimal() {
        assert_eq!(written(Q7::from_bits(-128)), ["-128"; 3]);
        assert_eq!(written(Q15::from_bits(-32_768)), ["-32768"; 3]);
        assert_eq!(written(Q31::from_bits(i32::MIN)), ["(-2147483647 - 1)", "-2147483648", "-2147483648"]);
        assert_eq!(written(Q31::from_bits(i32::MAX)), ["2147483647"; 3]);
        assert_eq!(written(255_u8), ["255"; 3]);
        assert_eq!(written(-1_i8), ["-1"; 3]);
        assert_eq!(written(-7_i16), ["-7"; 3]);
    }
}
