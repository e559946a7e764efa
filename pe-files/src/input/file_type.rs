//! The types of the entries of a file.

use npyz::{TypeChar, TypeStr};
use posenc_identify::ElementType;
use safetensors::Dtype as Tensor;

use crate::element::{float_of_npy, float_of_tensor};

/// Says why the entries of a type that has no `ElementType` are not read.
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

/// Returns the type of the entries of a .npy file.
pub(super) fn of_npy(entry: &TypeStr) -> Result<ElementType, String> {
    match (entry.type_char(), entry.size_field()) {
        (TypeChar::Int, 1) => Ok(ElementType::I8),
        (TypeChar::Uint, 1) => Ok(ElementType::U8),
        (TypeChar::Int, 2) => Ok(ElementType::I16),
        (TypeChar::Int, 4) => Ok(ElementType::I32),
        (TypeChar::Int, 8) => Err(refused("int64")),
        (TypeChar::Uint, 8) => Err(refused("uint64")),
        (TypeChar::RawData, 2) => Err(
            "contains untyped entries of two bytes, possibly bfloat16, which NumPy does not support; save it as .safetensors"
                .to_owned(),
        ),
        _ => float_of_npy(entry).map(ElementType::Float).ok_or_else(|| refused(&format!("'{entry}'"))),
    }
}

/// Returns the type of the entries of a tensor.
pub(super) fn of_tensor(tensor: Tensor) -> Result<ElementType, String> {
    match tensor {
        Tensor::I8 => Ok(ElementType::I8),
        Tensor::U8 => Ok(ElementType::U8),
        Tensor::I16 => Ok(ElementType::I16),
        Tensor::I32 => Ok(ElementType::I32),
        _ => float_of_tensor(tensor).map(ElementType::Float).ok_or_else(|| refused(&tensor.to_string())),
    }
}
