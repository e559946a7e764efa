//! The types of entries.

mod literal;
mod of_file;
mod stored;

pub use literal::Literal;
pub(crate) use of_file::{float_of_npy, float_of_tensor};
pub use stored::{Entry, Integer, Stored};
