//! The numbers that can stand for a position.

/// A number that can be a position: a value of any integer type up to 64 bits. Sealed.
///
/// ```
/// use posenc::Spec;
///
/// let (mut a, mut b) = ([0.0f32; 4], [0.0f32; 4]);
/// Spec::new(4).encode(300_u16, &mut a)?;
/// Spec::new(4).encode(300_i64, &mut b)?;
/// assert_eq!(a, b);
/// # Ok::<(), posenc::SpecError>(())
/// ```
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
