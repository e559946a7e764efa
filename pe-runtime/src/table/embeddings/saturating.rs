//! Entries that are added to integers.

use crate::element::{Q7, Q15, Q31};

/// An entry that is added to an integer with saturation.
///
/// It is sealed, because its module is private.
pub trait Saturating: Copy {
    /// The integer that it is added to.
    type Embedding: Copy;

    /// Returns the sum, or the limit of the type that it exceeds.
    #[must_use]
    fn add_to(self, embedding: Self::Embedding) -> Self::Embedding;
}

macro_rules! saturating {
    ($($entry:ty: $integer:ty, $bits:expr;)*) => { $(
        impl Saturating for $entry {
            type Embedding = $integer;

            fn add_to(self, embedding: $integer) -> $integer {
                let bits: fn(Self) -> $integer = $bits;
                embedding.saturating_add(bits(self))
            }
        }
    )* };
}

saturating! {
    Q7: i8, Self::to_bits;
    Q15: i16, Self::to_bits;
    Q31: i32, Self::to_bits;
    i8: i8, |entry| entry;
    i16: i16, |entry| entry;
    i32: i32, |entry| entry;
}
