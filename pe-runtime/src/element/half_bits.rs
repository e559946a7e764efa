//! The two 16-bit formats as bits.

use core::fmt::{self, Debug, Formatter};

use crate::element::bits::{formats_bits, widened};
use crate::exact::format::Format;

macro_rules! half_bits {
    ($($(#[$doc:meta])* $element:ident is $format:ident, with one at $one:literal; |$bits:ident| $to_f32:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// It has the size, alignment and memory layout of a `u16`. Equality and hashing use the bits, so `0` and `-0` differ,
        /// and a NaN equals itself.
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $element(pub(crate) u16);

        impl $element {
            /// Returns the number that has these bits.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use posenc::", stringify!($element), ";")]
            ///
            #[doc = concat!("const ONE: ", stringify!($element), " = ", stringify!($element), "::from_bits(", $one, ");")]
            /// assert_eq!(ONE.to_f32(), 1.0);
            /// ```
            #[must_use]
            pub const fn from_bits(bits: u16) -> Self {
                Self(bits)
            }

            /// Returns the bits of this number.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(posenc::", stringify!($element), "::from_bits(", $one, ").to_bits(), ", $one, ");")]
            /// ```
            #[must_use]
            pub const fn to_bits(self) -> u16 {
                self.0
            }

            /// Returns this number as an `f32`, which represents it exactly.
            ///
            /// The conversion uses integers, so it gives the same result on a processor that treats subnormal numbers as zeros.
            /// A NaN keeps its sign and payload, and becomes quiet.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(posenc::", stringify!($element), "::from_bits(0x8000 | ", $one, ").to_f32(), -1.0);")]
            /// ```
            #[must_use]
            pub const fn to_f32(self) -> f32 {
                let $bits = self.0;
                f32::from_bits($to_f32)
            }

            /// Returns this number as an `f64`, which represents it exactly.
            ///
            /// The conversion uses integers, as [`to_f32`](Self::to_f32) does.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(posenc::", stringify!($element), "::from_bits(", $one, ").to_f64(), 1.0);")]
            /// ```
            #[must_use]
            pub const fn to_f64(self) -> f64 {
                f64::from_bits(widened(self.0 as u64, Format::$format, Format::F64))
            }
        }

        impl From<$element> for f32 {
            fn from(number: $element) -> Self {
                number.to_f32()
            }
        }

        impl From<$element> for f64 {
            fn from(number: $element) -> Self {
                number.to_f64()
            }
        }

        impl Debug for $element {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($element), "({:#06x})"), self.0)
            }
        }

        formats_bits!($element: LowerHex UpperHex Octal Binary);
    )* };
}

half_bits! {
    /// A 16-bit IEEE 754 number (half precision), stored as its bits.
    ///
    /// This type is for programs that only store such numbers or pass them on. For arithmetic, use `half::f16`, which the
    /// feature `half` supports. The format has 11 significant bits, and its largest finite number is 65,504.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{F16Bits, Spec};
    ///
    /// let mut row = [F16Bits::default(); 2];
    /// Spec::new(2).encode(1, &mut row)?;
    /// assert_eq!(row.map(F16Bits::to_bits), [0x3abb, 0x3853]);
    /// assert_eq!(row.map(f32::from), [0.841_308_6, 0.540_527_34]); // sin(1) and cos(1), in 11 bits
    /// assert_eq!(format!("{:04x} {:?}", row[0], row[1]), "3abb F16Bits(0x3853)");
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    F16Bits is F16, with one at "0x3c00"; |bits| widened(bits as u64, Format::F16, Format::F32) as u32;

    /// A `bfloat16` number, stored as its bits.
    ///
    /// This type is for programs that only store such numbers or pass them on. For arithmetic, use `half::bf16`, which the
    /// feature `half` supports. The format is the first 16 bits of an `f32`, and has 8 significant bits.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Bf16Bits, Spec};
    ///
    /// let mut row = [Bf16Bits::default(); 2];
    /// Spec::new(2).encode(1, &mut row)?;
    /// assert_eq!(row.map(Bf16Bits::to_bits), [0x3f57, 0x3f0a]);
    /// assert_eq!(row.map(f32::from), [0.839_843_75, 0.539_062_5]); // sin(1) and cos(1), in 8 bits
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    // The quiet bit is the highest bit of the fraction.
    Bf16Bits is BF16, with one at "0x3f80"; |bits| ((bits | if bits & 0x7fff > 0x7f80 { 0x0040 } else { 0 }) as u32) << 16;
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::*;

    /// Returns the number with these bits, by the definition of a format with these field widths. All steps are exact.
    #[expect(clippy::float_arithmetic, reason = "the definition")]
    fn defined(bits: u16, exponent_bits: u32, fraction_bits: u32) -> f64 {
        let fraction = f64::from(bits & ((1 << fraction_bits) - 1)) * 2f64.powi(-(fraction_bits as i32));
        let (field, top) = (i32::from(bits >> fraction_bits) & ((1 << exponent_bits) - 1), (1 << exponent_bits) - 1);
        let half = top / 2;
        let size = match field {
            0 => fraction * 2f64.powi(1 - half),
            _ if field == top && fraction == 0.0 => f64::INFINITY,
            _ if field == top => f64::NAN,
            _ => (1.0 + fraction) * 2f64.powi(field - half),
        };
        if bits >> 15 == 1 { -size } else { size }
    }

    /// Checks that both conversions of a number are exact, and that a NaN keeps its sign and payload and becomes quiet.
    fn check(bits: u16, defined: f64, narrow: f32, wide: f64, payload_bits: u32) {
        if defined.is_nan() {
            let (sign, payload) = (bits >> 15, bits & ((1 << payload_bits) - 1));
            let (narrow, wide) = (narrow.to_bits(), wide.to_bits());
            let quiet = payload | 1 << (payload_bits - 1);
            let placed = |place| u64::from(quiet) << (place - payload_bits);
            assert_eq!(u64::from(narrow), u64::from(sign) << 31 | 0xff << 23 | placed(23), "{bits:#06x}");
            assert_eq!(wide, u64::from(sign) << 63 | 0x7ff << 52 | placed(52), "{bits:#06x}");
        } else {
            assert_eq!(wide.to_bits(), defined.to_bits(), "{bits:#06x}");
            assert_eq!(f64::from(narrow).to_bits(), defined.to_bits(), "{bits:#06x}");
        }
    }

    #[test]
    fn every_number_is_widened_exactly() {
        for bits in 0..=u16::MAX {
            let (f16, bf16) = (F16Bits::from_bits(bits), Bf16Bits::from_bits(bits));
            check(bits, defined(bits, 5, 10), f16.to_f32(), f16.to_f64(), 10);
            check(bits, defined(bits, 8, 7), bf16.to_f32(), bf16.to_f64(), 7);
            assert_eq!((f16.to_bits(), bf16.to_bits()), (bits, bits));
        }
    }

    #[cfg(feature = "half")]
    #[test]
    fn every_number_is_widened_as_the_crate_half_does() {
        use half::{bf16, f16};

        for bits in 0..=u16::MAX {
            let (ours, theirs) = (F16Bits::from_bits(bits), f16::from_bits(bits));
            assert_eq!(ours.to_f32().to_bits(), theirs.to_f32_const().to_bits(), "{bits:#06x}");
            assert_eq!(ours.to_f64().to_bits(), theirs.to_f64_const().to_bits(), "{bits:#06x}");
            let (ours, theirs) = (Bf16Bits::from_bits(bits), bf16::from_bits(bits));
            assert_eq!(ours.to_f32().to_bits(), theirs.to_f32_const().to_bits(), "{bits:#06x}");
            assert_eq!(ours.to_f64().to_bits(), theirs.to_f64_const().to_bits(), "{bits:#06x}");
        }
    }

    #[test]
    fn numbers_are_widened_by_the_compiler_too() {
        const LEAST: (f32, f64) = (F16Bits::from_bits(0x8001).to_f32(), Bf16Bits::from_bits(0x8001).to_f64());
        assert_eq!(LEAST, (-(2f32.powi(-24)), -(2f64.powi(-133))));
    }

    #[test]
    fn bits_are_shown_in_any_radix() {
        let number = Bf16Bits::from_bits(0xbf8a);
        assert_eq!(format!("{number:x} {number:#X} {number:o} {number:b}"), "bf8a 0xBF8A 137612 1011111110001010");
        assert_eq!(format!("{number:?}"), "Bf16Bits(0xbf8a)");
        assert_eq!((f32::from(number), f64::from(number)), (-1.078_125, -1.078_125));
    }
}
