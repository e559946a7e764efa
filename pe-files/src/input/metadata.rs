//! What the header of a .safetensors file says of its tensors.
//!
//! The crate `safetensors` stores shapes and offsets as `usize`. In WebAssembly a `usize` has 32 bits, but a
//! checkpoint may be larger than 4 GiB.

use std::collections::HashMap;

use ::safetensors::{Dtype, SafeTensorError};
use serde::Deserialize;

/// The tensors of a file, in the order of their bytes.
pub(super) struct Metadata {
    tensors: Vec<Info>,
    /// The number of each tensor.
    numbers: HashMap<String, usize>,
}

/// A tensor.
#[derive(Deserialize)]
pub(super) struct Info {
    #[serde(skip)]
    pub(super) name: String,
    pub(super) dtype: Dtype,
    pub(super) shape: Vec<u64>,
    /// The places of its first byte and of the one after its last, after the header.
    data_offsets: (u64, u64),
}

/// The text of a header.
#[derive(Deserialize)]
struct Header {
    #[serde(rename = "__metadata__")]
    _metadata: Option<HashMap<String, String>>,
    #[serde(flatten)]
    tensors: HashMap<String, Info>,
}

impl Metadata {
    /// Reads the text of a header.
    pub(super) fn read(header: &[u8]) -> Result<Self, String> {
        let Header { tensors, .. } = serde_json::from_slice(header).map_err(|error| error.to_string())?;
        let mut tensors: Vec<_> = tensors.into_iter().map(|(name, info)| Info { name, ..info }).collect();
        tensors.sort_by(|one, other| (one.data_offsets, &one.name).cmp(&(other.data_offsets, &other.name)));
        let mut end = 0;
        for info in &tensors {
            end = info.end_after(end).map_err(|error| error.to_string())?;
        }
        let numbers = tensors.iter().map(|info| info.name.clone()).zip(0..).collect();
        Ok(Self { tensors, numbers })
    }

    pub(super) fn tensors(&self) -> &[Info] {
        &self.tensors
    }

    pub(super) fn get(&self, name: &str) -> Option<&Info> {
        self.numbers.get(name).map(|&i| &self.tensors[i])
    }

    /// Returns the number of bytes after the header.
    pub(super) fn data_size(&self) -> u64 {
        self.tensors.last().map_or(0, |info| info.data_offsets.1)
    }
}

impl Info {
    /// Returns the place of the first byte after the header.
    pub(super) fn start(&self) -> u64 {
        self.data_offsets.0
    }

    /// Returns the end of its bytes, if they begin at the end of those before and are as many as its entries have.
    fn end_after(&self, before: u64) -> Result<u64, SafeTensorError> {
        let (start, end) = self.data_offsets;
        if start != before || end < start {
            return Err(SafeTensorError::InvalidOffset(self.name.clone()));
        }
        let entries = self.shape.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
        let bits = entries.and_then(|entries| entries.checked_mul(self.dtype.bitsize() as u64));
        match bits.ok_or(SafeTensorError::ValidationOverflow)? {
            bits if bits % 8 != 0 => Err(SafeTensorError::MisalignedSlice),
            bits if bits / 8 != end - start => Err(SafeTensorError::TensorInvalidInfo),
            _ => Ok(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Metadata;

    fn read(tensors: &str) -> Result<Metadata, String> {
        Metadata::read(format!("{{{tensors}}}").as_bytes())
    }

    fn tensor(name: &str, shape: &[u64], offsets: [u64; 2]) -> String {
        format!(r#""{name}": {{"dtype": "BF16", "shape": {shape:?}, "data_offsets": {offsets:?}}}"#)
    }

    #[test]
    fn tensors_are_in_the_order_of_their_bytes_beyond_32_bits() {
        const LARGE: u64 = 1 << 33;
        let [first, second] = [tensor("b", &[1 << 16, 1 << 16], [0, LARGE]), tensor("a", &[2], [LARGE, LARGE + 4])];
        let found = read(&[second, first, r#""__metadata__": {"by": "test"}"#.to_owned()].join(",")).unwrap();
        assert_eq!(found.tensors().iter().map(|info| &*info.name).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!((found.get("a").unwrap().start(), found.data_size()), (LARGE, LARGE + 4));
        assert!(found.get("c").is_none());
        assert_eq!(read("").unwrap().data_size(), 0);
    }

    #[test]
    fn offsets_must_be_those_of_the_shapes() {
        let error = |tensors: &[String]| read(&tensors.join(",")).err().unwrap();
        assert_eq!(error(&[tensor("a", &[2], [4, 8])]), "invalid offset for tensor `a`");
        assert_eq!(error(&[tensor("a", &[2], [0, 4]), tensor("b", &[2], [2, 6])]), "invalid offset for tensor `b`");
        assert_eq!(error(&[tensor("a", &[2], [0, 6])]), "invalid shape, data type, or offset for tensor");
        let huge = tensor("a", &[1 << 31, 1 << 31, 4], [0, 0]);
        assert_eq!(error(&[huge]), "overflow computing buffer size from shape and/or element type");
        let half = r#""a": {"dtype": "F4", "shape": [3], "data_offsets": [0, 1]}"#.to_owned();
        assert!(error(&[half]).contains("does not end up at a byte boundary"));
        assert!(error(&[r#""a": 1"#.to_owned()]).contains("invalid type"));
    }
}
