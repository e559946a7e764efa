//! The types of the entries of a file.

use npyz::{TypeChar, TypeStr};
use safetensors::Dtype as Tensor;

use crate::entry::Dtype;

/// The type of the entries of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileType {
    Float(Dtype),
    Integer(IntegerType),
}

/// A type of integers, whose scale is not in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntegerType {
    I8,
    U8,
    I16,
    I32,
}

impl FileType {
    pub(super) fn of_npy(entry: &TypeStr) -> Option<Self> {
        let integer = match (entry.type_char(), entry.size_field()) {
            (TypeChar::Int, 1) => IntegerType::I8,
            (TypeChar::Uint, 1) => IntegerType::U8,
            (TypeChar::Int, 2) => IntegerType::I16,
            (TypeChar::Int, 4) => IntegerType::I32,
            _ => return Dtype::of_npy(entry).map(Self::Float),
        };
        Some(Self::Integer(integer))
    }

    pub(super) fn of_tensor(tensor: Tensor) -> Option<Self> {
        let integer = match tensor {
            Tensor::I8 => IntegerType::I8,
            Tensor::U8 => IntegerType::U8,
            Tensor::I16 => IntegerType::I16,
            Tensor::I32 => IntegerType::I32,
            _ => return Dtype::of_tensor(tensor).map(Self::Float),
        };
        Some(Self::Integer(integer))
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// Returns the size of an entry in bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Float(dtype) => dtype.size(),
            Self::Integer(IntegerType::I8 | IntegerType::U8) => 1,
            Self::Integer(IntegerType::I16) => 2,
            Self::Integer(IntegerType::I32) => 4,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Float(dtype) => dtype.name(),
            Self::Integer(IntegerType::I8) => "i8",
            Self::Integer(IntegerType::U8) => "u8",
            Self::Integer(IntegerType::I16) => "i16",
            Self::Integer(IntegerType::I32) => "i32",
        }
    }
}
