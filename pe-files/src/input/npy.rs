//! The header of a .npy file.

use std::rc::Rc;

use npyz::{DType, Endianness, NpyHeader, Order};

use super::file_type;
use super::shape::{As, no_table};
use super::table::{Content, Layout, Tabular};
use crate::source::{Source, read};

/// The longest supported header of a .npy file, which is the limit of `numpy.load`.
const MAX_NPY_HEADER: usize = 10_000;

/// The number of bytes in which a header ends.
pub(super) const MOST_START: u64 = MAX_NPY_HEADER as u64 + 12;

/// Reads the header at the start of a .npy file. Returns where the header ends, or why it does not describe a table.
pub(super) fn header(start: &[u8], read_as: As) -> Result<Result<(usize, Layout), String>, String> {
    let end = npy_header_end(start)?;
    let header = NpyHeader::from_reader(&start[..end]).map_err(|error| format!("is damaged: {error}"))?;
    Ok(npy_layout(&header, read_as).map(|layout| (end, layout)))
}

/// Finds the table in a .npy file.
pub(super) fn table(bytes: Rc<dyn Source>, read_as: As) -> Result<Tabular, String> {
    let most = bytes.size().min(MOST_START);
    let start = read(&*bytes, 0, usize::try_from(most).unwrap_or(usize::MAX))?;
    let (end, layout) = match header(&start, read_as)? {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    let (has, [seq_len, d_model]) = (bytes.size() - end as u64, layout.shape);
    if layout.bytes() != Some(has) {
        let dtype = layout.dtype.name();
        return Err(format!(
            "is damaged: the size of its data is {has} bytes, which does not fit {seq_len} x {d_model} {dtype} entries"
        ));
    }
    Ok(Ok(Content { bytes, start: end as u64, layout }))
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

fn npy_layout(header: &NpyHeader, read_as: As) -> Result<Layout, String> {
    let shape = header.shape();
    let DType::Plain(entry) = header.dtype() else {
        return Err(format!("contains records of type {}, but must contain numbers", header.dtype().descr()));
    };
    Ok(Layout {
        dtype: file_type::of_npy(&entry)?,
        big_endian: entry.endianness() == Endianness::Big,
        by_columns: header.order() == Order::Fortran,
        shape: read_as(shape).ok_or_else(|| no_table(shape))?,
    })
}
