//! What is said of several tensors together.

use std::fmt::{self, Display, Formatter};

use crate::words::counted;

/// How many of some tensors are tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// The number of files.
    pub files: usize,
    /// The number of all tensors.
    pub tensors: usize,
    /// The number of tensors with rows and columns of numbers.
    pub matrices: usize,
    /// The number of tables.
    pub tables: usize,
    /// The number of matrices that are nearly tables.
    pub near: usize,
    /// The number of vectors of frequencies.
    pub vectors: usize,
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { files, tensors, matrices, tables, near, vectors } = *self;
        let of = if matrices == 1 { "matrix" } else { "matrices" };
        write!(f, "tables: {tables} of {matrices} {of} in {}", counted(files, "file"))?;
        if near > 0 {
            write!(f, ", {near} nearly")?;
        }
        if vectors > 0 {
            write!(f, ", and {} of frequencies", counted(vectors, "vector"))?;
        }
        let others = tensors - matrices - vectors;
        if others > 0 {
            write!(f, ", beside {}", counted(others, "other tensor"))?;
        }
        if matrices == 0 {
            f.write_str("; a matrix has floats of 16 to 64 bits, or integers of 8 to 32 bits, in rows and columns")?;
        }
        Ok(())
    }
}
