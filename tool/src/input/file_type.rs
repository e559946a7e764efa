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

/// Says why the entries of a type that has no `FileType` are not read.
fn refused(name: &str) -> String {
    let numbers = "but must contain f16, bf16, f32, f64, i8, u8, i16 or i32";
    match name {
        "int64" | "uint64" | "I64" | "U64" => format!(
            "contains integers of 64 bits ({name}), but the entries of a table are floats, or integers of 8 to 32 bits; convert it if \
             it is one"
        ),
        _ if name.starts_with("F8") => {
            format!(
                "contains floats of 8 bits ({name}), which are not supported; convert it to f32, as `tensor.float()` does in PyTorch"
            )
        }
        _ => format!("contains entries of type {name}, {numbers}; convert it"),
    }
}

impl FileType {
    pub(super) fn of_npy(entry: &TypeStr) -> Result<Self, String> {
        let integer = match (entry.type_char(), entry.size_field()) {
            (TypeChar::Int, 1) => IntegerType::I8,
            (TypeChar::Uint, 1) => IntegerType::U8,
            (TypeChar::Int, 2) => IntegerType::I16,
            (TypeChar::Int, 4) => IntegerType::I32,
            (TypeChar::Int, 8) => return Err(refused("int64")),
            (TypeChar::Uint, 8) => return Err(refused("uint64")),
            (TypeChar::RawData, 2) => {
                return Err(
                    "contains untyped entries of two bytes, possibly bfloat16, which NumPy does not support; save it as .safetensors"
                        .to_owned(),
                );
            }
            _ => return Dtype::of_npy(entry).map(Self::Float).ok_or_else(|| refused(&format!("'{entry}'"))),
        };
        Ok(Self::Integer(integer))
    }

    pub(super) fn of_tensor(tensor: Tensor) -> Result<Self, String> {
        let integer = match tensor {
            Tensor::I8 => IntegerType::I8,
            Tensor::U8 => IntegerType::U8,
            Tensor::I16 => IntegerType::I16,
            Tensor::I32 => IntegerType::I32,
            _ => return Dtype::of_tensor(tensor).map(Self::Float).ok_or_else(|| refused(&tensor.to_string())),
        };
        Ok(Self::Integer(integer))
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
