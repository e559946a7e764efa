//! The parts of a file, and what is known before its entries are computed.

use std::io::{self, Write};
use std::path::Path;

use posenc_text::rows::Rows;

use crate::element::Stored;

/// What a failure says of a name for the table of a file without names.
pub(crate) const UNNAMED: &str = "which contains a single unnamed table; leave out --name";

/// What is known of a file before its entries are computed.
pub struct Facts<'a> {
    /// The numbers of rows and columns.
    pub shape: [usize; 2],
    /// Whether the one row is a vector, which has one dimension in files that store their shape.
    pub is_vector: bool,
    /// The macro call that makes the same table, or what a vector is.
    pub call: &'a str,
    /// The name of the table, if it is given.
    pub name: Option<&'a str>,
    /// The path of the file, which need not exist. It gives source code the name of the table.
    pub output: &'a Path,
}

impl Facts<'_> {
    /// Returns the shape of the array in a file that stores it.
    pub(super) fn dimensions(&self) -> &[usize] {
        if self.is_vector { &self.shape[1..] } else { &self.shape }
    }

    /// Fails if the array is a vector, whose rows source code would have.
    pub(super) fn refuse_vector(&self) -> Result<(), String> {
        if self.is_vector {
            let sentence = "frequencies are written to .npy, .safetensors, .csv and .bin files only";
            return Err(format!("`{}` is source code, but {sentence}", self.output.display()));
        }
        Ok(())
    }

    /// Fails if a name is given, which a file of this kind would not contain.
    pub(super) fn refuse_name(&self, kind: &str) -> Result<(), String> {
        match self.name {
            Some(_) => Err(format!("`{}` is a .{kind} file, {UNNAMED}", self.output.display())),
            None => Ok(()),
        }
    }
}

/// The parts of a file: what is around the rows, and how a row is written.
pub struct Parts<T> {
    /// What is before the rows.
    pub before: Vec<u8>,
    /// Appends a row to what is there.
    pub append_row: fn(&[T], &mut Vec<u8>) -> io::Result<()>,
    /// What is after the rows.
    pub after: &'static str,
}

/// Writes the parts of a file, and the rows as they are computed. Returns the number of bytes.
///
/// `report` is called with the size of the entries that have been written since.
///
/// # Errors
///
/// Returns the error of a write.
pub fn write<T: Stored>(
    parts: &Parts<T>,
    table: &Rows<T>,
    file: &mut impl Write,
    mut report: impl FnMut(usize),
) -> io::Result<usize> {
    file.write_all(&parts.before)?;
    let mut written = parts.before.len() + parts.after.len();
    let mut line = Vec::new();
    table.for_each_piece(|entries| {
        for row in entries.chunks_exact(table.shape()[1]) {
            line.clear();
            (parts.append_row)(row, &mut line)?;
            file.write_all(&line)?;
            written += line.len();
        }
        report(size_of_val(entries));
        io::Result::Ok(())
    })?;
    file.write_all(parts.after.as_bytes())?;
    Ok(written)
}

/// Returns whether the path means stdout.
#[must_use]
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// Appends a row of an array in source code, in several lines if it is long.
pub(super) fn append_array<T: Copy>(
    row: &[T],
    [open, close]: [char; 2],
    literal: fn(T, &mut Vec<u8>) -> io::Result<()>,
    code: &mut Vec<u8>,
) -> io::Result<()> {
    const WIDTH: usize = 100;
    let mut line = code.len();
    write!(code, "    {open}")?;
    for (i, entry) in row.iter().enumerate() {
        let start = code.len();
        literal(*entry, code)?;
        let is_full = code.len() + ", ,".len() - line > WIDTH;
        if i > 0 {
            let separator = if is_full { ",\n     " } else { ", " };
            code.splice(start..start, separator.bytes());
            line = if is_full { start + ",\n".len() } else { line };
        }
    }
    writeln!(code, "{close},")
}
