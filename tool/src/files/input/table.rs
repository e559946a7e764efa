//! A table in a file, of which rows are read.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use posenc_identify::{ElementType, FloatType, Rows};

use super::bytes::Bytes;
use super::sentences::failure;
use crate::element::Stored;
use crate::text::failure::Failure;

/// The element type, order and shape of the entries in a file.
pub(super) struct Layout {
    pub(super) dtype: ElementType,
    pub(super) big_endian: bool,
    /// Whether the entries are in column-major (Fortran) order.
    pub(super) by_columns: bool,
    pub(super) shape: [usize; 2],
}

impl Layout {
    /// Returns the size of the entries in bytes.
    pub(super) fn bytes(&self) -> Option<u64> {
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
pub(super) struct Content {
    /// The bytes of the file, which other tensors may share.
    pub(super) bytes: Rc<Bytes>,
    /// The place of the first entry.
    pub(super) start: u64,
    pub(super) layout: Layout,
}

/// The table that a tensor is, or why it is none. What is wrong with the file is another error.
pub(super) type Tabular = Result<Content, String>;

/// The number of bytes that are read at once.
const PIECE: usize = 1 << 20;

impl Table {
    /// Returns the table in a file with this name.
    pub(super) fn new(path: &Path, content: Content) -> Self {
        Self { path: path.to_owned(), content }
    }

    pub(crate) fn dtype(&self) -> ElementType {
        self.content.layout.dtype
    }

    /// Returns the type of the entries, if they are floats.
    pub(crate) fn float(&self) -> Result<FloatType, Failure> {
        self.dtype().float().ok_or_else(|| self.failure("contains integers, but must contain f16, bf16, f32 or f64"))
    }

    /// Returns the numbers of rows and columns.
    pub(crate) fn shape(&self) -> [usize; 2] {
        self.content.layout.shape
    }

    /// Returns the ranges of rows that are read at once, to read all.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let ([seq_len, _], rows) = (self.shape(), self.rows_at_once());
        (0..seq_len).step_by(rows).map(move |first| first..seq_len.min(first + rows))
    }

    /// Reads the entries of consecutive rows, of the type that the table has.
    pub(crate) fn rows<T: Stored>(&self, rows: Range<usize>) -> Result<Vec<T>, Failure> {
        let bytes = self.content.block(rows, 0..self.content.layout.shape[1]).map_err(|error| self.failure(&error))?;
        Ok(T::decode(&bytes))
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns an error message about the file.
    pub(crate) fn failure(&self, error: &str) -> Failure {
        failure(&self.path, error)
    }
}

impl Rows for Table {
    fn shape(&self) -> [usize; 2] {
        self.content.layout.shape
    }

    fn element_type(&self) -> ElementType {
        self.content.layout.dtype
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>) -> io::Result<Vec<u8>> {
        self.content.block(rows, columns).map_err(|error| io::Error::other(self.failure(&error)))
    }

    fn rows_at_once(&self) -> usize {
        let Layout { dtype, by_columns, shape: [_, d_model], .. } = self.content.layout;
        // A piece of rows is a small part of each column, so the pieces are larger.
        let bytes = if by_columns { 64 * PIECE } else { PIECE };
        (bytes / dtype.size() / d_model).max(1)
    }
}

impl Content {
    /// Reads the bytes of consecutive rows in consecutive columns, row by row, in little-endian order.
    fn block(&self, rows: Range<usize>, columns: Range<usize>) -> Result<Vec<u8>, String> {
        let Layout { dtype, big_endian, by_columns, shape: [seq_len, d_model] } = self.layout;
        let size = dtype.size();
        let place = |entry: usize| self.start + (entry * size) as u64;
        let mut bytes = vec![0; rows.len() * columns.len() * size];
        if by_columns {
            let mut column = vec![0; rows.len() * size];
            for (j, index) in columns.clone().enumerate() {
                self.bytes.fill(place(index * seq_len + rows.start), &mut column)?;
                for (i, entry) in column.chunks_exact(size).enumerate() {
                    bytes[(i * columns.len() + j) * size..][..size].copy_from_slice(entry);
                }
            }
        } else if columns.len() == d_model {
            self.bytes.fill(place(rows.start * d_model), &mut bytes)?;
        } else {
            for (i, row) in rows.clone().zip(bytes.chunks_mut((columns.len() * size).max(1))) {
                self.bytes.fill(place(i * d_model + columns.start), row)?;
            }
        }
        if big_endian {
            bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        }
        Ok(bytes)
    }
}
