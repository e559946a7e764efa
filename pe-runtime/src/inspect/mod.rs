//! Questions about tables: how two of them differ, why an entry is what it is, which rows are alike.

#[cfg(feature = "alloc")]
pub(crate) mod bignum;
pub(crate) mod compare;
#[cfg(feature = "alloc")]
pub(crate) mod duplicates;
#[cfg(feature = "alloc")]
pub(crate) mod explain;
pub(crate) mod report;
#[cfg(feature = "alloc")]
pub(crate) mod similarity;
pub(crate) mod translation;
pub(crate) mod wavelengths;
