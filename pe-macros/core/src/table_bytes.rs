//! Computes a table by calling the runtime crate, and lays it out as the target will read it.

use posenc_runtime::{Bf16Bits, Element, F16Bits, Spec, SpecError, as_bytes};

use crate::dtype::Dtype;

/// Hands the bytes of the table to `emit`, row by row, in the byte order of the target. The spec has been checked.
pub(crate) fn table_bytes<R>(
    (spec, seq_len, dtype): (&Spec, usize, Dtype),
    big_endian: bool,
    emit: impl FnOnce(&[u8]) -> R,
) -> Result<R, SpecError> {
    match dtype {
        Dtype::F32 => bytes::<f32, R>(spec, seq_len, big_endian, emit),
        Dtype::F64 => bytes::<f64, R>(spec, seq_len, big_endian, emit),
        Dtype::F16 | Dtype::F16Bits => bytes::<F16Bits, R>(spec, seq_len, big_endian, emit),
        Dtype::Bf16 | Dtype::Bf16Bits => bytes::<Bf16Bits, R>(spec, seq_len, big_endian, emit),
    }
}

fn bytes<T: Element, R>(
    spec: &Spec,
    seq_len: usize,
    big_endian: bool,
    emit: impl FnOnce(&[u8]) -> R,
) -> Result<R, SpecError> {
    let table = spec.table::<T>(seq_len)?;
    let bytes = as_bytes(table.as_slice());
    if big_endian == cfg!(target_endian = "big") {
        return Ok(emit(bytes));
    }
    let mut swapped = bytes.to_vec();
    for entry in swapped.chunks_exact_mut(size_of::<T>()) {
        entry.reverse();
    }
    Ok(emit(&swapped))
}
