//! Arrays that other packages export through DLPack.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use super::argument::{Argument, is_instance};
use super::dlpack::Device;
use super::element::ElementKind;
use super::exporter::{Access, Exported};
use super::foreign::{Foreign, Keeper};
use super::layout::{Layout, contiguous_strides};
use super::managed::Owned;

impl<'py> Argument<'_, 'py> {
    /// Returns the array of a tensor.
    pub(super) fn tensor(self) -> PyResult<Exported> {
        self.check_tensor()?;
        let capsule = self.capsule().map_err(|error| self.caused_by(error))?;
        let capsule = capsule.cast::<PyCapsule>().map_err(|_| self.invalid())?;
        let tensor = Owned::take(capsule).ok_or_else(|| self.invalid())?;
        let found = tensor.description().ok_or_else(|| self.invalid())?;
        if !found.device.is_cpu() {
            return Err(self.elsewhere(found.device));
        }
        let kind = ElementKind::ALL.into_iter().find(|kind| kind.data_type() == found.dtype);
        let kind = self.accept(kind.ok_or_else(|| self.unsupported(&found.dtype.name()))?)?;
        let access = match found.is_writable() {
            _ if found.is_copy() => Access::Copy,
            Some(true) => Access::Writable,
            Some(false) => Access::ReadOnly,
            // Older versions of PyTorch have only the form without flags. Tensors of PyTorch can be changed.
            None if is_instance(self.value, "torch", "Tensor")? => Access::Writable,
            None => Access::Unknown,
        };
        let size = kind.size().cast_signed();
        let strides = match found.strides {
            Some(strides) => strides.into_iter().map(|stride| stride.checked_mul(size)).collect(),
            None => contiguous_strides(kind.size(), &found.shape),
        };
        let strides = strides.ok_or_else(|| self.invalid())?;
        let layout = Layout { kind, swapped: false, shape: found.shape, strides };
        // SAFETY: Until the tensor is freed, the exporter guarantees that the pointer, the shape and the strides describe an
        // array of entries of its type, which is `kind`. The device says that the CPU can read it.
        let memory = unsafe { Foreign::new(found.data, &layout, Keeper::Tensor(tensor)) };
        Ok(Exported { memory: memory.ok_or_else(|| self.invalid())?, layout, access })
    }

    /// Returns an error if a tensor cannot be read, with a remedy that the exporter's own error may not have.
    fn check_tensor(self) -> PyResult<()> {
        let py = self.value.py();
        if self.value.getattr(intern!(py, "requires_grad")).is_ok_and(|flag| flag.is_truthy().unwrap_or(false)) {
            let name = self.name;
            return Err(PyValueError::new_err(format!(
                "`{name}` is a tensor that requires a gradient, but must be one that does not: pass `{name}.detach()`"
            )));
        }
        let device = self.value.call_method0(intern!(py, "__dlpack_device__"));
        let (kind, id) = device.and_then(|device| device.extract()).map_err(|error| self.caused_by(error))?;
        let device = Device { kind, id };
        if device.is_cpu() { Ok(()) } else { Err(self.elsewhere(device)) }
    }

    /// Returns the capsule of a tensor, of version 1 if the exporter has it.
    fn capsule(self) -> PyResult<Bound<'py, PyAny>> {
        let py = self.value.py();
        let version = PyDict::new(py);
        version.set_item(intern!(py, "max_version"), (1, 0))?;
        self.value.call_method(intern!(py, "__dlpack__"), (), Some(&version)).or_else(|error| {
            if error.is_instance_of::<PyTypeError>(py) {
                return self.value.call_method0(intern!(py, "__dlpack__")); // it does not know the argument
            }
            Err(error)
        })
    }
}
