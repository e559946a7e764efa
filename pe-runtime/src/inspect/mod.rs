//! Questions about tables: how two of them differ, how an entry is computed, how rows are moved.

#[cfg(feature = "alloc")]
pub(crate) mod bignum;
pub(crate) mod compare;
#[cfg(feature = "alloc")]
mod dot_product;
mod entry;
#[cfg(feature = "alloc")]
pub mod explain;
#[cfg(feature = "alloc")]
mod frequency_vectors;
pub(crate) mod share;
pub(crate) mod translation;
mod wavelengths;
