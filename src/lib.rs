//! x
#![no_std]
#![forbid(unsafe_code)]
pub use posenc_runtime::{Element, MAX_D_MODEL, MAX_POSITION, Position, Spec, SpecError};
#[cfg(feature = "alloc")]
pub use posenc_runtime::{Table, sinusoidal_table};

#[doc = include_str!("sinusoidal_table.md")]
#[cfg(target_endian = "little")]
#[macro_export]
macro_rules! sinusoidal_table {
    ($($arguments:tt)*) => { $crate::__private::sinusoidal_table!(little ($crate) $($arguments)*) };
}

#[doc = include_str!("sinusoidal_table.md")]
#[cfg(target_endian = "big")]
#[macro_export]
macro_rules! sinusoidal_table {
    ($($arguments:tt)*) => { $crate::__private::sinusoidal_table!(big ($crate) $($arguments)*) };
}

/// What the macro's expansion names. The byte order is told by the facade, which is compiled for the target, to the
/// procedural macro, which is not.
#[doc(hidden)]
pub mod __private {
    pub use core::compile_error;
    pub use core::primitive::{f32, f64};
    pub use posenc_macros::sinusoidal_table;
    pub use posenc_runtime::{decode, no_table};
}
