//! Writing to arrays.

use std::ops::Range;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::argument::Argument;
use super::element::{ElementKind, Entry};
use super::exporter::{Access, Exported};
use super::foreign::Foreign;
use super::input::Array;
use super::layout::tuple;

/// An array of another package to which this one writes.
pub(crate) struct Target {
    /// Contiguous entries of the type `kind`, aligned for it and valid for writes.
    memory: Foreign,
    kind: ElementKind,
}

impl Array {
    /// Returns the array that an argument is, if it can be written to and has this type of entries and shape.
    pub(crate) fn writable(
        value: &Bound<'_, PyAny>,
        argument: &str,
        kind: ElementKind,
        shape: &[usize],
    ) -> PyResult<Target> {
        let found = Argument { value, name: argument, accepted: &[kind] };
        let Exported { memory, layout, access } = found.exported()?.ok_or_else(|| found.not_an_array())?;
        if layout.shape != shape {
            let [found, shape] = [&layout.shape, shape].map(tuple);
            return Err(PyValueError::new_err(format!("`{argument}` has the shape {found}, but must have {shape}")));
        }
        if layout.swapped {
            return Err(found.wrong("has the byte order of other machines, but must have the one of this machine"));
        }
        if !layout.is_contiguous() {
            return Err(found.wrong("has entries that are not next to each other, but must be C-contiguous"));
        }
        if !memory.is_aligned_to(kind.size()) {
            let size = kind.size();
            return Err(found.wrong(&format!("has an address that is not a multiple of {size}, but must be aligned")));
        }
        match access {
            Access::Writable => Ok(Target { memory, kind }),
            Access::ReadOnly => Err(found.wrong("is read-only, but must be writable")),
            Access::Copy => Err(found.wrong("exports only a copy of its entries, but must be writable")),
            Access::Unknown => Err(PyTypeError::new_err(format!(
                "`{argument}` does not say whether it is read-only, but must be writable: a NumPy array or a tensor of \
                 PyTorch on the CPU"
            ))),
        }
    }
}

impl Target {
    /// Returns all entries, the last axis first.
    ///
    /// # Panics
    ///
    /// Panics if the entries have another type than was asked for.
    pub(crate) fn entries_mut<T: Entry>(&mut self) -> &mut [T] {
        assert_eq!(self.kind, T::KIND, "the type of the entries");
        // SAFETY: `Array::writable` makes this from memory whose exporter allows changes.
        let bytes = unsafe { self.memory.bytes_mut() };
        if bytes.is_empty() { &mut [] } else { bytemuck::cast_slice_mut(bytes) }
    }

    /// Returns the addresses of all bytes.
    ///
    /// A function that has other arrays must compare them with theirs: it cannot write to an array while it reads it.
    pub(crate) fn addresses(&self) -> Range<usize> {
        self.memory.addresses()
    }
}
