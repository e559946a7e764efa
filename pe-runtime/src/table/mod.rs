//! What holds a table or reads its rows: tables, rows of other types, single rows, rows added to embeddings.

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
