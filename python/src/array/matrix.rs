//! Arrays as rows and columns.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::input::Array;
use super::layout::tuple;

impl Array {
    /// Returns the array as a matrix, with the numbers of its rows and columns. A vector is one row.
    pub(crate) fn into_matrix(mut self, argument: &str) -> PyResult<(Self, [usize; 2])> {
        if let [columns] = *self.layout.shape {
            self.layout.shape.insert(0, 1);
            self.layout.strides.insert(0, 0);
            return Ok((self, [1, columns]));
        }
        match self.rows_and_columns() {
            Some((rows, columns)) => Ok((self, [rows, columns])),
            None => Err(PyValueError::new_err(format!(
                "`{argument}` has the shape {}, but must have rows and columns, after axes of length 1 at most",
                tuple(&self.layout.shape)
            ))),
        }
    }
}
