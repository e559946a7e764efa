//! The fixed-point formats of signal processors: integers in units of a negative power of two.

use core::fmt::{self, Debug, Formatter};

use crate::element::bits::formats_bits;
use crate::float_bits::power_of_two;

macro_rules! fixed_point {
    ($($(#[$doc:meta])* $element:ident($bits:ident) has $places:literal places in $width:literal bits, for example $half:literal;)*) => { $(
        $(#[$doc])*
        ///
        /// It has the size, alignment and memory layout of the integer. The type only stores numbers, and its field is
        /// private: [`to_bits`](Self::to_bits) returns the integer. For arithmetic, pass the bits to the library for
        /// your processor, or to the crate `fixed`, whose types have the same bits:
        /// `row.map(|entry| I1F15::from_bits(entry.to_bits()))` for `Q15`.
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $element(pub(crate) core::primitive::$bits);

        impl $element {
            /// Returns the number that has these bits.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("const HALF: posenc::", stringify!($element), " = posenc::", stringify!($element), "::from_bits(", stringify!($half), ");")]
            /// assert_eq!(HALF.to_f64(), 0.5);
            /// ```
            #[must_use]
            pub const fn from_bits(bits: core::primitive::$bits) -> Self {
                Self(bits)
            }

            /// Returns the bits of this number: the integer that it stores.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(posenc::", stringify!($element), "::from_bits(", stringify!($half), ").to_bits(), ", stringify!($half), ");")]
            /// ```
            #[must_use]
            pub const fn to_bits(self) -> core::primitive::$bits {
                self.0
            }

            /// Returns this number as an `f64`, which represents it exactly.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(posenc::", stringify!($element), "::from_bits(-", stringify!($half), ").to_f64(), -0.5);")]
            /// ```
            #[must_use]
            #[allow(clippy::float_arithmetic, reason = "multiplies by a power of two")]
            pub const fn to_f64(self) -> f64 {
                self.0 as f64 * power_of_two(-$places)
            }
        }

        impl From<$element> for f64 {
            fn from(number: $element) -> Self {
                number.to_f64()
            }
        }

        /// Shows the number as its integer over a power of two.
        impl Debug for $element {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($element), "({})"), self.0)
            }
        }

        formats_bits!($element: LowerHex UpperHex Octal Binary);
    )* };
}

fixed_point! {
    /// A fixed-point number in 8 bits: an `i8` in units of `2^-7`, from -1 to `1 - 2^-7`.
    ///
    /// It is the `q7_t` of CMSIS-DSP. An entry that rounds to 1 is stored as the largest number.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Q7, Spec};
    ///
    /// let mut row = [Q7::default(); 2];
    /// Spec::new(2).encode(0, &mut row)?;
    /// assert_eq!(row.map(Q7::to_bits), [0, 127]); // sin(0) and cos(0), which is 1
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("q7_t", "I1F7", "Q0.7", "Q1.7", "int8"))]
    Q7(i8) has 7 places in 8 bits, for example 64;

    /// A fixed-point number in 16 bits: an `i16` in units of `2^-15`, from -1 to `1 - 2^-15`.
    ///
    /// It is the `q15_t` of CMSIS-DSP. An entry that rounds to 1 is stored as the largest number.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Q15, Spec};
    ///
    /// let mut row = [Q15::default(); 2];
    /// Spec::new(2).encode(1, &mut row)?;
    /// assert_eq!(row.map(Q15::to_bits), [27_573, 17_705]); // sin(1) and cos(1) times 32768
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("q15_t", "I1F15", "Q0.15", "Q1.15", "int16"))]
    Q15(i16) has 15 places in 16 bits, for example 16_384;

    /// A fixed-point number in 32 bits: an `i32` in units of `2^-31`, from -1 to `1 - 2^-31`.
    ///
    /// It is the `q31_t` of CMSIS-DSP. An entry that rounds to 1 is stored as the largest number.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Q31, Spec};
    ///
    /// let mut row = [Q31::default(); 2];
    /// Spec::new(2).encode(1, &mut row)?;
    /// assert_eq!(row.map(Q31::to_bits), [1_807_045_180, 1_160_290_367]); // sin(1) and cos(1) times 2^31
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    #[doc(alias("q31_t", "I1F31", "Q0.31", "Q1.31", "int32"))]
    Q31(i32) has 31 places in 32 bits, for example 1_073_741_824;
}

macro_rules! to_f32 {
    ($($element:ident($half:literal))*) => { $(
        impl $element {
            /// Returns this number as an `f32`, which represents it exactly.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(posenc::", stringify!($element), "::from_bits(", stringify!($half), ").to_f32(), 0.5);")]
            /// ```
            #[must_use]
            pub const fn to_f32(self) -> f32 {
                self.to_f64() as f32
            }
        }

        impl From<$element> for f32 {
            fn from(number: $element) -> Self {
                number.to_f32()
            }
        }
    )* };
}

to_f32!(Q7(64) Q15(16_384));

#[cfg(test)]
mod tests {
    use std::format;

    use super::*;

    #[test]
    fn numbers_are_integers_over_powers_of_two() {
        assert_eq!([Q7(-128), Q7(127)].map(f64::from), [-1.0, 127.0 / 128.0]);
        assert_eq!([Q15(-32_768), Q15(1)].map(f32::from), [-1.0, 2f32.powi(-15)]);
        assert_eq!([Q31(i32::MIN), Q31(i32::MAX)].map(f64::from), [-1.0, 1.0 - 2f64.powi(-31)]);
        assert_eq!(format!("{:?} {:x} {:X} {:o} {:b}", Q7(-2), Q7(-2), Q15(10), Q31(8), Q7(5)), "Q7(-2) fe A 10 101");
        assert!(Q15(-1) < Q15(0));
        assert_eq!([Q7(0).to_f64(), Q15(0).to_f64(), Q31(0).to_f64()], [0.0; 3]);
        assert_eq!([Q7(1).to_f64(), Q15(1).to_f64(), Q31(1).to_f64()], [7, 15, 31].map(|places| 2f64.powi(-places)));
    }
}
