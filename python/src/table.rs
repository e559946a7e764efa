//! The class `Table`.

use std::ffi::c_int;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use posenc_identify::{Dtype, FloatType};
use posenc_text::dtype::{dtype_text, read_dtype};
use posenc_text::request::Request;
use posenc_text::with_stored;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyBufferError, PyMemoryError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::array::{self, CapsuleRequest, ElementKind, Memory};
use crate::dtype::{Number, in_memory, name_in_python};
use crate::errors::{type_error, value_error};

/// A table of rows and columns, or a vector, whose entries cannot be changed.
///
/// The entries are in one piece of memory, row by row, aligned to 64 bytes. NumPy and PyTorch can share that memory
/// without a copy, through the buffer protocol, `__array__` or `__dlpack__`. JAX copies it. Tables are equal if they have
/// the same shape, the same dtype and the same bits.
#[pyclass(frozen, module = "posenc")]
pub(crate) struct Table {
    memory: Arc<Memory>,
    shape: Vec<usize>,
    dtype: Dtype,
    /// What makes the table, as text, once somebody has asked for it.
    text: OnceLock<String>,
    /// Whether the text is a macro call.
    is_macro: bool,
    /// What the text is made from.
    request: Option<Arc<Request>>,
}

impl Table {
    /// Returns the table of a request.
    pub(crate) fn requested(memory: Memory, shape: Vec<usize>, dtype: Dtype, request: &Arc<Request>) -> Self {
        let (memory, request) = (Arc::new(memory), Some(Arc::clone(request)));
        Self { memory, shape, dtype, text: OnceLock::new(), is_macro: true, request }
    }

    /// Returns a table that no macro makes, with its description.
    pub(crate) fn described(memory: Memory, shape: Vec<usize>, dtype: Dtype, text: String) -> Self {
        Self { memory: Arc::new(memory), shape, dtype, text: OnceLock::from(text), is_macro: false, request: None }
    }

    pub(crate) fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn kind(&self) -> ElementKind {
        in_memory(self.dtype)
    }

    fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let request = self.request.as_ref().expect("a table without a text has a request");
            with_stored!(self.dtype, T => request.rows::<T>().map(|rows| rows.call()).unwrap_or_default())
        })
    }
}

/// Returns memory for a table.
pub(crate) fn allocated(shape: &[usize], bytes: usize, dtype: Dtype) -> PyResult<Memory> {
    Memory::new(bytes).map_err(|_| {
        let sizes = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
        let name = name_in_python(dtype);
        PyMemoryError::new_err(format!(
            "a table of {sizes} {name} entries takes {bytes} bytes, which cannot be allocated"
        ))
    })
}

#[pymethods]
impl Table {
    /// The numbers of rows and columns, or the length of a vector.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// The number of axes: 2, or 1 for a vector.
    #[getter]
    fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// The number of entries.
    #[getter]
    fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// The size of the entries in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.memory.as_bytes().len()
    }

    /// The name of the type of the entries: NumPy's, "bfloat16", or "q7", "q15" or "q31".
    ///
    /// There is no attribute `dtype`, because NumPy and JAX expect an object of NumPy there.
    #[getter]
    fn dtype_name(&self) -> &'static str {
        name_in_python(self.dtype)
    }

    /// The macro call that bakes the same table into a Rust binary, or `None` for vectors and for rows at positions.
    #[getter(r#macro)]
    fn macro_call(&self) -> Option<&str> {
        self.is_macro.then(|| self.text())
    }

    /// Returns the table as a read-only NumPy array, without a copy.
    ///
    /// Raises `TypeError` for bfloat16 if the package `ml_dtypes` is not installed.
    fn numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let bits = Self::bits(slf)?;
        match slf.get().dtype {
            Dtype::Float(FloatType::Bf16) => {
                let ml_dtypes = py.import("ml_dtypes").map_err(|_| {
                    type_error(
                        "NumPy has no bfloat16; install ml_dtypes, or use `.bits()` for the entries as uint16, or \
                         `.torch()`",
                    )
                })?;
                bits.call_method1("view", (ml_dtypes.getattr("bfloat16")?,))
            }
            _ => bits.call_method1("view", (slf.get().kind().name(),)),
        }
    }

    /// Returns the bits of the entries as a read-only NumPy array of unsigned integers, without a copy.
    fn bits<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let bits = Bound::new(slf.py(), Bits { table: slf.clone().unbind() })?;
        slf.py().import("numpy")?.call_method1("asarray", (bits,))
    }

    /// Returns a tensor of PyTorch with a copy of the entries, on the CPU or on another device.
    ///
    /// `torch.from_dlpack(table)` shares the memory instead, which must then not be written to.
    #[pyo3(signature = (device = None))]
    fn torch<'py>(slf: &Bound<'py, Self>, device: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let tensor = slf.py().import("torch")?.call_method1("from_dlpack", (slf,))?;
        match device {
            None => tensor.call_method0("clone"),
            Some(device) => {
                let keywords = PyDict::new(slf.py());
                keywords.set_item("copy", true)?;
                tensor.call_method("to", (device,), Some(&keywords))
            }
        }
    }

    /// Returns the entries as a list of rows, integers without their scale.
    fn tolist<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, table) = (slf.py(), slf.get());
        with_stored!(table.dtype, T => {
            let row = |row: &[T]| row.iter().map(|entry| entry.number(py)).collect::<PyResult<Vec<_>>>();
            match table.shape[..] {
                [_, columns] => {
                    let rows = table.memory.entries::<T>().chunks_exact(columns).map(row);
                    rows.collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)
                }
                _ => row(table.memory.entries::<T>())?.into_bound_py_any(py),
            }
        })
    }

    /// Returns the entries as bytes, row by row, in the byte order of the machine.
    fn tobytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.memory.as_bytes())
    }

    /// Returns the table as a NumPy array: without a copy, if neither `dtype` nor `copy` asks for one.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = Self::numpy(slf)?;
        let numpy = slf.py().import("numpy")?;
        let is_other = match dtype {
            Some(dtype) => !array.getattr("dtype")?.eq(numpy.call_method1("dtype", (dtype,))?)?,
            None => false,
        };
        match (dtype, copy) {
            (Some(_), Some(false)) if is_other => {
                Err(value_error("another dtype needs a copy; use `copy=None`, or make the table with that dtype"))
            }
            (Some(dtype), _) if is_other => array.call_method1("astype", (dtype,)),
            (_, Some(true)) => array.call_method0("copy"),
            _ => Ok(array),
        }
    }

    /// Returns a capsule of DLPack with the memory of the table, or with a copy for consumers older than DLPack 1.0.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        slf: &Bound<'py, Self>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = slf.get();
        let request = CapsuleRequest { stream, max_version, dl_device, copy };
        array::export(slf.py(), &table.memory, 0, &table.shape, table.kind(), &request)
    }

    /// Returns the device of DLPack: (1, 0), the memory of the CPU.
    fn __dlpack_device__(&self) -> (i32, i32) {
        CapsuleRequest::DEVICE
    }

    /// Exports the memory through the buffer protocol, which has no bfloat16.
    unsafe fn __getbuffer__(slf: &Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let table = slf.get();
        let Some(format) = table.kind().format() else {
            return Err(PyBufferError::new_err(
                "the buffer protocol has no bfloat16; use `.bits()` for the entries as uint16, or DLPack",
            ));
        };
        // SAFETY: the interpreter passes a valid view.
        unsafe {
            array::fill_buffer(slf.as_any(), &table.memory, &table.shape, (format, table.kind().size()), view, flags)
        }
    }

    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: the interpreter passes a view that `__getbuffer__` filled.
        unsafe { array::release_buffer(view) }
    }

    fn __len__(&self) -> usize {
        self.shape[0]
    }

    fn __repr__(&self) -> String {
        let sizes = self.shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
        format!("<posenc.Table {sizes} {}: {}>", name_in_python(self.dtype), self.text())
    }

    fn __eq__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let Ok(table) = other.cast::<Self>() else { return py.NotImplemented().into_bound_py_any(py) };
        let other = table.get();
        let is_same = (self.dtype, &self.shape) == (other.dtype, &other.shape);
        (is_same && self.memory.as_bytes() == other.memory.as_bytes()).into_bound_py_any(py)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (name_in_python(self.dtype), &self.shape, self.memory.as_bytes()).hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let restore = py.import("posenc._posenc")?.getattr("_restore")?;
        let table = slf.get();
        let arguments = (dtype_text(table.dtype), table.shape(py)?, table.text(), table.is_macro, table.tobytes(py));
        (restore, arguments).into_pyobject(py)
    }
}

/// The bits of a table, as unsigned integers.
#[pyclass(frozen, module = "posenc")]
struct Bits {
    table: Py<Table>,
}

#[pymethods]
impl Bits {
    unsafe fn __getbuffer__(slf: &Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let table = slf.get().table.get();
        let format = match table.kind().size() {
            1 => c"B",
            2 => c"H",
            4 => c"I",
            _ => c"Q",
        };
        // SAFETY: the interpreter passes a valid view, and the bits keep the table alive.
        unsafe {
            array::fill_buffer(slf.as_any(), &table.memory, &table.shape, (format, table.kind().size()), view, flags)
        }
    }

    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: the interpreter passes a view that `__getbuffer__` filled.
        unsafe { array::release_buffer(view) }
    }
}

/// Restores a table that was pickled.
#[pyfunction(name = "_restore")]
pub(crate) fn restore(dtype: &str, shape: Vec<usize>, text: String, is_macro: bool, entries: &[u8]) -> PyResult<Table> {
    let dtype = read_dtype(dtype).map_err(|error| value_error(format!("`dtype` {error}")))?;
    let count = shape.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    let bytes = count.and_then(|count| count.checked_mul(in_memory(dtype).size()));
    if bytes != Some(entries.len()) || shape.last().is_none_or(|columns| *columns == 0) || shape.len() > 2 {
        return Err(value_error(format!("{} bytes are not a table of the shape {shape:?}", entries.len())));
    }
    let mut memory = allocated(&shape, entries.len(), dtype)?;
    memory.entries_mut::<u8>().copy_from_slice(entries);
    Ok(Table { is_macro, ..Table::described(memory, shape, dtype, text) })
}
