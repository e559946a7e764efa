//! Exporting the entries of a table through the buffer protocol.

use std::ffi::{CStr, c_int};
use std::ptr;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

use super::layout::number_of_bytes;
use super::memory::Memory;

/// The shape and the strides of a view, which refers to them.
struct Dimensions {
    shape: Vec<ffi::Py_ssize_t>,
    strides: Vec<ffi::Py_ssize_t>,
}

/// Fills a view with the entries of a table, which `owner` keeps alive and which cannot be written to.
///
/// # Safety
///
/// `view` must be valid, and be released with [`release_buffer`]. `owner` must keep `memory` alive.
///
/// # Panics
///
/// Panics if the memory is smaller than the array.
pub(crate) unsafe fn fill_buffer(
    owner: &Bound<'_, PyAny>,
    memory: &Memory,
    shape: &[usize],
    (format, size): (&'static CStr, usize),
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> PyResult<()> {
    let is_set = |flag: c_int| flags & flag == flag;
    if view.is_null() {
        return Err(PyBufferError::new_err("the view is null"));
    }
    // SAFETY: the caller passes a valid view. A view without an owner is one that was not filled.
    unsafe { (&raw mut (*view).obj).write(ptr::null_mut()) };
    if is_set(ffi::PyBUF_WRITABLE) {
        return Err(PyBufferError::new_err("the table is read-only; copy it to change it"));
    }
    if is_set(ffi::PyBUF_F_CONTIGUOUS) && shape.len() > 1 {
        return Err(PyBufferError::new_err("the table is stored row by row, not column by column"));
    }
    let bytes = memory.as_bytes();
    assert_eq!(number_of_bytes(size, shape), Some(bytes.len()), "the size of the memory");
    let sizes: Vec<_> = shape.iter().map(|&axis| axis.cast_signed()).collect();
    let mut strides = vec![size.cast_signed(); shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis].saturating_mul(sizes[axis]);
    }
    let dimensions = Box::new(Dimensions { shape: sizes, strides });
    let pointer = |is_wanted: bool, list: &[ffi::Py_ssize_t]| {
        if is_wanted { list.as_ptr().cast_mut() } else { ptr::null_mut() }
    };
    // Python reads the shape of a view of two axes, even if the view has none.
    let axes = if is_set(ffi::PyBUF_ND) { shape.len() } else { 1 };
    let filled = ffi::Py_buffer {
        buf: bytes.as_ptr().cast_mut().cast(),
        obj: owner.clone().into_ptr(),
        len: bytes.len().cast_signed(),
        itemsize: size.cast_signed(),
        readonly: 1,
        ndim: c_int::try_from(axes).expect("a table has one axis or two"),
        format: if is_set(ffi::PyBUF_FORMAT) { format.as_ptr().cast_mut() } else { ptr::null_mut() },
        shape: pointer(is_set(ffi::PyBUF_ND), &dimensions.shape),
        strides: pointer(is_set(ffi::PyBUF_STRIDES), &dimensions.strides),
        suboffsets: ptr::null_mut(),
        internal: Box::into_raw(dimensions).cast(),
    };
    // SAFETY: the caller passes a valid view.
    unsafe { view.write(filled) };
    Ok(())
}

/// Releases what a view refers to, except its owner, which the interpreter releases.
///
/// # Safety
///
/// `view` must have been filled by [`fill_buffer`], and not be released already.
pub(crate) unsafe fn release_buffer(view: *mut ffi::Py_buffer) {
    // SAFETY: the caller passes a view whose `internal` is the box of `fill_buffer`.
    drop(unsafe { Box::from_raw((*view).internal.cast::<Dimensions>()) });
}
