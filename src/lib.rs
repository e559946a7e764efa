//! x
#![no_std]
pub use posenc_runtime::{Element, MAX_D_MODEL, MAX_POSITION, Position, Spec, SpecError};
#[cfg(feature = "alloc")]
pub use posenc_runtime::{Table, sinusoidal_table};
