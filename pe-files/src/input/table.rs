//! A table in a file, of which rows are read.

use std::io;
use std::ops::Range;
use std::rc::Rc;

use posenc_identify::{ElementType, FloatType, Rows};

use crate::element::Stored;
use crate::source::{Source, fill};

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
        let [seq_len, d_model] = self.shape.map(|count| count as u64);
        seq_len.checked_mul(d_model)?.checked_mul(self.dtype.size() as u64)
    }
}

/// A table in a file, of which rows are read.
pub struct Table {
    /// The name of the file, for messages.
    file: String,
    content: Content,
}

/// Where the entries of a table are.
pub(super) struct Content {
    /// The bytes of the file, which other tensors may share.
    pub(super) bytes: Rc<dyn Source>,
    /// The place of the first entry.
    pub(super) start: u64,
    pub(super) layout: Layout,
}

/// The table in a tensor, or why the tensor is not a table. An error in the file itself is a separate one.
pub(super) type Tabular = Result<Content, String>;

/// The number of bytes that are read at once.
const PIECE: usize = 1 << 20;

impl Table {
    /// Returns the table in a file with this name.
    pub(super) fn new(file: &str, content: Content) -> Self {
        Self { file: file.to_owned(), content }
    }

    /// Returns the type of the entries.
    #[must_use]
    pub fn dtype(&self) -> ElementType {
        self.content.layout.dtype
    }

    /// Returns the type of the entries, which must be floats.
    ///
    /// # Errors
    ///
    /// Returns an error if they are not.
    pub fn float(&self) -> Result<FloatType, String> {
        self.dtype().float().ok_or_else(|| self.failure("contains integers, but must contain f16, bf16, f32 or f64"))
    }

    /// Returns the numbers of rows and columns.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        self.content.layout.shape
    }

    /// Returns the ranges of rows that are read at once, to read all.
    pub fn pieces(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let ([seq_len, _], rows) = (self.shape(), self.rows_at_once());
        (0..seq_len).step_by(rows).map(move |first| first..seq_len.min(first + rows))
    }

    /// Reads the entries of consecutive rows, of the type that the table has.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be read.
    pub fn rows<T: Stored>(&self, rows: Range<usize>) -> Result<Vec<T>, String> {
        let bytes = self.content.block(rows, 0..self.content.layout.shape[1]).map_err(|error| self.failure(&error))?;
        Ok(T::decode(&bytes))
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    fn failure(&self, error: &str) -> String {
        format!("`{}` {error}", self.file)
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
        // A tensor may have more bytes than the machine has addresses.
        let place =
            |row: usize, of: usize, column: usize| self.start + (row as u64 * of as u64 + column as u64) * size as u64;
        let mut bytes = vec![0; rows.len() * columns.len() * size];
        if by_columns {
            let mut column = vec![0; rows.len() * size];
            for (j, index) in columns.clone().enumerate() {
                fill(&*self.bytes, place(index, seq_len, rows.start), &mut column)?;
                for (i, entry) in column.chunks_exact(size).enumerate() {
                    bytes[(i * columns.len() + j) * size..][..size].copy_from_slice(entry);
                }
            }
        } else if columns.len() == d_model {
            fill(&*self.bytes, place(rows.start, d_model, 0), &mut bytes)?;
        } else {
            for (i, row) in rows.clone().zip(bytes.chunks_mut((columns.len() * size).max(1))) {
                fill(&*self.bytes, place(i, d_model, columns.start), row)?;
            }
        }
        if big_endian {
            bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        }
        Ok(bytes)
    }
}
