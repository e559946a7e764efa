//! Questions about tables: how two of them differ, how an entry is computed, which rows are duplicates.

#[cfg(feature = "alloc")]
pub(crate) mod bignum;
pub(crate) mod compare;
#[cfg(feature = "alloc")]
mod dot_product;
#[cfg(feature = "alloc")]
pub(crate) mod duplicates;
mod entry;
#[cfg(feature = "alloc")]
pub mod explain;
mod shape;
pub(crate) mod translation;
mod wavelengths;
