//! The types of entries.

mod dtype;
mod literal;
mod stored;

pub(crate) use dtype::{Dtype, StoredDtype, type_name, with_entry, with_stored};
pub(crate) use stored::{Entry, Integer, Stored};
