//! Comparing two tables, and the class `Report`.

use posenc::half::{bf16, f16};
use posenc::{Element, Flat, Mismatch};
use posenc_text::with_stored;
use pyo3::prelude::*;

use crate::array::{Array, ElementKind, Entry};
use crate::errors::{type_error, value_error};
use crate::table::Table;

/// How a table differs from another one, entry by entry.
#[pyclass(frozen, module = "posenc")]
pub(crate) struct Report {
    /// The number of rows.
    #[pyo3(get)]
    rows: usize,
    /// The number of columns.
    #[pyo3(get)]
    columns: usize,
    /// The number of entries.
    #[pyo3(get)]
    entries: u64,
    /// The number of entries that differ in any bit.
    #[pyo3(get)]
    differing: u64,
    /// The number of entries that are infinite or not a number, in either table.
    #[pyo3(get)]
    not_finite: u64,
    /// Whether all bits are the same.
    #[pyo3(get)]
    identical: bool,
    /// The largest difference in units in the last place, or in steps of integers.
    #[pyo3(get)]
    max_ulps: u64,
    /// The largest difference.
    #[pyo3(get)]
    max_abs_error: f64,
    /// The mean of the differences.
    #[pyo3(get)]
    mean_abs_error: f64,
    /// The row and the column of the largest difference in ulps, or `None` if there is no difference.
    #[pyo3(get)]
    max_ulps_at: Option<(usize, usize)>,
    /// The row and the column of the largest difference, or `None` if there is no difference.
    #[pyo3(get)]
    max_error_at: Option<(usize, usize)>,
    /// The row and the column of the first entry that is not finite, or `None` if all are.
    #[pyo3(get)]
    first_not_finite: Option<(usize, usize)>,
    /// The numbers of entries by their difference: the least ulps, the most, and how many entries there are.
    #[pyo3(get)]
    histogram: Vec<(u64, u64, u64)>,
    text: String,
}

impl Report {
    fn of<T: Element>(report: &posenc::Report<T>) -> Self {
        let at = |mismatch: Option<&Mismatch<T>>| mismatch.map(|mismatch| (mismatch.row, mismatch.column));
        Self {
            rows: report.seq_len(),
            columns: report.d_model(),
            entries: report.entries(),
            differing: report.differing(),
            not_finite: report.not_finite(),
            identical: report.is_identical(),
            max_ulps: report.max_ulps(),
            max_abs_error: report.max_abs_error(),
            mean_abs_error: report.mean_abs_error(),
            max_ulps_at: at(report.max_ulps_at()),
            max_error_at: at(report.max_error_at()),
            first_not_finite: at(report.first_not_finite()),
            histogram: report.histogram().map(|bucket| (bucket.min_ulps, bucket.max_ulps, bucket.count)).collect(),
            text: report.to_string().trim_end().to_owned(),
        }
    }
}

#[pymethods]
impl Report {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let Self { rows, columns, differing, entries, .. } = self;
        format!("<posenc.Report {rows} x {columns}: {differing} of {entries} entries differ>")
    }
}

/// Compares an array or a table with the expected one, bit by bit.
///
/// Args:
///     found: The array in question: of NumPy, PyTorch or JAX, with rows and columns, on the CPU.
///     expected: The table that it should be, with the same shape and dtype.
///
/// Returns:
///     A `Report`: how many entries differ, by how much, and where.
///
/// Raises:
///     TypeError: An argument is not an array, or the dtypes differ.
///     ValueError: The shapes differ.
///
/// Example:
///     >>> import posenc
///     >>> rounded = posenc.encode([0.0, 1.0, 2.0], 4)
///     >>> report = posenc.compare(rounded, posenc.sinusoidal(3, 4))
///     >>> report.identical, report.max_ulps
///     (True, 0)
///     >>> report = posenc.compare(rounded, posenc.sinusoidal(3, 4, base=9999.0))
///     >>> report.differing, report.max_ulps_at
///     (3, (1, 2))
#[pyfunction]
pub(crate) fn compare(py: Python<'_>, found: &Bound<'_, PyAny>, expected: &Bound<'_, PyAny>) -> PyResult<Report> {
    let found = Array::of(found, "found")?.into_matrix("found")?;
    let array = Array::of(expected, "expected")?.into_matrix("expected")?;
    if found.0.kind() != array.0.kind() {
        let [found, expected] = [found.0.kind(), array.0.kind()].map(ElementKind::name);
        return Err(type_error(format!(
            "`found` has the dtype {found}, but `expected` has {expected}; make a table with `dtype=\"{found}\"`"
        )));
    }
    let dtype = expected.cast::<Table>().ok().map(|table| table.get().dtype());
    if let Some(dtype) = dtype {
        return with_stored!(dtype, T => of_entries::<T>(py, &found, &array));
    }
    match array.0.kind() {
        ElementKind::F32 => of_entries::<f32>(py, &found, &array),
        ElementKind::F64 => of_entries::<f64>(py, &found, &array),
        ElementKind::F16 => of_entries::<f16>(py, &found, &array),
        ElementKind::Bf16 => of_entries::<bf16>(py, &found, &array),
        ElementKind::I8 => of_entries::<i8>(py, &found, &array),
        ElementKind::U8 => of_entries::<u8>(py, &found, &array),
        ElementKind::I16 => of_entries::<i16>(py, &found, &array),
        ElementKind::I32 => of_entries::<posenc::Q31>(py, &found, &array),
        kind => Err(type_error(format!("`found` has the dtype {}, which no table has", kind.name()))),
    }
}

fn of_entries<T: Element + Entry>(
    py: Python<'_>,
    (found, size): &(Array, [usize; 2]),
    (expected, [rows, columns]): &(Array, [usize; 2]),
) -> PyResult<Report> {
    if size != &[*rows, *columns] {
        return Err(value_error(format!(
            "`found` has the shape ({}, {}), but must have the shape ({rows}, {columns}) of `expected`",
            size[0], size[1]
        )));
    }
    py.detach(|| {
        let (expected, found) = (expected.contiguous::<T>()?, found.contiguous::<T>()?);
        let expected = Flat::new(&expected, *columns).map_err(value_error)?;
        let found = Flat::new(&found, *columns).map_err(value_error)?;
        Ok(Report::of(&posenc::compare(&expected, &found).map_err(value_error)?))
    })
}
