//! Files that hold the bytes of the entries: .npy, .safetensors and raw ones.

use std::collections::HashMap;

use npyz::WriterBuilder;
use safetensors::tensor::{Metadata, TensorInfo};

use super::parts::{Facts, Parts};
use crate::element::Stored;

/// The name of a tensor if none is given.
const TENSOR: &str = "pe";

/// Returns the parts of a file with a header.
fn with_header<T: Stored>(header: Vec<u8>) -> Parts<T> {
    let append_row = |row: &[T], bytes: &mut Vec<u8>| {
        for entry in row {
            entry.append(bytes);
        }
        Ok(())
    };
    Parts { before: header, append_row, after: "" }
}

pub(super) fn raw<T: Stored>(facts: &Facts) -> Result<Parts<T>, String> {
    facts.refuse_name("bin")?;
    Ok(with_header(Vec::new()))
}

pub(super) fn npy<T: Stored>(facts: &Facts) -> Result<Parts<T>, String> {
    facts.refuse_name("npy")?;
    let Some(dtype) = T::npy() else {
        return Err(format!(
            "NumPy has no {}, so a .npy file cannot contain it; write a .safetensors or .bin file, or use another --dtype",
            T::DTYPE
        ));
    };
    let shape: Vec<u64> = facts.dimensions().iter().map(|&n| n as u64).collect();
    let options = npyz::WriteOptions::new_header_only().dtype(dtype).shape(&shape);
    options.writer(Vec::new()).write_header_only().map(with_header).map_err(|error| error.to_string())
}

pub(super) fn safetensors<T: Stored>(facts: &Facts) -> Result<Parts<T>, String> {
    let name = facts.name.unwrap_or(TENSOR);
    if name == "__metadata__" {
        return Err("the tensor name `__metadata__` is reserved by the format; use another --name".to_owned());
    }
    let bytes = facts.shape[0] * facts.shape[1] * size_of::<T>();
    let tensor = TensorInfo { dtype: T::TENSOR, shape: facts.dimensions().to_vec(), data_offsets: (0, bytes) };
    let described = HashMap::from([("posenc".to_owned(), facts.call.to_owned())]);
    let metadata =
        Metadata::new(Some(described), vec![(name.to_owned(), tensor)]).map_err(|error| error.to_string())?;
    let mut text = serde_json::to_vec(&metadata).map_err(|error| error.to_string())?;
    // The format requires aligned entries.
    text.resize(text.len().next_multiple_of(8), b' ');
    Ok(with_header([&(text.len() as u64).to_le_bytes(), text.as_slice()].concat()))
}
