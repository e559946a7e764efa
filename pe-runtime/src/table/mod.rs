//! Types that hold tables or read their rows, methods that compute rows, and adding rows to embeddings.

pub(crate) mod aligned;
pub(crate) mod compare_error;
pub mod embeddings;
#[cfg(feature = "alloc")]
pub(crate) mod encoder;
pub(crate) mod fill;
#[cfg(feature = "alloc")]
mod owned;
pub(crate) mod row_range;
pub(crate) mod rows;

#[cfg(feature = "alloc")]
pub use owned::Table;
