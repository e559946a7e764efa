//! The types of entries.

mod dtype;
mod literal;
mod stored;

pub(crate) use dtype::{float_of_npy, float_of_tensor, read_dtype, read_float, type_name, with_entry, with_stored};
pub(crate) use stored::{Entry, Integer, Stored};
