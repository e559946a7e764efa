//! Tables of requests: new ones, or in arrays of the caller's.

use std::sync::Arc;

use posenc_identify::Dtype;
use posenc_text::request::Request;
use posenc_text::with_stored;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::array::{Array, Target};
use crate::compute::{Pace, Progress, fill};
use crate::dtype::in_memory;
use crate::errors::{type_error, value_error, wrong_type};
use crate::table::{Table, allocated};

/// Returns the rows of a request at some positions, or writes them to an array of the caller's and returns that.
pub(crate) fn at<'py>(
    py: Python<'py>,
    request: &Request,
    positions: &[f64],
    dtype: Dtype,
    out: Option<(&Bound<'py, PyAny>, &str)>,
    progress: &mut Progress<'_, '_>,
) -> PyResult<Bound<'py, PyAny>> {
    for key in ["start", "step", "zero_row"] {
        if request.given.has(key) {
            return Err(type_error(format!("`{key}` does not apply to positions that are given; leave it out")));
        }
    }
    with_stored!(dtype, T => {
        let rows = request.rows_at::<T>(positions).map_err(value_error)?;
        let pace = Pace::of(request, positions);
        if let Some((out, name)) = out {
            let mut target = Array::writable(out, name, in_memory(dtype), &rows.shape())?;
            fill(py, &rows, target.entries_mut::<T>(), progress, pace)?;
            return Ok(out.clone());
        }
        let mut memory = allocated(&rows.shape(), rows.bytes(), dtype)?;
        fill(py, &rows, memory.entries_mut::<T>(), progress, pace)?;
        Table::filled(memory, rows.shape().to_vec(), dtype, rows.call()).into_bound_py_any(py)
    })
}

/// Returns the two arrays that `out` should be.
pub(crate) fn two_arrays<'py>(out: &Bound<'py, PyAny>) -> PyResult<[Bound<'py, PyAny>; 2]> {
    let arrays = out.cast::<PyTuple>().ok().filter(|tuple| tuple.len() == 2);
    let arrays = arrays.ok_or_else(|| {
        wrong_type("out", out, "a tuple of two arrays, for the cosines and the sines, or `packing` must be set")
    })?;
    Ok([arrays.get_item(0)?, arrays.get_item(1)?])
}

/// Returns the table of a request, or writes it to `out` and returns that.
pub(crate) fn one<'py>(
    py: Python<'py>,
    request: &Arc<Request>,
    dtype: Dtype,
    out: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut progress = Progress::new(progress, 1)?;
    match out {
        None => Table::of(py, request, dtype, &mut progress)?.into_bound_py_any(py),
        Some(out) => {
            let mut target = target(request, dtype, out, "out")?;
            write(py, request, dtype, &mut target, &mut progress)?;
            Ok(out.clone())
        }
    }
}

/// Returns the tables of two requests, or writes them to `out` and returns that.
pub(crate) fn pair<'py>(
    py: Python<'py>,
    [cos, sin]: &[Arc<Request>; 2],
    dtype: Dtype,
    out: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut progress = Progress::new(progress, 2)?;
    let Some(out) = out else {
        let cos = Table::of(py, cos, dtype, &mut progress)?;
        return (cos, Table::of(py, sin, dtype, &mut progress)?).into_bound_py_any(py);
    };
    let arrays = two_arrays(out)?;
    // Both are checked before either is written to.
    let mut of_cos = target(cos, dtype, &arrays[0], "out[0]")?;
    let mut of_sin = target(sin, dtype, &arrays[1], "out[1]")?;
    let (first, second) = (of_cos.addresses(), of_sin.addresses());
    if first.start < second.end && second.start < first.end {
        return Err(value_error("`out` has two arrays that share memory, but each needs its own"));
    }
    write(py, cos, dtype, &mut of_cos, &mut progress)?;
    write(py, sin, dtype, &mut of_sin, &mut progress)?;
    Ok(out.clone())
}

/// Returns an array of the caller's for the table of a request.
fn target(request: &Request, dtype: Dtype, out: &Bound<'_, PyAny>, name: &str) -> PyResult<Target> {
    let shape = with_stored!(dtype, T => request.rows::<T>().map_err(value_error)?.shape());
    Array::writable(out, name, in_memory(dtype), &shape)
}

/// Writes the table of a request to an array of the caller's.
fn write(
    py: Python<'_>,
    request: &Request,
    dtype: Dtype,
    target: &mut Target,
    progress: &mut Progress<'_, '_>,
) -> PyResult<()> {
    with_stored!(dtype, T => {
        let rows = request.rows::<T>().map_err(value_error)?;
        fill(py, &rows, target.entries_mut::<T>(), progress, Pace::of(request, &[]))
    })
}
