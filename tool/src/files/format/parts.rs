//! The parts of a file, and what is known before its entries are computed.

use std::io::{self, Write};
use std::path::Path;

use crate::files::UNNAMED;
use crate::text::failure::Failure;

/// What is known of a file before its entries are computed.
pub(crate) struct Facts<'a> {
    /// The numbers of rows and columns.
    pub(crate) shape: [usize; 2],
    /// Whether the one row is a vector, which has one dimension in files that store their shape.
    pub(crate) is_vector: bool,
    /// The macro call that makes the same table, or what a vector is.
    pub(crate) call: &'a str,
    /// The name of the table, if it is given.
    pub(crate) name: Option<&'a str>,
    pub(crate) output: &'a Path,
}

impl Facts<'_> {
    /// Returns the shape of the array in a file that stores it.
    pub(super) fn dimensions(&self) -> &[usize] {
        if self.is_vector { &self.shape[1..] } else { &self.shape }
    }

    /// Fails if the array is a vector, whose rows source code would have.
    pub(super) fn refuse_vector(&self) -> Result<(), Failure> {
        if self.is_vector {
            let sentence = "frequencies are written to .npy, .safetensors, .csv and .bin files only";
            return Err(Failure::new(format_args!("`{}` is source code, but {sentence}", self.output.display())));
        }
        Ok(())
    }

    /// Fails if a name is given, which a file of this kind would not contain.
    pub(super) fn refuse_name(&self, kind: &str) -> Result<(), Failure> {
        match self.name {
            Some(_) => Err(Failure::new(format_args!("`{}` is a .{kind} file, {UNNAMED}", self.output.display()))),
            None => Ok(()),
        }
    }
}

/// The parts of a file: what is around the rows, and how a row is written.
pub(crate) struct Parts<T> {
    pub(crate) before: Vec<u8>,
    pub(crate) append_row: fn(&[T], &mut Vec<u8>) -> io::Result<()>,
    pub(crate) after: &'static str,
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
