//! The header of a .safetensors file.

use std::fmt::Write as _;
use std::rc::Rc;

use super::file_type;
use super::metadata::{Info, Metadata};
use super::sentences::with_suffix;
use super::shape::{As, no_table, squeezed};
use super::table::{Content, Layout, Tabular};
use crate::source::{Source, read};

/// The longest header of a .safetensors file, a limit of the format.
const MAX_HEADER: u64 = 100_000_000;

/// The header of a file, with the bytes that follow it. They are read only as they are needed, because a checkpoint may
/// have many gigabytes.
pub(super) struct Header {
    bytes: Rc<dyn Source>,
    /// The place of the first byte of the first tensor.
    start: u64,
    metadata: Metadata,
}

impl Header {
    pub(super) fn of(bytes: Rc<dyn Source>) -> Result<Self, String> {
        let size = bytes.size();
        if size < 8 {
            return Err("is damaged: the length of its header is incomplete".to_owned());
        }
        let length = u64::from_le_bytes(read(&*bytes, 0, 8)?.try_into().expect("there are 8 bytes"));
        if length > MAX_HEADER || length + 8 > size {
            return Err(format!(
                "is damaged: the length of its header is {length}, but the length of the file is {size}"
            ));
        }
        let header = read(&*bytes, 8, usize::try_from(length).unwrap_or(usize::MAX))?;
        let metadata = Metadata::read(&header).map_err(|error| format!("is damaged: {error}"))?;
        let data_size = metadata.data_size();
        let has = size - 8 - length;
        if data_size != has {
            return Err(format!("is damaged: the size of its data is {has} bytes, but its tensors take {data_size}"));
        }
        Ok(Self { bytes, start: 8 + length, metadata })
    }

    /// Returns the number of tensors.
    pub(super) fn len(&self) -> usize {
        self.metadata.tensors().len()
    }

    /// Returns the name of a tensor. They are in the order of their bytes.
    pub(super) fn name(&self, i: usize) -> &str {
        &self.metadata.tensors()[i].name
    }

    /// Returns the table with this name, or the only one.
    pub(super) fn table(&self, name: Option<&str>) -> Result<Content, String> {
        let Some(name) = name else { return self.only_table() };
        self.named(name, squeezed)?.map_err(|reason| format!("has the tensor `{name}`, which {reason}"))
    }

    /// Returns a tensor.
    pub(super) fn get(&self, i: usize, read_as: As) -> Tabular {
        let info = &self.metadata.tensors()[i];
        layout_as(info, read_as).map(|layout| self.content(info, layout))
    }

    /// Returns the tensor with this name.
    fn named(&self, name: &str, read_as: As) -> Result<Tabular, String> {
        let info = self.metadata.get(name).ok_or_else(|| {
            let names: Vec<_> = self.metadata.tensors().iter().map(|info| &*info.name).collect();
            let hint = with_suffix(name, &names);
            format!("has no tensor `{name}`{hint}; its tensors are {}", self.names_and_shapes(|_| true))
        })?;
        Ok(layout_as(info, read_as).map(|layout| self.content(info, layout)))
    }

    /// Returns whether there are several tensors, and not exactly one has rows and columns.
    pub(super) fn are_several(&self) -> bool {
        let tensors = self.metadata.tensors();
        tensors.len() > 1 && tensors.iter().filter(|info| is_shaped(info)).count() != 1
    }

    fn only_table(&self) -> Result<Content, String> {
        let tensors = self.metadata.tensors();
        if let [info] = tensors {
            return self.table(Some(&info.name));
        }
        let is_table = self.is_table();
        let mut tables = tensors.iter().filter(|info| is_table(info));
        match (tables.next(), tables.next()) {
            (Some(info), None) => layout(info).map(|layout| self.content(info, layout)),
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
    fn is_table(&self) -> impl Fn(&Info) -> bool + use<> {
        let is_float = |info: &Info| layout(info).is_ok_and(|layout| layout.dtype.float().is_some());
        let has_floats = self.metadata.tensors().iter().any(|info| is_shaped(info) && is_float(info));
        move |info| is_shaped(info) && (is_float(info) || !has_floats)
    }

    /// Returns the bytes of a tensor. The format has been checked: there are as many as its entries have.
    fn content(&self, info: &Info, layout: Layout) -> Content {
        Content { bytes: Rc::clone(&self.bytes), start: self.start + info.start(), layout }
    }

    /// Lists up to 20 tensors with their types and shapes. Those whose names suggest positions come first.
    fn names_and_shapes(&self, wanted: impl Fn(&Info) -> bool) -> String {
        const SHOWN: usize = 20;
        let mut tensors: Vec<_> = self.metadata.tensors().iter().filter(|info| wanted(info)).collect();
        tensors.sort_by_cached_key(|info| (!info.name.to_lowercase().contains("pos"), &info.name));
        let mut text = String::new();
        for (i, info) in tensors.iter().take(SHOWN).enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(text, "{comma}`{}` {} {:?}", info.name, info.dtype, info.shape)
                .expect("writing to a String succeeds");
        }
        if tensors.len() > SHOWN {
            write!(text, " and {} more", tensors.len() - SHOWN).expect("writing to a String succeeds");
        }
        text
    }
}

fn is_shaped(info: &Info) -> bool {
    layout(info).is_ok_and(|layout| layout.shape[0] > 0)
}

fn layout(info: &Info) -> Result<Layout, String> {
    layout_as(info, squeezed)
}

fn layout_as(info: &Info, read_as: As) -> Result<Layout, String> {
    let dtype = file_type::of_tensor(info.dtype)?;
    let shape = read_as(&info.shape).ok_or_else(|| no_table(&info.shape))?;
    Ok(Layout { dtype, big_endian: false, by_columns: false, shape })
}
