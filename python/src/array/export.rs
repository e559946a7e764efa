//! Passing on the entries of a table through DLPack.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3::{IntoPyObjectExt, ffi};

use super::dlpack::{Device, IS_COPIED, Managed, ManagedTensor, READ_ONLY, Tensor, Version, VersionedTensor};
use super::element::ElementKind;
use super::layout::number_of_bytes;
use super::memory::Memory;

/// The arguments of the method `__dlpack__`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request<'a, 'py> {
    pub(crate) stream: Option<&'a Bound<'py, PyAny>>,
    pub(crate) max_version: Option<(u32, u32)>,
    pub(crate) dl_device: Option<(i32, i32)>,
    pub(crate) copy: Option<bool>,
}

impl Request<'_, '_> {
    /// The answer of the method `__dlpack_device__`.
    pub(crate) const DEVICE: (i32, i32) = (Device::CPU.kind, Device::CPU.id);

    /// Returns whether the consumer knows the form with a version.
    fn is_versioned(&self) -> bool {
        self.max_version.is_some_and(|(major, _)| major >= 1)
    }

    /// Returns an error if the request cannot be met.
    fn check(&self) -> PyResult<()> {
        if self.stream.is_some() {
            return Err(PyBufferError::new_err(
                "`stream` must be None, because the entries are in the memory of the CPU",
            ));
        }
        if let Some(device) = self.dl_device.filter(|&device| device != Self::DEVICE) {
            return Err(PyBufferError::new_err(format!(
                "`dl_device` is {device:?}, but must be (1, 0), the CPU: copy the array to another device afterwards"
            )));
        }
        if self.copy == Some(false) && !self.is_versioned() {
            return Err(PyBufferError::new_err(
                "`copy` is False, but without `max_version=(1, 0)` the array must be copied: older versions of DLPack \
                 cannot say that memory is read-only",
            ));
        }
        Ok(())
    }
}

/// Returns a capsule of an array whose entries start at a byte of some memory.
///
/// The capsule and its consumer keep the memory alive. The consumer gets a copy, to which it may write, if it asks for one
/// or does not know the read-only flag.
///
/// # Panics
///
/// Panics if the memory ends before the array.
pub(crate) fn export<'py>(
    py: Python<'py>,
    memory: &Arc<Memory>,
    offset: usize,
    shape: &[usize],
    kind: ElementKind,
    request: &Request<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    request.check()?;
    let end = number_of_bytes(kind.size(), shape).and_then(|bytes| offset.checked_add(bytes));
    let bytes = end.and_then(|end| memory.as_bytes().get(offset..end)).expect("the array should be within the memory");
    let (memory, offset, flags) = if request.copy == Some(true) || !request.is_versioned() {
        (Arc::new(py.detach(|| Memory::copy_of(bytes))?), 0, IS_COPIED)
    } else {
        (Arc::clone(memory), offset, READ_ONLY)
    };
    if request.is_versioned() {
        capsule(py, memory, offset, shape, kind, |tensor| VersionedTensor {
            version: Version::OURS,
            context: std::ptr::null_mut(),
            deleter: Some(delete),
            flags,
            tensor,
        })
    } else {
        capsule(py, memory, offset, shape, kind, |tensor| ManagedTensor {
            tensor,
            context: std::ptr::null_mut(),
            deleter: Some(delete),
        })
    }
}

/// A struct for a consumer, followed by everything that it points to. The struct is first, so that both have one address.
#[repr(C)]
struct Exported<M> {
    managed: M,
    memory: Arc<Memory>,
    shape_and_strides: Vec<i64>,
}

/// Returns a capsule of the struct that a closure makes.
fn capsule<'py, M: Managed>(
    py: Python<'py>,
    memory: Arc<Memory>,
    offset: usize,
    shape: &[usize],
    kind: ElementKind,
    managed: impl FnOnce(Tensor) -> M,
) -> PyResult<Bound<'py, PyAny>> {
    let mut shape_and_strides: Vec<i64> =
        shape.iter().map(|&entries| i64::try_from(entries)).collect::<Result<_, _>>()?;
    let mut stride = 1_i64;
    shape_and_strides.resize(2 * shape.len(), 0);
    for axis in (0..shape.len()).rev() {
        shape_and_strides[shape.len() + axis] = stride;
        stride = stride.saturating_mul(shape_and_strides[axis].max(1)); // beyond the memory only if it is empty
    }
    let (shape_start, strides_start) = shape_and_strides.split_at_mut(shape.len());
    let tensor = Tensor {
        data: memory.as_bytes()[offset..].as_ptr().cast_mut().cast(),
        device: Device::CPU,
        ndim: i32::try_from(shape.len())?,
        dtype: kind.data_type(),
        shape: shape_start.as_mut_ptr(),
        strides: strides_start.as_mut_ptr(),
        byte_offset: 0,
    };
    let exported = Box::new(Exported { managed: managed(tensor), memory, shape_and_strides });
    let pointer = NonNull::from(Box::leak(exported)).cast::<c_void>();
    // SAFETY: The pointer is valid until `delete` frees it, which the destructor or the consumer calls, and never both. Both
    // functions can be called from any thread, as all fields of `Exported` may be dropped by any.
    let capsule = unsafe { PyCapsule::new_with_pointer_and_destructor(py, pointer, M::NAME, Some(destroy::<M>)) };
    capsule
        .inspect_err(|_| {
            // SAFETY: There is no capsule that owns the struct.
            unsafe { delete(pointer.cast::<M>().as_ptr()) };
        })?
        .into_bound_py_any(py)
}

/// Frees a struct for a consumer. It needs neither the interpreter nor its lock.
///
/// # Safety
///
/// The pointer must be that of a capsule made here, and must not be used again.
unsafe extern "C" fn delete<M>(managed: *mut M) {
    // SAFETY: `capsule` makes all such pointers from a box of `Exported<M>`, whose first field is the `M`.
    drop(unsafe { Box::from_raw(managed.cast::<Exported<M>>()) });
}

/// Frees the struct of a capsule that no consumer renamed.
///
/// # Safety
///
/// The argument must be a capsule made here. The interpreter calls this once, as it frees the capsule.
unsafe extern "C" fn destroy<M: Managed>(capsule: *mut ffi::PyObject) {
    // SAFETY: The argument is a capsule. The function neither raises an exception nor changes one.
    if unsafe { ffi::PyCapsule_IsValid(capsule, M::NAME.as_ptr()) } == 1 {
        // SAFETY: The capsule has this name.
        let pointer = unsafe { ffi::PyCapsule_GetPointer(capsule, M::NAME.as_ptr()) };
        // SAFETY: The capsule has its first name, so that its struct is the one made here and has no other owner.
        unsafe { delete::<M>(pointer.cast()) };
    }
}
