//! Entries that are added to integers.

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

macro_rules! integers {
    ($($integer:ty)*) => { $(
        impl Saturating for $integer {
            type Embedding = Self;

            fn add_to(self, embedding: Self) -> Self {
                embedding.saturating_add(self)
            }
        }
    )* };
}

integers!(i8 i16 i32);
