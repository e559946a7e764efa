//! The header of a .safetensors file.

use std::fmt::Write as _;

use ::safetensors::tensor::{Metadata, TensorInfo};

use super::bytes::Bytes;
use super::{Content, FileType, Layout, no_table, squeezed, with_suffix};

/// The longest header of a .safetensors file, a limit of the format.
const MAX_HEADER: u64 = 100_000_000;

/// Finds the table in a .safetensors file. It reads the header only, because a checkpoint may have many gigabytes.
pub(super) fn table(bytes: Bytes, name: Option<&str>) -> Result<Content, String> {
    let size = bytes.len();
    if size < 8 {
        return Err("is damaged: the length of its header is incomplete".to_owned());
    }
    let length = u64::from_le_bytes(bytes.read(0, 8)?.try_into().expect("there are 8 bytes"));
    if length > MAX_HEADER || length + 8 > size {
        return Err(format!("is damaged: the length of its header is {length}, but the length of the file is {size}"));
    }
    let header = bytes.read(8, usize::try_from(length).unwrap_or(usize::MAX))?;
    let metadata: Metadata = serde_json::from_slice(&header).map_err(|error| format!("is damaged: {error}"))?;
    let data_len = metadata.data_len() as u64;
    if 8 + length + data_len != size {
        let has = size - 8 - length;
        return Err(format!("is damaged: the size of its data is {has} bytes, but its tensors take {data_len}"));
    }
    let (info, layout) = chosen(&metadata, name)?;
    // The format has been checked: the tensor has as many bytes as its entries.
    let start = 8 + length + info.data_offsets.0 as u64;
    Ok(Content { bytes, start, layout })
}

fn chosen<'a>(metadata: &'a Metadata, name: Option<&str>) -> Result<(&'a TensorInfo, Layout), String> {
    let tensors = metadata.tensors();
    if let Some(name) = name {
        let Some(info) = tensors.get(name) else {
            let names: Vec<_> = tensors.keys().map(String::as_str).collect();
            let (hint, all) = (with_suffix(name, &names), names_and_shapes(metadata, |_| true));
            return Err(format!("has no tensor `{name}`{hint}; its tensors are {all}"));
        };
        let layout = layout(info).map_err(|error| format!("has the tensor `{name}`, which {error}"))?;
        return Ok((info, layout));
    }
    let is_shaped = |info: &TensorInfo| layout(info).is_ok_and(|layout| layout.shape[0] > 0);
    let is_float = |info: &TensorInfo| layout(info).is_ok_and(|layout| layout.dtype.is_float());
    // Integers in a file with floats are something else, such as indices.
    let has_floats = tensors.values().any(|info| is_shaped(info) && is_float(info));
    let is_table = |info: &TensorInfo| is_shaped(info) && (is_float(info) || !has_floats);
    let mut tables = tensors.values().filter(|info| is_table(info));
    match (tables.next(), tables.next()) {
        (Some(&info), None) => layout(info).map(|layout| (info, layout)),
        (None, _) if tensors.is_empty() => Err("has no tensors".to_owned()),
        (None, _) => Err(format!(
            "has no tensor that can be a table, with numbers in rows and columns; its tensors are {}",
            names_and_shapes(metadata, |_| true)
        )),
        _ => Err(format!(
            "has several tensors that can be a table; choose one with --name: {}",
            names_and_shapes(metadata, is_table)
        )),
    }
}

fn layout(info: &TensorInfo) -> Result<Layout, String> {
    let other = info.dtype;
    let dtype = FileType::of_tensor(other).ok_or_else(|| {
        format!("contains entries of type {other}, but must contain f16, bf16, f32, f64, i8, u8, i16 or i32")
    })?;
    let shape = squeezed(&info.shape).ok_or_else(|| no_table(&info.shape))?;
    Ok(Layout { dtype, big_endian: false, by_columns: false, shape })
}

/// Lists up to 20 tensors with their types and shapes. Those whose names suggest positions come first.
fn names_and_shapes(metadata: &Metadata, wanted: impl Fn(&TensorInfo) -> bool) -> String {
    const SHOWN: usize = 20;
    let mut tensors: Vec<_> = metadata.tensors().into_iter().filter(|(_, info)| wanted(info)).collect();
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
