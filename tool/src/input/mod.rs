//! Reads a table from a .npy, .npz or .safetensors file. Files are untrusted input, so everything in them is checked.

mod bytes;
pub(crate) mod checkpoint;
mod file_type;
mod npy;
mod npz;
mod safetensors;
mod table;
mod tensors;

use std::path::Path;

use posenc::MAX_D_MODEL;
pub(crate) use table::Table;
pub(crate) use tensors::Tensors;

use crate::args::FileArgs;
use crate::entry::{Found, with_entry};
use crate::failure::Failure;
use crate::text::listed;

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

    /// Returns row `i`. Panics if there is no such row.
    #[must_use]
    pub fn row(&self, i: usize) -> &[T] {
        &self.entries[i * self.d_model..][..self.d_model]
    }
}

/// What to do with a file of another format.
const SAVE: &str = "save the tensor with safetensors.torch.save_file or numpy.save";

fn failure(path: &Path, error: &str) -> Failure {
    Failure::new(format_args!("`{}` {error}", path.display()))
}

/// Reads the table in a file.
///
/// # Errors
///
/// If the file cannot be read or contains no table, or if it contains several and no name is given.
pub fn read(args: &FileArgs) -> Result<Found, Failure> {
    let table = Table::open(args)?;
    with_entry!(table.float()?, T => table.matrix::<T>().map(Found::from))
}

fn no_table(shape: &[usize]) -> String {
    if let Some(columns) = shape.last().filter(|&&columns| columns > MAX_D_MODEL) {
        return format!("has {columns} columns, but a table has at most {MAX_D_MODEL}");
    }
    let others = if shape.len() > 2 { "; other axes must have length 1" } else { "" };
    format!("has shape {shape:?}, but must have rows and columns, [n, d]{others}")
}

/// Says which names end with the one that is written, as those within a larger model do.
fn with_suffix(written: &str, names: &[&str]) -> String {
    const SHOWN: usize = 3;
    let suffix = format!(".{written}");
    let longer: Vec<_> = names.iter().copied().filter(|name| name.ends_with(&suffix)).take(SHOWN).collect();
    if longer.is_empty() { String::new() } else { format!(" (did you mean {}?)", listed(&longer)) }
}

/// Returns the numbers of rows and columns if all other axes have length 1.
fn squeezed(shape: &[usize]) -> Option<[usize; 2]> {
    let (&last, others) = shape.split_last()?;
    let long: Vec<_> = others.iter().copied().filter(|&n| n != 1).collect();
    let [seq_len, d_model] = match *long.as_slice() {
        _ if others.is_empty() => return None,
        [] => [1, last],
        [seq_len] => [seq_len, last],
        [seq_len, d_model] if last == 1 => [seq_len, d_model],
        _ => return None,
    };
    (1..=MAX_D_MODEL).contains(&d_model).then_some([seq_len, d_model])
}
