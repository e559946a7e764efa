//! Reads a table from a .npy, .npz or .safetensors file. Files are untrusted input, so everything in them is checked.

mod bytes;
pub(crate) mod checkpoint;
mod file_type;
mod npy;
mod npz;
mod safetensors;
mod sentences;
mod shape;
mod table;
mod tensors;

use std::path::Path;

use posenc_identify::Rows;

use crate::text::failure::Failure;

pub(crate) use table::Table;
pub(crate) use tensors::Tensors;

/// The entries of a table.
pub struct TableBytes {
    /// The numbers of rows and columns.
    pub shape: [usize; 2],
    /// The size of an entry in bytes.
    pub size: usize,
    /// All entries, row by row, in little-endian order.
    pub bytes: Vec<u8>,
}

/// Reads the table in a file.
///
/// # Errors
///
/// If the file cannot be read or contains no table, or if it contains several and no name is given.
pub fn read(path: &Path, name: Option<&str>) -> Result<TableBytes, Failure> {
    let table = Table::open(path, name)?;
    let shape @ [_, d_model] = table.shape();
    let mut bytes = Vec::new();
    for rows in table.pieces() {
        bytes.append(&mut table.read(rows, 0..d_model).map_err(Failure::new)?);
    }
    Ok(TableBytes { shape, size: table.dtype().size(), bytes })
}
