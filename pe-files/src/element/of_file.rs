//! The element types as files name them.

use npyz::{DType, TypeStr};
use posenc_identify::FloatType;
use posenc_text::with_entry;
use safetensors::Dtype as Tensor;

use super::stored::Stored;

/// Finds the type of a .npy file's floats. The byte order does not matter.
pub(crate) fn float_of_npy(entry: &TypeStr) -> Option<FloatType> {
    let kind = |entry: &TypeStr| (entry.type_char(), entry.size_field());
    let is_same = |known| matches!(known, DType::Plain(known) if kind(&known) == kind(entry));
    FloatType::ALL.into_iter().find(|&float| with_entry!(float, T => T::npy()).is_some_and(is_same))
}

/// Finds the type of a safetensors file's floats.
pub(crate) fn float_of_tensor(tensor: Tensor) -> Option<FloatType> {
    FloatType::ALL.into_iter().find(|&float| with_entry!(float, T => T::TENSOR) == tensor)
}
