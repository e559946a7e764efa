//! Reads a table from a .npy, .npz or .safetensors file. Files are untrusted input, so everything in them is checked.

mod bytes;
mod file_type;
mod npy;
mod npz;
mod safetensors;

use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;
pub(crate) use file_type::{FileType, IntegerType};
use posenc::__private::names::Listed;

use crate::args::FileArgs;
use crate::entry::{Dtype, Entry, Found, with_entry};
use crate::failure::Failure;
use crate::format::UNNAMED;
use crate::open;

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

/// The element type, order and shape of the entries in a file.
struct Layout {
    dtype: FileType,
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

/// A table in a file, of which rows are read.
pub(crate) struct Table {
    /// The name of the file, for messages.
    path: PathBuf,
    content: Content,
}

/// Where the entries of a table are.
struct Content {
    bytes: Bytes,
    /// The place of the first entry.
    start: u64,
    layout: Layout,
}

/// The number of bytes that are read at once.
const PIECE: usize = 1 << 20;

impl Table {
    /// Finds the table in a file.
    pub(crate) fn open(args: &FileArgs) -> Result<Self, Failure> {
        let path = &args.file;
        let told = |error: String| failure(path, &error);
        let file = open::open(path).map_err(|error| told(format!("cannot be opened: {error}")))?;
        let bytes = Bytes::of(file).map_err(told)?;
        let magic = bytes.read(0, usize::try_from(bytes.len().min(9)).unwrap_or(0)).map_err(told)?;
        let found = match kind(path, &magic).map_err(told)? {
            Kind::Npy if args.name.is_some() => Err(format!("is a .npy file, {UNNAMED}")),
            Kind::Npy => npy::table(bytes),
            Kind::Npz => npz::array(bytes, args.name.as_deref()).and_then(npy::table),
            Kind::Safetensors => safetensors::table(bytes, args.name.as_deref()),
        };
        found.map_err(told).map(|content| Self { path: path.clone(), content })
    }

    pub(crate) fn dtype(&self) -> FileType {
        self.content.layout.dtype
    }

    /// Returns the type of the entries, if they are floats.
    pub(crate) fn float(&self) -> Result<Dtype, Failure> {
        match self.dtype() {
            FileType::Float(dtype) => Ok(dtype),
            FileType::Integer(_) => {
                Err(failure(&self.path, "contains integers, but must contain f16, bf16, f32 or f64"))
            }
        }
    }

    /// Returns the numbers of rows and columns.
    pub(crate) fn shape(&self) -> [usize; 2] {
        self.content.layout.shape
    }

    /// Returns the ranges of rows that are read at once, to read all.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let Layout { dtype, by_columns, shape: [seq_len, d_model], .. } = self.content.layout;
        // A piece of rows is a small part of each column, so the pieces are larger.
        let bytes = if by_columns { 64 * PIECE } else { PIECE };
        let rows = (bytes / dtype.size() / d_model).max(1);
        (0..seq_len).step_by(rows).map(move |first| first..seq_len.min(first + rows))
    }

    /// Reads the entries of consecutive rows, of the type that the table has.
    pub(crate) fn rows<T: Entry>(&self, rows: Range<usize>) -> Result<Vec<T>, Failure> {
        self.decoded(rows, T::decode)
    }

    /// Reads all entries, of the type that the table has.
    fn matrix<T: Entry>(&self) -> Result<Matrix<T>, Failure> {
        let mut entries = Vec::new();
        for rows in self.pieces() {
            entries.append(&mut self.rows(rows)?);
        }
        Ok(Matrix { entries, d_model: self.content.layout.shape[1] })
    }

    /// Reads the entries of consecutive rows, given how bytes in little-endian order are decoded.
    pub(crate) fn decoded<T: Copy>(&self, rows: Range<usize>, decode: fn(&[u8]) -> Vec<T>) -> Result<Vec<T>, Failure> {
        self.content.rows(rows, decode).map_err(|error| failure(&self.path, &error))
    }
}

impl Content {
    fn rows<T: Copy>(&self, rows: Range<usize>, decode: fn(&[u8]) -> Vec<T>) -> Result<Vec<T>, String> {
        let [seq_len, d_model] = self.layout.shape;
        let size = self.layout.dtype.size();
        let place = |entry: usize| self.start + (entry * size) as u64;
        let mut bytes = vec![0; rows.len() * d_model * size];
        if self.layout.by_columns {
            for (j, column) in bytes.chunks_mut((rows.len() * size).max(1)).enumerate() {
                self.bytes.fill(place(j * seq_len + rows.start), column)?;
            }
        } else {
            self.bytes.fill(place(rows.start * d_model), &mut bytes)?;
        }
        if self.layout.big_endian {
            bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        }
        let entries = decode(&bytes);
        if !self.layout.by_columns {
            return Ok(entries);
        }
        let count = rows.len();
        let row = |i: usize| (0..d_model).map(move |j| j * count + i);
        Ok((0..count).flat_map(row).map(|place| entries[place]).collect())
    }
}

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

enum Kind {
    Npy,
    Npz,
    Safetensors,
}

/// What to do with a file of another format.
const SAVE: &str = "save the tensor with safetensors.torch.save_file or numpy.save";

fn kind(path: &Path, magic: &[u8]) -> Result<Kind, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match magic {
        [] => Err(format!("is empty; {SAVE}")),
        [b'\x93', b'N', b'U', b'M', b'P', b'Y', ..] => Ok(Kind::Npy),
        [b'P', b'K', ..] => Ok(Kind::Npz),
        [b'G', b'G', b'U', b'F', ..] => Err(format!("is a GGUF file, which is not read; {SAVE}")),
        [b'\x80', 2..=5, ..] => Err(format!("is a Python pickle, which could run code; {SAVE}")),
        [.., b'{'] if magic.len() == 9 => Ok(Kind::Safetensors),
        _ if ending.eq_ignore_ascii_case("safetensors") => Ok(Kind::Safetensors),
        _ => Err(format!("is neither a .npy, a .npz nor a .safetensors file; {SAVE}")),
    }
}

fn no_table(shape: &[usize]) -> String {
    let others = if shape.len() > 2 { "; other axes must have length 1" } else { "" };
    format!("has shape {shape:?}, but must have rows and columns, [n, d]{others}")
}

/// Says which names end with the one that is written, as those within a larger model do.
fn with_suffix(written: &str, names: &[&str]) -> String {
    const SHOWN: usize = 3;
    let suffix = format!(".{written}");
    let longer: Vec<_> = names.iter().copied().filter(|name| name.ends_with(&suffix)).take(SHOWN).collect();
    if longer.is_empty() { String::new() } else { format!(" (did you mean {}?)", Listed(&longer)) }
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
