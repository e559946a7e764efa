//! Reads a table from a .npy or .safetensors file. Files are untrusted input, so everything in them is checked.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};
use safetensors::tensor::{Metadata, TensorInfo};

use crate::args::FileArgs;
use crate::entry::{Dtype, Entry, Found, with_entry};
use crate::failure::Failure;
use crate::format::UNNAMED;

/// The entries of a table, row by row.
pub struct Matrix<T> {
    /// All entries.
    pub entries: Vec<T>,
    /// Columns, at least 1.
    pub d_model: usize,
}

impl<T> Matrix<T> {
    /// Returns the number of rows.
    #[must_use]
    pub fn seq_len(&self) -> usize {
        self.entries.len() / self.d_model
    }

    /// Returns the entries of consecutive rows. Panics if there are no such rows.
    pub(crate) fn rows(&self, rows: Range<usize>) -> &[T] {
        &self.entries[rows.start * self.d_model..rows.end * self.d_model]
    }

    /// Returns row `i`. Panics if there is no such row.
    #[must_use]
    pub fn row(&self, i: usize) -> &[T] {
        &self.entries[i * self.d_model..][..self.d_model]
    }
}

/// The element type, order and shape of the entries in a file.
struct Layout {
    dtype: Dtype,
    big_endian: bool,
    /// Whether the entries are in column-major (Fortran) order.
    by_columns: bool,
    shape: [usize; 2],
}

impl Layout {
    /// Returns the size of the entries in bytes.
    fn bytes(&self) -> Option<u64> {
        let [seq_len, d_model] = self.shape;
        seq_len.checked_mul(d_model)?.checked_mul(self.dtype.size()).map(|bytes| bytes as u64)
    }
}

/// Reads the table in a file.
///
/// # Errors
///
/// If the file cannot be read or contains no table, or if it contains several and no name is given.
pub fn read(args: &FileArgs) -> Result<Found, Failure> {
    let path = &args.file;
    let told = |error: String| Failure::new(format_args!("`{}` {error}", path.display()));
    let mut file = File::open(path).map_err(|error| told(format!("cannot be opened: {error}")))?;
    let mut magic = Vec::new();
    let started = file.by_ref().take(9).read_to_end(&mut magic);
    started.map_err(|error| told(format!("cannot be read: {error}")))?;
    let found = match kind(path, &magic).map_err(told)? {
        Kind::Npy if args.name.is_some() => Err(format!("is a .npy file, {UNNAMED}")),
        Kind::Npy => read_npy(magic, file),
        Kind::Safetensors => read_safetensors(&magic, file, args.name.as_deref()),
    };
    found.map_err(told)
}

enum Kind {
    Npy,
    Safetensors,
}

fn kind(path: &Path, magic: &[u8]) -> Result<Kind, String> {
    const SAVE: &str = "save the tensor with safetensors.torch.save_file or numpy.save";
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match magic {
        [] => Err(format!("is empty; {SAVE}")),
        [b'\x93', b'N', b'U', b'M', b'P', b'Y', ..] => Ok(Kind::Npy),
        [b'P', b'K', ..] => Err(format!("is an archive, such as .npz or PyTorch's .pt; {SAVE}")),
        [b'\x80', 2..=5, ..] => Err(format!("is a Python pickle, which could run code; {SAVE}")),
        [.., b'{'] if magic.len() == 9 => Ok(Kind::Safetensors),
        _ if ending.eq_ignore_ascii_case("safetensors") => Ok(Kind::Safetensors),
        _ => Err(format!("is neither a .npy nor a .safetensors file; {SAVE}")),
    }
}

/// The longest supported header of a .npy file, which is the limit of `numpy.load`.
const MAX_NPY_HEADER: usize = 10_000;

fn read_npy(mut bytes: Vec<u8>, mut rest: File) -> Result<Found, String> {
    let unread = |error| format!("cannot be read: {error}");
    rest.by_ref().take(MAX_NPY_HEADER as u64 + 12).read_to_end(&mut bytes).map_err(unread)?;
    let end = npy_header_end(&bytes)?;
    let (header, _) = bytes.split_at(end);
    let header = NpyHeader::from_reader(header).map_err(|error| format!("is damaged: {error}"))?;
    let layout = npy_layout(&header)?;
    let mut data = bytes.split_off(end);
    // Reads up to one byte beyond the table, to detect trailing data.
    let missing = layout.bytes().unwrap_or(u64::MAX).saturating_sub(data.len() as u64);
    rest.take(missing.saturating_add(1)).read_to_end(&mut data).map_err(unread)?;
    with_entry!(layout.dtype, T => decode::<T>(&data, &layout))
}

/// Returns the end of the header.
///
/// It rejects headers that the parser cannot handle, because the parser recurses into brackets and multiplies the axes
/// unchecked.
fn npy_header_end(bytes: &[u8]) -> Result<usize, String> {
    let truncated = || "is damaged: the header is incomplete".to_owned();
    let (start, length) = match bytes.get(6) {
        Some(1) => (10, bytes.get(8..10).map(|length| usize::from(u16::from_le_bytes([length[0], length[1]])))),
        Some(_) => (12, bytes.get(8..12).and_then(|length| length.try_into().ok()).map(to_usize)),
        None => (0, None),
    };
    let length = length.ok_or_else(truncated)?;
    if length > MAX_NPY_HEADER {
        return Err(format!("is damaged: the length of its header is {length}, but must be at most {MAX_NPY_HEADER}"));
    }
    let text = bytes.get(start..start + length).ok_or_else(truncated)?;
    let digits = text.split(|byte| !byte.is_ascii_digit()).map(<[u8]>::len).sum::<usize>();
    let brackets = text.iter().filter(|byte| matches!(byte, b'(' | b'[' | b'{')).count();
    // A number of 19 digits fits into 64 bits. So does the product of numbers with 19 digits in total.
    if digits > 19 || brackets > 8 {
        return Err("has a header that does not describe a table".to_owned());
    }
    Ok(start + length)
}

fn to_usize(bytes: [u8; 4]) -> usize {
    usize::try_from(u32::from_le_bytes(bytes)).unwrap_or(usize::MAX)
}

fn npy_layout(header: &NpyHeader) -> Result<Layout, String> {
    let shape: Vec<usize> = header.shape().iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect();
    let DType::Plain(entry) = header.dtype() else {
        return Err(format!("contains records of type {}, but must contain floats", header.dtype().descr()));
    };
    let dtype = match (Dtype::of_npy(&entry), entry.type_char(), entry.size_field()) {
        (Some(dtype), ..) => dtype,
        (None, TypeChar::RawData, 2) => {
            return Err(
                "contains untyped entries of two bytes, possibly bfloat16, which NumPy does not support; save it as .safetensors"
                    .to_owned(),
            );
        }
        _ => return Err(format!("contains entries of type '{entry}', but must contain f16, f32 or f64; convert it")),
    };
    Ok(Layout {
        dtype,
        big_endian: entry.endianness() == Endianness::Big,
        by_columns: header.order() == Order::Fortran,
        shape: squeezed(&shape).ok_or_else(|| no_table(&shape))?,
    })
}

fn no_table(shape: &[usize]) -> String {
    format!("has shape {shape:?}, but must have rows and columns, [n, d]; other axes must have length 1")
}

/// Returns the numbers of rows and columns if all other axes have length 1.
fn squeezed(shape: &[usize]) -> Option<[usize; 2]> {
    let (&d_model, others) = shape.split_last()?;
    if others.is_empty() || d_model == 0 {
        return None;
    }
    let mut long = others.iter().copied().filter(|&n| n != 1);
    let seq_len = long.next().unwrap_or(1);
    if long.next().is_some() { None } else { Some([seq_len, d_model]) }
}

/// Decodes the entries in `bytes`, row by row.
fn decode<T: Entry>(bytes: &[u8], layout: &Layout) -> Result<Found, String>
where
    Found: From<Matrix<T>>,
{
    let [seq_len, d_model] = layout.shape;
    let needed = seq_len.checked_mul(d_model).and_then(|entries| entries.checked_mul(size_of::<T>()));
    if needed != Some(bytes.len()) {
        let (dtype, len) = (T::DTYPE, bytes.len());
        return Err(format!(
            "is damaged: the size of its data is {len} bytes, which does not fit {seq_len} x {d_model} {dtype} entries"
        ));
    }
    let mut entries = if layout.big_endian {
        let turned = bytes.chunks_exact(size_of::<T>()).flat_map(|entry| entry.iter().rev().copied());
        T::decode(&turned.collect::<Vec<_>>())
    } else {
        T::decode(bytes)
    };
    if layout.by_columns {
        let row = |i: usize| (0..d_model).map(move |j| i + j * seq_len);
        entries = (0..seq_len).flat_map(row).map(|place| entries[place]).collect();
    }
    Ok(Matrix { entries, d_model }.into())
}

/// The longest header of a .safetensors file, a limit of the format.
const MAX_HEADER: u64 = 100_000_000;

/// Reads one tensor only, because a checkpoint may have many gigabytes.
fn read_safetensors(start: &[u8], mut file: File, name: Option<&str>) -> Result<Found, String> {
    let unread = |error: std::io::Error| format!("cannot be read: {error}");
    let length = start.get(..8).and_then(|length| length.try_into().ok()).map(u64::from_le_bytes);
    let length = length.ok_or("is damaged: the length of its header is incomplete")?;
    let facts = file.metadata().map_err(unread)?;
    if !facts.is_file() {
        return Err("is not a regular file, which is required to read a single tensor; save it as one".to_owned());
    }
    let size = facts.len();
    if length > MAX_HEADER || length + 8 > size {
        return Err(format!("is damaged: the length of its header is {length}, but the length of the file is {size}"));
    }
    file.seek(SeekFrom::Start(8)).map_err(unread)?;
    let mut header = Vec::new();
    file.by_ref().take(length).read_to_end(&mut header).map_err(unread)?;
    let metadata: Metadata = serde_json::from_slice(&header).map_err(|error| format!("is damaged: {error}"))?;
    let data_len = metadata.data_len() as u64;
    if 8 + length + data_len != size {
        let has = size - 8 - length;
        return Err(format!("is damaged: the size of its data is {has} bytes, but its tensors take {data_len}"));
    }
    let (info, layout) = chosen(&metadata, name)?;
    let (from, to) = info.data_offsets;
    file.seek(SeekFrom::Start(8 + length + from as u64)).map_err(unread)?;
    let mut bytes = Vec::new();
    file.take((to - from) as u64).read_to_end(&mut bytes).map_err(unread)?;
    with_entry!(layout.dtype, T => decode::<T>(&bytes, &layout))
}

fn chosen<'a>(metadata: &'a Metadata, name: Option<&str>) -> Result<(&'a TensorInfo, Layout), String> {
    let tensors = metadata.tensors();
    if let Some(name) = name {
        let Some(info) = tensors.get(name) else {
            return Err(format!("has no tensor `{name}`; its tensors are {}", names_and_shapes(metadata, |_| true)));
        };
        let layout = layout(info).map_err(|error| format!("has the tensor `{name}`, which {error}"))?;
        return Ok((info, layout));
    }
    let is_table = |info: &TensorInfo| layout(info).is_ok_and(|layout| layout.shape[0] > 0);
    let mut tables = tensors.values().filter(|info| is_table(info));
    match (tables.next(), tables.next()) {
        (Some(&info), None) => layout(info).map(|layout| (info, layout)),
        (None, _) if tensors.is_empty() => Err("has no tensors".to_owned()),
        (None, _) => Err(format!(
            "has no tensor that can be a table, with floats in rows and columns; its tensors are {}",
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
    let dtype = Dtype::of_tensor(other)
        .ok_or_else(|| format!("contains entries of type {other}, but must contain f16, bf16, f32 or f64"))?;
    let shape = squeezed(&info.shape).ok_or_else(|| no_table(&info.shape))?;
    Ok(Layout { dtype, big_endian: false, by_columns: false, shape })
}

/// Lists up to 20 tensors with their shapes. Those whose names suggest positions come first.
fn names_and_shapes(metadata: &Metadata, wanted: impl Fn(&TensorInfo) -> bool) -> String {
    const SHOWN: usize = 20;
    let mut tensors: Vec<_> = metadata.tensors().into_iter().filter(|(_, info)| wanted(info)).collect();
    tensors.sort_by_cached_key(|(name, _)| (!name.to_lowercase().contains("pos"), name.clone()));
    let mut text = String::new();
    for (i, (name, info)) in tensors.iter().take(SHOWN).enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        write!(text, "{comma}`{name}` {:?}", info.shape).expect("writing to a String succeeds");
    }
    if tensors.len() > SHOWN {
        write!(text, " and {} more", tensors.len() - SHOWN).expect("writing to a String succeeds");
    }
    text
}
