//! Computes a table by calling the runtime crate, and lays it out as the target will read it.

use posenc_runtime::{Bf16Bits, Element, F16Bits, SpecError};

use crate::dtype::Dtype;
use crate::spec::Request;

/// The bytes of the table, row by row, in the byte order of the target. The request has been checked.
pub(crate) fn evaluate(request: &Request, big_endian: bool) -> Result<Vec<u8>, SpecError> {
    match (request.shape.dtype, big_endian) {
        (Dtype::F32, false) => bytes(request, f32::to_le_bytes),
        (Dtype::F32, true) => bytes(request, f32::to_be_bytes),
        (Dtype::F64, false) => bytes(request, f64::to_le_bytes),
        (Dtype::F64, true) => bytes(request, f64::to_be_bytes),
        (Dtype::F16 | Dtype::F16Bits, false) => bytes(request, |F16Bits(bits)| bits.to_le_bytes()),
        (Dtype::F16 | Dtype::F16Bits, true) => bytes(request, |F16Bits(bits)| bits.to_be_bytes()),
        (Dtype::Bf16 | Dtype::Bf16Bits, false) => bytes(request, |Bf16Bits(bits)| bits.to_le_bytes()),
        (Dtype::Bf16 | Dtype::Bf16Bits, true) => bytes(request, |Bf16Bits(bits)| bits.to_be_bytes()),
    }
}

fn bytes<T: Element, const SIZE: usize>(
    request: &Request,
    to_bytes: fn(T) -> [u8; SIZE],
) -> Result<Vec<u8>, SpecError> {
    // Not `Spec::table`: the runtime crate's feature for it would be on for the target too, where cargo's resolver 1 unites them.
    let mut entries = vec![T::default(); request.shape.seq_len * request.shape.d_model];
    request.spec.fill(0.., &mut entries)?;
    let mut bytes = Vec::with_capacity(SIZE * entries.len());
    for entry in entries {
        bytes.extend_from_slice(&to_bytes(entry));
    }
    Ok(bytes)
}
