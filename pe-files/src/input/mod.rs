//! Reads tables from .npy, .npz and .safetensors files. Files are untrusted input, so everything in them is checked.

mod file_type;
mod metadata;
mod npy;
mod npz;
mod safetensors;
mod sentences;
mod shape;
mod table;
mod tensors;

pub use sentences::SAVE;
pub use table::Table;
pub use tensors::{Tensor, Tensors};
