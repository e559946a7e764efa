//! The header of a .safetensors file.

use std::fmt::Write as _;
use std::rc::Rc;

use ::safetensors::tensor::{Metadata, TensorInfo};

use super::bytes::Bytes;
use super::file_type;
use super::sentences::with_suffix;
use super::shape::{As, no_table, squeezed};
use super::table::{Content, Layout, Tabular};

/// The longest header of a .safetensors file, a limit of the format.
const MAX_HEADER: u64 = 100_000_000;

/// The header of a file, with the bytes that follow it. They are read only as they are needed, because a checkpoint may
/// have many gigabytes.
pub(super) struct Header {
    bytes: Rc<Bytes>,
    /// The place of the first byte of the first tensor.
    start: u64,
    metadata: Metadata,
    /// The names of the tensors in the order of their bytes.
    names: Vec<String>,
}

impl Header {
    pub(super) fn read(bytes: Bytes) -> Result<Self, String> {
        let size = bytes.len();
        if size < 8 {
            return Err("is damaged: the length of its header is incomplete".to_owned());
        }
        let length = u64::from_le_bytes(bytes.read(0, 8)?.try_into().expect("there are 8 bytes"));
        if length > MAX_HEADER || length + 8 > size {
            return Err(format!(
                "is damaged: the length of its header is {length}, but the length of the file is {size}"
            ));
        }
        let header = bytes.read(8, usize::try_from(length).unwrap_or(usize::MAX))?;
        let metadata: Metadata = serde_json::from_slice(&header).map_err(|error| format!("is damaged: {error}"))?;
        let data_len = metadata.data_len() as u64;
        let has = size - 8 - length;
        if data_len != has {
            return Err(format!("is damaged: the size of its data is {has} bytes, but its tensors take {data_len}"));
        }
        let names = metadata.offset_keys();
        Ok(Self { bytes: Rc::new(bytes), start: 8 + length, metadata, names })
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the table with this name, or the only one.
    pub(super) fn table(&self, name: Option<&str>) -> Result<Content, String> {
        let Some(name) = name else { return self.only_table() };
        self.get(name, squeezed)?.map_err(|reason| format!("has the tensor `{name}`, which {reason}"))
    }

    /// Returns the tensor with this name.
    pub(super) fn get(&self, name: &str, read_as: As) -> Result<Tabular, String> {
        let info = self.metadata.info(name).ok_or_else(|| {
            let names: Vec<_> = self.names.iter().map(String::as_str).collect();
            let hint = with_suffix(name, &names);
            format!("has no tensor `{name}`{hint}; its tensors are {}", self.names_and_shapes(|_| true))
        })?;
        Ok(layout_as(info, read_as).map(|layout| self.content(info, layout)))
    }

    /// Returns whether several tensors have rows and columns, or none of some has.
    pub(super) fn are_several(&self) -> bool {
        let tensors = self.metadata.tensors();
        tensors.len() > 1 && tensors.values().filter(|info| is_shaped(info)).count() != 1
    }

    fn only_table(&self) -> Result<Content, String> {
        if let [name] = self.names() {
            return self.table(Some(name));
        }
        let tensors = self.metadata.tensors();
        let is_table = self.is_table();
        let mut tables = tensors.values().filter(|info| is_table(info));
        match (tables.next(), tables.next()) {
            (Some(&info), None) => layout(info).map(|layout| self.content(info, layout)),
            (None, _) if tensors.is_empty() => Err("has no tensors".to_owned()),
            (None, _) => Err(format!(
                "has no tensor that can be a table, with numbers in rows and columns; its tensors are {}",
                self.names_and_shapes(|_| true)
            )),
            _ => Err(format!(
                "has several tensors that can be a table; choose one with --name: {}",
                self.names_and_shapes(is_table)
            )),
        }
    }

    /// Returns which tensors can be tables. Integers in a file with floats are something else, such as indices.
    fn is_table(&self) -> impl Fn(&TensorInfo) -> bool + use<> {
        let is_float = |info: &TensorInfo| layout(info).is_ok_and(|layout| layout.dtype.float().is_some());
        let has_floats = self.metadata.tensors().values().any(|info| is_shaped(info) && is_float(info));
        move |info| is_shaped(info) && (is_float(info) || !has_floats)
    }

    /// Returns the bytes of a tensor. The format has been checked: there are as many as its entries have.
    fn content(&self, info: &TensorInfo, layout: Layout) -> Content {
        Content { bytes: Rc::clone(&self.bytes), start: self.start + info.data_offsets.0 as u64, layout }
    }

    /// Lists up to 20 tensors with their types and shapes. Those whose names suggest positions come first.
    fn names_and_shapes(&self, wanted: impl Fn(&TensorInfo) -> bool) -> String {
        const SHOWN: usize = 20;
        let mut tensors: Vec<_> = self.metadata.tensors().into_iter().filter(|(_, info)| wanted(info)).collect();
        tensors.sort_by_cached_key(|(name, _)| (!name.to_lowercase().contains("pos"), name.clone()));
        let mut text = String::new();
        for (i, (name, info)) in tensors.iter().take(SHOWN).enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(text, "{comma}`{name}` {} {:?}", info.dtype, info.shape).expect("writing to a String succeeds");
        }
        if tensors.len() > SHOWN {
            write!(text, " and {} more", tensors.len() - SHOWN).expect("writing to a String succeeds");
        }
        text
    }
}

fn is_shaped(info: &TensorInfo) -> bool {
    layout(info).is_ok_and(|layout| layout.shape[0] > 0)
}

fn layout(info: &TensorInfo) -> Result<Layout, String> {
    layout_as(info, squeezed)
}

fn layout_as(info: &TensorInfo, read_as: As) -> Result<Layout, String> {
    let dtype = file_type::of_tensor(info.dtype)?;
    let shape = read_as(&info.shape).ok_or_else(|| no_table(&info.shape))?;
    Ok(Layout { dtype, big_endian: false, by_columns: false, shape })
}
