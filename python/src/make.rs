//! Tables of requests: new ones, or in arrays of the caller's.

use std::sync::Arc;

use posenc::Element;
use posenc_identify::Dtype;
use posenc_text::request::Request;
use posenc_text::rows::Rows;
use posenc_text::with_stored;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::array::{Array, Target};
use crate::compute::{Progress, fill, first_piece};
use crate::dtype::in_memory;
use crate::errors::{type_error, value_error, wrong_type};
use crate::table::{Table, allocated};

/// What is made of requests: all rows, or those at some positions.
pub(crate) struct Maker<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) dtype: Dtype,
    pub(crate) positions: Option<&'a [f64]>,
    pub(crate) out: Option<&'a Bound<'py, PyAny>>,
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
}

impl<'py> Maker<'_, 'py> {
    /// Returns the table of a request, or writes it to `out` and returns that.
    pub(crate) fn one(&self, request: &Arc<Request>) -> PyResult<Bound<'py, PyAny>> {
        let mut progress = Progress::new(self.progress, 1)?;
        let Some(out) = self.out else { return self.table(request, &mut progress)?.into_bound_py_any(self.py) };
        let mut target = self.target(request, out, "out")?;
        self.write(request, &mut target, &mut progress)?;
        Ok(out.clone())
    }

    /// Returns the tables of two requests, or writes them to `out` and returns that.
    pub(crate) fn pair(&self, [cos, sin]: &[Arc<Request>; 2]) -> PyResult<Bound<'py, PyAny>> {
        let mut progress = Progress::new(self.progress, 2)?;
        let Some(out) = self.out else {
            let cos = self.table(cos, &mut progress)?;
            return (cos, self.table(sin, &mut progress)?).into_bound_py_any(self.py);
        };
        let arrays = out.cast::<PyTuple>().ok().filter(|tuple| tuple.len() == 2);
        let arrays = arrays.ok_or_else(|| {
            wrong_type("out", out, "a tuple of two arrays, for the cosines and the sines, or `packing` must be set")
        })?;
        // Both are checked before either is written to.
        let mut of_cos = self.target(cos, &arrays.get_item(0)?, "out[0]")?;
        let mut of_sin = self.target(sin, &arrays.get_item(1)?, "out[1]")?;
        let (first, second) = (of_cos.addresses(), of_sin.addresses());
        if first.start < second.end && second.start < first.end {
            return Err(value_error("`out` has two arrays that share memory, but each needs its own"));
        }
        self.write(cos, &mut of_cos, &mut progress)?;
        self.write(sin, &mut of_sin, &mut progress)?;
        Ok(out.clone())
    }

    fn table(&self, request: &Arc<Request>, progress: &mut Progress<'_, '_>) -> PyResult<Table> {
        with_stored!(self.dtype, T => {
            let rows = self.rows::<T>(request)?;
            let mut memory = allocated(&rows.shape(), rows.bytes(), self.dtype)?;
            self.fill(request, &rows, memory.entries_mut::<T>(), progress)?;
            let shape = rows.shape().to_vec();
            Ok(match self.positions {
                Some(_) => Table::described(memory, shape, self.dtype, rows.call()),
                None => Table::requested(memory, shape, self.dtype, request),
            })
        })
    }

    /// Returns an array of the caller's for the table of a request.
    fn target(&self, request: &Request, out: &Bound<'_, PyAny>, name: &str) -> PyResult<Target> {
        let shape = with_stored!(self.dtype, T => self.rows::<T>(request)?.shape());
        Array::writable(out, name, in_memory(self.dtype), &shape)
    }

    fn write(&self, request: &Request, target: &mut Target, progress: &mut Progress<'_, '_>) -> PyResult<()> {
        with_stored!(self.dtype, T => {
            self.fill(request, &self.rows::<T>(request)?, target.entries_mut::<T>(), progress)
        })
    }

    fn rows<'r, T: Element>(&'r self, request: &'r Request) -> PyResult<Rows<'r, T>> {
        let Some(positions) = self.positions else { return request.rows().map_err(value_error) };
        for key in ["start", "step", "zero_row"] {
            if request.given.has(key) {
                return Err(type_error(format!("`{key}` does not apply to positions that are given; leave it out")));
            }
        }
        request.rows_at(positions).map_err(value_error)
    }

    fn fill<T: Element>(
        &self,
        request: &Request,
        rows: &Rows<'_, T>,
        entries: &mut [T],
        progress: &mut Progress<'_, '_>,
    ) -> PyResult<()> {
        let first = first_piece(request, entries.len(), self.positions.unwrap_or_default());
        fill(self.py, rows, entries, progress, first)
    }
}
