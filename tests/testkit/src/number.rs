//! The element types as the formula rounds to them.

use posenc::{Q7, Q15, Q31};

use crate::Bits;
use crate::case::Case;
use crate::real::{Ieee, Real, nearest, nearest_integer};

/// An element type to which a real number is rounded.
pub trait Number: Bits {
    /// The bits of an entry that is not subnormal, or about as many.
    const SIGNIFICANT: usize;

    /// Returns how many units of the type 1.0 is, as a numerator and a denominator.
    fn units(case: &Case) -> [f64; 2];

    /// Returns the bits of the entry nearest to so many units.
    fn nearest(units: &Real, case: &Case) -> u64;
}

impl<T: Ieee> Number for T {
    const SIGNIFICANT: usize = T::SIGNIFICAND_BITS.unsigned_abs();

    fn units(_: &Case) -> [f64; 2] {
        [1.0; 2]
    }

    fn nearest(units: &Real, _: &Case) -> u64 {
        nearest::<T>(units)
    }
}

/// An element type with integers.
pub trait Integer: Number {
    /// The least and the greatest integer.
    const RANGE: (i64, i64);
    /// The binary places of a type whose scale is fixed.
    const PLACES: Option<u8>;

    /// Returns the integer.
    fn integer(self) -> i64;

    /// Returns the bits of an integer, clamped to the range.
    fn clamped(integer: i64) -> u64;
}

macro_rules! integers {
    ($($element:ident in $primitive:ident as $unsigned:ident, $places:expr, $integer:expr;)*) => { $(
        impl Number for $element {
            const SIGNIFICANT: usize = $primitive::BITS as usize;

            fn units(case: &Case) -> [f64; 2] {
                match (Self::PLACES, case.quantum) {
                    (Some(places), _) => [(1u64 << places) as f64, 1.0],
                    (None, Some(quantum)) => [quantum.denominator, quantum.numerator],
                    (None, None) => panic!("a quantiser is missing"),
                }
            }

            fn nearest(units: &Real, case: &Case) -> u64 {
                let zero_point = case.quantum.map_or(0, |quantum| quantum.zero_point);
                Self::clamped(nearest_integer(units) + i64::from(zero_point))
            }
        }

        impl Integer for $element {
            const RANGE: (i64, i64) = ($primitive::MIN as i64, $primitive::MAX as i64);
            const PLACES: Option<u8> = $places;

            fn integer(self) -> i64 {
                let integer: fn(Self) -> $primitive = $integer;
                integer(self).into()
            }

            fn clamped(integer: i64) -> u64 {
                let clamped = integer.clamp(Self::RANGE.0, Self::RANGE.1);
                let clamped = $primitive::try_from(clamped).expect("in range");
                $unsigned::from_ne_bytes(clamped.to_ne_bytes()).into()
            }
        }
    )* };
}

integers! {
    Q7 in i8 as u8, Some(7), Self::to_bits;
    Q15 in i16 as u16, Some(15), Self::to_bits;
    Q31 in i32 as u32, Some(31), Self::to_bits;
    i8 in i8 as u8, None, |entry| entry;
    i16 in i16 as u16, None, |entry| entry;
    u8 in u8 as u8, None, |entry| entry;
}
