//! The numbers that can stand for a position.

/// A number that can be a position: any integer type. Sealed.
pub trait Position: sealed::Integer {}

pub(crate) mod sealed {
    /// An integer whose every value fits an `i128`.
    pub trait Integer: Copy {
        /// The exact value.
        fn integer(self) -> i128;
    }
}

macro_rules! positions {
    ($($integer:ty)*) => {
        $(
            impl sealed::Integer for $integer {
                fn integer(self) -> i128 {
                    self as i128
                }
            }

            impl Position for $integer {}
        )*
    };
}

positions!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
