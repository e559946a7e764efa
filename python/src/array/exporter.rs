//! Finding out how an object of Python exports an array.

use pyo3::buffer::PyUntypedBuffer;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyType};

use super::argument::{Argument, is_instance};
use super::element::ElementKind;
use super::foreign::{Foreign, Keeper};
use super::format::kind_of;
use super::layout::Layout;

/// Whether changes of an array are possible, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Writable,
    ReadOnly,
    /// Changes would not reach the exporter's array.
    Copy,
    /// The exporter cannot say it.
    Unknown,
}

/// An array of another package.
pub(super) struct Exported {
    pub(super) memory: Foreign,
    pub(super) layout: Layout,
    pub(super) access: Access,
}

impl Argument<'_, '_> {
    /// Returns the array that the argument exports, or `None` if it does not export any.
    pub(super) fn exported(self) -> PyResult<Option<Exported>> {
        let Self { value, .. } = self;
        let py = value.py();
        if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() {
            return Ok(None);
        }
        let is_numpy = is_instance(value, "numpy", "ndarray")?;
        if is_numpy && dtype_name(value)? == "bfloat16" {
            return self.numpy_bfloat16().map(Some);
        }
        if let Ok(buffer) = PyUntypedBuffer::get(value) {
            return self.buffer(buffer, None).map(Some);
        }
        // The buffer of an array without axes has neither a shape nor strides, which is an error, but DLPack has it.
        if is_numpy && value.getattr(intern!(py, "ndim"))?.extract::<usize>()? > 0 {
            return Err(self.unsupported(&dtype_name(value)?));
        }
        if value.hasattr(intern!(py, "__dlpack__"))? && !value.is_instance_of::<PyType>() {
            return self.tensor().map(Some);
        }
        Ok(None)
    }

    /// Returns the array that the argument exports, or the one that its method `__array__` makes.
    pub(super) fn exported_or_converted(self) -> PyResult<Option<Exported>> {
        let py = self.value.py();
        let exported = self.exported()?;
        let method = intern!(py, "__array__");
        if exported.is_some() || !self.value.hasattr(method)? || self.value.is_instance_of::<PyType>() {
            return Ok(exported);
        }
        let value = &self.value.call_method0(method).map_err(|error| self.caused_by(error))?;
        Argument { value, name: self.name, accepted: self.accepted }.exported()
    }

    /// Returns an array of NumPy with entries of `ml_dtypes`, which are not in the buffer protocol.
    fn numpy_bfloat16(self) -> PyResult<Exported> {
        let py = self.value.py();
        let order: String = self.value.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "byteorder"))?.extract()?;
        let bits = self.value.call_method1(intern!(py, "view"), (format!("{order}u2"),))?;
        self.buffer(PyUntypedBuffer::get(&bits)?, Some(ElementKind::Bf16))
    }

    /// Returns the array of a buffer. `kind` replaces the type in its format, which must have the same size.
    fn buffer(self, buffer: PyUntypedBuffer, kind: Option<ElementKind>) -> PyResult<Exported> {
        if buffer.suboffsets().is_some_and(|offsets| offsets.iter().any(|&offset| offset >= 0)) {
            return Err(self.wrong("has rows that are allocated separately, but must be in one piece"));
        }
        let (found, swapped) =
            kind_of(&buffer.format().to_string_lossy(), buffer.item_size()).map_err(|name| self.unsupported(&name))?;
        let kind = self.accept(kind.unwrap_or(found))?;
        if kind.size() != found.size() {
            return Err(self.invalid()); // a subclass of NumPy's arrays can change what `view` returns
        }
        let layout = Layout { kind, swapped, shape: buffer.shape().to_vec(), strides: buffer.strides().to_vec() };
        let access = if buffer.readonly() { Access::ReadOnly } else { Access::Writable };
        let base = buffer.buf_ptr().cast();
        // SAFETY: Until the buffer is released, the exporter guarantees that the pointer, the shape and the strides describe
        // an array of entries of its size, which is the size of `kind`.
        let memory = unsafe { Foreign::new(base, &layout, Keeper::Buffer(buffer)) };
        Ok(Exported { memory: memory.ok_or_else(|| self.invalid())?, layout, access })
    }
}

/// Returns the name of the type of the entries of an array of NumPy.
fn dtype_name(array: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = array.py();
    array.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "name"))?.extract()
}
