//! Computes a table by calling the runtime crate, and lays it out as the target will read it.

use posenc_runtime::{Element, SpecError};

use crate::spec::{Dtype, Request};

/// The bytes of the table, row by row, in the byte order of the target. The request was checked: only memory can be wanting.
pub(crate) fn evaluate(request: &Request, big_endian: bool) -> Result<Vec<u8>, SpecError> {
    match (request.shape.dtype, big_endian) {
        (Dtype::F32, false) => bytes(request, f32::to_le_bytes),
        (Dtype::F32, true) => bytes(request, f32::to_be_bytes),
        (Dtype::F64, false) => bytes(request, f64::to_le_bytes),
        (Dtype::F64, true) => bytes(request, f64::to_be_bytes),
    }
}

fn bytes<T: Element, const SIZE: usize>(
    request: &Request,
    to_bytes: fn(T) -> [u8; SIZE],
) -> Result<Vec<u8>, SpecError> {
    let table = request.spec.table(request.shape.seq_len)?;
    let mut bytes = Vec::with_capacity(SIZE * table.as_slice().len());
    for &entry in table.as_slice() {
        bytes.extend_from_slice(&to_bytes(entry));
    }
    Ok(bytes)
}
