//! Exchanging arrays with Python, without NumPy as a dependency.
//!
//! [`Memory`] holds the entries of a table, and [`export`] passes them on through DLPack, as a rule without a copy.
//! [`Array`] reads the arrays of other packages through the buffer protocol or DLPack, and [`Target`] writes to them.
//!
//! All unsafe code of the package is here, in five files: `foreign` reads and writes the memory of other packages, `exporter`
//! and `tensor` decide which memory that is, `managed` owns the tensors of other packages, and `export` makes our own. It relies on the following:
//!
//! * The pointers, shapes and strides of an exporter are right, as the buffer protocol and DLPack require.
//! * No other thread writes to an array while it is read or written here. Neither protocol can prevent that. As for
//!   NumPy's own functions, a program that does it has a data race.
//! * Consumers respect the read-only flag of DLPack. One that does not can change the entries of a table.

mod argument;
mod buffer;
mod dlpack;
mod element;
mod export;
mod exporter;
mod foreign;
mod format;
mod input;
mod layout;
mod managed;
mod matrix;
mod memory;
mod numbers;
mod target;
mod tensor;

pub(crate) use buffer::{fill_buffer, release_buffer};
pub(crate) use element::{ElementKind, Entry};
pub(crate) use export::{Request as CapsuleRequest, export};
pub(crate) use input::Array;
pub(crate) use memory::Memory;
pub(crate) use target::Target;
